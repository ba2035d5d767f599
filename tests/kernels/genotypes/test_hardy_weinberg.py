"""The exact Hardy-Weinberg test against whole numbers."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.kernels.genotypes.hardy_weinberg import hardy_weinberg


def slow_p(two, one, none, mid=False):
    """By all numbers of heterozygotes there can be, their weights 2^h n! / (a! h! d!) in full."""
    n, copies = two + one + none, 2 * two + one
    weights = {}
    for h in range(copies % 2, min(copies, 2 * n - copies) + 1, 2):
        a = (copies - h) // 2
        weights[h] = 2**h * comb(n, h) * comb(n - h, a)
    seen = weights[one]
    tail = sum(weight for weight in weights.values() if weight <= seen)
    if mid:
        equal = sum(weight for weight in weights.values() if weight == seen)
        return Fraction(2 * tail - equal, 2 * sum(weights.values()))
    return Fraction(tail, sum(weights.values()))


@pytest.mark.parametrize("mid", [False, True])
@given(counts=st.tuples(*[st.integers(0, 150)] * 3))
def test_equals_whole_numbers(counts, mid):
    found = hardy_weinberg(np.array([counts], dtype=np.int32), mid)[0]
    assert found == pytest.approx(float(slow_p(*counts, mid)), rel=1e-12)


@pytest.mark.parametrize(
    "counts", [(500, 800, 700), (1, 1, 2500), (0, 50, 2950), (900, 1, 900), (750, 1500, 750)]
)
def test_equals_whole_numbers_of_thousands(counts):
    found = hardy_weinberg(np.array([counts]))[0]
    assert found == pytest.approx(float(slow_p(*counts)), rel=1e-11)


def test_every_table_of_forty_people():
    counts = np.array([(a, h, 40 - a - h) for a in range(41) for h in range(41 - a)])
    wanted = [float(slow_p(*row)) for row in counts.tolist()]
    np.testing.assert_allclose(hardy_weinberg(counts), wanted, rtol=1e-12)


@pytest.mark.every
@pytest.mark.parametrize("h", [100, 347, 608, 610, 612, 614, 620, 900, 1060, 1075])
def test_small_p_does_not_vanish(h):
    wanted = slow_p(0, h, 0)
    tolerance = 1e-10 if h < 1000 else 0.2  # numbers below 1e-308 have few digits
    found = hardy_weinberg(np.array([[0, h, 0]]))[0]
    assert found == pytest.approx(float(wanted), rel=tolerance)
    assert found > 0


@pytest.mark.parametrize(
    "counts", [(0, 3000, 0), (1000, 0, 1000), (20000, 0, 20000), (0, 10**6, 0)]
)
def test_what_no_double_can_hold_is_0(counts):
    assert hardy_weinberg(np.array([counts]))[0] == 0


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 5), (10**6, 0, 0), (0, 1, 0), (0, 1, 10**6)])
def test_nothing_to_see_is_1(counts):
    assert hardy_weinberg(np.array([counts]))[0] == 1
    assert hardy_weinberg(np.array([counts]), mid=True)[0] == 0.5


@given(counts=st.tuples(*[st.integers(0, 5000)] * 3))
def test_a_p_whichever_allele_is_counted(counts):
    found = hardy_weinberg(np.array([counts, counts[::-1]]))
    assert 0 <= found[0] <= 1
    assert found[0] == pytest.approx(found[1], rel=1e-10)
    halved = hardy_weinberg(np.array([counts]), mid=True)[0]
    assert halved <= found[0]


def test_counts_of_missing_calls_are_not_looked_at():
    counts = np.array([[3, 62, 354, 8], [3, 62, 354, 800]])
    found = hardy_weinberg(counts)
    assert found[0] == found[1] == hardy_weinberg(counts[:, :3])[0]


def test_honest_where_nothing_is_wrong():
    rng = np.random.default_rng(5)
    copies = rng.binomial(1, rng.uniform(0.02, 0.5, (20000, 1, 1)), (20000, 150, 2)).sum(axis=2)
    counts = np.stack([(copies == k).sum(axis=1) for k in (2, 1, 0)], axis=1)
    p, mid = hardy_weinberg(counts), hardy_weinberg(counts, mid=True)
    for level in (0.05, 0.01, 0.001):
        noise = 3 * np.sqrt(level / len(p))
        assert (p <= level).mean() <= level + noise
        assert (mid <= level).mean() == pytest.approx(level, abs=noise + 0.1 * level)
