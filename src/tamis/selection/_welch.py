"""Welch's t: a difference of means that does not assume equal variances."""

from __future__ import annotations

import numpy as np

from ._moments import ClassMoments, moment_ratio, moments_of


def _welch_t_of_two(m: ClassMoments) -> tuple[np.ndarray, np.ndarray]:
    """t and its Satterthwaite degrees of freedom."""
    n = m.counts[:, None]
    errors = m.squares / np.maximum(n - 1, 1) / n  # squared standard errors of the means
    total = errors.sum(axis=0)
    shares = moment_ratio(errors, total)
    df = moment_ratio(np.ones_like(total), (shares**2 / np.maximum(n - 1, 1)).sum(axis=0))
    return moment_ratio(m.difference, np.sqrt(total)), df


def _welch_f_of_several(m: ClassMoments) -> tuple[np.ndarray, np.ndarray]:
    """Welch's F (Biometrika 38:330, 1951) and its second degrees of freedom.

    The variance of a class is raised to 1e-12 of the pooled one, so that a class without
    any spread keeps a finite weight; variances are in units of the pooled one.
    """
    n, k = m.counts[:, None], len(m.counts)
    pooled = m.within / max(m.df, 1)
    variances = moment_ratio(m.squares / np.maximum(n - 1, 1), pooled)
    weights = n / np.maximum(variances, 1e-12)
    total = weights.sum(axis=0)
    centre = (weights * m.offsets).sum(axis=0) / total
    spread = (weights * (m.offsets - centre) ** 2).sum(axis=0) / (k - 1)
    lack = ((1 - weights / total) ** 2 / np.maximum(n - 1, 1)).sum(axis=0)
    f = moment_ratio(spread, pooled) / (1 + 2 * (k - 2) / (k * k - 1) * lack)
    return np.where(m.between == 0, 0.0, f), moment_ratio(np.full_like(lack, (k * k - 1) / 3), lack)


def welch_statistic(m: ClassMoments) -> np.ndarray:
    """Signed t with two classes, Welch's F with more."""
    return (_welch_t_of_two if len(m.counts) == 2 else _welch_f_of_several)(m)[0]


def welch_t(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Welch's t-test of each feature: t, positive minus negative class, and its p-value.

    With more than two classes: Welch's F for unequal variances.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,)
        Class labels; the class that sorts last is the positive one.

    Returns
    -------
    statistics, p_values : ndarray of shape (n_features,)
        A feature that is constant within both classes has t infinite, or 0 if it is
        constant altogether.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import welch_t
    >>> t, p = welch_t(np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 1])
    >>> float(t[0].round(4)), float(p[0].round(4))
    (2.8284, 0.1056)
    """
    from scipy.special import fdtrc, stdtr

    m = moments_of(X, y)
    if len(m.counts) == 2:
        t, df = _welch_t_of_two(m)
        return t, 2 * stdtr(df, -np.abs(t))
    f, df = _welch_f_of_several(m)
    return f, fdtrc(len(m.counts) - 1, df, f)
