"""Chi-square statistics of independence from class-by-value tables."""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .contingency import _fill_table


@jit
def chi_square_of(counts):
    """Chi-square of a table (value, class), and its degrees of freedom."""
    by_class = counts.sum(axis=0)
    total = by_class.sum()
    values, classes = 0, (by_class > 0).sum()
    # sum (O - E)^2 / E with E = value total * class total / n, all but the division in
    # integers: independence gives exactly 0
    chi = 0.0
    for w in range(len(counts)):
        by_value = counts[w].sum()
        values += by_value > 0
        for c in range(counts.shape[1]):
            if by_class[c] > 0 and by_value > 0:
                expected = by_value * by_class[c]
                gap = counts[w, c] * total - expected
                chi += float(gap) * gap / expected
    if classes < 2:
        return np.nan, (values - 1) * (classes - 1) if classes > 0 else 0
    return chi / total, (values - 1) * (classes - 1)


@jit
def chi_squares(X, order, y, n_classes):
    """Pearson's chi-square of each feature's values against the class.

    Parameters
    ----------
    X : (n, p) float64
        Each distinct number is a category; NaN is left out, feature by feature.
    order : (p, n)
        Row indices sorted by each column's values, NaN last.
    y : (n,) int64
        Class codes.
    n_classes : int

    Returns
    -------
    statistics : (p,) float64
        NaN where fewer than two classes are observed.
    freedom : (p,) int64
        (values - 1)(classes observed - 1).
    """
    n, p = X.shape
    statistics = np.empty(p)
    freedom = np.empty(p, dtype=np.int64)
    table = np.empty((n, n_classes), dtype=np.int64)
    column = np.empty(n)
    for j in range(p):
        column[:] = X[:, j]
        levels = _fill_table(column, order[j], y, table)
        statistics[j], freedom[j] = chi_square_of(table[:levels])
    return statistics, freedom
