"""Some rows and columns of a matrix."""

from __future__ import annotations

import numpy as np

from ._jit import jit


def gathered_submatrix(X: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """``X[np.ix_(rows, columns)]`` of a matrix in C order, three times as quick as `take`.

    Rows and columns are not looked at: they have to be there, from 0 up.
    """
    found = np.empty((len(rows), len(columns)))
    _gather_submatrix(X, rows, columns, found)
    return found


@jit
def _gather_submatrix(X, rows, columns, found):
    for i in range(len(rows)):
        own, out = X[rows[i]], found[i]
        for j in range(len(columns)):
            out[j] = own[columns[j]]
