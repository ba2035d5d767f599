"""When allele frequencies tell a strand: at the numbers of docs/evaluate.md, on genotypes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tamis.genome.study.strands import Frequencies


def frequencies(one, other, calls=10_000.0, new_calls=10_000.0) -> Frequencies:
    one, other = np.atleast_1d(one).astype(float), np.atleast_1d(other).astype(float)
    n, m = np.full(len(one), float(calls)), np.full(len(other), float(new_calls))
    return Frequencies(2 * one * n, n, 2 * other * m, m)


@pytest.mark.every
@pytest.mark.parametrize(
    ("share", "calls", "side"),
    [
        (0.299, 10_000, -1),
        (0.301, 10_000, 0),
        (0.699, 10_000, 0),
        (0.701, 10_000, 1),
        # of 50 calls the standard error at one half is .05: four of them are .2, as far as that
        (0.299, 50, -1),
        (0.299, 48, 0),  # 4 * .5 / sqrt(96) = .204
        (0.29, 48, -1),
        # of 20 calls 4 * .5 / sqrt(40) = .316
        (0.5 + 0.318, 20, 1),
        (0.5 + 0.314, 20, 0),
        (0.0, 8, -1),  # four errors are .5: as far as a frequency may be
        (0.0, 7, 0),
        (0.3, 0, 0),
    ],
)
def test_a_frequency_tells_a_strand_a_fifth_and_four_errors_from_one_half(share, calls, side):
    sure = frequencies(0.9, share, new_calls=calls)
    assert sure.sides().tolist() == [side]
    turned = frequencies(share, 0.1, calls=calls)
    assert turned.sides().tolist() == [-side]


def hudson(p: float, q: float, calls: float) -> float:
    """F_ST of two frequencies (Bhatia et al. 2013, equation 10)."""
    copies = 2 * calls
    noise = p * (1 - p) / (copies - 1) + q * (1 - q) / (copies - 1)
    return ((p - q) ** 2 - noise) / (p * (1 - q) + q * (1 - p))


def test_differentiation_is_hudsons():
    p, q, calls = 0.3, 0.45, 40.0
    found = frequencies([p] * 3, [q] * 3, calls, calls).differentiation()
    assert found == pytest.approx(hudson(p, q, calls))


@pytest.mark.parametrize(
    ("shift", "k", "one"),
    [(0.097, 20, True), (0.097, 19, False), (0.1035, 20, False), (0.0, 20, True)],
)
def test_cohorts_are_of_one_population_below_two_in_a_hundred(shift, k, one):
    """Frequencies .5 - d/2 and .5 + d/2 of many calls have an F_ST of d^2 / (.5 + d^2 / 2): .02
    at d = .1005. Fewer than twenty variants tell nothing."""
    found = frequencies([0.5 - shift / 2] * k, [0.5 + shift / 2] * k, 1e6, 1e6)
    assert found.differentiation() == pytest.approx(shift**2 / (0.5 + shift**2 / 2), abs=2e-6)
    assert math.isclose(0.1005**2 / (0.5 + 0.1005**2 / 2), 0.02, rel_tol=1e-2)
    assert found.one_population() is one
