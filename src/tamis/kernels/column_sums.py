"""Sums of columns that do not depend on which columns stand beside them."""

from __future__ import annotations

import numpy as np


def column_sums(X: np.ndarray) -> np.ndarray:
    """Sums of the columns of X (n, k) in C order, the rows added one after the other (k,).

    So does NumPy, but a single column it adds in pairs: the first column would then have other last
    bits by itself than among others.

    Examples
    --------
    >>> column_sums(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [4.0, 6.0]
    """
    if X.shape[1] == 1 and len(X):
        return np.add.accumulate(X[:, 0])[-1:]
    return X.sum(axis=0)
