"""Scores of a confusion matrix: accuracy, BCR, F-measure, Matthews correlation, expected loss.

A confusion matrix here has predicted classes in rows and true classes in columns (the
transpose of scikit-learn's). Each score takes one matrix (C, C) or a stack (..., C, C), so
the same line of code serves a fold of ten rows and a thousand bootstrap resamples.
"""

from __future__ import annotations

import numpy as np


def confusion(codes_true: np.ndarray, codes_pred: np.ndarray, C: int) -> np.ndarray:
    """Count the samples of every (predicted, true) pair of classes.

    Parameters
    ----------
    codes_true, codes_pred : ndarray of shape (n,) of int
        Class codes, 0..C-1. A negative predicted code is a sample declined, which counts nowhere.
    C : int
        Number of classes.

    Returns
    -------
    ndarray of shape (C, C) of int64
        Rows predicted, columns true.

    Examples
    --------
    >>> confusion(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), 2)
    array([[1, 0],
           [1, 2]])
    """
    cells = codes_pred * C + codes_true
    if codes_pred.min(initial=0) < 0:
        cells = cells[codes_pred >= 0]
    return np.bincount(cells, minlength=C * C).reshape(C, C)


def accuracy_of(matrix: np.ndarray) -> np.ndarray:
    """Share of right predictions."""
    return _count_right(matrix) / matrix.sum(axis=(-2, -1))


def bcr_of(matrix: np.ndarray) -> np.ndarray:
    """Mean, over the classes present, of the share of the class predicted right."""
    true = matrix.sum(axis=-2)
    right = matrix.diagonal(axis1=-2, axis2=-1)
    return (right / np.maximum(true, 1)).sum(axis=-1) / np.count_nonzero(true, axis=-1)


def f_of(matrix: np.ndarray) -> np.ndarray:
    """F = 2TP / (2TP + FP + FN) of the positive class (code 1) of two; else the macro mean.

    NaN where the positive class is neither present nor predicted (0/0). The macro mean is
    over the classes that are present or predicted.
    """
    double = 2 * matrix.diagonal(axis1=-2, axis2=-1)
    total = matrix.sum(axis=-1) + matrix.sum(axis=-2)  # 2TP + FP + FN, class by class
    if matrix.shape[-1] == 2:
        double, total = double[..., 1], total[..., 1]
        return np.where(total > 0, double / np.maximum(total, 1), np.nan)
    return (double / np.maximum(total, 1)).sum(axis=-1) / np.count_nonzero(total, axis=-1)


def mcc_of(matrix: np.ndarray) -> np.ndarray:
    """Matthews correlation; for several classes Gorodkin's R_K (2004).

    (n c - sum_k p_k t_k) / sqrt((n^2 - sum p_k^2)(n^2 - sum t_k^2)) with c the number right
    and p_k, t_k the row and column sums; 0 where a factor of the denominator is 0.
    """
    true = matrix.sum(axis=-2, dtype=np.float64)
    pred = matrix.sum(axis=-1, dtype=np.float64)
    n = true.sum(axis=-1)
    covariance = n * _count_right(matrix) - (true * pred).sum(axis=-1)
    spread = (n * n - (true * true).sum(axis=-1)) * (n * n - (pred * pred).sum(axis=-1))
    return covariance / np.where(spread > 0, np.sqrt(spread), np.inf)


def loss_of(matrix: np.ndarray, costs: np.ndarray | None = None) -> np.ndarray:
    """Mean cost of a prediction; without `costs` (rows predicted, columns true) the error rate."""
    n = matrix.sum(axis=(-2, -1))
    if costs is None:
        return (n - _count_right(matrix)) / n
    return (matrix * costs).sum(axis=(-2, -1)) / n


def _count_right(matrix: np.ndarray) -> np.ndarray:
    return matrix.trace(axis1=-2, axis2=-1)
