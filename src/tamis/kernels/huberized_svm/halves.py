"""Some samples of a table that has features as rows, and the huberised SVM's path on them."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .columns import dense_table
from .path import intercept_only, walk_path
from .systems import Problem


@jit
def gather_centred(columns, rows):
    """Some samples of every feature, centred over these samples.

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
        # less its first value a constant feature is exactly 0, and so is its mean
        first = columns[j, rows[0]]
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

    A half is one compiled call, so that threads do not wait for each other. Features are centred
    over the half's own samples but keep the scale that they have in `columns`.

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
        The columns active at lambda k are indices[starts[k]:starts[k + 1]], rising.
    """
    m = len(rows)
    y, v = signs[rows], np.full(m, 1 / m)  # the mean loss, as v is already divided by m
    positive = np.count_nonzero(y > 0) / m
    b0 = intercept_only(positive, 1 - positive, delta)
    problem = Problem(y, v, v.sum(), l2, delta, True)
    # without certificates: only the active columns are needed
    found = walk_path(dense_table(gather_centred(columns, rows)), problem, b0, lambdas, most, False)
    return found[0], found[1]
