"""Pearson correlation of each feature with the class."""

from __future__ import annotations

import numpy as np

from ._moments import ClassMoments, moment_ratio, moments_of


def pearson_statistic(m: ClassMoments) -> np.ndarray:
    """Signed r with two classes; the correlation ratio eta with more (it equals |r| at two)."""
    r = np.sqrt(moment_ratio(m.between, m.between + m.within))
    return np.where(m.difference < 0, -r, r) if len(m.counts) == 2 else r


def pearson(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Correlation of each feature with the class, and its p-value.

    With more than two classes the correlation ratio ``eta = sqrt(SSB / SST)`` takes the
    place of r; its p-value is that of the analysis of variance.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,)
        Class labels; the class that sorts last is the positive one.

    Returns
    -------
    r : ndarray of shape (n_features,)
    p_values : ndarray of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import pearson
    >>> r, p = pearson(np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 1])
    >>> float(r[0].round(4)), float(p[0].round(4))
    (0.8944, 0.1056)
    """
    from scipy.special import fdtrc

    m = moments_of(X, y)
    groups = len(m.counts) - 1
    if m.df < 1:
        return pearson_statistic(m), np.full(m.means.shape[1], np.nan)
    f = moment_ratio(m.between / groups, m.within / m.df)
    return pearson_statistic(m), fdtrc(groups, m.df, f)
