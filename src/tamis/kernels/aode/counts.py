"""How often two values occur together in each class.

A column of v levels has v + 1 values here: the last is "missing". The values of all columns are
numbered together, those of column j from `starts[j]` on. Each value x has a row of cells, one for
each value z of a later column; the cell of the pair (x, z) is number ``rows[x] + z``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit


class PairCounts(NamedTuple):
    """Sums of the weights of rows; without weights these are whole numbers, exact up to 2^53.

    Attributes
    ----------
    widths : ndarray of shape (p,) of int64
        Levels of each column, plus 1 for missing.
    starts : ndarray of shape (p + 1,) of int64
        Number of each column's first value; the last entry is S, the sum of the widths.
    rows : ndarray of shape (S,) of int64
        Cell of the pair of each value with value 0. May be negative: only a later column's values
        are added to it.
    classes : ndarray of shape (C,)
        Sums of each class.
    singles : ndarray of shape (C, S)
        Sums of each class and value.
    pairs : ndarray of shape (C, T)
        Sums of each class and cell.
    """

    widths: np.ndarray
    starts: np.ndarray
    rows: np.ndarray
    classes: np.ndarray
    singles: np.ndarray
    pairs: np.ndarray


def table_bytes(levels: np.ndarray, n_classes: int) -> int:
    """Bytes of the counts and of the logarithms made of them, C (T + S^2) numbers."""
    widths = [int(v) + 1 for v in levels]  # Python integers, so that S^2 cannot overflow
    total = sum(widths)
    # T = sum_{i < j} w_i w_j = (S^2 - sum_j w_j^2) / 2
    cells = (total * total - sum(w * w for w in widths)) // 2
    return 8 * n_classes * (cells + total * total)


def no_counts(levels: np.ndarray, n_classes: int) -> PairCounts:
    """Counts of no rows, all 0, for columns with the numbers of levels `levels` (p,)."""
    widths = np.asarray(levels, dtype=np.int64) + 1
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    later = np.repeat(starts[1:], widths)  # of each value: the first value of the later columns
    ends = np.cumsum(starts[-1] - later)  # where each value's row of S - later cells ends
    # value z is the cell S - z before the end of a row, so z = later has the first one
    return PairCounts(
        widths,
        starts,
        ends - starts[-1],
        np.zeros(n_classes),
        np.zeros((n_classes, starts[-1])),
        np.zeros((n_classes, ends[-1])),
    )


@jit
def add_rows(counts, codes, y, weights):
    """Add rows to the counts, in place.

    Parameters
    ----------
    counts : PairCounts
    codes : (n, p) int32
        Levels of the rows, and the number of levels for missing.
    y : (n,) int64
        Class codes.
    weights : (n,) float64
        Weights of the rows; 1 counts them.
    """
    starts, rows = counts.starts, counts.rows
    # flat: an index is one sum, whose terms of class and first value leave the inner loop
    singles, pairs = counts.singles.reshape(-1), counts.pairs.reshape(-1)
    n, p = codes.shape
    values, width = np.empty(p, dtype=np.int64), counts.pairs.shape[1]
    for r in range(n):
        c, weight = y[r], weights[r]
        counts.classes[c] += weight
        for j in range(p):
            values[j] = starts[j] + codes[r, j]
            singles[np.uint64(c * starts[p] + values[j])] += weight
        # missing is a value with cells of its own: the loop over pairs has no branch
        for i in range(p):
            row = c * width + rows[values[i]]
            for j in range(i + 1, p):
                # unsigned: numba need not check for a negative index, which counts from the end
                pairs[np.uint64(row + values[j])] += weight
