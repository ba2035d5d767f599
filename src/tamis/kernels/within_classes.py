"""Class means, what is left of the samples after them, and the linear rule of such means."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# A variance within classes is no less than this share of the column's variance over all samples.
# A column that separates the classes perfectly has none, and would have to be divided by 0.
LEAST_SHARE = 1e-6


class WithinClasses(NamedTuple):
    """Columns parted into class means and residuals.

    Attributes
    ----------
    origin : ndarray of shape (k,)
        A row of the table; `means` are differences from it.
    means : ndarray of shape (C, k)
    residuals : ndarray of shape (n, k)
        Exactly 0 for a column that is constant in every class.
    total : ndarray of shape (k,)
        Sum of squares around the mean of all samples; exactly 0 for a constant column.
    """

    origin: np.ndarray
    means: np.ndarray
    residuals: np.ndarray
    total: np.ndarray


def within_classes(X: np.ndarray, codes: np.ndarray, n_classes: int) -> WithinClasses:
    """Class means and residuals of X (n, k); every class has a sample.

    A class's values are taken relative to one of its rows, as in `lda_path`: residuals of what is
    constant are exactly 0, and no rounding passes for a variance.
    """
    onehot = np.zeros((n_classes, len(X)))
    onehot[codes, np.arange(len(X))] = 1.0
    counts = onehot.sum(axis=1)
    anchors = X[onehot.argmax(axis=1)]  # the first row of each class
    residuals = X - anchors[codes]
    offsets = (onehot @ residuals) / counts[:, None]
    residuals -= offsets[codes]
    # from the origin: where a column is constant these are exactly 0, as rounded means need not be
    means = (anchors - anchors[0]) + offsets
    # total = within + between: sum_c n_c (m_c - m)^2
    between = counts @ (means - counts @ means / len(X)) ** 2
    return WithinClasses(anchors[0], means, residuals, (residuals**2).sum(axis=0) + between)


def not_too_small(variances: np.ndarray, total: np.ndarray, n: int) -> np.ndarray:
    """Variances that can be divided by (k,): see `LEAST_SHARE`; 1 where all n samples agree."""
    # both are 0 for a constant column alone, whose residuals are 0 whatever divides them
    found = np.maximum(variances, LEAST_SHARE * total / n)
    return np.where(found > 0, found, 1.0)


def linear_rule(
    weights: np.ndarray, parts: WithinClasses, centre: np.ndarray, priors: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Intercepts of the discriminant ln prior_c + w_c'(x - (m_c + m) / 2), and each column's share.

    Parameters
    ----------
    weights : ndarray of shape (C, k)
        w_c = S^{-1} (m_c - m).
    parts : WithinClasses
    centre : ndarray of shape (k,)
        m, counted from `parts.origin` as the means are.
    priors : ndarray of shape (C,)

    Returns
    -------
    intercepts : ndarray of shape (C,)
    shares : ndarray of shape (C, k)
        What each column adds to the intercepts, for rules of fewer columns.
    """
    # -w_c (m_c + m) / 2 column by column; both means are differences from the origin
    shares = -weights * ((parts.means + centre) / 2 + parts.origin)
    return np.log(priors) + shares.sum(axis=1), shares


def log_odds(coefficients: np.ndarray, intercepts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and intercepts; for two classes the differences, code 1 less code 0."""
    if len(intercepts) != 2:
        return coefficients, intercepts
    return coefficients[1:] - coefficients[:1], intercepts[1:] - intercepts[:1]
