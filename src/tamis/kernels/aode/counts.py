"""How often two values occur together in each class.

A column of v levels has v + 1 values here: the last is "missing". Values of all columns have
one numbering, column j from `starts[j]` on. Of every value x there is a row of cells, one for each
value z of a later column, at ``rows[x] + z``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit


class PairCounts(NamedTuple):
    """Sums of the weights of rows; without weights whole numbers, exact up to 2^53.

    Attributes
    ----------
    widths : ndarray of shape (p,) of int64
        Levels of each column, and 1 for missing.
    starts : ndarray of shape (p + 1,) of int64
    rows : ndarray of shape (S,) of int64
        S is the sum of the widths.
    classes : ndarray of shape (C,)
    singles : ndarray of shape (C, S)
        Of each value.
    pairs : ndarray of shape (C, T)
        Of each cell.
    """

    widths: np.ndarray
    starts: np.ndarray
    rows: np.ndarray
    classes: np.ndarray
    singles: np.ndarray
    pairs: np.ndarray


def table_bytes(levels: np.ndarray, n_classes: int) -> int:
    """Memory of the counts and of the logarithms made of them, C (T + S^2) numbers."""
    widths = [int(v) + 1 for v in levels]
    total = sum(widths)
    cells = (total * total - sum(w * w for w in widths)) // 2
    return 8 * n_classes * (cells + total * total)


def no_counts(levels: np.ndarray, n_classes: int) -> PairCounts:
    """Counts of no rows, for columns of so many levels (p,)."""
    widths = np.asarray(levels, dtype=np.int64) + 1
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    later = np.repeat(starts[1:], widths)  # the first value of the columns behind
    ends = np.cumsum(starts[-1] - later)
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
    """Count rows, in place.

    Parameters
    ----------
    counts : PairCounts
    codes : (n, p) int32
        Levels of the rows, and the number of levels for missing.
    y : (n,) int64
        Class codes.
    weights : (n,) float64
        1 counts rows.
    """
    starts, rows = counts.starts, counts.rows
    singles, pairs = counts.singles.reshape(-1), counts.pairs.reshape(-1)
    n, p = codes.shape
    values, width = np.empty(p, dtype=np.int64), counts.pairs.shape[1]
    for r in range(n):
        c, weight = y[r], weights[r]
        counts.classes[c] += weight
        for j in range(p):
            values[j] = starts[j] + codes[r, j]
            singles[np.uint64(c * starts[p] + values[j])] += weight
        for i in range(p):
            row = c * width + rows[values[i]]
            for j in range(i + 1, p):
                # unsigned: an index whose sign need not be checked
                pairs[np.uint64(row + values[j])] += weight
