"""The columns of many training sets, each with columns of its own, gathered and standardised in one
call."""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .standardised import standardised_rows


@jit
def standardise_parts(X, rows, row_ends, tests, test_ends, columns, train, near, first):
    """Fill `train` and `near` with what `standardised_rows` makes of every part.

    Returns whether the magnitude of every column of every part is ordinary; if not, nothing that is
    filled means anything.

    Parameters
    ----------
    X : (n, p) float64, C order
        Without missing values in the columns used.
    rows, tests : (N,), (M,) int64
        Rows that each part learns from, and those that it predicts, part by part.
    row_ends, test_ends : (n_parts + 1,) int64
        Where each part's begin and end.
    columns : (n_parts, k) int64
    train, near : (N, k), (M, k), C order
    first : (n_parts,) int64
        Becomes the first column of each part that varies, k if none does.
    """
    k, ordinary = columns.shape[1], True
    room = np.empty((5, k))
    for part in range(len(columns)):
        own = gathered_rows(X, rows, row_ends[part], row_ends[part + 1], columns[part])
        other = gathered_rows(X, tests, test_ends[part], test_ends[part + 1], columns[part])
        first[part], as_usual = standardised_rows(
            own,
            other,
            train[row_ends[part] : row_ends[part + 1]],
            near[test_ends[part] : test_ends[part + 1]],
            room,
        )
        ordinary = ordinary and as_usual
    return ordinary


@jit
def gathered_rows(X, rows, start, stop, columns):
    """Some rows and columns of X, in C order."""
    found = np.empty((stop - start, len(columns)))
    for i in range(start, stop):
        own, out = X[rows[i]], found[i - start]
        for j in range(len(columns)):
            out[j] = own[columns[j]]
    return found
