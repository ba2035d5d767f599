"""Fold change of log data: the distance between class means."""

from __future__ import annotations

import numpy as np

from ._moments import ClassMoments, moments_of


def fold_change_score(m: ClassMoments) -> np.ndarray:
    """|mean+ - mean-|; with more classes the largest distance of a class from the rest."""
    if len(m.counts) == 2:
        return np.abs(m.difference)
    n, means = m.counts[:, None], m.offsets
    total = (n * means).sum(axis=0)
    rest = (total - n * means) / (m.counts.sum() - n)
    return np.abs(means - rest).max(axis=0)


def fold_change(X, y) -> np.ndarray:
    """Absolute difference of class means of each feature (X on a log scale).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,)
        Class labels. With more than two: the largest one-versus-rest difference.

    Returns
    -------
    scores : ndarray of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import fold_change
    >>> fold_change(np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 1])
    array([2.])
    """
    return fold_change_score(moments_of(X, y))
