"""Gaussian naive Bayes: class means and variances, and scores by leading columns of a table.

log p(c, x) = ln prior_c - 1/2 sum_j [ln 2 pi v_cj + (x_j - m_cj)^2 / v_cj]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .column_sums import column_sums


class ClassGaussians(NamedTuple):
    """Means and variances of each class, variances of all rows, and the weight of each class.

    A class without rows has means and variances of 0.

    Attributes
    ----------
    means, variances : ndarray of shape (C, k)
    total : ndarray of shape (k,)
    counts : ndarray of shape (C,)
    """

    means: np.ndarray
    variances: np.ndarray
    total: np.ndarray
    counts: np.ndarray

    def leading(self, k: int) -> ClassGaussians:
        """Those of the first k columns alone, as views."""
        return ClassGaussians(self.means[:, :k], self.variances[:, :k], self.total[:k], self.counts)


def class_gaussians(
    X: np.ndarray, codes: np.ndarray, n_classes: int, weights: np.ndarray | None = None
) -> ClassGaussians:
    """Class moments of X (n, k); those of a column do not depend on the other columns.

    Parameters
    ----------
    X : ndarray of shape (n, k)
    codes : ndarray of shape (n,)
    n_classes : int
    weights : ndarray of shape (n,), or None
        Weights of the rows in the class moments; the variances of all rows are unweighted.
    """
    k = X.shape[1]
    means, variances = np.zeros((n_classes, k)), np.zeros((n_classes, k))
    for c in range(n_classes):
        rows = codes == c
        means[c], variances[c] = _weighted_moments(
            X[rows], None if weights is None else weights[rows]
        )
    counts = np.bincount(codes, weights, n_classes).astype(np.float64)
    # the variances of all rows only scale the smoothing, and as in scikit-learn have no weights
    return ClassGaussians(means, variances, _weighted_moments(X)[1], counts)


def _weighted_moments(
    X: np.ndarray, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of each column (k,), by two passes; 0 if no row has weight."""
    total = len(X) if weights is None else weights.sum()
    if not total > 0:  # a class without rows, or with weights of 0 alone
        return np.zeros(X.shape[1]), np.zeros(X.shape[1])
    by = 1.0 if weights is None else weights[:, None]
    # `column_sums` adds up a column in the same order whatever the other columns are
    mean = column_sums(X * by) / total
    away = X - mean
    # the sum of squares about the mean does not cancel, as E x^2 - m^2 would
    return mean, column_sums(away * away * by) / total


def log_densities(
    X: np.ndarray,
    means: np.ndarray,
    variances: np.ndarray,
    priors: np.ndarray,
    sizes: Sequence[int],
) -> np.ndarray:
    """log p(c, x) of the rows of X (m, k) by the leading columns of each size, (sizes, m, C)."""
    scores = np.empty((len(sizes), len(X), len(priors)))
    with np.errstate(divide="ignore"):  # a prior of 0 has the logarithm -inf
        log_priors = np.log(priors)
    widths = np.log(2 * np.pi * variances)
    for c, (mean, variance) in enumerate(zip(means, variances, strict=True)):
        shares = (X - mean) ** 2 / variance
        for at, k in enumerate(sizes):  # all sizes share the squares
            constant = log_priors[c] - 0.5 * widths[c, :k].sum()
            scores[at, :, c] = constant - 0.5 * shares[:, :k].sum(axis=1)
    return scores
