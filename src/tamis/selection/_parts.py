"""The training sets of one outer fold, and what filters share across them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from .._core.interfaces import Part
from ..kernels.medians import impute_medians
from ..kernels.units import in_units, magnitudes_of_rows, shared_units
from ._moments import ClassMoments, class_moments

T = TypeVar("T")
Leading = list[list[np.ndarray | None]] | None  # columns of each training set of each run


class TrainingParts:
    """Overlapping row sets of one matrix, each a training set that learns by itself.

    Every class occurs in every part; the protocol sees to that.

    Parameters
    ----------
    X : ndarray of shape (n, p), float64, C order
        May hold NaN in the columns `incomplete`; each part fills them with its own medians.
        A table of far-off magnitude (1e-200) is kept in other units: a power of two for all, by
        the rows of the first part, which has those of all others.
    y : ndarray of shape (n,)
        Class codes.
    rows : list of ndarray
        The rows of each part.
    incomplete : ndarray
        Columns with a missing value anywhere.
    units : ndarray of shape (p,), optional
        Those units, where they are known.
    n_classes : int, optional
        Of y, if no row has the last one.
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        rows: Sequence[np.ndarray],
        incomplete: np.ndarray | None = None,
        units: np.ndarray | None = None,
        n_classes: int | None = None,
    ):
        if units is None:
            units = shared_units(magnitudes_of_rows(X, np.asarray(rows[0])))
        self.units = units
        self.X, self.y = in_units(X, self.units), y
        self.rows = [np.asarray(r) for r in rows]
        if incomplete is None:
            incomplete = np.flatnonzero(np.isnan(X).any(axis=0))
        self.incomplete = incomplete
        self.n_classes = int(y.max()) + 1 if n_classes is None else n_classes

    def __len__(self) -> int:
        return len(self.rows)

    def matrix(self, part: int) -> np.ndarray:
        """The part's own rows, missing values filled from them."""
        X = self.X[self.rows[part]]
        if len(self.incomplete):
            impute_medians(X, self.incomplete)
        return X

    def by_block(self, function: Callable[[TrainingParts], T]) -> list[T]:
        """What a function makes of the parts, for blocks of columns; a matrix is one block."""
        return [function(self)]

    def at_once(self, score: Callable[..., np.ndarray]) -> np.ndarray:
        """Scores (n_parts, p) from a function of all parts.

        `score` makes them of X (n, p), class codes, masks of the parts' rows (n_parts, n) and the
        number of classes.
        """
        mask = np.zeros((len(self), len(self.X)), dtype=bool)
        for k, rows in enumerate(self.rows):
            mask[k, rows] = True
        scores = score(self.filled, self.y, mask, self.n_classes)
        if len(self.incomplete):  # each part fills these with its own medians
            for k in range(len(self)):
                columns = np.ascontiguousarray(self.matrix(k)[:, self.incomplete])
                everyone = np.ones((1, len(columns)), dtype=bool)
                own = score(columns, self.labels(k), everyone, self.n_classes)
                scores[k, self.incomplete] = own[0]
        return scores

    def part(self, part: int) -> Part:
        """The same with its class codes."""
        return Part.of(self.matrix(part), self.labels(part))

    def labels(self, part: int) -> np.ndarray:
        """Class codes of the part's rows."""
        return self.y[self.rows[part]]

    @cached_property
    def filled(self) -> np.ndarray:
        """X with incomplete columns set to 0, for kernels that redo those by themselves."""
        if not len(self.incomplete):
            return self.X
        X = self.X.copy()
        X[:, self.incomplete] = 0.0
        return X

    @cached_property
    def moments(self) -> list[ClassMoments]:
        """Class moments of every part, from one pass over X."""
        from ..kernels.moments import part_moments

        counts, means, squares = part_moments(self.filled, self.y, self.rows, self.n_classes)
        if len(self.incomplete):
            for k in range(len(self.rows)):
                own = class_moments(self.matrix(k)[:, self.incomplete], self.labels(k))
                means[k][:, self.incomplete] = own.means
                squares[k][:, self.incomplete] = own.squares
        return [ClassMoments(*m) for m in zip(counts, means, squares, strict=True)]
