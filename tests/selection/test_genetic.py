"""The genetic search: its operators against plain ones, and what it promises."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from common.examples import settings
from tamis._core.errors import PlanError
from tamis._core.interfaces import Part
from tamis.selection import GeneticSelector
from tamis.selection._genetic_search import (
    Generation,
    GeneticSettings,
    first_generation,
    migrated_islands,
    mutated_masks,
    next_generation,
    within_bounds,
)

SEED = np.random.SeedSequence(0)
HOW = GeneticSettings(30, 3, 0.9, 0.1, 2, 5, 1, 8)


def planted(seed=0, n=60, p=25):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, p))
    X[:, :3] += 1.2 * y[:, None]
    return X, y


def first_ones(columns):
    """A fitness whose best subset is {0, 1, 2}."""
    return float((columns < 3).sum() - 0.5 * (columns >= 3).sum())


def quick(**settings):
    return GeneticSelector(population=12, generations=6, random_state=0, progress=False, **settings)


def test_generations_stay_within_bounds_and_never_get_worse():
    now = first_generation(40, first_ones, HOW, SEED)
    for g in range(25):
        then = next_generation(now, first_ones, HOW, np.random.SeedSequence(g))
        assert then.masks.shape == (30, 40)
        assert ((then.masks.sum(axis=1) >= 1) & (then.masks.sum(axis=1) <= 8)).all()
        assert then.fitness[0] >= now.fitness[0]  # the elite goes on
        assert (np.diff(then.fitness) <= 0).all()
        assert then.fitness.tolist() == [first_ones(np.flatnonzero(m)) for m in then.masks]
        now = then
    assert np.flatnonzero(now.masks[0]).tolist() == [0, 1, 2]


@given(st.integers(0, 10**6), st.integers(1, 30), st.floats(0, 1))
@settings(max_examples=30, deadline=None)
def test_mutation_keeps_the_expected_size(seed, size, rate):
    rng = np.random.default_rng(seed)
    masks = np.zeros((4000, 60), dtype=bool)
    masks[:, :size] = True
    found = mutated_masks(masks, rate, rng)
    assert found[:, :size].mean() == pytest.approx(1 - rate, abs=0.03)
    spread = found.sum(axis=1).std() / np.sqrt(4000)
    assert abs(found.sum(axis=1).mean() - size) <= 5 * spread + 1e-9


def test_children_come_from_two_parents_bit_by_bit():
    masks = np.zeros((2, 400), dtype=bool)
    masks[0, :200], masks[1, 100:300] = True, True
    now = Generation(masks, np.array([1.0, 0.0]))
    how = GeneticSettings(200, 1, 1.0, 0.0, 0, 5, 1, 400)
    children = next_generation(
        Generation(np.repeat(now.masks, 100, axis=0), np.repeat(now.fitness, 100)),
        lambda columns: 0.0,
        how,
        SEED,
    ).masks
    assert children[:, 100:200].all()  # both have these
    assert not children[:, 300:].any()  # and neither has those
    mixed = children[(children[:, :100].any(axis=1)) & ~children[:, :100].all(axis=1)]
    assert mixed[:, :100].mean() == pytest.approx(0.5, abs=0.03)
    assert 60 < len(mixed) < 140  # half of the pairs are two different parents


def test_fitter_parents_win_tournaments():
    masks = np.eye(50, dtype=bool)
    now = Generation(masks, np.arange(50.0)[::-1])
    for rounds, share in ((1, 0.2), (3, 1 - 0.8**3)):
        how = GeneticSettings(50, rounds, 0.0, 0.0, 0, 1, 1, 50)
        found = [
            next_generation(now, lambda c: -float(c[0]), how, np.random.SeedSequence(s)).masks
            for s in range(60)
        ]
        best = np.array([m.argmax(axis=1) < 10 for m in found]).mean()
        assert best == pytest.approx(share, abs=0.03)


def test_bounds_are_kept_with_what_was_there():
    rng = np.random.default_rng(0)
    how = GeneticSettings(9, 3, 0.9, 0.1, 2, 5, 3, 5)
    masks = rng.random((50, 20)) < rng.random((50, 1))
    found = within_bounds(masks, how, rng)
    for before, after in zip(masks, found, strict=True):
        assert 3 <= after.sum() <= 5
        assert (after <= before).all() if before.sum() > 5 else (before <= after).all()


def test_the_best_of_an_island_comes_to_the_next():
    islands = [
        Generation(np.eye(4, dtype=bool) * (k == 1), np.array([9.0 - k, 2, 1, 0])) for k in range(3)
    ]
    found = migrated_islands(islands)
    assert [one.fitness.tolist() for one in found] == [[9, 7, 2, 1], [9, 8, 2, 1], [8, 7, 2, 1]]
    assert found[2].masks[0].tolist() == islands[1].masks[0].tolist()
    assert migrated_islands(islands[:1]) == islands[:1]


def test_scores_are_those_of_cross_validation():
    X, y = planted()
    folds = list(StratifiedKFold(4, shuffle=True, random_state=0).split(X, y))
    found = quick(estimator=GaussianNB(), cv=folds, size_penalty=0.05).fit(X, y)
    frame = found.result_.frame()
    for columns, score in zip(frame["columns"], frame["score"], strict=True):
        peer = cross_val_score(GaussianNB(), X[:, columns], y, cv=folds, scoring="neg_log_loss")
        assert score == pytest.approx(peer.mean(), rel=1e-9)
    best = max(zip(frame["score"] - 0.05 * frame["size"], -frame["size"], strict=True))
    assert -best[1] == found.get_support().sum() == found.result_.chosen
    assert len(found.result_.trace) == 6
    assert found.result_.trace[-1]["score"] == pytest.approx(best[0])


def test_a_size_is_kept_exactly():
    X, y = planted(1)
    found = quick(size=4).fit(X, y)
    assert found.get_support().sum() == 4
    assert list(found.subsets_) == [4]


@pytest.mark.longer
def test_islands_do_not_depend_on_processes():
    X, y = planted(2)
    one, two = (quick(islands=3, migration=2, n_jobs=k).fit(X, y) for k in (1, 2))
    assert one.scores_.tolist() == two.scores_.tolist()
    assert one.result_.to_dict() == two.result_.to_dict()


def test_the_path_does_not_depend_on_sizes_asked_for():
    X, y = planted(3)
    part = Part.of(X, y)
    few, many = (quick().rank(part, sizes, SEED) for sizes in ([3], [1, 3, 9]))
    assert few.path[3].tolist() == many.path[3].tolist()
    assert few.chosen == many.chosen
    assert few.path[few.chosen].tolist() == many.path[many.chosen].tolist()


def test_the_search_is_among_the_candidates():
    X, y = planted(4)
    found = quick(candidates=5).fit(X, y)
    everywhere = np.concatenate(list(found.subsets_.values()))
    assert len(set(everywhere.tolist())) <= 5
    assert {0, 1, 2} & set(everywhere.tolist())
    path = found.rank(Part.of(X, y), [9], SEED).path[9]
    assert len(path) == 5


def test_nothing_varies():
    found = quick().fit(np.ones((20, 3)), np.arange(20) % 2)
    assert found.get_support().sum() == 0


def test_what_the_result_tells():
    X, y = planted(5)
    found = quick().fit(X, y)
    assert "genetic search by diagonal discriminant" in found.result_.summary()
    content = found.result_.to_dict()
    assert json.loads(json.dumps(content)) == content
    assert content["axis"] == "generations"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"elite": 12}, "no room for children"),
        ({"tournament": 0}, "tournament=0"),
        ({"crossover": 2}, "crossover=2"),
        ({"mutation": -1}, "mutation=-1"),
        ({"size_penalty": -0.1}, "size_penalty=-0.1"),
        ({"islands": 0}, "islands=0"),
        ({"migration": 0}, "migration=0"),
        ({"max_size": 0}, "max_size=0"),
    ],
)
def test_what_is_refused(settings, words):
    with pytest.raises(PlanError, match=words):
        quick(**settings).fit(*planted(6))
