"""Stability selection against plain loops, and what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import check_estimator

from tamis._core.errors import DataError, PlanError
from tamis.selection import EliminationSelector, FilterSelector, Ranking, welch_t
from tamis.selection._stability import StabilitySelector, complementary_halves, top


def planted(seed, n=40, p=60, n_classes=2, true=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, p))
    X[:, :true] += 2 * y[:, None]
    return X, y


@given(
    st.lists(st.integers(2, 9), min_size=2, max_size=4), st.booleans(), st.integers(0, 2**32 - 1)
)
@settings(max_examples=100, deadline=None)
def test_halves_are_disjoint_and_stratified(sizes, stratified, seed):
    y = np.repeat(np.arange(len(sizes)), sizes)
    a, b = complementary_halves(y, np.random.SeedSequence(seed), stratified)
    assert len(a) == len(b) == len(y) // 2
    assert not set(a) & set(b)
    ours, theirs = (np.bincount(y[r], minlength=len(sizes)) for r in (a, b))
    assert (ours > 0).all()
    assert (theirs > 0).all()
    if stratified:
        for one, other, size in zip(ours, theirs, sizes, strict=True):
            assert {int(one), int(other)} <= {size // 2, -(-size // 2)}


def test_every_row_has_the_same_chance():
    y = np.array([0] * 5 + [1] * 7 + [2] * 4 + [3] * 3)  # three odd classes: a row is left out
    seen = np.zeros(len(y))
    for s in range(4000):
        for half in complementary_halves(y, np.random.SeedSequence(s)):
            seen[half] += 1
    # a row of a class of odd size m is in a half unless it is the one left out: 1/(3m)
    m = np.bincount(y)[y]
    expected = np.where(m % 2 == 1, 1 - 1 / (3 * m), 1.0)
    np.testing.assert_allclose(seen / 4000, expected, atol=0.03)


class Plain:
    """Welch's t without rank_parts: no sharing among halves."""

    def rank(self, X, y, sizes, stream):
        scores = np.abs(welch_t(X, y)[0])
        return Ranking(scores, {k: np.argsort(-scores, kind="stable")[:k] for k in sizes})


@pytest.mark.parametrize("stratified", [True, False])
def test_equals_a_plain_loop(stratified):
    X, y = planted(1)
    q, B = 6, 15
    found = StabilitySelector(
        FilterSelector("welch_t"), q=q, threshold=0.8, n_pairs=B, stratified=stratified,
        random_state=3,
    ).fit(X, y)  # fmt: skip
    seen = np.zeros((q, 60))
    both = np.zeros(60)
    for b in range(B):
        halves = complementary_halves(y, np.random.SeedSequence(3, spawn_key=(0, b)), stratified)
        sets = []
        for rows in halves:
            t = np.abs(welch_t(X[rows], y[rows])[0])
            order = sorted(range(60), key=lambda j, t=t: (-t[j], j))
            for k in range(1, q + 1):
                seen[k - 1, order[:k]] += 1 / (2 * B)
            sets.append(set(order[:q]))
        both[list(sets[0] & sets[1])] += 1 / B
    np.testing.assert_allclose(found.probabilities_, seen[-1], atol=1e-12)
    np.testing.assert_allclose(found.simultaneous_, both, atol=1e-12)
    assert found.path_features_.tolist() == np.flatnonzero(seen[-1]).tolist()
    np.testing.assert_allclose(found.probability_path_, seen[:, found.path_features_], atol=1e-12)
    assert (found.support_ == (found.probabilities_ >= found.threshold_)).all()
    # ties: by the area under the path, then by column
    area = seen.sum(axis=0).round(9)
    order = sorted(range(60), key=lambda j: (-round(seen[-1, j], 9), -area[j], j))
    assert np.argsort(found.ranking_).tolist() == order
    excess = found.scores_ - found.probabilities_
    assert (excess >= 0).all()
    assert (excess <= 1 / (4 * B) + 1e-12).all()


def test_rankers_with_and_without_rank_parts_agree():
    X, y = planted(2)
    arguments = {"q": 5, "threshold": 0.7, "n_pairs": 10, "random_state": 0}
    shared = StabilitySelector(FilterSelector("welch_t"), **arguments).fit(X, y)
    plain = StabilitySelector(Plain(), **arguments).fit(X, y)
    assert (shared.scores_ == plain.scores_).all()


class Dice:
    """Scores by chance, many of them equal."""

    def rank(self, X, y, sizes, stream):
        scores = np.random.default_rng(stream).integers(0, 4, X.shape[1]).astype(float)
        return Ranking(scores)


@pytest.mark.parametrize("ranker", [None, Dice()])
def test_batches_change_nothing(monkeypatch, ranker):
    X, y = planted(3)
    selector = StabilitySelector(ranker, q=5, threshold=0.7, n_pairs=10, random_state=0)
    whole = selector.fit(X, y).scores_
    monkeypatch.setattr("tamis.selection._stability.AT_ONCE", 3 * X.shape[1])
    assert (selector.fit(X, y).scores_ == whole).all()


@pytest.mark.parametrize("n_pairs", [1, 7, 20])
def test_probabilities_are_on_the_grid(n_pairs):
    X, y = planted(4, n=31, n_classes=3)
    found = StabilitySelector(q=4, threshold=1, n_pairs=n_pairs, random_state=0).fit(X, y)
    steps = found.probabilities_ * 2 * n_pairs
    np.testing.assert_allclose(steps, steps.round(), atol=1e-9)
    assert found.probabilities_.sum() == pytest.approx(4)
    # both halves select at least 2 Pi - 1 of the time, and at most Pi
    assert (found.simultaneous_ >= 2 * found.probabilities_ - 1 - 1e-12).all()
    assert (found.simultaneous_ <= found.probabilities_ + 1e-12).all()


def test_the_seed_decides_and_the_stream_is_left_alone():
    X, y = planted(5)
    a, b = (StabilitySelector(random_state=1, n_pairs=10).fit(X, y).scores_ for _ in range(2))
    assert (a == b).all()
    other = StabilitySelector(random_state=2, n_pairs=10).fit(X, y).scores_
    assert (a != other).any()
    stream = np.random.SeedSequence(1)
    again = [StabilitySelector(n_pairs=10).rank(X, y, [5], stream).scores for _ in range(2)]
    assert (again[0] == a).all()
    assert (again[1] == a).all()


def test_ties_at_the_cut_are_drawn_by_lot():
    rng = np.random.default_rng(0)
    scores = np.array([1.0, 5.0, 1.0, 1.0, -np.inf, 1.0])
    ranking = Ranking(scores, {3: np.array([1, 0, 2])})
    drawn = np.zeros(6)
    for _ in range(2000):
        chosen = top(ranking, 3, rng)
        assert chosen[0] == 1
        assert len(set(chosen)) == 3
        drawn[chosen] += 1
    np.testing.assert_allclose(drawn / 2000, [0.5, 1, 0.5, 0.5, 0, 0.5], atol=0.05)
    # a method's own set is no cut of its scores, and stays
    own = Ranking(scores, {2: np.array([2, 5])})
    assert top(own, 2, rng).tolist() == [2, 5]
    # fewer have a score than are asked for
    few = Ranking(np.array([2.0, -np.inf, -np.inf]), {2: np.array([0, 1])})
    assert top(few, 2, rng).tolist() == [0]


def test_constant_columns_are_not_stable():
    X, y = planted(6, p=40, true=2)
    X[:, 2:] = 1.0
    found = StabilitySelector(FilterSelector("welch_t"), q=8, threshold=0.8, random_state=0).fit(
        X, y
    )
    assert np.flatnonzero(found.support_).tolist() == [0, 1]


def test_defaults_fill_what_is_not_given():
    X, y = planted(7, p=200)
    none = StabilitySelector(n_pairs=50, random_state=0).fit(X, y)
    assert (none.threshold_, none.q_) == (0.75, 14)  # sqrt(200 * 0.98) = 14
    assert StabilitySelector(q=5).fit(X, y).threshold_ == 0.75
    assert StabilitySelector(pfer=0.1).fit(X, y).pfer_ <= 0.1
    assert StabilitySelector(q=5, pfer=0.1).fit(X, y).threshold_ > 0.75


def test_a_size_gives_up_error_control():
    X, y = planted(8)
    found = StabilitySelector(size=7, random_state=0).fit(X, y)
    assert found.support_.sum() == 7
    assert (np.flatnonzero(found.support_) == np.sort(np.argsort(found.ranking_)[:7])).all()
    assert found.pfer_ is None
    assert found.threshold_ is None


def test_few_false_selections():
    """A small version of tests/slow/test_false_selections.py."""
    false, true = [], []
    for seed in range(40):
        X, y = planted(seed, n=40, p=100, true=3)
        found = StabilitySelector(
            q=8, threshold=0.6, n_pairs=20, bound="r_concave", random_state=seed
        ).fit(X, y)
        false.append(found.support_[3:].sum())
        true.append(found.support_[:3].sum())
    assert np.mean(false) <= found.pfer_
    assert np.mean(true) > 2.5


@pytest.mark.parametrize(
    "selector",
    [
        StabilitySelector(n_pairs=5),
        StabilitySelector(EliminationSelector(step=1), n_pairs=2, threshold=0.8, stratified=False),
    ],
)
def test_scikit_learn_checks(selector):
    check_estimator(selector)


def test_errors():
    X, y = planted(9)
    with pytest.raises(PlanError, match="has no method rank"):
        StabilitySelector("moderated_t").fit(X, y)
    with pytest.raises(PlanError, match="give two"):
        StabilitySelector(q=3, threshold=0.8, pfer=1).fit(X, y)
    with pytest.raises(DataError, match="at least 2"):
        StabilitySelector().fit(X, np.array(["a"] * 39 + ["b"]))
    with pytest.raises(DataError, match="stratified=True"):
        StabilitySelector(stratified=False).fit(X, np.arange(40) // 2)
