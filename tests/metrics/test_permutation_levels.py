"""The levels of tests by the largest statistic of permuted runs, and how many runs they take: by
the exchangeability of k + 1 runs, in whole numbers (Westfall and Young 1993)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tamis._core.errors import PlanError
from tamis.metrics.permuted_maxima import (
    attained_level,
    family_p_values,
    family_threshold,
    number_of_permutations,
)


@pytest.mark.every
@pytest.mark.parametrize(
    ("level", "least"),
    [(0.05, 19), (0.01, 99), (0.1, 9), (0.2, 4), (0.3, 3), (0.5, 1), (0.9, 1), (0.06, 16)],
)
def test_the_fewest_runs_are_those_whose_least_p_value_is_the_level(level, least):
    """1 / (k + 1) is at most the level; with one run less it is above."""
    exact = Fraction(str(level))
    assert least == 1 or Fraction(1, least) > exact
    assert Fraction(1, least + 1) <= exact
    assert number_of_permutations(level, None) == least
    assert number_of_permutations(level, least) == least
    with pytest.raises(PlanError, match=f"at least {least},"):
        number_of_permutations(level, least - 1)


@pytest.mark.parametrize("level", [0.0, 0.9e-6, 1.0, -0.05])
def test_levels_are_from_one_in_a_million_to_1(level):
    assert number_of_permutations(1e-6, None) == 999_999
    with pytest.raises(PlanError, match="at least 1e-06 and below 1"):
        number_of_permutations(level, None)


@pytest.mark.parametrize("least", [48, 97, 102])
def test_rounding_asks_for_no_further_run(least):
    """1 / (1 / 49) is more than 49 in floating point."""
    level = 1 / (least + 1)
    assert 1 / level > least + 1
    assert number_of_permutations(level, None) == least


@pytest.mark.parametrize(("off", "place", "least"), [(0.9e-9, 2, 19), (1.1e-9, 1, 20)])
def test_what_is_off_by_1e_9_is_rounding(off, place, least):
    level = (2 - off) / 40
    assert attained_level(level, 39) == place / 40
    assert family_threshold(list(range(39)), level) == 39 - place
    assert number_of_permutations(1 / (20 + off), None) == least


def test_at_least_one_run_is_permuted():
    """1 / level - 1 is nothing but rounding here; without a run there is no p-value."""
    level = float(np.nextafter(1.0, 0.0))
    assert number_of_permutations(level, None) == 1
    with pytest.raises(PlanError, match="at least 1,"):
        number_of_permutations(level, 0)


@pytest.mark.every
@pytest.mark.parametrize("k", [19, 20, 38, 39, 99])
@pytest.mark.parametrize("level", [0.05, 0.1, 0.3])
def test_the_level_attained_is_the_largest_p_value_that_rejects(level, k):
    exact = Fraction(str(level))
    possible = [Fraction(reached, k + 1) for reached in range(1, k + 2)]
    attained = max(p for p in possible if p <= exact)
    assert attained_level(level, k) == pytest.approx(float(attained), rel=1e-12)
    maxima = np.random.default_rng(k).permutation(k) + 1.0
    edge = family_threshold(maxima.tolist(), level)
    observed = np.concatenate([maxima, maxima + 0.5, [0.0, k + 2.0]])
    p = family_p_values(observed, maxima.tolist())
    np.testing.assert_array_equal(observed > edge, p <= attained_level(level, k) + 1e-12)
    for one, found in zip(observed, p, strict=True):
        assert found == (1 + (maxima >= one).sum()) / (k + 1)


@pytest.mark.longer
def test_the_largest_of_many_statistics_is_rejected_at_its_level():
    """20,000 tables of 30 correlated statistics and 19 permuted runs: one in twenty."""
    rng, runs = np.random.default_rng(0), 20_000
    values = rng.normal(size=(runs, 20, 30)) + rng.normal(size=(runs, 20, 1))
    largest = values.max(axis=2)
    rejected = np.mean([family_p_values(own[:1], own[1:].tolist())[0] <= 0.05 for own in largest])
    assert abs(rejected - 0.05) < 3 * np.sqrt(0.05 * 0.95 / runs)
