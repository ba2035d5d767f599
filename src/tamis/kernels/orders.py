"""The order of some rows' values from that of all rows."""

from __future__ import annotations

from ._jit import jit


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
