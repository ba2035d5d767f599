"""Partial least squares of one number (PLS1).

With X centred and r the residual of y - mean(y) after the parts so far, the next score is

    w = X'r,   t = (I - TT') X w / |(I - TT') X w|,   r <- r - t t'r

(Wold, Sjöström & Eriksson 2001; scores of norm 1). With R = T'XX'[r_0, ..., r_(a-1)], upper
triangular, the coefficients are X'[r_0, ..., r_(a-1)] R⁻¹ T'y: those of deflation, without ever
deflating X. A part costs two products with X, 2 n p, however many columns there are.
"""

from __future__ import annotations

import numpy as np

# of what it would be if nothing had been taken out, below which a part is rounding
NO_PART = 1e-10


def pls_coefficients(
    X: np.ndarray, y: np.ndarray, n_components: int
) -> tuple[np.ndarray, float, int]:
    """Coefficients (k,), intercept, and how many parts there are: fewer than requested where X, or
    what of it goes with y, has no more.

    Parameters
    ----------
    X : ndarray of shape (n, k), float64
    y : ndarray of shape (n,), float64
    n_components : int
    """
    centre, middle = X.mean(axis=0), float(y.mean())
    C, r = X - centre, y - middle
    n, k = C.shape
    most = min(n_components, n - 1, k)
    T, W, R = np.empty((n, most)), np.empty((k, most)), np.zeros((most, most))
    largest = np.sqrt((C * C).sum() * (r @ r))
    weights, count = r.copy(), 0
    for a in range(most):
        w = C.T @ r
        score = C @ w
        t, before = score, T[:, :a]
        for _ in range(2):  # the second turn takes out what rounding has left in the first
            t = t - before @ (before.T @ t)
        size = float(np.sqrt(t @ t))
        if not (
            np.sqrt(w @ w) > NO_PART * largest and size > NO_PART * float(np.sqrt(score @ score))
        ):
            break
        T[:, a], W[:, a] = t / size, w
        R[:a, a], R[a, a] = before.T @ score, size
        r = r - T[:, a] * (T[:, a] @ r)
        count = a + 1
    if count == 0:
        return np.zeros(k), middle, 0
    along = np.linalg.solve(R[:count, :count], T[:, :count].T @ weights)
    coef = W[:, :count] @ along
    return coef, middle - float(centre @ coef), count
