"""Diagonal linear discriminant analysis: class means and pooled variances, no correlations.

Dudoit, Fridlyand & Speed (2002), Journal of the American Statistical Association 97, 77.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .within_classes import linear_rule, not_too_small, within_classes


def diagonal_discriminant(
    X: np.ndarray, codes: np.ndarray, n_classes: int, priors: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (C, k) and intercepts (C,) of X (n, k); every class has a sample.

    The discriminant of class c is ln prior_c - 1/2 sum_j (x_j - m_cj)^2 / s_j^2 less the terms that
    all classes share, with s_j^2 the pooled variance within classes (divisor n - C).
    """
    coefficients, intercepts, _ = _discriminant_rule(X, codes, n_classes, priors)
    return coefficients, intercepts


def diagonal_discriminants(
    X: np.ndarray, codes: np.ndarray, test: np.ndarray, sizes: Sequence[int], priors: np.ndarray
) -> np.ndarray:
    """Discriminants of the test rows (m, k) by the leading columns of each size, (sizes, m, C)."""
    coefficients, _, shares = _discriminant_rule(X, codes, len(priors), priors)
    out = np.empty((len(sizes), len(test), len(priors)))
    for c, (weights, share) in enumerate(zip(coefficients, shares, strict=True)):
        # without correlations every column adds a term of its own: sums up to column k are the
        # discriminants of the leading k columns, and one pass serves all sizes
        sums = np.cumsum(test * weights + share, axis=1)
        out[:, :, c] = sums[:, np.asarray(sizes) - 1].T + np.log(priors[c])
    return out


def _discriminant_rule(
    X: np.ndarray, codes: np.ndarray, n_classes: int, priors: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coefficients (C, k), intercepts (C,), and each column's part of these (C, k)."""
    n = len(X)
    parts = within_classes(X, codes, n_classes)
    variances = (parts.residuals**2).sum(axis=0) / max(n - n_classes, 1)
    # with m = sum_c prior_c m_c the discriminant is ln prior_c + w_c'(x - (m_c + m) / 2),
    # w_cj = (m_cj - m_j) / s_j^2
    centre = priors @ parts.means
    # variances have a floor: a column without spread inside the classes would be divided by 0
    coefficients = (parts.means - centre) / not_too_small(variances, parts.total, n)
    intercepts, shares = linear_rule(coefficients, parts, centre, priors)
    return coefficients, intercepts, shares
