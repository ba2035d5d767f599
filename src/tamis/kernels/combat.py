"""ComBat's adjustments of every column in every batch, by sva's rules; samples are rows.

Johnson, Li & Rabinovic (2007), Biostatistics 8:118-127. A column's mean and variance in a batch are
shrunk towards what the batch does to all columns (parametric empirical Bayes). The design holds the
batches alone: a design with the class would leak it, and the class of a new patient is unknown.
"""

from __future__ import annotations

import numpy as np

CONVERGENCE_TOLERANCE = 1e-4  # relative change of the estimates at which sva stops
MOST_ROUNDS = 1000  # sva has no such bound; a mean whose estimate is 0 may never settle


def combat_adjustments(
    X: np.ndarray, batch: np.ndarray, n_batches: int, mean_only: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Scales and shifts (n_batches, p) each: a value x of batch b becomes scale_b x + shift_b.

    Scale 1 and shift 0 in columns that are constant within a batch of two rows or more, in those
    without two values in any batch, in batches without a value of the column, and where there is
    only one batch.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        NaN is missing and left out.
    batch : ndarray of shape (n,)
        Codes below `n_batches`.
    n_batches : int
    mean_only : bool, default=False
        Adjust means alone; so it is, too, whenever a batch has one row.

    Examples
    --------
    >>> X = np.array([[1.0, 2.0], [3.0, 6.0], [8.0, 5.0], [6.0, 3.0]])
    >>> scales, shifts = combat_adjustments(X, np.array([0, 0, 1, 1]), 2, mean_only=True)
    >>> scales.tolist(), shifts.round(2).tolist()
    ([[1.0, 1.0], [1.0, 1.0]], [[2.2, 0.48], [-2.2, -0.48]])
    """
    p = X.shape[1]
    scales, shifts = np.ones((n_batches, p)), np.zeros((n_batches, p))
    sizes = np.bincount(batch, minlength=n_batches)
    if (sizes > 0).sum() < 2:
        return scales, shifts
    mean_only = mean_only or bool((sizes == 1).any())  # one row has no variance
    counts, means, squares, constant = _batch_moments(X, batch, n_batches)
    # left alone, as in sva: columns constant within a batch, whose variance of 0 cannot be scaled,
    # and those without two values in any batch. The pooled deviations of the others are above 0
    use = np.flatnonzero(~(constant & (counts > 1)).any(axis=0) & (counts > 1).any(axis=0))
    counts, means, squares = counts[:, use], means[:, use], squares[:, use]
    # m = sum_b n_b m_b / sum_b n_b, s^2 = sum (x - m_b)^2 / N. n_b are the rows of a batch, gaps
    # included, N the values of the column
    weights = sizes[:, None] * (counts > 0)
    grand = (weights * means).sum(axis=0) / weights.sum(axis=0)
    deviation = np.sqrt(squares.sum(axis=0) / counts.sum(axis=0))
    for b in np.flatnonzero(sizes):
        there = counts[b] > 0
        sd, middle, n = deviation[there], grand[there], counts[b, there]
        found = (means[b, there] - middle) / sd  # gamma-hat: means of z = (x - m) / s
        if mean_only:
            location, scale = _shrunken_means(found), np.ones(len(n))
        else:
            location, variance = _shrunken_pair(found, squares[b, there] / sd**2, n)
            scale = 1 / np.sqrt(variance)
        # s (z - gamma*) / sqrt(delta*) + m, as a linear function of x
        scales[b, use[there]] = scale
        shifts[b, use[there]] = middle * (1 - scale) - sd * location * scale
    return scales, shifts


def _batch_moments(X: np.ndarray, batch: np.ndarray, n_batches: int) -> tuple[np.ndarray, ...]:
    """Numbers of values, means, sums of squared deviations, and whether there are no two different
    values, of each column in each batch: (n_batches, p) each."""
    shape = (n_batches, X.shape[1])
    counts, means, squares = np.zeros(shape, dtype=np.int64), np.zeros(shape), np.zeros(shape)
    constant = np.ones(shape, dtype=bool)
    for b in range(n_batches):
        rows = X[batch == b]
        gaps = np.isnan(rows)
        counts[b] = len(rows) - gaps.sum(axis=0)
        means[b] = np.where(gaps, 0.0, rows).sum(axis=0) / np.maximum(counts[b], 1)
        squares[b] = (np.where(gaps, 0.0, rows - means[b]) ** 2).sum(axis=0)
        if len(rows):
            # by the values themselves: a sum of squares may be above 0 by rounding alone. Without
            # any value both are NaN and the column counts as constant
            high, low = np.fmax.reduce(rows, axis=0), np.fmin.reduce(rows, axis=0)
            constant[b] = ~(high > low)
    return counts, means, squares, constant


def _shrunken_means(found: np.ndarray) -> np.ndarray:
    """Standardised means of a batch (k,), shrunk towards their mean. As in sva each counts as one
    sample, whatever the size of the batch."""
    if len(found) < 2:  # nothing to learn a prior from
        return found
    spread = found.var(ddof=1)
    # gamma* of `_shrunken_pair` with n = 1 and delta* = 1
    return (spread * found + found.mean()) / (spread + 1)


def _shrunken_pair(
    found: np.ndarray, squares: np.ndarray, n: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Means and variances (k,) of a batch's standardised columns, shrunk towards their priors.

    Parameters
    ----------
    found : ndarray of shape (k,)
        Means.
    squares : ndarray of shape (k,)
        Sums of squared deviations from them.
    n : ndarray of shape (k,)
        Numbers of values.
    """
    several = n > 1
    variance = np.ones(len(n))  # of one value: that of a standardised column
    variance[several] = squares[several] / (n[several] - 1)
    if len(found) < 2:  # no prior: the batch's own estimates
        return found, variance
    center, spread = found.mean(), found.var(ddof=1)
    known = variance[several]
    m = known.mean() if len(known) else 1.0
    s2 = known.var(ddof=1) if len(known) > 1 else 0.0
    old, old_variance = found, variance
    # priors: gamma ~ N(center, spread), delta ~ inverse gamma of mean m and variance s2. Each turn
    # takes means given the variances, then variances given the means, until neither changes
    for _ in range(MOST_ROUNDS):
        new = (spread * n * found + old_variance * center) / (spread * n + old_variance)
        total = squares + n * (found - new) ** 2  # sum (z - gamma*)^2
        # delta* = (total / 2 + b) / (n / 2 + a - 1), with a = 2 + m^2 / s2 and b = m + m^3 / s2;
        # both sides of the fraction times s2, which may be 0
        new_variance = (s2 * (0.5 * total + m) + m**3) / (s2 * (n / 2 + 1) + m**2)
        change = max(
            # sva divides by the estimate with its sign, so that means below 0 do not count
            _largest_change(new, old),
            _largest_change(new_variance, old_variance),
        )
        old, old_variance = new, new_variance
        if change <= CONVERGENCE_TOLERANCE:
            break
    return old, old_variance


def _largest_change(new: np.ndarray, old: np.ndarray) -> float:
    """The largest |new - old| / old; 0 for an estimate that did not change, even at 0."""
    moved = np.abs(new - old)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.max(np.where(moved > 0, moved / old, 0.0)))
