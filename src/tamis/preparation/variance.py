"""Columns that vary most."""

from __future__ import annotations

import numpy as np

from .._core.interfaces import Arrays
from ..kernels.units import column_magnitudes, column_units, in_units, shared_units
from .fitted import KeptColumns
from .step import ColumnFilter, constant_columns, share_of


class VarianceFilter(ColumnFilter):
    """Keeps the columns of the largest variance in the training rows, classes unseen.

    Parameters
    ----------
    share : float, default=0.5
        Share of the columns that is kept, rounded up; of equal variances those further left.
    above : float or None, default=None
        Keep those of a variance above this instead.

    Notes
    -----
    Variances are over the values that are there, divided by their number; that of a column with
    none is 0. On raw intensities the largest variance is that of the largest mean: take logarithms
    first.

    Examples
    --------
    >>> VarianceFilter(share=0.5).fit_transform([[1.0, 9.0], [2.0, 1.0]])
    array([[9.],
           [1.]])
    """

    fitted = KeptColumns

    def __init__(self, share: float = 0.5, above: float | None = None):
        self.share = share
        self.above = above

    def statistics(self, X: np.ndarray, y: np.ndarray) -> Arrays:
        """Variances, each in a unit of the column's own; the units; the largest values."""
        units = column_units(X)
        variances, varying = np.zeros(X.shape[1]), ~constant_columns(X)
        variances[varying] = np.nanvar(in_units(X, units)[:, varying], axis=0)
        return {"variance": variances, "unit": units, "magnitude": column_magnitudes(X)}

    def finish(self, statistics: Arrays, n: int) -> KeptColumns:
        """Columns of the largest variances, in one unit: powers of two change no digit."""
        variances, units = statistics["variance"], statistics["unit"]
        if self.above is not None:
            return KeptColumns.where(np.sqrt(variances) * units > np.sqrt(self.above))
        shared = shared_units(statistics["magnitude"])
        ratios = np.divide(units, shared, out=np.zeros_like(units), where=variances > 0)
        variances = variances * ratios**2
        mask = np.zeros(len(variances), dtype=bool)
        order = np.argsort(-variances, kind="stable")
        mask[order[: share_of(self.share, len(variances))]] = True
        return KeptColumns.where(mask)
