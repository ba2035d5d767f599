"""The moderated t of limma: variances shrunk towards what all features have in common."""

from __future__ import annotations

import numpy as np

from ._moments import ClassMoments, moment_ratio, moments_of


def moderated_statistic(m: ClassMoments) -> np.ndarray:
    """Signed moderated t with two classes, moderated F with more."""
    return _statistic(m)[0]


def moderated_p_values(m: ClassMoments) -> np.ndarray:
    """Two-sided p-values of the moderated t, or those of the moderated F."""
    from scipy.special import fdtrc, stdtr

    statistics, df = _statistic(m)
    if len(m.counts) == 2:
        return 2 * stdtr(df, -np.abs(statistics))
    return fdtrc(len(m.counts) - 1, df, statistics)


def _statistic(m: ClassMoments) -> tuple[np.ndarray, float]:
    """The statistic and its degrees of freedom, finite even where d0 is infinite."""
    from ..kernels.ebayes import fit_prior

    df = max(m.df, 1)
    s2 = m.within / df
    d0, s02 = fit_prior(s2, df)
    post = np.full_like(s2, s02) if np.isinf(d0) else (d0 * s02 + df * s2) / (d0 + df)
    total = min(d0 + df, df * len(s2))
    if len(m.counts) == 2:
        return moment_ratio(m.difference, np.sqrt(post * (1 / m.counts).sum())), total
    return moment_ratio(m.between / (len(m.counts) - 1), post), total


def moderated_t(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Moderated t of each feature, positive minus negative class, and its p-value.

    The variances are shrunk towards a prior fitted on all features at once (empirical
    Bayes; Smyth 2004, as in limma's ``eBayes``), so the value of one feature depends on
    the others. With more than two classes: moderated F.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,)
        Class labels; the class that sorts last is the positive one.

    Returns
    -------
    statistics, p_values : ndarray of shape (n_features,)
        Degrees of freedom are ``min(d0 + d, p d)`` with d = n - C.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import moderated_t
    >>> golub = load_golub()
    >>> t, p = moderated_t(golub.X, golub.y)
    >>> golub.feature_names[abs(t).argmax()]
    'M27891_at'
    """
    m = moments_of(X, y)
    return moderated_statistic(m), moderated_p_values(m)
