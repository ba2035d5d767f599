"""Measures of any dependence of a feature and a number: distance correlation, information."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import PlanError
from ..data.class_codes import checked_values
from ._mutual_information import scaled_with_noise


def distance_correlation(X, y) -> np.ndarray:
    """Distance correlation of each feature with a number: 0 in the population only where the two
    are independent.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,), finite

    Returns
    -------
    scores : ndarray of shape (n_features,)
        From 0 to 1 (Székely, Rizzo & Bakirov 2007, the plain estimate, which is above 0 in noise);
        0 of a constant feature. Takes n² steps a feature.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import correlation, distance_correlation
    >>> x = np.linspace(-1, 1, 41)[:, None]
    >>> float(abs(correlation(x, x[:, 0] ** 2)[0][0]).round(6))
    0.0
    >>> float(distance_correlation(x, x[:, 0] ** 2)[0].round(3))
    0.492
    """
    from ..kernels.distance_correlation import distance_correlations

    return distance_correlations(*checked_values(X, y))


def information_of_number(X, y, *, n_neighbors: int = 3, random_state: Any = None) -> np.ndarray:
    """Mutual information of each feature and a number, in nats, by nearest neighbours.

    The values are those of ``sklearn.feature_selection.mutual_info_regression`` with the same
    `random_state`, which draws the tiny noise that breaks ties (Kraskov, Stögbauer & Grassberger
    2004).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,), finite
    n_neighbors : int, default=3
        At most n_samples - 1 count.
    random_state : int, RandomState or None, default=None

    Returns
    -------
    scores : ndarray of shape (n_features,)
        At least 0; 0 of a constant feature. Takes n² steps a feature.

    Raises
    ------
    PlanError
        `n_neighbors` is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import information_of_number
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 3))
    >>> int(information_of_number(X, X[:, 1] ** 2, random_state=0).argmax())
    1
    """
    from scipy.special import digamma

    from ..kernels.paired_neighbours import paired_information

    if not isinstance(n_neighbors, int | np.integer) or n_neighbors < 1:
        raise PlanError(f"n_neighbors={n_neighbors!r}: give a whole number of at least 1")
    X, y = checked_values(X, y)
    n = len(X)
    if n < 2:
        return np.zeros(X.shape[1])
    constant = (X[:1] == X).all(axis=0)  # else the noise would be scored
    draw = random_state
    if isinstance(draw, int | np.integer):
        draw = np.random.RandomState(draw)
    X, y = scaled_with_noise(X, draw), scaled_with_noise(y[:, None], draw)[:, 0]
    psi = digamma(np.arange(n + 1, dtype=np.float64))
    scores = paired_information(X, y, min(int(n_neighbors), n - 1), psi)
    scores[constant] = 0.0
    return scores
