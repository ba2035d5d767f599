"""The chi-square test of independence between a feature with few values and the class."""

from __future__ import annotations

import numpy as np

from ._scored_input import scored_input


def chi2(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Pearson's chi-square of independence of each feature and the class, and its p-value.

    Each distinct value of a feature is a category, so this is for features with few values;
    the coding does not matter. It is ``scipy.stats.chi2_contingency(correction=False)`` on
    the value-by-class table. scikit-learn's function of the same name is another thing: it
    sums non-negative counts by class.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        NaN is missing, and left out feature by feature.
    y : array-like of shape (n_samples,)
        Class labels, two or more classes.

    Returns
    -------
    statistics, p_values : ndarray of shape (n_features,)
        (values - 1)(classes - 1) degrees of freedom. A constant feature has 0 and 1; one
        observed in fewer than two classes NaN. Statistics grow with the number of values:
        compare features with different numbers by the p-values.

    Raises
    ------
    DataError
        y has only one class.

    References
    ----------
    Pearson (1900), Philosophical Magazine 50, 157-175.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import chi2
    >>> X = np.array([[0], [0], [0], [1], [1], [1]])
    >>> statistics, p = chi2(X, ["a", "a", "b", "b", "b", "b"])
    >>> float(statistics[0].round(4)), float(p[0].round(4))
    (3.0, 0.0833)
    """
    from ..kernels.contingency import value_counts
    from ..kernels.counted import counted_chi_squares

    X, codes, n_classes, _ = scored_input(X, y, False)
    found = [counted_chi_squares(counts) for counts in value_counts(X, codes, n_classes)]
    return _chi2_with_p(*map(np.concatenate, zip(*found, strict=True)))


def chi2_counts(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of columns whose values are counted by class (m, C, V + 1): `kernels.counted`."""
    from ..kernels.counted import counted_chi_squares

    return _chi2_with_p(*counted_chi_squares(counts))


def _chi2_with_p(statistics: np.ndarray, freedom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Statistics and their p-values."""
    from scipy.special import chdtrc

    p_values = np.where(np.isnan(statistics), np.nan, 1.0)
    tested = freedom > 0
    p_values[tested] = chdtrc(freedom[tested].astype(float), statistics[tested])
    return statistics, p_values
