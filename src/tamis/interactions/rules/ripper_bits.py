"""Description length of a set of rules for one class, in bits.

Source: Quinlan (1995), MDL and categorical theories (continued), ICML, 464-470; Cohen (1995),
Fast effective rule induction, ICML, section 3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log2

import numpy as np


def possible_conditions(X: np.ndarray, nominal: Mapping[int, int]) -> float:
    """Conditions that a rule may have: categories, and both sides of every cut."""
    count = sum(nominal.values())
    for j in range(X.shape[1]):
        if j not in nominal:
            known = X[~np.isnan(X[:, j]), j]
            count += 2 * max(len(np.unique(known)) - 1, 0)
    return float(max(count, 1))


def rule_bits(conditions: int, possible: float) -> float:
    """Of a rule: how many conditions, and which; halved, as conditions are redundant (Cohen)."""
    if conditions == 0:
        return 0.0
    how_many = log2(conditions)
    if conditions > 1:
        how_many += 2 * log2(how_many)
    share = min(conditions / possible, 1.0)
    return 0.5 * (how_many + subset_bits(possible, conditions, share))


def set_bits(covered: int, uncovered: int, wrong: int, missed: int, share: float) -> float:
    """Of the errors: `wrong` of the covered samples and `missed` of the others.

    Errors are expected to be wrong ones with probability `share`; the part with fewer samples
    is coded with the error rate it has, the other with the one then expected (Quinlan).
    """
    bits = log2(covered + uncovered + 1)
    errors = wrong + missed
    if covered > uncovered:
        bits += subset_bits(covered, wrong, share * errors / covered)
        return bits + (subset_bits(uncovered, missed, missed / uncovered) if uncovered else 0.0)
    bits += subset_bits(covered, wrong, wrong / covered) if covered else 0.0
    return bits + (
        subset_bits(uncovered, missed, (1 - share) * errors / uncovered) if uncovered else 0.0
    )


def subset_bits(n: float, k: float, p: float) -> float:
    """Which k of n, where each is one of them with probability p."""
    bits = 0.0
    if k > 0:
        bits -= k * log2(p) if p > 0 else -np.inf
    if n > k:
        bits -= (n - k) * log2(1 - p) if p < 1 else -np.inf
    return bits
