"""Mutual information of each feature and the class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._core.errors import PlanError
from ..kernels.units import column_units, in_units
from ._scored_input import scored_input


def mutual_information(
    X, y, *, discrete_features: Any = False, n_neighbors: int = 3, random_state=None
) -> np.ndarray:
    """Mutual information of each feature and the class, in nats.

    Discrete features: the plug-in sum p(x,y) log p(x,y)/(p(x) p(y)). Continuous features:
    the nearest-neighbour estimator of Ross (2014, PLoS ONE 9(2), e87357), on columns
    divided by their standard deviation, with scikit-learn's tiny seeded noise that breaks
    ties, so that the values are those of ``sklearn.feature_selection.mutual_info_classif``
    with the same `random_state`. (Where a class has fewer than about ``2 * n_neighbors``
    members, scikit-learn finds its neighbours by a formula that rounds; ours stay exact.)

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        NaN is missing, and left out feature by feature.
    y : array-like of shape (n_samples,)
        Class labels, two or more classes.
    discrete_features : bool, mask of shape (n_features,) or column indices, default=False
    n_neighbors : int, default=3
        Neighbours within the class; more lower the variance and raise the bias.
    random_state : int, RandomState or None, default=None
        Draws the noise.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        At least 0; NaN for a column without any value.

    Raises
    ------
    PlanError
        A parameter is out of range.
    DataError
        y has only one class.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import mutual_information
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> mutual_information(X, ["a", "a", "b", "b"], discrete_features=True).round(4)
    array([0.6931, 0.    ])
    """
    X, codes, n_classes, discrete = scored_input(X, y, discrete_features)
    if not isinstance(n_neighbors, int | np.integer) or n_neighbors < 1:
        raise PlanError(f"n_neighbors={n_neighbors!r}: give a whole number of at least 1")
    return information_scorer(X, n_classes, discrete, random_state, int(n_neighbors))(codes)


def information_of_categories(X, y) -> np.ndarray:
    """Mutual information where each value is a category: it draws nothing."""
    return mutual_information(X, y, discrete_features=True)


def information_scorer(
    X: np.ndarray, n_classes: int, discrete: np.ndarray, random_state: Any, n_neighbors: int = 3
) -> Callable[[np.ndarray], np.ndarray]:
    """Mutual information of the columns of X as a function of class codes."""
    from scipy.special import digamma

    from ..kernels.contingency import value_counts
    from ..kernels.counted import counted_informations
    from ..kernels.neighbours_information import neighbour_information
    from ..kernels.orders import sort_columns

    psi = digamma(np.arange(len(X) + 1, dtype=np.float64))
    # scikit-learn would score the noise that breaks the ties of a constant column
    constant = (X[:1] == X).all(axis=0)[~discrete]
    if not discrete.any():
        X = scaled_with_noise(X[:, ~discrete], random_state)
    elif not discrete.all():
        X = X.copy()
        X[:, ~discrete] = scaled_with_noise(X[:, ~discrete], random_state)

    numbers = np.ascontiguousarray(X[:, ~discrete])
    order = sort_columns(numbers, stable=False)  # tied rows in any order score the same

    def of_categories(columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
        counts = value_counts(columns, codes, n_classes)
        return np.concatenate([counted_informations(block) for block in counts])

    def of_numbers(columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
        scores = neighbour_information(columns, order, codes, n_classes, n_neighbors, psi)
        scores[constant] = 0.0
        return scores

    return by_kind(X, discrete, of_categories, of_numbers)


def by_kind(
    X: np.ndarray, discrete: np.ndarray, of_categories: Callable, of_numbers: Callable
) -> Callable[[np.ndarray], np.ndarray]:
    """Scores of the columns of X (n, p) as a function of class codes: by functions of (columns,
    codes), one for discrete columns and one for others."""
    p, blocks = X.shape[1], []
    for kind, score in ((discrete, of_categories), (~discrete, of_numbers)):
        if kind.any():
            columns = np.ascontiguousarray(X if kind.all() else X[:, kind])
            blocks.append((kind, score, columns))

    def scored_by_kind(codes: np.ndarray) -> np.ndarray:
        scores = np.empty(p)
        for kind, score, columns in blocks:
            scores[kind] = score(columns, codes)
        return scores

    return scored_by_kind


def information_counts(counts: np.ndarray) -> np.ndarray:
    """Scores (m,) of columns whose values are counted by class (m, C, V + 1), each a category;
    equal, bit for bit, to `mutual_information` of such columns."""
    from ..kernels.counted import counted_informations

    return counted_informations(counts)


def scaled_with_noise(X: np.ndarray, random_state) -> np.ndarray:
    """Columns over their standard deviations, plus noise of 1e-10 of their size.

    Kraskov, Stoegbauer & Grassberger (2004), Phys. Rev. E 69, 066138, advise the noise.
    The draws are scikit-learn's, so that equal seeds give equal scores.
    """
    empty = np.isnan(X).all(axis=0)
    X = np.where(empty, 0.0, X)
    X = in_units(X, column_units(X))  # a deviation below 1e-15 is none to scikit-learn
    deviation = np.nanstd(X, axis=0)
    deviation[deviation < 10 * np.finfo(np.float64).eps] = 1.0  # as its `scale`
    X /= deviation
    size = np.abs(X)
    mean = np.nanmean(size, axis=0) if np.isnan(X).any() else np.mean(size, axis=0)
    if isinstance(random_state, int | np.integer):
        draw = np.random.RandomState(random_state)
    else:
        from sklearn.utils import check_random_state

        draw = check_random_state(random_state)
    noise = draw.standard_normal(size=X.shape)
    X += 1e-10 * np.maximum(1, mean) * noise
    X[:, empty] = np.nan
    return np.ascontiguousarray(X)
