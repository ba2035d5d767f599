"""Exact 1-Wasserstein distance between two distributions on a grid, under Hamming distance.

With d = p0 - p1 on the grid and d+, d- the magnitudes of its positive and negative parts,

    W1 = max(TV, max over row sets R and column sets C of d+(R x C) + d-(R^c x C^c)).

The dual potentials may be taken integral in {0, 1, 2}, and no 0-cell shares a row or column
with a 2-cell. For fixed R the columns decouple: each gives the larger of its d+ over R and
its d- over the other rows. So 2^rows sets are enough. They are visited in Gray-code order, in which
one row enters or leaves R at a time, so that a set costs a few operations a column.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

MOST_LEVELS = 20  # 2^20 row sets and 20 columns take a few hundredths of a second


@jit
def grid_transport(gap):
    """Twice TV and W1 of a grid of integer differences, both times the common denominator.

    Parameters
    ----------
    gap : (rows, columns) int64
        ``p0 - p1`` times a common denominator; sums to 0. Few rows: the time is
        2^rows * columns.

    Returns
    -------
    variation, transport : int
        2 TV and 2 W1 in units of one over the denominator: exact.
    """
    rows, columns = gap.shape
    inside = np.zeros(columns, dtype=np.int64)  # d+ over R, R empty at first
    outside = np.zeros(columns, dtype=np.int64)  # d- over the other rows
    variation = 0
    for i in range(rows):
        for j in range(columns):
            outside[j] += max(-gap[i, j], 0)
            variation += abs(gap[i, j])
    best = outside.sum()  # of R empty
    chosen = np.zeros(rows, dtype=np.bool_)
    for step in range(1, 1 << rows):
        row, bits = 0, step
        while bits & 1 == 0:  # the Gray code flips the lowest set bit of the counter
            bits >>= 1
            row += 1
        sign = -1 if chosen[row] else 1
        # in R the row counts by its d+, outside by its d-
        chosen[row] = not chosen[row]
        total = 0
        for j in range(columns):
            inside[j] += sign * max(gap[row, j], 0)
            outside[j] -= sign * max(-gap[row, j], 0)
            total += max(inside[j], outside[j])
        best = max(best, total)
    return variation, max(variation, 2 * best)
