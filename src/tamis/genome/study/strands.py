"""Which strand alleles A/T or C/G are written on, which look the same on both: by frequencies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MIN_FREQUENCY_DISTANCE = 0.2  # from 1/2, of an informative frequency
MIN_STANDARD_ERRORS = 4  # standard errors that it is away, too
MIN_WITNESSES = 20  # variants that a file can be judged by
MAX_F_ST = 0.02  # F_ST from which cohorts are of populations too far from each other


@dataclass(frozen=True)
class Frequencies:
    """Of alleles in two cohorts: copies of each (k,), and calls, in one and in the other.

    Examples
    --------
    >>> calls = np.full(3, 1000.0)
    >>> both = Frequencies(0.2 * calls, calls, np.array([0.3, 1.7, 0.9]) * calls, calls)
    >>> both.sides().tolist(), round(both.differentiation(), 3)
    ([1, -1, 0], 0.471)
    """

    copies: np.ndarray
    calls: np.ndarray
    new_copies: np.ndarray
    new_calls: np.ndarray

    def sides(self) -> np.ndarray:
        """Whether they are on one side of 1/2 (1), on two (-1), or one is too near it (0)."""
        return _side_of_half(self.copies, self.calls) * _side_of_half(
            self.new_copies, self.new_calls
        )

    def differentiation(self) -> float:
        """F_ST of the two cohorts (Hudson's, as a ratio of sums; Bhatia et al. 2013), 0 without
        calls."""
        there = (self.calls > 0) & (self.new_calls > 0)
        one, other = (
            _allele_share(self.copies, self.calls),
            _allele_share(self.new_copies, self.new_calls),
        )
        noise = one * (1 - one) / np.maximum(2 * self.calls - 1, 1)
        noise += other * (1 - other) / np.maximum(2 * self.new_calls - 1, 1)
        between = ((one - other) ** 2 - noise)[there].sum()
        total = (one * (1 - other) + other * (1 - one))[there].sum()
        return float(between / total) if total > 0 else 0.0

    def one_population(self) -> bool:
        """Whether so many alleles of known strands are alike that frequencies show strands."""
        enough = len(self.calls) >= MIN_WITNESSES
        return enough and self.differentiation() < MAX_F_ST


def _allele_share(copies: np.ndarray, calls: np.ndarray) -> np.ndarray:
    """Of allele 1; 1/2 without calls."""
    return np.where(calls > 0, copies / np.maximum(2 * calls, 1), 0.5)


def _side_of_half(copies: np.ndarray, calls: np.ndarray) -> np.ndarray:
    """-1 below 1/2, 1 above, 0 near it."""
    off = _allele_share(copies, calls) - 0.5
    least = np.maximum(
        MIN_FREQUENCY_DISTANCE, MIN_STANDARD_ERRORS * 0.5 / np.sqrt(np.maximum(2 * calls, 1))
    )
    return np.where(np.abs(off) >= least, np.sign(off), 0.0).astype(np.int64)
