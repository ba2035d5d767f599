"""Columns with values above a background in enough samples."""

from __future__ import annotations

import numpy as np

from .._core.interfaces import Arrays
from .fitted import KeptColumns
from .step import ColumnFilter, StepTransformer, share_of


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

    fitted = KeptColumns

    def __init__(self, above: float = 0.0, share: float = 0.25):
        self.above = above
        self.share = share

    def statistics(self, X: np.ndarray, y: np.ndarray) -> Arrays:
        """How many are above."""
        return {"above": (self.above < X).sum(axis=0)}

    def finish(self, statistics: Arrays, n: int) -> KeptColumns:
        """Columns with enough of them."""
        return KeptColumns.where(statistics["above"] >= share_of(self.share, n))


class LevelPresence(StepTransformer):
    """Keeps the 0/1 columns of categories whose level is there in at least a share of the training
    rows, and not there in at least such a share: rare levels go.

    A missing value is neither.

    Parameters
    ----------
    share : float, default=0.05
        From 0 to 0.5.

    Examples
    --------
    >>> X = [[1, 0], [0, 0], [1, 0], [0, 1], [0, 0], [0, 0]]
    >>> LevelPresence(share=0.3).fit(X).get_feature_names_out()
    array(['x0'], dtype=object)
    """

    fitted = KeptColumns

    def __init__(self, share: float = 0.05):
        self.share = share

    def learn(self, X: np.ndarray, y: np.ndarray) -> KeptColumns:
        """Count, column by column."""
        there, not_there = (X > 0).sum(axis=0), (X <= 0).sum(axis=0)
        return KeptColumns.where(
            np.minimum(there, not_there) >= max(share_of(self.share, len(X)), 1)
        )
