"""The order of the rows by each column's values."""

from __future__ import annotations

import numpy as np

from ._jit import jit


def sort_columns(X: np.ndarray) -> np.ndarray:
    """Row indices in increasing order of each column's values, (p, n), uint16 or int32.

    Ties keep the order of the rows; NaN sorts last.
    """
    n, p = X.shape
    order = np.empty((p, n), dtype=np.uint16 if n <= 1 << 16 else np.int32)
    for start in range(0, p, 512):
        columns = np.ascontiguousarray(X[:, start : start + 512].T)
        # vectorised by NumPy, where a stable sort is not
        order[start : start + 512] = np.argsort(columns, axis=1)
        _by_row_among_equals(columns, order[start : start + 512])
    return order


@jit
def _by_row_among_equals(columns, order):
    """Put the rows of equal values in increasing order, in each column's order (p, n)."""
    p, n = columns.shape
    group = np.empty(n, dtype=np.int64)  # of each row: where the values equal to its own begin
    filled = np.empty(n, dtype=np.int64)
    for j in range(p):
        begin, tied = 0, False
        for i in range(n):
            x, before = columns[j, order[j, i]], columns[j, order[j, max(i - 1, 0)]]
            if x == before or (x != x and before != before):
                tied |= i > 0
            else:
                begin = i
            group[order[j, i]] = begin
        if tied:
            filled[:] = 0
            for row in range(n):
                begin = group[row]
                order[j, begin + filled[begin]] = row
                filled[begin] += 1


@jit
def order_of_rows(order, columns, place, out):
    """Rows of a smaller table in the order of each column's values.

    Parameters
    ----------
    order : (P, n) integers
        Rows of the table sorted by each column.
    columns : (k,) int64
        Which of them.
    place : (n,) int64
        Where each row of the table stands in the smaller one; -1 where it does not.
    out : (k, m) integers
        Filled.
    """
    for c in range(len(columns)):
        at = 0
        for i in range(order.shape[1]):
            row = place[order[columns[c], i]]
            if row >= 0:
                out[c, at] = row
                at += 1
