"""Missing values filled with the medians of their columns."""

from __future__ import annotations

import numpy as np


def impute(X: np.ndarray, columns: np.ndarray, medians: np.ndarray | None = None) -> np.ndarray:
    """Fill NaN in `columns` of X, in place, with `medians` (default: the columns' own).

    Returns the medians used. A column without any value gets 0.
    """
    block = X[:, columns]
    missing = np.isnan(block)
    if medians is None:
        medians = np.zeros(len(columns))
        seen = ~missing.all(axis=0)
        medians[seen] = np.nanmedian(block[:, seen], axis=0)
    X[:, columns] = np.where(missing, medians, block)
    return medians
