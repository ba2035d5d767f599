"""Nearest shrunken centroids (PAM): Tibshirani, Hastie, Narasimhan & Chu (2002), PNAS 99:6567.

Notation of the paper: class centroids xbar_k, overall centroid xbar, pooled within-class
standard deviation s (n - C degrees of freedom), s0 its median, m_k = sqrt(1/n_k - 1/n),
d_k = (xbar_k - xbar) / (m_k (s + s0)). Shrinking moves every d towards 0 by the threshold.

Written with z = (x - xbar) / (s + s0) and a_k = m_k d'_k, the discriminant is
delta_k = 1/2 sum (z - a_k)^2 - ln prior_k. The term 1/2 sum z^2 is the same for all classes,
so what is left, sum (z a_k - a_k^2 / 2) + ln prior_k, needs only the features that survive.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._jit import jit
from .falling_order import falling_order
from .units import in_units, table_units

BLOCK_COLUMNS = 512  # columns per block: 512 x 100 doubles stay in the second-level cache


class ClassCentroids(NamedTuple):
    """Centroids of the classes of one training set.

    A class without rows has m = 0, d = 0 and the overall centroid.
    """

    d: np.ndarray  # (C, p) standardised differences from the overall centroid
    s: np.ndarray  # (p,) pooled within-class standard deviation
    s0: float  # median of s
    scale: np.ndarray  # (p,) s + s0, never 0
    overall: np.ndarray  # (p,) overall centroid
    means: np.ndarray  # (C, p) class centroids
    m: np.ndarray  # (C,) sqrt(1/n_k - 1/n)
    counts: np.ndarray  # (C,) n_k


def class_centroids(X: np.ndarray, y: np.ndarray, n_classes: int) -> ClassCentroids:
    """Centroids and their standardised differences d.

    Parameters
    ----------
    X : (n, p) float64, finite
    y : (n,) int64
        Class codes.
    n_classes : int

    Notes
    -----
    Where s + s0 = 0 (constant within every class, as are more than half of the features)
    the smallest positive s + s0 stands in, or 1 if there is none: a constant feature has
    d = 0, and one that separates constant classes a finite d instead of an infinite one.
    """
    n = len(X)
    counts = np.bincount(y, minlength=n_classes)
    # the first row of each class, which its sums are relative to
    classes, rows = np.unique(y, return_index=True)
    first = np.zeros(n_classes, dtype=np.int64)
    first[classes] = rows
    units = table_units(X)  # powers of two: exact, and squares of far-off magnitudes stay finite
    overall, means, squares = _block_moments(in_units(X, units), y, counts, first)
    # n - C degrees of freedom, C the classes with rows; 1 if every class has one row, s is 0 then
    s = np.sqrt(squares / max(n - len(classes), 1))
    s0 = float(np.median(s))
    scale = s + s0
    if not scale.all():
        positive = scale[scale > 0]
        scale[scale == 0] = positive.min() if len(positive) else 1.0
    m = class_weights(counts)
    d = means - overall
    # m = 0: a class without rows, or the only class, both of which have d = 0
    d /= np.where(m > 0, m, 1.0)[:, None] * scale
    if (units != 1).any():  # d has no unit; the others go back to those of X
        s, scale, overall, means = s * units, scale * units, overall * units, means * units
        s0 = float(np.median(s))
    return ClassCentroids(d, s, s0, scale, overall, means, m, counts)


def class_weights(counts: np.ndarray) -> np.ndarray:
    """m_k = sqrt(1/n_k - 1/n), (C,); 0 for a class without rows."""
    m = np.sqrt(1 / np.maximum(counts, 1) - 1 / counts.sum())
    return np.where(counts > 0, m, 0.0)


@jit
def _block_moments(X, y, counts, first):
    """Overall (p,) and class means (C, p) and within-class sums of squares (p,), by blocks.

    Sums are taken relative to the first row of each class, so that a feature that is
    constant within the classes has a sum of squares of exactly 0.
    """
    n, p = X.shape
    n_classes = len(counts)
    overall, squares = np.zeros(p), np.zeros(p)
    means = np.zeros((n_classes, p))
    for start in range(0, p, BLOCK_COLUMNS):
        stop = min(start + BLOCK_COLUMNS, p)
        for i in range(n):
            k = y[i]
            for j in range(start, stop):
                means[k, j] += X[i, j] - X[first[k], j]
        for k in range(n_classes):
            if counts[k] > 0:
                for j in range(start, stop):
                    means[k, j] = X[first[k], j] + means[k, j] / counts[k]
        # relative to one class mean, so that equal class means give exactly that mean, and d = 0
        origin = y[0]
        for k in range(n_classes):
            if counts[k] > 0:
                for j in range(start, stop):
                    overall[j] += counts[k] * (means[k, j] - means[origin, j])
        for j in range(start, stop):
            overall[j] = means[origin, j] + overall[j] / n
        for k in range(n_classes):
            if counts[k] == 0:
                means[k, start:stop] = overall[start:stop]
        # two passes: sum (x - mean)^2 has none of the cancellation of sum x^2 - n mean^2
        for i in range(n):
            k = y[i]
            for j in range(start, stop):
                e = X[i, j] - means[k, j]
                squares[j] += e * e
    return overall, means, squares


def vanishing_thresholds(d: np.ndarray) -> np.ndarray:
    """The threshold at which each feature vanishes, max_k |d_jk|, (p,)."""
    return np.abs(d).max(axis=0)


def soft_threshold(d: np.ndarray, threshold: float) -> np.ndarray:
    """d moved towards 0 by `threshold`, and to 0 where it would cross it."""
    return np.sign(d) * np.maximum(np.abs(d) - threshold, 0.0)


def log_priors(counts: np.ndarray, priors: np.ndarray | None = None) -> np.ndarray:
    """ln of `priors`, or of the class shares; minus infinity for a class without rows."""
    weights = np.where(counts > 0, counts if priors is None else priors, 0.0)
    with np.errstate(divide="ignore"):  # ln 0 is meant
        return np.log(weights / weights.sum())


def surviving_columns(d: np.ndarray, thresholds: np.ndarray) -> list[np.ndarray]:
    """Columns that survive each threshold, largest max_k |d_jk| first, ties by column."""
    reach = vanishing_thresholds(d)
    # only what survives the smallest threshold needs sorting
    alive = np.flatnonzero(reach > thresholds.min())
    order = alive[falling_order(reach[alive])]
    # both ascending: how many features reach further than each threshold
    sizes = np.searchsorted(-reach[order], -thresholds, side="left")
    return [order[:size] for size in sizes]


def shrunken_beliefs(
    X: np.ndarray,
    d: np.ndarray,
    m: np.ndarray,
    overall: np.ndarray,
    scale: np.ndarray,
    log_prior: np.ndarray,
    thresholds: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of the rows of X at several thresholds, and margins: their logarithms up to a
    term that all classes share, which do not underflow as the probabilities do.

    Parameters
    ----------
    X : (n, p) float64, finite
    d, m, overall, scale
        As in `ClassCentroids`.
    log_prior : (C,)
    thresholds : (t,) float64, in any order

    Returns
    -------
    probabilities, margins : (t, n, C)
        The values of a row are the same to the bit whatever other rows are given with it. The
        largest margin of a row is 0.
    """
    rising = np.argsort(thresholds, kind="stable")
    alive = np.flatnonzero(vanishing_thresholds(d) > thresholds[rising[0]])
    scores = _scores_by_bins(X, alive, d, m, overall, scale, thresholds[rising])
    scores += log_prior
    margins = np.empty_like(scores)
    # less the largest, so that exp cannot overflow; back to the given order of thresholds
    margins[rising] = scores - scores.max(axis=2, keepdims=True)
    shares = np.exp(margins)
    return shares / shares.sum(axis=2, keepdims=True), margins


@jit
def _scores_by_bins(X, columns, d, m, overall, scale, thresholds):
    """sum_j (z_j a_jk - a_jk^2 / 2) at each of the rising thresholds, (t, n, C).

    a = m (|d| - t) sign(d) is linear in t for all t below |d|. So each d is added once, with its
    height and slope, to the bin of the largest threshold below it. The sum at a threshold is that
    at the next one, moved along the slopes by the difference of the two, plus its own bin. Squares
    are treated alike, in sums of terms of one sign, which do not cancel. The innermost loops run
    over the samples, so that the sum of each sample has the same order whatever the others.
    """
    n, n_classes, n_bins = len(X), len(d), len(thresholds)
    # sums over the d of a bin: (sign(d) m (|d| - t) z, sign(d) m z)
    heights = np.zeros((n_bins, n_classes, n))
    slopes = np.zeros((n_bins, n_classes, n))
    sums = np.zeros((n_bins, n_classes, 3))  # of 1, |d| - t and its square
    z = np.empty(n)
    width = thresholds[-1] - thresholds[0]
    per_unit = (n_bins - 1) / width if width > 0 else 0.0  # where bins are of one width
    for j in columns:
        for i in range(n):
            z[i] = (X[i, j] - overall[j]) / scale[j]
        for k in range(n_classes):
            size = abs(d[k, j])
            if not size > thresholds[0]:  # it survives no threshold
                continue
            # guess the bin as if all were of one width, then correct: the largest t below |d|
            at = min(int((size - thresholds[0]) * per_unit), n_bins - 1)
            while at < n_bins - 1 and thresholds[at + 1] < size:
                at += 1
            while thresholds[at] >= size:
                at -= 1
            slope = m[k] if d[k, j] > 0 else -m[k]
            left = size - thresholds[at]
            height, high, steep = slope * left, heights[at, k], slopes[at, k]
            for i in range(n):
                high[i] += height * z[i]
                steep[i] += slope * z[i]
            sums[at, k, 0] += 1.0
            sums[at, k, 1] += left
            sums[at, k, 2] += left * left
    scores = np.empty((n_bins, n, n_classes))
    # from the largest threshold down: everything that survives t + 1 survives t
    for k in range(n_classes):
        for t in range(n_bins - 1, -1, -1):
            if t < n_bins - 1:
                gap = thresholds[t + 1] - thresholds[t]
                after = sums[t + 1, k]
                # |d| - t grows by the gap g: sum x + g N, sum x^2 + 2 g sum x + g^2 N
                sums[t, k, 0] += after[0]
                sums[t, k, 1] += after[1] + gap * after[0]
                sums[t, k, 2] += after[2] + gap * (2 * after[1] + gap * after[0])
                for i in range(n):
                    heights[t, k, i] += heights[t + 1, k, i] + gap * slopes[t + 1, k, i]
                    slopes[t, k, i] += slopes[t + 1, k, i]
            # sum a^2 / 2, the same for every sample
            half = m[k] * m[k] * sums[t, k, 2] / 2
            for i in range(n):
                scores[t, i, k] = heights[t, k, i] - half
    return scores


def shrunken_path(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    thresholds: np.ndarray,
    n_classes: int,
    priors: np.ndarray | None = None,
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Fit on one training set, predict its test set at every threshold.

    Parameters
    ----------
    X_train, X_test : (n, p), (n_test, p) float64, finite
    y_train : (n,) int64
        Class codes.
    thresholds : (t,) float64
    n_classes : int
    priors : (C,), optional
        Class shares of the training set by default.

    Returns
    -------
    probabilities : (t, n_test, C)
    survivors : list of (k,) arrays, most different feature first

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [8.0, 1.0], [9.0, 0.0]])
    >>> P, kept = shrunken_path(X, np.array([0, 0, 1, 1]), X, np.array([0.0, 2.0]), 2)
    >>> P.argmax(axis=2)
    array([[0, 0, 1, 1],
           [0, 0, 1, 1]])
    >>> kept
    [array([0]), array([0])]
    """
    found = class_centroids(X_train, y_train, n_classes)
    probabilities, _ = shrunken_beliefs(
        X_test,
        found.d,
        found.m,
        found.overall,
        found.scale,
        log_priors(found.counts, priors),
        thresholds,
    )
    return probabilities, surviving_columns(found.d, thresholds)
