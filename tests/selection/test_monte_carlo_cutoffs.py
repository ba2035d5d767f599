"""The cut-offs of Monte Carlo feature selection by their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import PlanError
from tamis.metrics.permuted_maxima import number_of_permutations
from tamis.selection import MonteCarloSelector
from tamis.selection._cutoff_rules import (
    PermutedRuns,
    angle_size,
    contrast_threshold,
    kmeans_size,
)
from tamis.selection._monte_carlo_parameters import weights_of

importances = st.lists(st.integers(0, 1000), min_size=2, max_size=40).map(
    lambda values: np.array(values) / 1000
)


@pytest.mark.parametrize(("level", "k"), [(0.05, 19), (0.01, 99), (0.5, 1), (0.03, 33), (0.9, 1)])
def test_the_fewest_permutations_that_allow_a_level(level, k):
    assert number_of_permutations(level, None) == k
    assert number_of_permutations(level, k + 5) == k + 5
    with pytest.raises(PlanError, match=f"at least {k}"):
        number_of_permutations(level, k - 1)


@given(observed=importances, seed=st.integers(0, 99), k=st.integers(19, 60))
def test_p_values_by_counting(observed, seed, k):
    rng = np.random.default_rng(seed)
    null = rng.choice(np.round(observed, 2), (k, len(observed)))
    runs = PermutedRuns(observed)
    for scores in null:
        runs.add(scores)
    for j, score in enumerate(observed):
        reached = int((null >= score).sum())
        assert runs.p_values[j] == (1 + reached) / (1 + null.size)
        runs_that_reach = int((null.max(axis=1) >= score).sum())
        assert runs.family_p_values[j] == (1 + runs_that_reach) / (1 + k)
    for level in (0.05, 0.1):
        passed = observed > runs.threshold(level)
        assert np.array_equal(passed, runs.family_p_values <= level)


@given(importances)
def test_two_means_are_a_fixed_point(scores):
    size = kmeans_size(scores)
    values = np.sort(scores)[::-1]
    if values[0] == values[-1]:
        assert size == 0
        return
    above, below = values[:size], values[size:]
    middle = (above.mean() + below.mean()) / 2
    assert 1 <= size < len(values)
    assert (above > middle).all()
    assert (below <= middle).all()


def test_cut_offs_of_the_published_toy():
    """RI of A2 A1 B1 B2 C2 C1 .687 .682 .501 .496 .343 .335, then .046 falling slowly."""
    scores = np.r_[0.687, 0.682, 0.501, 0.496, 0.343, 0.335, np.linspace(0.046, 0, 500)]
    assert kmeans_size(scores) == 6
    assert angle_size(scores) == 21  # of rmcfs too
    assert angle_size(np.random.default_rng(0).permutation(scores)) == 21


RANKS = {
    "1/i": lambda i: 1 / i,
    "exp(-i/10)": lambda i: np.exp(-i / 10),
    ".3/sqrt(i)": lambda i: 0.3 / np.sqrt(i),
    "line": lambda i: 1 - i / (len(i) + 1.0),
    "noise": lambda i: np.random.default_rng(len(i)).exponential(size=len(i)) * 0.01,
}
RMCFS = {  # sizes by CriticalAngleCutoff of rmcfs 1.3.6, run on these importances
    20: (8, 8, 8, 3, 7),
    100: (16, 24, 17, 3, 17),
    500: (16, 29, 18, 3, 15),
    2000: (16, 30, 18, 3, 8),
    7129: (16, 30, 18, 3, 3),
}


@pytest.mark.parametrize("p", RMCFS)
def test_the_critical_angle_is_that_of_rmcfs(p):
    rank = np.arange(1, p + 1)
    assert tuple(angle_size(shape(rank)) for shape in RANKS.values()) == RMCFS[p]


def angle_slowly(scores):
    """A line fitted anew to the best 2, 3, ..., centred by sums over p."""
    values, p = np.sort(scores), len(scores)
    y, x = (values - values[0]) / (values[-1] - values[0]), np.arange(p) / p

    def slope(first):
        dx, dy = x[first:] - x[first:].sum() / p, y[first:] - y[first:].sum() / p
        return (dx * dy).sum() / (dx**2).sum()

    before = slope(p - 2)
    for first in range(p - 3, 0, -1):
        now = slope(first)
        if abs(now - before) < 0.01:
            return int((values > values[first]).sum()) + 1
        before = now
    return int((values > 0).sum())


@given(st.integers(0, 10_000), st.integers(2, 300))
def test_the_critical_angle_by_its_definition(seed, p):
    """On values as trees give them, few of them large; none on the edge of .01."""
    scores = np.random.default_rng(seed).exponential(size=p) ** 2
    assert angle_size(scores) == angle_slowly(scores)


def test_nothing_stands_out_of_nothing():
    assert angle_size(np.zeros(5)) == 0
    assert kmeans_size(np.full(5, -np.inf)) == 0


def test_contrasts_are_exceeded_by_one_in_twenty_of_them():
    contrasts = np.arange(101) / 100
    assert (contrasts > contrast_threshold(contrasts)).sum() == 5


def test_the_mean_is_that_of_three_sizes():
    """2 importances exceed .7, 4 are in the upper cluster, the slope settles at the 13th."""
    scores = np.r_[1.0, 0.98, 0.6, 0.59, 0.1, 0.09, 0.08, 0.07, np.linspace(0.03, 0, 30)]
    permuted = PermutedRuns(scores)
    for _ in range(19):
        permuted.add(np.full(len(scores), 0.7))
    selector = MonteCarloSelector()

    def size(rule):
        return selector._cut(rule, scores, len(scores), permuted)["size"]

    three = size("permutations"), size("kmeans"), size("angle")
    assert three == (2, 4, 13)
    assert size("mean") == 6  # 19/3


def of_little_use(n=40):
    """Noise, five columns that no tree can use, and labels that follow one column."""
    rng = np.random.default_rng(1)
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, 12))
    X[:, 7:] = 0.0
    X[:, 2] += 2.0 * y
    return X, y


CONTRASTS = {"cutoff": "contrast", "s": 60, "t": 2, "meetings": 20, "random_state": 1}


def test_contrasts_have_no_place_in_the_graph():
    """They are more important than columns of zeros, which keep their place all the same."""
    X, y = of_little_use()
    selector = MonteCarloSelector(**CONTRASTS, second_stage=12).fit(X, y)
    assert (selector.scores_[7:] == 0).all()
    assert selector.cutoff_["threshold"] > 0
    assert sorted(selector.graph_.names) == sorted(f"x{j}" for j in range(12))
    whole = MonteCarloSelector(**CONTRASTS, second_stage=0).fit(X, y).graph_
    assert sorted(whole.names) == sorted(f"x{j}" for j in range(12))
    few = MonteCarloSelector(**CONTRASTS, second_stage=9).fit(X, y).graph_
    best = np.argsort(selector.ranking_)[:9]
    assert list(few.names) == [f"x{j}" for j in best]
    assert set(few.frame()["source"]) | set(few.frame()["target"]) <= set(few.names)


@pytest.mark.longer
def test_contrasts_are_drawn_with_the_mean_of_the_weights():
    np.testing.assert_allclose(weights_of([1, 3], 2, 4), [1 / 3, 1, 2 / 3, 2 / 3])
    X, y = of_little_use()
    weights = np.r_[np.zeros(3), np.full(9, 2.0)]
    selector = MonteCarloSelector(**CONTRASTS, feature_weights=weights).fit(X, y)
    # what is drawn besides the features are the two contrasts, at 3/4 of a feature's weight
    drawn = 60 * selector.result_.settings["m"] - selector.offered_.sum()
    assert 0.3 < drawn / 2 / selector.offered_[3:].mean() < 1.2
    assert selector.cutoff_["threshold"] > 0
