"""Missing values filled from the training rows: median, mode, nearest neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from .._core.arrays import Shape, fitting_arrays, rising_places, unfit_part_error
from .._core.interfaces import Arrays, FittedStep
from ..kernels.medians import column_medians
from ..kernels.units import in_units, table_units
from .fitted import ByColumn
from .step import StepTransformer


@dataclass(frozen=True)
class Filled(ByColumn):
    """Missing values are the column's own number."""

    values: np.ndarray

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Fill."""
        return np.where(np.isnan(X), self.values, X)

    def changed(self) -> np.ndarray:
        """None: a column without missing values stays as it is."""
        return self.columns[:0]


class MedianImputer(StepTransformer):
    """Missing values become the median of their column; 0 in a column without any value.

    Examples
    --------
    >>> import numpy as np
    >>> MedianImputer().fit_transform([[1.0], [np.nan], [4.0], [2.0]]).ravel()
    array([1., 2., 4., 2.])
    """

    by_column = True
    fitted = Filled

    def learn(self, X: np.ndarray, y: np.ndarray) -> Filled:
        """The medians."""
        return Filled(column_medians(X))


class ModeImputer(StepTransformer):
    """Missing values become the most frequent value of their column, the least of several.

    Examples
    --------
    >>> import numpy as np
    >>> ModeImputer().fit_transform([[3.0], [np.nan], [3.0], [1.0]]).ravel()
    array([3., 3., 3., 1.])
    """

    by_column = True
    fitted = Filled

    def learn(self, X: np.ndarray, y: np.ndarray) -> Filled:
        """The modes."""
        values = np.zeros(X.shape[1])
        for j, column in enumerate(X.T):
            found, counts = np.unique(column[~np.isnan(column)], return_counts=True)
            if len(found):
                values[j] = found[counts.argmax()]
        return Filled(values)


@dataclass(frozen=True)
class FilledByNeighbours(FittedStep):
    """Missing values are means over the nearest training rows; all columns are compared.

    Attributes
    ----------
    rows : ndarray of shape (n, p)
        Training rows.
    outputs : ndarray
        Columns that are given.
    """

    rows: np.ndarray
    outputs: np.ndarray
    n_neighbors: int

    @property
    def columns(self) -> np.ndarray:
        """Those given."""
        return self.outputs

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Fill, each row by itself."""
        out = X.copy()
        units = table_units(self.rows)
        rows = in_units(self.rows, units)
        for new, x in zip(out, in_units(X, units), strict=True):
            holes = np.flatnonzero(np.isnan(x))
            if len(holes):
                new[holes] = self._means(rows, x, holes) * units[holes]
        return np.ascontiguousarray(out[:, self.outputs])

    def _means(self, rows: np.ndarray, x: np.ndarray, holes: np.ndarray) -> np.ndarray:
        """Means of the nearest rows that have a value; of all that have, where none compares.

        Distances are over the columns that both have, scaled up to all of them. They are sums of
        squared differences: squares apart from products would lose what rows differ by.
        """
        apart = (rows - x) ** 2
        both = (~np.isnan(apart)).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            distances = np.nansum(apart, axis=1) / both  # NaN where nothing is in common
        order = np.argsort(distances, kind="stable")[: int((both > 0).sum())]
        found = np.zeros(len(holes))
        for at, j in enumerate(holes):
            there = order[~np.isnan(rows[order, j])][: self.n_neighbors]
            values = rows[there, j] if len(there) else rows[~np.isnan(rows[:, j]), j]
            found[at] = values.mean() if len(values) else 0.0
        return found

    def changed(self) -> np.ndarray:
        """None: a column without missing values stays as it is."""
        return self.outputs[:0]

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the columns; distances are over all."""
        less = type(self)(self.rows, self.outputs[outputs], self.n_neighbors)
        return less, np.arange(self.rows.shape[1])

    def to_arrays(self) -> Arrays:
        """Rows, and where they have values."""
        seen = ~np.isnan(self.rows)
        return {
            "rows": np.where(seen, self.rows, 0.0),
            "seen": seen.astype(np.float64),
            "outputs": self.outputs.astype(np.float64),
        }


class NeighbourImputer(StepTransformer):
    """Missing values become the mean of the k nearest training rows that have one.

    Distances are over the columns that both rows have, as in scikit-learn's ``KNNImputer``; of
    rows equally near the first. Bring the columns to one scale first (`standardize`). Where no row
    has a column in common it is the column's mean, and 0 in a column without any value.

    Parameters
    ----------
    n_neighbors : int, default=5

    Examples
    --------
    >>> import numpy as np
    >>> X = [[1.0, 5.0], [1.1, 7.0], [9.0, 1.0], [1.0, np.nan]]
    >>> NeighbourImputer(n_neighbors=2).fit_transform(X)[3]
    array([1., 6.])
    """

    def __init__(self, n_neighbors: int = 5):
        self.n_neighbors = n_neighbors

    def learn(self, X: np.ndarray, y: np.ndarray) -> FilledByNeighbours:
        """The training rows themselves."""
        return FilledByNeighbours(X, np.arange(X.shape[1]), self.n_neighbors)

    def from_arrays(self, arrays: Arrays, n_columns: int) -> FilledByNeighbours:
        """Rows, and which of their values there are."""
        given: dict[str, Shape] = {"rows": (None, n_columns), "seen": (None, n_columns)}
        rows, seen, outputs = fitting_arrays(arrays, **given, outputs=(None,))
        if rows.shape != seen.shape or not len(rows) or not np.isin(seen, (0, 1)).all():
            raise unfit_part_error("seen")
        rows = np.where(seen == 1, rows, np.nan)
        columns = rising_places(outputs, n_columns, "outputs")
        return FilledByNeighbours(rows, columns, self.n_neighbors)
