"""Tests by the largest statistic of runs with permuted classes: one p-value for all at once.

Without any effect the observed classes are one more permutation, so each of the k + 1 runs is
equally probable to have the largest statistic of all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .._core.errors import PlanError

LEAST_LEVEL = 1e-6  # a million runs


def number_of_permutations(level: float, n_permutations: int | None) -> int:
    """Runs with permuted classes: those given, or the fewest that allow the level.

    Examples
    --------
    >>> number_of_permutations(0.05, None)
    19
    """
    if not isinstance(level, float | int) or not LEAST_LEVEL <= level < 1:
        raise PlanError(
            f"level={level!r}: give a number of at least {LEAST_LEVEL:g} and below 1, such as 0.05"
        )
    least = math.ceil(1 / level - 1e-9) - 1
    if n_permutations is None:
        return max(least, 1)
    if not isinstance(n_permutations, int | np.integer) or n_permutations < max(least, 1):
        raise PlanError(
            f"n_permutations={n_permutations!r}: level={level:g} needs a whole number of at "
            f"least {max(least, 1)}, for the smallest p-value of n permutations is 1 / (n + 1)"
        )
    return int(n_permutations)


def attained_level(level: float, n_permutations: int) -> float:
    """The largest p-value of at most `level` that so many runs can give: how often they reject.

    Examples
    --------
    >>> attained_level(0.05, 19), round(attained_level(0.05, 38), 4)
    (0.05, 0.0256)
    """
    return math.floor(level * (1 + n_permutations) + 1e-9) / (1 + n_permutations)


def family_p_values(observed: np.ndarray, maxima: Sequence[float]) -> np.ndarray:
    """(1 + #{runs whose largest is at least the observed}) / (1 + k), of each statistic.

    Examples
    --------
    >>> family_p_values(np.array([0.5, 2.5]), [1.0, 2.0, 3.0])
    array([1. , 0.5])
    """
    largest = np.sort(maxima)
    fewer = np.searchsorted(largest, observed, "left")
    return (1 + len(largest) - fewer) / (1 + len(largest))


def family_threshold(maxima: Sequence[float], level: float) -> float:
    """The statistic to exceed: of the k largest, the floor(level (k + 1))-th from above.

    Examples
    --------
    >>> family_threshold([1.0, 2.0, 3.0], 0.25), family_threshold([1.0, 2.0, 3.0], 0.5)
    (3.0, 2.0)
    """
    place = math.floor(level * (1 + len(maxima)) + 1e-9)
    return float(np.sort(maxima)[::-1][place - 1])
