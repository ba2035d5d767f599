"""Columns of mean 0 and standard deviation 1 in the training rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._core.arrays import unfit_part_error
from .._core.interfaces import Arrays
from ..kernels.units import column_units, in_units
from .fitted import ByColumn
from .step import StepTransformer, constant_columns

MIN_NORMAL = np.finfo(float).tiny


@dataclass(frozen=True)
class Standardized(ByColumn):
    """(x - center) / scale."""

    center: np.ndarray
    scale: np.ndarray

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Shift and divide."""
        return (X - self.center) / self.scale


class Standardizer(StepTransformer):
    """Takes off each column's mean and divides by its standard deviation (1/n).

    Missing values are left out and stay missing. A column that does not vary is only shifted.

    Examples
    --------
    >>> Standardizer().fit_transform([[1.0], [3.0]]).ravel()
    array([-1.,  1.])
    """

    by_column = True

    def learn(self, X: np.ndarray, y: np.ndarray) -> Standardized:
        """Means and deviations."""
        units = column_units(X)
        values, varying = in_units(X, units), ~constant_columns(X)
        center, scale = np.zeros(X.shape[1]), np.ones(X.shape[1])
        seen = ~np.isnan(X).all(axis=0)
        center[seen] = np.nanmean(values[:, seen], axis=0)
        scale[varying] = np.nanstd(values[:, varying], axis=0)
        scale *= units  # what is less than a normal number cannot be divided by
        return Standardized(center * units, np.where(varying & (scale >= MIN_NORMAL), scale, 1.0))

    def from_arrays(self, arrays: Arrays, n_columns: int) -> Standardized:
        """As `Standardized`, scales above 0 that can be divided by."""
        found = Standardized.from_arrays(arrays, n_columns)
        if not (found.scale >= MIN_NORMAL).all():
            raise unfit_part_error("scale")
        return found
