"""Codes of the levels of a table's values, all columns in one pass."""

from __future__ import annotations

import numpy as np

from .._jit import jit


@jit
def code_levels(X, categorical, ends, known, places, levels):
    """Codes of the levels of all values, and the place of the first unknown category.

    Parameters
    ----------
    X : (n, p) float64
        NaN is missing.
    categorical : (p,) bool
    ends : (p + 1,) int64
        Column j has known[ends[j]], ..., known[ends[j + 1] - 1].
    known : (m,) float64
        The categories of a categorical column, the cuts of a numeric one, in increasing order.
    places : (m,) int64
        The level of each category.
    levels : (p,) int64
        Number of levels of each column: the code of missing values and unknown categories.

    Returns
    -------
    codes : (n, p) int32
    row, column : int
        Of the first unknown category, row by row; -1 if there is none.
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
                # intervals are (a, b]: a cut equal to x is not below it
                codes[r, j] = _count_below(known, begin, end, x)
                continue
            k = begin
            if 0 <= x < end - begin:
                k += np.int64(x)  # categories 0, 1, 2, ... are found here, without a search
            if k >= end or known[k] != x:
                k = begin + _count_below(known, begin, end, x)
            if k < end and known[k] == x:
                codes[r, j] = places[k]  # `known` is sorted, levels have the declared order
            elif row < 0:
                row, column = r, j
    return codes, row, column


@jit
def _count_below(known, begin, end, x):
    """How many of the increasing numbers known[begin:end] are less than x."""
    low, high = begin, end
    while low < high:  # all before `low` are less than x, none from `high` on is
        middle = (low + high) // 2
        if known[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low - begin
