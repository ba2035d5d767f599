"""Class shares among the nearest neighbours when one column joins the distances, or leaves them."""

from __future__ import annotations

import numpy as np

from ._jit import jit

# distances that differ by less than this share of what was summed are equal but for rounding
DISTANCE_TOLERANCE = 1e-12


@jit
def keep_nearest(near, who, held, distance, same, r):
    """Put row r among the nearest, if it is one of them; returns how many are held.

    Distances that are no further apart than `same` are equal: the row that came first is nearer.
    """
    # near[:held] rises, but for ties within the slack. k is small, so insertion is cheap, and most
    # rows end at the first test
    k = len(near)
    if held == k and not distance + same < near[k - 1]:
        return held
    at = held if held < k else k - 1  # full: the last one drops out
    while at > 0 and distance + same < near[at - 1]:
        near[at], who[at] = near[at - 1], who[at - 1]
        at -= 1
    near[at], who[at] = distance, r
    return min(held + 1, k)


@jit
def _vote_shares(base, test, train, codes, k, absolute, sign, shares):
    n_columns, m = test.shape
    n = train.shape[1]
    near = np.empty(k)
    who = np.empty(k, np.int64)
    # column by column, each added to the same sums `base` or taken from them
    for j in range(n_columns):
        for i in range(m):
            x = test[j, i]
            held = 0
            for r in range(n):
                step = train[j, r] - x
                step = abs(step) if absolute else step * step
                distance = base[i, r] + sign * step
                # the slack is a share of base + step, for base - step may be small by cancellation
                held = keep_nearest(
                    near, who, held, distance, DISTANCE_TOLERANCE * (base[i, r] + step), r
                )
            for at in range(k):
                shares[codes[who[at]], i, j] += 1.0 / k


def neighbour_votes(
    base: np.ndarray,
    test: np.ndarray,
    train: np.ndarray,
    codes: np.ndarray,
    n_classes: int,
    k: int,
    absolute: bool,
    sign: float,
) -> np.ndarray:
    """Class shares (C, m, p) among the k nearest training rows, column by column.

    Parameters
    ----------
    base : ndarray of shape (m, n)
        Sums over other columns of |difference|, or of its square.
    test, train : ndarray of shape (p, m), (p, n)
        Columns as rows.
    codes : ndarray of shape (n,)
    k : int
        At most n.
    absolute : bool
        Absolute differences, not squares.
    sign : float
        1: the column is added; -1: it is left out.

    Notes
    -----
    Of training rows at equal distances, whatever the order of the sums, the earlier counts as
    nearer.
    """
    shares = np.zeros((n_classes, test.shape[1], len(test)))
    _vote_shares(base, test, train, codes, k, absolute, sign, shares)
    return shares
