"""Thresholds from chance, and how sure a set of random intersection trees is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions.itemset_miner import random_table
from tamis._core.streams import stream
from tamis.data import make_planted_interaction
from tamis.interactions import random_intersection_trees
from tamis.interactions.sets.intersection_confidence import chance_thresholds, permutation_values
from tamis.interactions.sets.intersection_search import PackedClasses, TreeSettings, sets_of_class
from tamis.interactions.sets.maximal_sets import MaximalSets
from tamis.kernels._bits import pack_rows

QUICK = {"n_permutations": 0, "n_bootstraps": 0}


@pytest.mark.longer
def test_chance_and_confidence_on_a_planted_set():
    data = make_planted_interaction(n_per_class=100, n_features=300, random_state=3)
    found = random_intersection_trees(data.X > 0, data.y, n_bootstraps=4)
    planted = (297, 298, 299)
    assert found.columns[0] == planted
    assert found.p_value[0] == 1 / 20  # no search with permuted labels has a set as far apart
    assert found.q_value[0] <= 1 / 20
    assert found.stability[0] >= 0.5
    assert (np.diff(found.p_value) >= 0).all()
    assert (np.diff(found.q_value) >= 0).all()
    plain = random_intersection_trees(data.X > 0, data.y, **QUICK)
    assert plain.columns == found.columns
    assert plain.p_value is plain.q_value is plain.stability is None
    again = random_intersection_trees(
        data.X > 0, data.y, theta=found.settings["theta"], n_bootstraps=4
    )
    assert [
        (one["features"], one["p_value"], one["stability"]) for one in again.to_dict()["sets"]
    ] == [(one["features"], one["p_value"], one["stability"]) for one in found.to_dict()["sets"]]


gaps = st.lists(st.integers(-3, 9).map(lambda tenths: tenths / 10), max_size=8)


@given(gaps.filter(len), st.lists(gaps, min_size=1, max_size=6))
def test_p_and_q_values_by_their_definition(here, runs):
    here = sorted(here, reverse=True)
    none = np.zeros(0, dtype=np.int64)
    found = MaximalSets([], none, none, none, np.array(here))
    p, q = permutation_values(found, [np.array(run) for run in runs])

    def rate(gap):
        as_far = [sum(other >= gap for other in run) for run in [here, *runs]]
        return np.mean(as_far) / as_far[0]

    for s, gap in enumerate(here):
        assert p[s] == np.mean([max(run, default=-1) >= gap for run in [here, *runs]])
        assert q[s] == pytest.approx(min(1, *(rate(other) for other in here if other <= gap)))


def test_auto_is_a_quantile_of_the_leaves_of_permuted_labels():
    X, y = random_table(9, 8, 40)
    X[:, :2] |= (y == 0)[:, None]  # labels say something: thresholds are of those that do not
    plan = TreeSettings(n_trees=30, depth=4, branch=2.5, min_size=2, most_sets=10**6)
    classes = PackedClasses(pack_rows(X), [np.flatnonzero(y == c) for c in np.unique(y)], 64)
    thresholds = np.mean(
        [
            chance_thresholds(classes, plan, seed, lambda one, n: list(map(one, range(n))))
            for seed in range(10)
        ],
        axis=0,
    )
    rng = np.random.default_rng(0)
    for c, n in enumerate(classes.sizes):
        leaves = []
        for seed in range(200):
            shuffled = rng.permutation(len(y))
            members = np.split(shuffled, np.cumsum(classes.sizes)[:-1])
            sets = sets_of_class(
                PackedClasses(classes.rows, members, 64), c, 0, classes.sizes, plan, stream(seed)
            )
            leaves.append(np.repeat(sets.counts[:, c], sets.leaves) / n)
        low, high = np.quantile(np.concatenate(leaves), [0.9, 0.975])
        assert low <= thresholds[c] <= high


def test_the_result_tells_the_same_in_every_form():
    data = make_planted_interaction(n_per_class=100, n_features=300, n_interactions=2)
    found = random_intersection_trees(data.X > 0, data.y, n_permutations=3, n_bootstraps=3)
    plain, frame = found.to_dict(), found.frame()
    assert len(plain["sets"]) == len(frame) == len(found) == plain["n_sets"]
    for s, one in enumerate(plain["sets"]):
        row = frame.iloc[s]
        assert tuple(one["features"]) == row["features"] == found.features(s)
        assert one["class"] == row["class"]
        assert one["counts"] == [row[f"rows {label}"] for label in found.classes]
        assert one["prevalence"] == [row[f"prevalence {label}"] for label in found.classes]
        for name in ("difference", "trees", "stability", "p_value", "q_value"):
            assert one[name] == row[name]
    occurrences = found.occurrences()
    assert occurrences.sum() == sum(map(len, found.columns))
    assert found.selected(1).tolist() == np.flatnonzero(occurrences > 1).tolist()
    assert found.summary().startswith(f"{len(found)} set")
