"""The columns of a part prepared for classifiers in one kernel: whether they vary and are of
ordinary magnitude, and the rows and test rows standardised."""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .units import EPS, MAX_MAGNITUDE, MAX_STANDARDISED, MIN_MAGNITUDE


@jit
def standardised_rows(X, test, columns, near, room):
    """Standardise X into `columns` and `test`, by the means and scales of X, into `near`.

    Returns the first column that varies (k if none does), and whether the magnitude of every column
    is ordinary, as in `units.magnitude_units`. If not, neither the first column nor what is filled
    means anything.

    Parameters
    ----------
    X, test : (n, k), (m, k) float64
        Without missing values.
    columns, near : (n, k), (m, k), C order
        Become those of `scaling.standardised_with_scale` and `scaling.as_standardised`, to the bit.
    room : (5, k) float64
        Scratch.
    """
    n, k = X.shape
    first = k
    high, low, center, scale, left = room[0], room[1], room[2], room[3], room[4]
    # X is in C order: all loops go row by row, with the columns inside, which vectorises
    for j in range(k):
        high[j] = low[j] = X[0, j]
        center[j] = scale[j] = left[j] = 0.0
    for i in range(1, n):
        for j in range(k):
            high[j], low[j] = max(high[j], X[i, j]), min(low[j], X[i, j])
    for j in range(k - 1, -1, -1):  # falling, so that the first column that varies comes last
        if high[j] > low[j]:
            first = j
        size = max(high[j], -low[j])
        # a column of zeros is ordinary; a column that is not needs a unit, which this kernel lacks
        if size > MAX_MAGNITUDE or (size < MIN_MAGNITUDE and size > 0):
            return first, False
    for i in range(n):  # one row after the other, as `column_sums` adds: the same last bits
        for j in range(k):
            center[j] += X[i, j]
    for j in range(k):
        center[j] /= n
    for i in range(n):
        for j in range(k):
            d = X[i, j] - center[j]
            columns[i, j] = d
            scale[j] += d * d
            left[j] += d  # 0 but for the rounding of the mean
    # the corrected two-pass algorithm (Chan, Golub & LeVeque 1983):
    # variance = (sum d^2 - (sum d)^2 / n) / n
    for j in range(k):
        variance = (scale[j] - left[j] * left[j] / n) / n
        # constant if the variance is no more than its rounding, as in scikit-learn's
        # StandardScaler; such a column is divided by 1
        rounding = n * center[j] * EPS
        constant = variance <= n * EPS * variance + rounding * rounding
        scale[j] = 1.0 if constant else np.sqrt(variance)
    for i in range(n):
        for j in range(k):
            columns[i, j] /= scale[j]
    # a test row may lie anywhere: clipped, its products with others stay finite
    for i in range(len(test)):
        for j in range(k):
            near[i, j] = min(
                max((test[i, j] - center[j]) / scale[j], -MAX_STANDARDISED), MAX_STANDARDISED
            )
    return first, True
