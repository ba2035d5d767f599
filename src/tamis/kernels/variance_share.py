"""The share of the variance that relationships explain, by restricted likelihood (REML).

Rotated by the eigenvectors of the relationships K, outcomes of variance (1 - h) I + h K are
independent, with variances d = 1 - h + h s of the eigenvalues s of K, so that a likelihood is a few
sums over samples (Kang et al. 2008; Lippert et al. 2011).
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

GRID_SHARES = 21  # shares tried first: a likelihood may have more than one maximum
MAX_SHARE = 0.999  # at 1 an eigenvalue of 0 would have a variance of 0, and infinite weight
N_GOLDEN_STEPS = 45  # each narrows the interval by .618: to 4e-10 of what it was
GOLDEN_RATIO = (5**0.5 - 1) / 2  # g with g^2 = 1 - g, by which one inner point is used again


def fit_shares(values: np.ndarray, fixed: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Shares h (B,) from 0 to .999 that maximise the restricted likelihood of each outcome.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Eigenvalues s of the relationships.
    fixed : ndarray of shape (n, c)
        Columns of the fixed effects, rotated by the eigenvectors, of full rank.
    outcomes : ndarray of shape (n, B)
        Outcomes, rotated too.
    """
    shares = np.empty(outcomes.shape[1])
    _fit_shares(values, np.ascontiguousarray(fixed.T), np.ascontiguousarray(outcomes.T), shares)
    return shares


@jit
def _restricted_likelihood(share, values, fixed, outcome, cross, right):
    """-1/2 ((n - c) log r'P r + sum log d + log |X' D^-1 X|), constants left out.

    With r the outcome, X the fixed effects, P = D^-1 - D^-1 X (X' D^-1 X)^-1 X' D^-1, and the
    scale of the variance at its best, r'P r / (n - c). `cross` (c, c) and `right` (c,) are work
    arrays.
    """
    c, n = fixed.shape
    cross[:] = 0.0
    right[:] = 0.0
    squares, logs, product = 0.0, 0.0, 1.0
    for i in range(n):
        d = 1.0 - share + share * values[i]
        weight = 1.0 / d
        # a logarithm of a product for many factors at once, before it under- or overflows
        product *= d
        if product < 1e-200 or product > 1e200:
            logs += np.log(product)
            product = 1.0
        squares += weight * outcome[i] * outcome[i]
        for a in range(c):
            weighted = weight * fixed[a, i]  # X' D^-1 r, and the lower triangle of X' D^-1 X
            right[a] += weighted * outcome[i]
            for b in range(a + 1):
                cross[a, b] += weighted * fixed[b, i]
    logs += np.log(product)
    # X' D^-1 X = L L' row by row, in its place, whose log determinant is the sum of those of the
    # squared pivots. With q = L^-1 X' D^-1 r, r'P r = r' D^-1 r - q'q
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
    """`fit_shares` into `shares` (B,), with fixed effects (c, n) and outcomes (B, n) as rows."""
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
        # golden section between the neighbours of the best share of the grid. At the top of the
        # loop low < left < right_ < high
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
        best = max(at_left, at_right)
        # the edges, which a golden section approaches but does not reach; equal ones: no share
        for edge in (MAX_SHARE, 0.0):
            at_edge = _restricted_likelihood(edge, values, fixed, own, cross, right)
            if at_edge >= best:
                shares[k], best = edge, at_edge
