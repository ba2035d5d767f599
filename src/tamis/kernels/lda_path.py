"""Linear discriminant analysis for every leading subset of ordered columns, from one factor.

With R = L L' the within-class covariance of the columns in order, the leading k x k block
of L is the factor for the first k columns, and z = L^{-1}(x - m) for k columns is the first
k entries of z for all columns. So the Mahalanobis terms of all sizes are cumulative sums of z^2.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

# A pivot of the within-class correlation matrix below this (a column that the ones before it
# explain to within a millionth) sends the size, and all above it, to `linear_discriminant.py`.
SMALLEST_PIVOT = 1e-6


def lda_path(
    train: np.ndarray,
    y: np.ndarray,
    test: np.ndarray,
    sizes: Sequence[int],
    priors: np.ndarray,
) -> tuple[np.ndarray, int]:
    """Class probabilities of the test rows for each size.

    delta_c(x) = -1/2 (x - m_c)' S^{-1} (x - m_c) + ln prior_c, S pooled within classes,
    divided by n (as scikit-learn does from 1.9 on; before, it divided by n - C).

    Parameters
    ----------
    train : (n, K) columns in order
    y : (n,) class codes, every class present
    test : (m, K)
    sizes : ascending, each at most K
    priors : (C,)

    Returns
    -------
    proba : (len(sizes), m, C)
    sound : int
        How many of the sizes the factor could serve; the rest of `proba` is NaN, because
        the covariance of their columns is singular or nearly so.
    """
    from scipy.linalg import lapack

    n_classes, n = len(priors), len(train)
    proba = np.full((len(sizes), len(test), n_classes), np.nan)
    # residuals from C means have a rank of n - C at most: larger sizes are singular for sure
    within_rank = bisect_right(sizes, n - n_classes)
    if within_rank == 0:
        return proba, 0
    train, test = train[:, : sizes[within_rank - 1]], test[:, : sizes[within_rank - 1]]
    onehot = np.zeros((n_classes, n))
    onehot[y, np.arange(n)] = 1.0
    # a class's values count from one of its rows: a column that is constant in every class
    # then has a residual of exactly 0, not one of rounding that would pass for a variance
    anchors = train[onehot.argmax(axis=1)]
    spread = train - anchors[y]
    offsets = (onehot @ spread) / onehot.sum(axis=1, keepdims=True)
    residual = spread - offsets[y]
    means = (anchors - anchors[0]) + offsets
    covariance = residual.T @ residual
    # of correlations, whose pivots do not depend on units: 1 - R^2 given the columns before. A
    # column without spread keeps a pivot of 0, and ends the path
    scale = np.sqrt(covariance.diagonal())
    scale[scale == 0] = 1.0
    correlation = covariance / (scale[:, None] * scale)
    factor, info = lapack.dpotrf(correlation, lower=1, clean=1)
    # info = k: the leading block of order k is not positive definite, the factor is good below it
    usable = len(correlation) if info == 0 else info - 1
    pivots = factor.diagonal()[:usable] ** 2
    weak = np.flatnonzero(pivots < SMALLEST_PIVOT)
    usable = min(usable, int(weak[0]) if len(weak) else usable)
    sound = bisect_right(sizes, usable)
    if sound == 0:
        return proba, 0
    top = sizes[sound - 1]
    # one triangular solve for the means and the test rows together
    both = np.concatenate([means, test - anchors[0]])[:, :top] / scale[:top]
    z, _ = lapack.dtrtrs(factor[:top, :top], np.ascontiguousarray(both.T), lower=1)
    z *= np.sqrt(n)  # `covariance` is a sum over rows, n times S
    centres, points = z[:, :n_classes], z[:, n_classes:]
    # classes before rows: NumPy reduces a last axis of two or three slowly
    distance = np.cumsum((points[:, None, :] - centres[:, :, None]) ** 2, axis=0)
    cut = np.asarray(sizes[:sound]) - 1
    delta = -0.5 * distance[cut] + np.log(priors)[:, None]
    delta -= delta.max(axis=1, keepdims=True)  # softmax without overflow
    np.exp(delta, out=delta)
    delta /= delta.sum(axis=1, keepdims=True)
    proba[:sound] = delta.transpose(0, 2, 1)
    return proba, sound
