"""Shrinkage discriminant analysis: correlations, variances and class frequencies are shrunk.

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
ROUNDED_INTENSITY = 1e-8  # an intensity of the correlations below this is 0 up to rounding
# intensity from which on solving with Z'Z or ZZ' loses no more digits than singular values would
MIN_SOLVED_INTENSITY = 1e-3
# intensity of the class frequencies for each choice of priors; None is the analytic one
INTENSITIES: dict[str, float | None] = {"shrunken": None, "empirical": 0.0, "equal": 1.0}


class ShrinkageRule(NamedTuple):
    """Discriminants X coefficients' + intercepts, and the shrinkage intensities.

    Attributes
    ----------
    coefficients : ndarray of shape (C, k)
    intercepts : ndarray of shape (C,)
    intensity, variance_intensity, frequency_intensity : float
        Of the correlations, variances and class frequencies: 0 leaves them as they are, 1 replaces
        them by the target.
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
    """The rule for X (n, k) and codes (n,); every class has a sample.

    w_c = V^{-1/2} R^{-1} V^{-1/2} (m_c - m), with R the shrunken correlations, V the shrunken
    variances and m the mean of the class means m_c by the priors. Where columns are more than rows,
    no k x k matrix is made: n^2 k steps.

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
    centre = priors @ parts.means  # m, counted from `parts.origin` as the means are
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

    Hausser & Strimmer (2009), eq. 8. Classes without a sample keep a share of 0, and the target is
    equal shares of the others; `intensity` as `frequency_intensity` in `shrinkage_discriminant`.
    """
    present, n = counts > 0, counts.sum()
    shares, target = counts / n, present / present.sum()
    if intensity is None:  # the variance of a share is estimated by u (1 - u) / (n - 1)
        spread = (shares * (1 - shares)).sum() / max(n - 1, 1)
        intensity = _shrinkage_intensity(spread, ((shares - target) ** 2).sum())
    return intensity * target + (1 - intensity) * shares, intensity


def _shrinkage_intensity(variance: float, distance: float) -> float:
    """Summed variance of estimates over their squared distance from the target, at most 1.

    With estimates u of targets t, sum Var(u) / sum (u - t)^2 estimates the intensity of the least
    expected squared error. Estimates that are the target have 1: shrinking changes nothing.
    """
    return float(min(max(variance, 0.0) / distance, 1.0)) if distance > 0 else 1.0


def _column_variances(residuals: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Variances of the residuals with n - 1 (k,); 0 where they are rounding of the column's values.

    `total` (k,) are the sums of squares about the mean of all samples.
    """
    squares = (residuals**2).sum(axis=0)
    return np.where(squares > EPSILON * total, squares, 0.0) / max(len(residuals) - 1, 1)


def _shrunken_variances(residuals: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, float]:
    """Variances shrunk towards their median (k,), and the intensity.

    Opgen-Rhein & Strimmer (2007), eqs. 8 to 10: the variance of a mean of squares is estimated by
    that of the squares over n - 1.
    """
    variances = _column_variances(residuals, total)
    target, n = float(np.median(variances)), len(residuals)
    # w = residual^2, s^2 = n / (n - 1) mean(w), Var(s^2) = n / (n - 1)^3 sum (w - mean(w))^2. Both
    # sums of the intensity are (n / (n - 1))^2 times what is computed here, which cancels
    squares = residuals**2
    means = squares.mean(axis=0)
    spread = ((squares**2).mean(axis=0) - means**2).sum() / max(n - 1, 1)
    intensity = _shrinkage_intensity(spread, ((means - target * (n - 1) / n) ** 2).sum())
    return intensity * target + (1 - intensity) * variances, intensity


def _solve_correlations(
    residuals: np.ndarray, total: np.ndarray, vectors: np.ndarray
) -> tuple[np.ndarray, float]:
    """R^{-1} of shrunken correlations times vectors (C, k), and the intensity.

    R = l I + (1 - l) Z'Z / (n - 1), with Z the residuals over their standard deviations. Where l
    keeps R far from singular, a system is solved with Z'Z or, with more columns than rows, with
    ZZ' (Woodbury): R^{-1} v = (v - c Z'(l I + c ZZ')^{-1} Z v) / l, c = (1 - l) / (n - 1). Else
    Z = U diag(d) V': the part of a vector in the span of V is divided by the eigenvalues of R, the
    rest by l.
    """
    from scipy.linalg import lapack

    n, k = residuals.shape
    variances = _column_variances(residuals, total)
    moving = variances > 0  # a column without spread correlates with none, as in I
    if k == 1 or not moving.any():
        return vectors, 1.0
    Z = np.where(moving, residuals, 0.0) / np.sqrt(np.where(moving, variances, 1.0))
    wide = k > n
    # the sum of their squares is the same for Z'Z and ZZ'
    products = Z @ Z.T if wide else Z.T @ Z
    intensity = _correlation_intensity(Z**2, float((products**2).sum()), n)
    if intensity == 1:  # R = I
        return vectors, 1.0
    if intensity > MIN_SOLVED_INTENSITY:
        share = (1 - intensity) / (n - 1)
        matrix = share * products
        matrix[np.diag_indices_from(matrix)] += intensity
        _, inverse, _ = lapack.dposv(matrix, Z @ vectors.T if wide else vectors.T)
        solved = (vectors - share * inverse.T @ Z) / intensity if wide else inverse.T
        return np.where(moving, solved, vectors), intensity
    _, d, basis = np.linalg.svd(Z, full_matrices=False)
    kept = d > max(n, k) * EPSILON * d[0]  # the rank of Z up to rounding
    basis, eigenvalues = basis[kept], d[kept] ** 2 / (n - 1)
    inside = vectors @ basis.T
    if intensity < ROUNDED_INTENSITY:  # 1 / l is meaningless: the pseudoinverse leaves the rest out
        solved, intensity = (inside / eigenvalues) @ basis, 0.0
    else:
        # 1 / (e + l) = (1 - e / (e + l)) / l: inside and outside V in one expression
        damped = (1 - intensity) * eigenvalues
        factors = damped / (damped + intensity)
        solved = (vectors - (inside * factors) @ basis) / intensity
    return np.where(moving, solved, vectors), intensity


def _correlation_intensity(squares: np.ndarray, power: float, n: int) -> float:
    """Intensity of the correlations: Schaefer & Strimmer (2005), table 1, target D.

    Parameters
    ----------
    squares : ndarray of shape (n, k)
        Squares of the standardised columns, which have a variance of 1 or 0.
    power : float
        Sum of the squared inner products of all pairs of columns, each column with itself included;
        those of the rows have the same sum.
    n : int
    """
    # with w_i = z_ij z_ik, r_jk = sum_i w_i / (n - 1) and
    # Var(r_jk) = (n sum_i w_i^2 - (sum_i w_i)^2) / (n - 1)^3, both summed over j != k without a
    # loop over pairs: sum_jk (sum_i w_i)^2 is `power`, sum_jk w_i^2 = (sum_j z_ij^2)^2, and what
    # j = k adds to either is taken off
    own = (squares.sum(axis=0) ** 2).sum()
    correlations = power - own
    if correlations <= EPSILON * own:  # uncorrelated up to rounding
        return 1.0
    products = n * ((squares.sum(axis=1) ** 2).sum() - (squares**2).sum())
    return _shrinkage_intensity((products - correlations) / (n - 1), correlations)
