"""Sets of chosen columns, and the arithmetic of their stability.

Only the columns chosen at least once are ever held, so a hundred sets of twenty out of
60,000 features cost as much as out of 600.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from .._core.errors import DataError, PlanError

Sets = Iterable[Iterable[int]]


class ChosenSets:
    """Checked sets of columns, as a membership matrix over the columns chosen at least once."""

    def __init__(self, sets: Sets, n_features: int | None = None):
        if n_features is not None and n_features < 1:
            raise DataError(f"n_features is {n_features}: give the number of columns chosen from")
        arrays = [columns_of(chosen, n_features) for chosen in sets]
        self.n, self.M = n_features or 0, len(arrays)
        self.sizes = np.array([len(a) for a in arrays], dtype=np.int64)
        self.mean_size = float(self.sizes.mean()) if self.M else float("nan")
        flat = np.concatenate(arrays) if arrays else np.empty(0, dtype=np.int64)
        self.union, places = np.unique(flat, return_inverse=True)
        # float32 counts overlaps exactly up to 2^24 features
        self.member = np.zeros((self.M, len(self.union)), dtype=np.float32)
        self.member[np.repeat(np.arange(self.M), self.sizes), places.reshape(-1)] = 1.0

    def overlaps(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Overlap and the two sizes of every pair of sets, as integers."""
        first, second = np.triu_indices(self.M, k=1)
        overlap = (self.member @ self.member.T)[first, second].astype(np.int64)
        return overlap, self.sizes[first], self.sizes[second]

    def lustgarten(self) -> tuple[float, int]:
        """The mean over defined pairs, and the number of undefined ones."""
        overlap, a, b = self.overlaps()
        # both times n, so that 0/0 is recognised in integers
        above = overlap * self.n - a * b
        below = self.n * (np.minimum(a, b) - np.maximum(0, a + b - self.n))
        defined = below != 0
        undefined = len(defined) - int(defined.sum())
        return mean_of(above[defined] / below[defined]), undefined

    def jaccard(self) -> float:
        """Mean overlap over union; pairs of empty sets are left out."""
        overlap, a, b = self.overlaps()
        union = a + b - overlap
        defined = union > 0
        return mean_of(overlap[defined] / union[defined])

    def nogueira(self) -> tuple[float, float]:
        """Nogueira's value and the variance of theorem 7; NaN where undefined."""
        total = int(self.sizes.sum())
        if self.M < 2 or total in (0, self.M * self.n):
            return float("nan"), float("nan")
        M, n, m = self.M, self.n, total / (self.M * self.n)
        member = self.member.astype(np.float64)
        share = member.mean(axis=0)  # p_f; 0 outside the union
        spread = m * (1.0 - m)
        value = 1.0 - M / (M - 1) * float((share * (1.0 - share)).sum()) / n / spread
        # phi_i is what set i contributes; the variance is 4/M^2 sum (phi_i - mean)^2
        size = self.sizes / n
        correction = value / 2.0 * (2.0 * size * m - size - m + 1.0)
        phi = (member @ share / n - size * m + correction) / spread
        return value, 4.0 / M**2 * float(((phi - phi.mean()) ** 2).sum())

    def common(self, share: float) -> np.ndarray:
        """The columns in at least a share of the sets."""
        if not 0.0 < share <= 1.0:
            raise PlanError(f"share is {share}: give a share of the sets above 0 and at most 1")
        counts = self.member.sum(axis=0)
        return self.union[counts >= share * self.M - 1e-9]


def columns_of(chosen: Iterable[int], n_features: int | None) -> np.ndarray:
    """One set as sorted distinct columns."""
    array = np.asarray(chosen if isinstance(chosen, (np.ndarray, Sequence)) else list(chosen))
    if array.size == 0:
        return np.empty(0, dtype=np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise DataError(
            f"a set of features is of type {array.dtype} and shape {array.shape}: give column "
            "numbers (np.flatnonzero of a mask)"
        )
    columns = np.unique(array.astype(np.int64))
    if columns[0] < 0 or (n_features is not None and columns[-1] >= n_features):
        strange = columns[0] if columns[0] < 0 else columns[-1]
        raise DataError(
            f"column {strange} is not among 0 to {'...' if n_features is None else n_features - 1}:"
            " n_features is the number of columns chosen from"
        )
    return columns


def mean_of(values: np.ndarray) -> float:
    """The mean, whatever the order of the sets; of equal values, exactly their value."""
    if len(values) == 0:
        return float("nan")
    least = float(values.min())
    return least + math.fsum((values - least).tolist()) / len(values)
