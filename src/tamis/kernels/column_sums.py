"""Sums of columns whose last bits do not depend on the other columns of the array."""

from __future__ import annotations

import numpy as np


def column_sums(X: np.ndarray) -> np.ndarray:
    """Sums (k,) of the columns of X (n, k) in C order, the rows added one after the other.

    NumPy does the same with two columns or more but adds a single column pairwise: the sum of a
    column could then differ in its last bits between a table of its own and one with other columns.

    Examples
    --------
    >>> column_sums(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [4.0, 6.0]
    """
    if X.shape[1] == 1 and len(X):
        # running sums are strictly sequential; the last one is the total, as an array of shape (1,)
        return np.add.accumulate(X[:, 0])[-1:]
    return X.sum(axis=0)
