"""The share of the variance that relationships explain, by restricted likelihood (REML).

Rotated by the eigenvectors of the relationships, outcomes are independent, with variances d = 1 -
h + h s of the eigenvalues s, so that a likelihood is a few sums (Kang et al. 2008; Lippert et al.
2011).
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

GRID_SHARES = 21  # shares looked at first
MAX_SHARE = 0.999  # share
N_GOLDEN_STEPS = 45  # of the golden section
GOLDEN_RATIO = (5**0.5 - 1) / 2


def fit_shares(values: np.ndarray, fixed: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Shares h (B,) from 0 to .999 that maximise the restricted likelihood of each outcome.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Eigenvalues of the relationships.
    fixed : ndarray of shape (n, c)
        Fixed effects, rotated, of full rank.
    outcomes : ndarray of shape (n, B)
        Rotated.
    """
    shares = np.empty(outcomes.shape[1])
    _fit_shares(values, np.ascontiguousarray(fixed.T), np.ascontiguousarray(outcomes.T), shares)
    return shares


@jit
def _restricted_likelihood(share, values, fixed, outcome, cross, right):
    """-1/2 ((n - c) log r'P r + sum log d + log |X' D^-1 X|), the Cholesky factor in `cross`."""
    c, n = fixed.shape
    cross[:] = 0.0
    right[:] = 0.0
    squares, logs, product = 0.0, 0.0, 1.0
    for i in range(n):
        d = 1.0 - share + share * values[i]
        weight = 1.0 / d
        product *= d
        if product < 1e-200 or product > 1e200:
            logs += np.log(product)
            product = 1.0
        squares += weight * outcome[i] * outcome[i]
        for a in range(c):
            weighted = weight * fixed[a, i]
            right[a] += weighted * outcome[i]
            for b in range(a + 1):
                cross[a, b] += weighted * fixed[b, i]
    logs += np.log(product)
    for a in range(c):
        for b in range(a + 1):
            found = cross[a, b]
            for k in range(b):
                found -= cross[a, k] * cross[b, k]
            if a == b:
                cross[a, a] = np.sqrt(found)
                logs += np.log(found)
            else:
                cross[a, b] = found / cross[b, b]
        for k in range(a):
            right[a] -= cross[a, k] * right[k]
        right[a] /= cross[a, a]
        squares -= right[a] * right[a]
    return -0.5 * ((n - c) * np.log(squares) + logs)


@jit
def _fit_shares(values, fixed, outcomes, shares):
    c = len(fixed)
    cross, right = np.empty((c, c)), np.empty(c)
    for k in range(len(outcomes)):
        own = outcomes[k]
        best, most = 0, -np.inf
        for g in range(GRID_SHARES):
            found = _restricted_likelihood(
                MAX_SHARE * g / (GRID_SHARES - 1), values, fixed, own, cross, right
            )
            if found > most:
                best, most = g, found
        low = MAX_SHARE * max(best - 1, 0) / (GRID_SHARES - 1)
        high = MAX_SHARE * min(best + 1, GRID_SHARES - 1) / (GRID_SHARES - 1)
        left, right_ = high - GOLDEN_RATIO * (high - low), low + GOLDEN_RATIO * (high - low)
        at_left = _restricted_likelihood(left, values, fixed, own, cross, right)
        at_right = _restricted_likelihood(right_, values, fixed, own, cross, right)
        for _ in range(N_GOLDEN_STEPS):
            if at_left >= at_right:
                high, right_, at_right = right_, left, at_left
                left = high - GOLDEN_RATIO * (high - low)
                at_left = _restricted_likelihood(left, values, fixed, own, cross, right)
            else:
                low, left, at_left = left, right_, at_right
                right_ = low + GOLDEN_RATIO * (high - low)
                at_right = _restricted_likelihood(right_, values, fixed, own, cross, right)
        shares[k] = (low + high) / 2
        for edge in (0.0, MAX_SHARE):  # which a golden section comes near to and does not reach
            if _restricted_likelihood(edge, values, fixed, own, cross, right) >= max(
                at_left, at_right
            ):
                shares[k] = edge
