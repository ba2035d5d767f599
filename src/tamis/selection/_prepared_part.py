"""A training set behind steps: statistics of columns that these left alone are the table's."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ._moments import ClassMoments, class_moments
from ._parts import TrainingParts


class PreparedPart(TrainingParts):
    """One training set of a prepared table, whose first rows it is.

    Parameters
    ----------
    X : ndarray of shape (m, k), float64, C order
        The part's rows, then those it predicts, prepared.
    n : int
        Rows of the part.
    table : TrainingParts
        The parts of the table before any step.
    at : int
        This part among them.
    rows : ndarray of shape (m,)
        The table's row behind each row.
    same : ndarray of shape (k,)
        The table's column that has the numbers of each column; -1 where the steps changed them.
    incomplete : ndarray
        Columns of X with a missing value.
    """

    def __init__(
        self,
        X: np.ndarray,
        n: int,
        table: TrainingParts,
        at: int,
        rows: np.ndarray,
        same: np.ndarray,
        incomplete: np.ndarray,
    ):
        super().__init__(X, table.y[rows], [np.arange(n)], incomplete, n_classes=table.n_classes)
        self.table, self.at, self.same = table, at, same

    @cached_property
    def moments(self) -> list[ClassMoments]:
        """Class moments of the part."""
        columns = self.same
        shared = np.flatnonzero((columns >= 0) & (self.table.units[columns] == self.units))
        if not len(shared):
            return super().moments
        found = self.table.moments[self.at]
        other = np.setdiff1d(np.arange(len(columns)), shared)
        own = class_moments(self.matrix(0)[:, other], self.labels(0)) if len(other) else None
        means, squares = (np.empty((self.n_classes, len(columns))) for _ in range(2))
        means[:, shared] = found.means[:, columns[shared]]
        squares[:, shared] = found.squares[:, columns[shared]]
        if own is not None:
            means[:, other], squares[:, other] = own.means, own.squares
        return [ClassMoments(found.counts, means, squares)]
