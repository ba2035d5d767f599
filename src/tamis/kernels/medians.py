"""Missing values filled with the medians of their columns."""

from __future__ import annotations

import numpy as np

BLOCK_COLUMNS = 512  # columns filled together: copies of a block take little memory


def impute_medians(
    X: np.ndarray, columns: np.ndarray, medians: np.ndarray | None = None
) -> np.ndarray:
    """Fill NaN in `columns` of X, in place, with `medians` (default: the columns' own).

    Returns the medians used, (len(columns),). A column without any value gets 0.
    """
    found = np.zeros(len(columns)) if medians is None else medians
    for start in range(0, len(columns), BLOCK_COLUMNS):
        at = slice(start, start + BLOCK_COLUMNS)
        block = X[:, columns[at]]
        if medians is None:
            found[at] = column_medians(block)
        X[:, columns[at]] = np.where(np.isnan(block), found[at], block)
    return found


def column_medians(X: np.ndarray) -> np.ndarray:
    """Medians (p,) of the values that are not NaN in each column of X (n, p); 0 without any."""
    if not X.size:  # no row, so no place to take a middle value from; or no column
        return np.zeros(X.shape[1])
    values = np.sort(np.ascontiguousarray(X.T), axis=1)  # NaN comes last
    counts = values.shape[1] - np.isnan(values).sum(axis=1)
    every = np.arange(len(values))
    # Both places are the middle one if the count is odd. Without a value they are -1 and 0: valid
    # places, whose NaN is replaced.
    middle = (values[every, (counts - 1) // 2] + values[every, counts // 2]) / 2
    return np.where(counts > 0, middle, 0.0)
