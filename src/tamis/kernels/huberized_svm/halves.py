"""The samples of a half, cut out of a table with features as rows, and the path on them."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .columns import dense_table
from .path import intercept_only, walk_path
from .systems import Problem


@jit
def gather_centred(columns, rows):
    """Some samples of every feature, centred over them.

    Parameters
    ----------
    columns : (p, n) float64, C order
    rows : (m,) int64
        The samples to take, at least one.

    Returns
    -------
    half : (p, m) float64, C order
        A feature that is constant over the samples is exactly 0.
    """
    p, m = len(columns), len(rows)
    half = np.empty((p, m))
    for j in range(p):
        first = columns[j, rows[0]]  # counted from here a constant feature is 0, mean and all
        total = 0.0
        for i in range(m):
            value = columns[j, rows[i]] - first
            half[j, i] = value
            total += value
        mean = total / m
        for i in range(m):
            half[j, i] -= mean
    return half


@jit
def half_path(columns, rows, signs, l2, delta, lambdas, most):
    """The columns active along the huberised SVM's path on some samples.

    One compiled call a half, so that threads wait for nothing. The mean of a half is its own,
    the scale that of `columns`.

    Parameters
    ----------
    columns : (p, n) float64, C order
    rows : (m,) int64
    signs : (n,) float64, -1 or 1
    l2, delta, lambdas, most
        As in `solve_path`.

    Returns
    -------
    starts : (done + 1,) int64
    indices : int64
        Lambda k has indices[starts[k]:starts[k + 1]], rising.
    """
    m = len(rows)
    y, v = signs[rows], np.full(m, 1 / m)
    positive = np.count_nonzero(y > 0) / m
    b0 = intercept_only(positive, 1 - positive, delta)
    problem = Problem(y, v, v.sum(), l2, delta, True)
    found = walk_path(dense_table(gather_centred(columns, rows)), problem, b0, lambdas, most, False)
    return found[0], found[1]
