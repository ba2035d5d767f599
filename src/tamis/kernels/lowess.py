"""Locally weighted regression with robust iterations (Cleveland 1979, JASA 74:829-836)."""

from __future__ import annotations

import numpy as np

# shares of a bandwidth up to which a weight is 1, and from which it is 0
FULL_WEIGHT_DISTANCE, ZERO_WEIGHT_DISTANCE = 0.001, 0.999
# share of the range of x: of the points that follow a fit within it only the last is fitted, the
# others are interpolated
INTERPOLATED_SHARE = 0.01


def lowess_curve(
    x: np.ndarray, y: np.ndarray, span: float = 2 / 3, iterations: int = 3
) -> np.ndarray:
    """Smoothed y (n,) at each x, in increasing order, as ``lowess`` of R.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
    span : float
        Share of the points in each fit.
    iterations : int
        Robust fits after the first.

    Examples
    --------
    >>> x = np.arange(20.0)
    >>> y = 2 * x
    >>> y[7] = 100  # an outlier
    >>> bool(np.allclose(lowess_curve(x, y), 2 * x))
    True
    """
    n = len(x)
    if n < 2:
        return y.copy()
    # points in each fit, as R counts them
    width = min(max(int(span * n + 1e-7), 2), n)
    robust = np.ones(n)
    for iteration in range(iterations + 1):
        fitted = _smoothed_pass(x, y, width, robust)
        away = np.abs(y - fitted)
        scale = 6 * np.median(away)
        if iteration == iterations or scale <= 1e-7 * away.mean():  # both are 0 if the fit is exact
            break
        # bisquare weights, (1 - (r / 6 median |r|)^2)^2
        robust = np.where(away <= ZERO_WEIGHT_DISTANCE * scale, (1 - (away / scale) ** 2) ** 2, 0.0)
        robust[away <= FULL_WEIGHT_DISTANCE * scale] = 1.0
    return fitted


def _smoothed_pass(x: np.ndarray, y: np.ndarray, width: int, robust: np.ndarray) -> np.ndarray:
    """One pass (n,): fits at some points, and lines between them.

    `at` is the point that is fitted next, `last` the last one that has a value.
    """
    n, fitted = len(x), np.empty(len(x))
    step = INTERPOLATED_SHARE * (x[-1] - x[0])
    left, last, at = 0, -1, 0
    while last < n - 1:
        # the window moves on while the next point on the right is nearer than the first
        while left + width < n and x[at] - x[left] > x[left + width] - x[at]:
            left += 1
        fitted[at] = _local_line(x, y, at, left, left + width - 1, robust)
        if last < at - 1:
            between = slice(last + 1, at)
            share = (x[between] - x[last]) / (x[at] - x[last])
            fitted[between] = share * fitted[at] + (1 - share) * fitted[last]
        last = int(np.searchsorted(x, x[at], side="right")) - 1  # equal x have equal values
        fitted[at : last + 1] = fitted[at]
        # on to the last point within the step, or at least to the next
        beyond = int(np.searchsorted(x, x[at] + step, side="right"))
        at = max(last + 1, beyond - 1)
    return fitted


def _local_line(
    x: np.ndarray, y: np.ndarray, at: int, left: int, right: int, robust: np.ndarray
) -> float:
    """The value at x[at] of a weighted line through the points around it.

    It is y[at] if no point has weight.
    """
    half = max(x[at] - x[left], x[right] - x[at])
    end = int(np.searchsorted(x, x[at] + ZERO_WEIGHT_DISTANCE * half, side="right"))
    here = slice(left, max(end, at + 1))  # the points of weight; equal x may go beyond the window
    near, values = x[here], y[here]
    apart = np.abs(near - x[at])
    weights = np.where(apart <= FULL_WEIGHT_DISTANCE * half, 1.0, 0.0)
    if half > 0:  # tricube weights, (1 - (d / h)^3)^3; with h = 0 all points have one x
        among = (apart > FULL_WEIGHT_DISTANCE * half) & (apart <= ZERO_WEIGHT_DISTANCE * half)
        weights[among] = (1 - (apart[among] / half) ** 3) ** 3
    weights *= robust[here]
    total = weights.sum()
    if total <= 0:
        return float(y[at])
    weights /= total
    if half > 0:
        centre = float((weights * near).sum())
        squares = float((weights * (near - centre) ** 2).sum())
        # with these weights sum_i w_i y_i is the least-squares line at x[at]; without spread in x
        # it stays the weighted mean
        if np.sqrt(squares) > FULL_WEIGHT_DISTANCE * (x[-1] - x[0]):
            weights *= (x[at] - centre) / squares * (near - centre) + 1
    return float((weights * values).sum())
