"""Columns that vary most."""

from __future__ import annotations

import numpy as np

from ..kernels.units import in_units, table_units
from .step import Kept, StepTransformer, constant_columns, share_of


class VarianceFilter(StepTransformer):
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

    fitted = Kept

    def __init__(self, share: float = 0.5, above: float | None = None):
        self.share = share
        self.above = above

    def learn(self, X: np.ndarray, y: np.ndarray) -> Kept:
        """Variances, and those that stay."""
        units = table_units(X)
        variances, varying = np.zeros(X.shape[1]), ~constant_columns(X)
        variances[varying] = np.nanvar(in_units(X, units)[:, varying], axis=0)
        if self.above is not None:
            return Kept.where(np.sqrt(variances) * units > np.sqrt(self.above))
        mask = np.zeros(len(variances), dtype=bool)
        order = np.argsort(-variances, kind="stable")
        mask[order[: share_of(self.share, len(variances))]] = True
        return Kept.where(mask)
