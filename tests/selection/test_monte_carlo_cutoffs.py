"""The cut-offs of Monte Carlo feature selection by their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import PlanError
from tamis.selection._cutoff_rules import (
    PermutedRuns,
    angle_size,
    contrast_threshold,
    kmeans_size,
    number_of_permutations,
)

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
    assert angle_size(scores) == 6
    assert kmeans_size(scores) == 6
    assert angle_size(np.random.default_rng(0).permutation(scores)) == 6


def test_nothing_stands_out_of_nothing():
    assert angle_size(np.zeros(5)) == 0
    assert kmeans_size(np.full(5, -np.inf)) == 0


def test_contrasts_are_exceeded_by_one_in_twenty_of_them():
    contrasts = np.arange(101) / 100
    assert (contrasts > contrast_threshold(contrasts)).sum() == 5
