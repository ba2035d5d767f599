"""Values of a table to codes of their levels, all columns in one pass."""

from __future__ import annotations

import numpy as np

from .._jit import jit


@jit
def code_levels(X, categorical, ends, known, places, levels):
    """Levels of the rows, and where a category is not known.

    Parameters
    ----------
    X : (n, p) float64
        NaN is missing.
    categorical : (p,) bool
    ends : (p + 1,) int64
        Where a column's stretch of `known` begins.
    known : (m,) float64
        Of a column of categories these, of one of numbers its cuts, in increasing order.
    places : (m,) int64
        The level of each category.
    levels : (p,) int64
        Codes of missing values, and of categories that are not known.

    Returns
    -------
    codes : (n, p) int32
    row, column : int
        Of the first category that is not known; -1 if there is none.
    """
    n, p = X.shape
    codes, row, column = np.empty((n, p), dtype=np.int32), -1, -1
    for r in range(n):
        for j in range(p):
            x, begin, end = X[r, j], ends[j], ends[j + 1]
            codes[r, j] = levels[j]
            if np.isnan(x):
                continue
            if not categorical[j]:
                codes[r, j] = _count_below(known, begin, end, x)
                continue
            k = begin
            if 0 <= x < end - begin:
                k += np.int64(x)  # whole numbers from 0 on stand there
            if k >= end or known[k] != x:
                k = begin + _count_below(known, begin, end, x)
            if k < end and known[k] == x:
                codes[r, j] = places[k]
            elif row < 0:
                row, column = r, j
    return codes, row, column


@jit
def _count_below(known, begin, end, x):
    """How many of a stretch of increasing numbers are less than x."""
    low, high = begin, end
    while low < high:
        middle = (low + high) // 2
        if known[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low - begin
