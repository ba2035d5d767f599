"""The Cochran-Armitage test: a score whose mean differs between the classes."""

from __future__ import annotations

import numpy as np

from ..kernels.units import column_units, in_units
from ._moments import ClassMoments, class_moments, moment_ratio
from ._scored_input import scored_input


def trend_statistic(m: ClassMoments) -> np.ndarray:
    """n R^2 of the score on the classes."""
    return m.counts.sum() * moment_ratio(m.between, m.between + m.within)


def trend_p_values(m: ClassMoments) -> np.ndarray:
    """Of chi-square with C - 1 degrees of freedom."""
    from scipy.special import chdtrc

    return chdtrc(len(m.counts) - 1, trend_statistic(m))


def trend(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Cochran-Armitage test for trend of each feature, and its p-value.

    A feature is a score, such as the copies of an allele (0, 1, 2). The statistic is n R^2 of the
    score regressed on the classes; with two classes that is n r^2, the classical test with n (not
    n - 1) in its variance, as PLINK's ``--model`` has it. It is the same whichever allele is
    counted, and under any other zero and unit of the scores.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        NaN is missing, and left out feature by feature.
    y : array-like of shape (n_samples,)
        Class labels, two or more classes.

    Returns
    -------
    statistics, p_values : ndarray of shape (n_features,)
        Chi-square with (classes observed - 1) degrees of freedom. A constant feature has 0 and 1;
        one observed in fewer than two classes NaN.

    Raises
    ------
    DataError
        y has only one class.

    References
    ----------
    Cochran (1954), Biometrics 10, 417-451; Armitage (1955), Biometrics 11, 375-386.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import trend
    >>> X = np.array([[0], [0], [1], [1], [2], [2], [np.nan]])
    >>> statistics, p = trend(X, ["well", "well", "well", "ill", "ill", "ill", "ill"])
    >>> float(statistics[0].round(4)), float(p[0].round(4))
    (4.0, 0.0455)
    """
    X, codes, n_classes, _ = scored_input(X, y, False)
    X = in_units(X, column_units(X))
    holes = np.isnan(X).any(axis=0)
    statistics, p_values = np.empty(X.shape[1]), np.empty(X.shape[1])
    m = class_moments(X[:, ~holes], codes)  # a ranking by moments has the same bits
    statistics[~holes], p_values[~holes] = trend_statistic(m), trend_p_values(m)
    statistics[holes], p_values[holes] = _of_those_seen(X[:, holes], codes, n_classes)
    return statistics, p_values


def _of_those_seen(
    X: np.ndarray, codes: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Statistics and p-values of columns with missing values.

    Values count from the first of their column, so that a constant one has exactly 0.
    """
    from scipy.special import chdtrc

    seen = ~np.isnan(X)
    away = X - X[seen.argmax(axis=0), np.arange(X.shape[1])]
    counts, means, squares = (np.zeros((n_classes, X.shape[1])) for _ in range(3))
    for c in range(n_classes):
        own = codes == c
        counts[c] = seen[own].sum(axis=0)
        means[c] = np.nansum(away[own], axis=0) / np.maximum(counts[c], 1)
        squares[c] = np.nansum((away[own] - means[c]) ** 2, axis=0)
    n = counts.sum(axis=0)
    grand = moment_ratio((counts * means).sum(axis=0), n)
    between = (counts * (means - grand) ** 2).sum(axis=0)
    freedom = (counts > 0).sum(axis=0) - 1.0
    statistics = n * moment_ratio(between, between + squares.sum(axis=0))
    statistics[freedom < 1] = np.nan
    return statistics, chdtrc(freedom, statistics)


def trend_counts(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of columns whose values are counted by class (m, C, V + 1): `kernels.counted`."""
    from scipy.special import chdtrc

    from ..kernels.counted import counted_trends

    statistics, freedom = counted_trends(counts)
    return statistics, chdtrc(freedom, statistics)
