"""Shrinkage discriminant analysis: correlations, variances and class frequencies shrunk.

Ahdesmaeki & Strimmer (2010), Annals of Applied Statistics 4, 503. Each intensity is the analytic
one that makes the expected squared error least (`_shrinkage_intensity`): correlations go towards 0
(Schaefer & Strimmer 2005), variances towards their median (Opgen-Rhein & Strimmer 2007), class
frequencies towards equal ones (Hausser & Strimmer 2009).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .within_classes import linear_rule, not_too_small, within_classes

EPSILON = float(np.finfo(np.float64).eps)
ROUNDED_INTENSITY = 1e-8  # a smaller intensity of the correlations is 0 but for rounding
MIN_SOLVED_INTENSITY = 1e-3  # from which a system loses no more digits than singular values would
# of the class frequencies, for each way to say what the priors are
INTENSITIES: dict[str, float | None] = {"shrunken": None, "empirical": 0.0, "equal": 1.0}


class ShrinkageRule(NamedTuple):
    """Discriminants X coefficients' + intercepts, and how much was shrunk.

    Attributes
    ----------
    coefficients : ndarray of shape (C, k)
    intercepts : ndarray of shape (C,)
    intensity, variance_intensity, frequency_intensity : float
        Of the correlations, variances and class frequencies: 0 leaves them, 1 is the target.
    priors : ndarray of shape (C,)
        Class frequencies, shrunk.
    """

    coefficients: np.ndarray
    intercepts: np.ndarray
    intensity: float
    variance_intensity: float
    frequency_intensity: float
    priors: np.ndarray


def shrinkage_discriminant(
    X: np.ndarray, codes: np.ndarray, n_classes: int, frequency_intensity: float | None = None
) -> ShrinkageRule:
    """The rule of X (n, k) and codes (n,), every class of which has a sample.

    Coefficients are R^{-1} of the shrunken correlations between differences from the pooled mean,
    both in units of the shrunken standard deviations. No matrix of k x k is made: n^2 k steps.

    Parameters
    ----------
    X : ndarray of shape (n, k)
    codes : ndarray of shape (n,)
    n_classes : int
    frequency_intensity : float or None
        0: class shares are the priors, 1: equal ones, None: the analytic intensity.

    Returns
    -------
    ShrinkageRule
    """
    n = len(X)
    counts = np.bincount(codes, minlength=n_classes)
    priors, frequency_intensity = shrunken_frequencies(counts, frequency_intensity)
    parts = within_classes(X, codes, n_classes)
    variances, variance_intensity = _shrunken_variances(parts.residuals, parts.total)
    # n - 1 above, as if residuals were samples; n - C is the degrees of freedom they have
    variances *= (n - 1) / max(n - n_classes, 1)
    deviations = np.sqrt(not_too_small(variances, parts.total, n))
    centre = priors @ parts.means
    differences = (parts.means - centre) / deviations
    solved, intensity = _solve_correlations(parts.residuals, parts.total, differences)
    coefficients = solved / deviations
    intercepts, _ = linear_rule(coefficients, parts, centre, priors)
    return ShrinkageRule(
        coefficients, intercepts, intensity, variance_intensity, frequency_intensity, priors
    )


def shrunken_frequencies(
    counts: np.ndarray, intensity: float | None = None
) -> tuple[np.ndarray, float]:
    """Class shares of counts (C,) shrunk towards equal ones, and the intensity.

    Classes without a sample stay without; `intensity` as in `shrinkage_discriminant`.
    """
    present, n = counts > 0, counts.sum()
    shares, target = counts / n, present / present.sum()
    if intensity is None:  # the variance of a share is estimated by u (1 - u) / (n - 1)
        spread = (shares * (1 - shares)).sum() / max(n - 1, 1)
        intensity = _shrinkage_intensity(spread, ((shares - target) ** 2).sum())
    return intensity * target + (1 - intensity) * shares, intensity


def _shrinkage_intensity(variance: float, distance: float) -> float:
    """Summed variance of estimates over their squared distance from the target, at most 1."""
    return float(min(max(variance, 0.0) / distance, 1.0)) if distance > 0 else 1.0


def _column_variances(residuals: np.ndarray, total: np.ndarray) -> np.ndarray:
    """With n - 1 (k,); 0 where they are rounding beside the column's sum of squares."""
    squares = (residuals**2).sum(axis=0)
    return np.where(squares > EPSILON * total, squares, 0.0) / max(len(residuals) - 1, 1)


def _shrunken_variances(residuals: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, float]:
    """Variances shrunk towards their median (k,), and the intensity.

    Opgen-Rhein & Strimmer (2007), eq. 10: the variance of a mean of squares is estimated by that
    of the squares over n - 1.
    """
    variances = _column_variances(residuals, total)
    target, n = float(np.median(variances)), len(residuals)
    squares = residuals**2
    means = squares.mean(axis=0)
    spread = ((squares**2).mean(axis=0) - means**2).sum() / max(n - 1, 1)
    intensity = _shrinkage_intensity(spread, ((means - target * (n - 1) / n) ** 2).sum())
    return intensity * target + (1 - intensity) * variances, intensity


def _solve_correlations(
    residuals: np.ndarray, total: np.ndarray, vectors: np.ndarray
) -> tuple[np.ndarray, float]:
    """R^{-1} of shrunken correlations times vectors (C, k), and the intensity.

    R = l I + (1 - l) Z'Z / (n - 1), of Z the residuals over their standard deviations. An l that
    keeps R far from singular is solved with Z'Z or, where columns are more than rows, with ZZ':
    R^{-1} v = (v - c Z'(l I + c ZZ')^{-1} Z v) / l, c = (1 - l) / (n - 1). Else Z = U diag(d) V':
    what of a vector lies in V is divided by its eigenvalue, the rest by l.
    """
    from scipy.linalg import lapack

    n, k = residuals.shape
    variances = _column_variances(residuals, total)
    moving = variances > 0
    if k == 1 or not moving.any():
        return vectors, 1.0
    Z = np.where(moving, residuals, 0.0) / np.sqrt(np.where(moving, variances, 1.0))
    wide = k > n
    products = Z @ Z.T if wide else Z.T @ Z
    intensity = _correlation_intensity(Z**2, float((products**2).sum()), n)
    if intensity == 1:
        return vectors, 1.0
    if intensity > MIN_SOLVED_INTENSITY:
        share = (1 - intensity) / (n - 1)
        matrix = share * products
        matrix[np.diag_indices_from(matrix)] += intensity
        _, inverse, _ = lapack.dposv(matrix, Z @ vectors.T if wide else vectors.T)
        solved = (vectors - share * inverse.T @ Z) / intensity if wide else inverse.T
        return np.where(moving, solved, vectors), intensity
    _, d, basis = np.linalg.svd(Z, full_matrices=False)
    kept = d > max(n, k) * EPSILON * d[0]
    basis, eigenvalues = basis[kept], d[kept] ** 2 / (n - 1)
    inside = vectors @ basis.T
    if intensity < ROUNDED_INTENSITY:  # the pseudoinverse, as of a table with samples enough
        solved, intensity = (inside / eigenvalues) @ basis, 0.0
    else:
        damped = (1 - intensity) * eigenvalues
        factors = damped / (damped + intensity)
        solved = (vectors - (inside * factors) @ basis) / intensity
    return np.where(moving, solved, vectors), intensity


def _correlation_intensity(squares: np.ndarray, power: float, n: int) -> float:
    """Schaefer & Strimmer (2005), table 1, target D: summed over pairs of columns.

    Parameters
    ----------
    squares : ndarray of shape (n, k)
        Of the standardised columns, which have a variance of 1 or 0.
    power : float
        Sum of the squared inner products of all columns, with the columns' own; those of the rows
        have the same.
    n : int
    """
    own = (squares.sum(axis=0) ** 2).sum()
    correlations = power - own
    if correlations <= EPSILON * own:  # not correlated but by rounding
        return 1.0
    products = n * ((squares.sum(axis=1) ** 2).sum() - (squares**2).sum())
    return _shrinkage_intensity((products - correlations) / (n - 1), correlations)
