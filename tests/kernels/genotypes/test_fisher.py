"""Fisher's exact test against whole numbers and scipy."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from tamis.kernels.genotypes.fisher import differential_missingness, fisher_exact_p


def slow_p(a, b, c, d, mid=False):
    """By all tables with these margins."""
    first, second, left = a + b, c + d, a + c
    weights = [
        comb(first, k) * comb(second, left - k)
        for k in range(max(0, left - second), min(first, left) + 1)
    ]
    seen = comb(first, a) * comb(second, c)
    tail, total = sum(weight for weight in weights if weight <= seen), sum(weights)
    if mid:
        return Fraction(2 * tail - weights.count(seen) * seen, 2 * total)
    return Fraction(tail, total)


@pytest.mark.parametrize("mid", [False, True])
@given(table=st.tuples(*[st.integers(0, 120)] * 4))
def test_equals_whole_numbers(table, mid):
    found = fisher_exact_p(np.array([table], dtype=np.int32), mid)[0]
    assert found == pytest.approx(float(slow_p(*table, mid)), rel=1e-12)


@pytest.mark.parametrize(
    "table", [(1900, 57, 1930, 20), (1957, 0, 1950, 0), (1000, 957, 30, 1920), (40, 1917, 1910, 40)]
)
def test_equals_whole_numbers_of_a_cohort(table):
    wanted = slow_p(*table)
    if wanted < Fraction(1, 10**300):
        assert fisher_exact_p(np.array([table]))[0] < 1e-300
    else:
        assert fisher_exact_p(np.array([table]))[0] == pytest.approx(float(wanted), rel=1e-10)


def test_equals_scipy():
    rng = np.random.default_rng(3)
    tables = rng.integers(0, 60, (300, 4))
    wanted = [fisher_exact(table.reshape(2, 2)).pvalue for table in tables]
    np.testing.assert_allclose(fisher_exact_p(tables), wanted, rtol=1e-9)


def test_small_p_does_not_vanish():
    wanted = float(2 / Fraction(comb(1000, 500)))
    assert fisher_exact_p(np.array([[500, 0, 0, 500]]))[0] == pytest.approx(wanted, rel=1e-12)


@given(table=st.tuples(*[st.integers(0, 3000)] * 4))
def test_a_p_however_the_table_is_turned(table):
    a, b, c, d = table
    found = fisher_exact_p(np.array([table, (c, d, a, b), (b, a, d, c), (a, c, b, d)]))
    assert 0 <= found[0] <= 1
    np.testing.assert_allclose(found, found[0], rtol=1e-10)


def test_several_classes_by_the_pair_that_differs_most():
    called = np.array([[90, 99, 98], [95, 95, 95], [0, 0, 0], [100, 100, 0]])
    missing = 100 - called
    missing[2] = 0
    found = differential_missingness(called, missing)
    pairs = [(90, 10, 99, 1), (90, 10, 98, 2), (99, 1, 98, 2)]
    assert found[0] == pytest.approx(3 * min(float(slow_p(*pair)) for pair in pairs))
    assert found[1] == found[2] == 1
    assert 0 < found[3] < 1e-50


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_honest_where_calls_are_missing_alike(n_classes):
    rng = np.random.default_rng(7)
    share = rng.uniform(0.005, 0.2, (20000, 1))
    missing = rng.binomial(200, share, (20000, n_classes))
    p = differential_missingness(200 - missing, missing)
    for level in (0.05, 0.01, 0.001):
        assert (p <= level).mean() <= level + 3 * np.sqrt(level / len(p))


def test_finds_a_class_whose_calls_are_worse():
    rng = np.random.default_rng(8)
    missing = np.stack([rng.binomial(2000, share, 1000) for share in (0.01, 0.05)], axis=1)
    p = differential_missingness(2000 - missing, missing)
    assert (p < 1e-5).mean() > 0.99
