"""Filters that need only class means and sums of squares share this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data.class_codes import checked_numbers, class_codes


@dataclass(frozen=True)
class ClassMoments:
    """Moments of one training set.

    Attributes
    ----------
    counts : ndarray of shape (C,)
    means, squares : ndarray of shape (C, p)
        Class means, and sums of squares about them.
    """

    counts: np.ndarray
    means: np.ndarray
    squares: np.ndarray

    @property
    def df(self) -> int:
        """Residual degrees of freedom, n - C."""
        return int(self.counts.sum() - len(self.counts))

    @property
    def difference(self) -> np.ndarray:
        """Positive minus negative class mean (two classes), (p,)."""
        return self.means[1] - self.means[0]

    @property
    def unscaled(self) -> np.ndarray:
        """Sum of 1 over the number of values of each class: the variance of `difference` over that
        of a value, () or (p,)."""
        return (1 / self.counts).sum()

    @property
    def overall(self) -> np.ndarray:
        """Mean of all rows, (p,)."""
        shares = self.counts[:, None] / self.counts.sum()
        return self.means[0] + (shares * self.offsets).sum(axis=0)

    @property
    def offsets(self) -> np.ndarray:
        """Class means less the first class's, (C, p): exactly 0 in a constant column."""
        return self.means - self.means[0]

    @property
    def within(self) -> np.ndarray:
        """Pooled sum of squares within classes, (p,)."""
        if len(self.squares) == 2:  # a third faster
            return self.squares[0] + self.squares[1]
        return self.squares.sum(axis=0)

    @property
    def between(self) -> np.ndarray:
        """Sum of squares between classes, (p,)."""
        weights, means = self.counts[:, None], self.offsets
        grand = (weights * means).sum(axis=0) / self.counts.sum()
        return (weights * (means - grand) ** 2).sum(axis=0)


def class_moments(X: np.ndarray, codes: np.ndarray) -> ClassMoments:
    """Moments of one matrix (n x p, finite) with class codes 0..C-1."""
    from ..kernels.moments import part_moments

    n_classes = int(codes.max()) + 1
    counts, means, squares = part_moments(
        np.ascontiguousarray(X, dtype=np.float64), codes, [np.arange(len(X))], n_classes
    )
    return ClassMoments(counts[0], means[0], squares[0])


def moments_of_counts(counts: np.ndarray) -> ClassMoments:
    """Those of columns whose values are counted by class (m, C, V + 1), see `kernels.counted`."""
    from ..kernels.counted import counted_moments

    return ClassMoments(counts[0].sum(axis=1), *counted_moments(counts))


def joined_moments(blocks: Sequence[ClassMoments]) -> ClassMoments:
    """Those of blocks of columns side by side."""
    return ClassMoments(
        blocks[0].counts,
        np.concatenate([m.means for m in blocks], axis=1),
        np.concatenate([m.squares for m in blocks], axis=1),
    )


def moments_of(X, y) -> ClassMoments:
    """Moments of user input: X (n x p) finite numbers, y class labels."""
    X, y = checked_numbers(X, y)
    _, codes = class_codes(y, "a filter")
    return class_moments(X, codes)


def moment_ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Elementwise quotient where 0/0 is 0: a constant column says nothing."""
    if denominator.min(initial=np.inf) > 0:  # 0 over it is 0 by itself
        return numerator / denominator
    with np.errstate(divide="ignore", invalid="ignore"):
        value = numerator / denominator
    return np.where(numerator == 0, 0.0, value)
