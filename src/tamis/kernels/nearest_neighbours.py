"""Votes of the nearest training rows, for every leading subset of the columns.

Distances are sums over columns, so that those of one size are continued for the next. Of training
rows at equal distances the earlier counts as nearer. Distances that differ by no more than the
share `DISTANCE_TOLERANCE` are equal, because the order of a sum changes its last bits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._jit import jit
from .neighbour_votes import DISTANCE_TOLERANCE, keep_nearest

BLOCK_ROWS = 8  # test rows handled together: their distances stay in the cache for all columns


def nearest_votes(
    train: np.ndarray,
    codes: np.ndarray,
    test: np.ndarray,
    n_classes: int,
    k: int,
    absolute: bool,
    sizes: Sequence[int],
    values: np.ndarray | None = None,
) -> np.ndarray:
    """How many of the k nearest training rows have each class, (len(sizes), m, C), or the sums of
    their values.

    Parameters
    ----------
    train, test : ndarray of shape (n, p), (m, p)
    codes : ndarray of shape (n,)
    n_classes : int
    k : int
        At most n.
    absolute : bool
        Absolute differences, not squares.
    sizes : sequence of int
        Rising, each at most p.
    values : ndarray of shape (n,), float64, optional
        None: 1 for each row.

    Examples
    --------
    >>> train, codes = np.array([[0.0, 9.0], [1.0, 0.0], [2.0, 0.0]]), np.array([0, 1, 1])
    >>> nearest_votes(train, codes, np.array([[0.1, 0.0]]), 2, 1, False, [1, 2]).tolist()
    [[[1.0, 0.0]], [[0.0, 1.0]]]
    """
    votes = np.zeros((len(sizes), len(test), n_classes))
    # columns as rows, so that the inner loop over training rows reads memory in order
    columns = np.ascontiguousarray(train[:, : sizes[-1]].T)
    rows = np.ascontiguousarray(test[:, : sizes[-1]].T)
    ends = np.asarray(sizes, dtype=np.int64)
    counts = np.ones(len(train)) if values is None else np.ascontiguousarray(values)
    _add_votes(columns, codes.astype(np.int64), counts, rows, k, absolute, ends, votes)
    return votes


@jit
def _add_votes(columns, codes, values, rows, k, absolute, ends, votes):
    n, m = columns.shape[1], rows.shape[1]
    distances, near, who = np.empty((BLOCK_ROWS, n)), np.empty(k), np.empty(k, np.int64)
    for start in range(0, m, BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, m)
        distances[:] = 0.0
        done = 0  # columns that are in `distances`
        for s in range(len(ends)):
            # each column is read once for all rows of the block
            for j in range(done, ends[s]):
                column = columns[j]
                for i in range(start, stop):
                    _add_steps(distances[i - start], column, rows[j, i], absolute)
            done = ends[s]
            for i in range(start, stop):
                _nearest_training_rows(distances[i - start], near, who)
                for at in range(k):
                    votes[s, i, codes[who[at]]] += values[who[at]]


@jit
def _add_steps(into, column, x, absolute):
    """Add one column to the distances `into` (n,) of a test row, whose value in it is x."""
    if absolute:  # tested once, outside the loops, which can then be vectorised
        for r in range(len(column)):
            into[r] += abs(column[r] - x)
    else:
        for r in range(len(column)):
            step = column[r] - x
            into[r] += step * step


@jit
def _nearest_training_rows(distances, near, who):
    """Fill `who` with the rows of the least distances, `near` with these distances."""
    held = 0
    # rows in their order, so that of equal ones the earlier is there first. No term of a distance
    # is negative, so its rounding error is a share of itself
    for r in range(len(distances)):
        held = keep_nearest(near, who, held, distances[r], DISTANCE_TOLERANCE * distances[r], r)
