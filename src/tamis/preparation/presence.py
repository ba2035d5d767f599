"""Columns with values above a background in enough samples."""

from __future__ import annotations

import numpy as np

from .._core.interfaces import Arrays
from .step import ColumnFilter, Kept, share_of


class PresenceFilter(ColumnFilter):
    """Keeps the columns in which at least a share of the training rows has a value above a bound.

    A missing value is not above it.

    Parameters
    ----------
    above : float, default=0.0
    share : float, default=0.25
        From 0 to 1.

    Examples
    --------
    >>> X = [[5.0, 0.0], [7.0, 0.0], [0.0, 0.0], [9.0, 8.0]]
    >>> PresenceFilter(share=0.5).fit(X).get_feature_names_out()
    array(['x0'], dtype=object)
    """

    fitted = Kept

    def __init__(self, above: float = 0.0, share: float = 0.25):
        self.above = above
        self.share = share

    def statistics(self, X: np.ndarray, y: np.ndarray) -> Arrays:
        """How many are above."""
        return {"above": (self.above < X).sum(axis=0)}

    def finish(self, statistics: Arrays, n: int) -> Kept:
        """Columns with enough of them."""
        return Kept.where(statistics["above"] >= share_of(self.share, n))
