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
        What the means are counted from.
    means : ndarray of shape (C, k)
    residuals : ndarray of shape (n, k)
        Of a column that is constant in every class exactly 0.
    total : ndarray of shape (k,)
        Sum of squares around the mean of all samples; of a constant column exactly 0.
    """

    origin: np.ndarray
    means: np.ndarray
    residuals: np.ndarray
    total: np.ndarray


def within_classes(X: np.ndarray, codes: np.ndarray, n_classes: int) -> WithinClasses:
    """Class means and residuals of X (n, k); every class has a sample.

    A class's values count from one of its rows, as in `lda_path`: what is constant stays 0 to the
    bit, and no rounding passes for a variance.
    """
    onehot = np.zeros((n_classes, len(X)))
    onehot[codes, np.arange(len(X))] = 1.0
    counts = onehot.sum(axis=1)
    anchors = X[onehot.argmax(axis=1)]
    residuals = X - anchors[codes]
    offsets = (onehot @ residuals) / counts[:, None]
    residuals -= offsets[codes]
    means = (anchors - anchors[0]) + offsets
    between = counts @ (means - counts @ means / len(X)) ** 2
    return WithinClasses(anchors[0], means, residuals, (residuals**2).sum(axis=0) + between)


def not_too_small(variances: np.ndarray, total: np.ndarray, n: int) -> np.ndarray:
    """Variances that can be divided by (k,): see `LEAST_SHARE`; 1 where all n samples agree."""
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
    shares = -weights * ((parts.means + centre) / 2 + parts.origin)
    return np.log(priors) + shares.sum(axis=1), shares


def log_odds(coefficients: np.ndarray, intercepts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Discriminants as they are, of two classes their difference: towards code 1."""
    if len(intercepts) != 2:
        return coefficients, intercepts
    return coefficients[1:] - coefficients[:1], intercepts[1:] - intercepts[:1]
