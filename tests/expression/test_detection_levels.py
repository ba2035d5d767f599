"""The levels of detection calls, by exact p-values of Wilcoxon's signed rank test."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tamis.expression import detection_calls

TAU = 0.015  # Affymetrix (2002), as Liu et al. (2002) have it


def call_of(scores, **more):
    """The call, and p, of one set of pairs with discrimination scores (PM - MM)/(PM + MM)."""
    R = np.asarray(scores, dtype=float)[None]
    found = detection_calls(100 * (1 + R), 100 * (1 - R), ["s"] * R.shape[1], exact=True, **more)
    return found.calls[0, 0], found.p_values[0, 0]


def ranked(n: int, negative) -> list[float]:
    """Scores whose distances from tau have ranks 1 to n, those of some ranks below it."""
    return [TAU + (-1 if k in negative else 1) * 0.05 * k for k in range(1, n + 1)]


def exact_p(n: int, total: int) -> float:
    """Of all 2^n signs the share with so small a sum of negative ranks."""
    sums = [sum(s) for k in range(n + 1) for s in combinations(range(1, n + 1), k)]
    return sum(s <= total for s in sums) / 2**n


@pytest.mark.every
@pytest.mark.parametrize(
    ("n", "negative", "call"),
    [
        (9, (7,), "P"),  # 19/512 = .037
        (9, (8,), "M"),  # 25/512 = .049
        (7, (4,), "M"),  # 7/128 = .055
        (9, (9,), "A"),  # 33/512 = .064
        (8, (7,), "A"),  # 19/256 = .074
    ],
)
def test_a_set_is_present_below_4_and_marginal_below_6_in_a_hundred(n, negative, call):
    p = exact_p(n, sum(negative))
    assert call == ("P" if p < 0.04 else "M" if p < 0.06 else "A")
    assert call_of(ranked(n, negative)) == (call, pytest.approx(p))


@pytest.mark.parametrize(("shift", "call"), [(0.001, "P"), (-0.001, "A")])
def test_scores_are_tested_against_a_tau_of_15_in_a_thousand(shift, call):
    """Eight scores, all just above it or all just below."""
    scores = [TAU + shift * (1 + 0.1 * k) for k in range(8)]
    assert call_of(scores) == (call, pytest.approx(1 / 256 if shift > 0 else 1.0))


@pytest.mark.parametrize(("mismatch", "left"), [(46_000.0, 10), (46_001.0, 5)])
def test_pairs_of_a_saturated_mismatch_are_left_out(mismatch, left):
    """Five pairs well above tau; five whose mismatch is far above the perfect match."""
    PM = np.array([[900.0, 800, 950, 870, 990, 100, 110, 120, 130, 140]])
    MM = np.array([[100.0] * 5 + [mismatch] * 5])
    found = detection_calls(PM, MM, ["s"] * 10, exact=True).p_values[0, 0]
    assert (found == pytest.approx(1 / 32)) == (left == 5)
    assert left == 5 or found > 0.5
