"""Linear discriminant analysis by two singular value decompositions, whatever the rank.

scikit-learn's default solver (Hastie, Tibshirani & Friedman 2009, The Elements of Statistical
Learning, 4.3.3) with its tolerances: the first decomposition makes residuals within classes
spherical and drops directions without spread, the second keeps those in which class means differ.
"""

from __future__ import annotations

import numpy as np

from .within_classes import within_classes

# singular values below this are 0: of the scaled columns as they are, of the means relative to the
# largest
SINGULAR_TOLERANCE = 1e-4


def linear_discriminant(
    X: np.ndarray, codes: np.ndarray, priors: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (C, k) and intercepts (C,) of X (n, k); every class has a sample.

    Parameters
    ----------
    X : ndarray of shape (n, k)
        Some column varies within a class.
    codes : ndarray of shape (n,)
    priors : ndarray of shape (C,)
    """
    from scipy.linalg import svd

    n, n_classes = len(X), len(priors)
    parts = within_classes(X, codes, n_classes)
    # columns are first scaled by their deviation within classes, so that the tolerance does not
    # depend on their units; one that is constant in every class stays 0
    deviations = parts.residuals.std(axis=0)
    deviations[deviations == 0] = 1.0
    spread = np.sqrt(1 / n) * (parts.residuals / deviations)
    _, values, basis = svd(spread, full_matrices=False, check_finite=False)
    rank = int((values > SINGULAR_TOLERANCE).sum())
    # W'S_w W = I for the scalings W (k, rank), S_w the covariance within classes (divisor n)
    scalings = (basis[:rank] / deviations).T / values[:rank]
    # axes in which the class means, weighted by their priors, differ in these coordinates
    centre = priors @ parts.means
    weights = np.sqrt(n * priors / (n_classes - 1))
    between = (weights * (parts.means - centre).T).T @ scalings
    _, values, basis = svd(between, full_matrices=False, check_finite=False)
    rank = int((values > SINGULAR_TOLERANCE * values[0]).sum())
    scalings = scalings @ basis.T[:, :rank]
    # log prior_c + m_c'x - |m_c|^2 / 2 in coordinates of the axes, counted from the centre
    seen = (parts.means - centre) @ scalings
    coefficients = seen @ scalings.T
    intercepts = -0.5 * (seen**2).sum(axis=1) + np.log(priors)
    # for x as given: means are counted from `parts.origin`
    return coefficients, intercepts - (centre + parts.origin) @ coefficients.T
