"""Equal width and equal frequency: cuts that do not look at the class."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import PlanError
from ._discretizer import Discretizer


class _EqualBins(Discretizer):
    """A subclass has the number of bins, and places them."""

    n_bins: Any

    def fit(self, X, y=None):
        """Find the cuts of each column; missing values are left out, column by column.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing.
        y : None
            Ignored.

        Returns
        -------
        self

        Raises
        ------
        PlanError
            A parameter is out of range.
        """
        X = self._read(X)
        n_bins = self.n_bins
        number = isinstance(n_bins, int | np.integer) and not isinstance(n_bins, bool)
        if n_bins != "cube_root" and not (number and n_bins >= 1):
            raise PlanError(f"n_bins={n_bins!r}: give 'cube_root' or a whole number of at least 1")
        self._fit_cuts(X, np.zeros(len(X), dtype=np.int64), lambda values, _: self._cut(values))
        return self

    def _cut(self, values: np.ndarray) -> np.ndarray:
        if len(values) == 0 or values[0] == values[-1]:
            return np.empty(0)
        bins = cube_root(len(values)) if self.n_bins == "cube_root" else int(self.n_bins)
        return self._place(values, bins)

    def _place(self, values: np.ndarray, bins: int) -> np.ndarray:
        raise NotImplementedError


class EqualWidthDiscretizer(_EqualBins):
    """Intervals of the same width between the least and the largest value.

    Parameters
    ----------
    n_bins : int or "cube_root", default="cube_root"
        Number of intervals; "cube_root" is that of the feature's known values, rounded up.
        A constant feature has one.
    categorical_features : None, "from_dtype", mask, column numbers or names, default=None
        Columns that are not cut: numbers pass through, text becomes codes. "from_dtype": those
        of a data frame that are not numbers, and pandas categoricals.

    Attributes
    ----------
    cuts_ : list of n_features ndarrays
        Cut points in increasing order; an interval holds its upper end. Empty: one interval.
    labels_ : list of n_features tuples of str
        The intervals as text.
    is_categorical_ : ndarray of shape (n_features,), bool
    categories_ : list of n_features ndarrays or None
        Of a column of text its categories, in the order of their codes; of all others None.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if `fit` saw names.

    References
    ----------
    Dougherty, Kohavi & Sahami (1995), Supervised and unsupervised discretization of
    continuous features, ICML 12, 194-202.

    Examples
    --------
    >>> from tamis.data import EqualWidthDiscretizer
    >>> X = [[0.0], [1.0], [2.0], [9.0]]
    >>> bins = EqualWidthDiscretizer(n_bins=3).fit(X)
    >>> bins.inverse_labels(0)
    ('(-inf, 3]', '(3, 6]', '(6, inf)')
    >>> bins.transform(X).ravel().tolist()
    [0.0, 0.0, 0.0, 2.0]
    """

    def __init__(self, n_bins: int | str = "cube_root", categorical_features=None):
        self.n_bins = n_bins
        self.categorical_features = categorical_features

    def _place(self, values: np.ndarray, bins: int) -> np.ndarray:
        # halves, so that the width of a range near the largest double is finite
        cuts = 2 * np.linspace(values[0] / 2, values[-1] / 2, bins + 1)[1:-1]
        return np.unique(cuts[(cuts >= values[0]) & (cuts < values[-1])])


class EqualFrequencyDiscretizer(_EqualBins):
    """Intervals with about the same number of values.

    Of all midpoints between neighbouring values, cut i of k - 1 is the one with the number of
    values below it nearest to i n / k, the smaller on ties. Equal values stay together, so
    there may be fewer intervals than requested.

    Parameters
    ----------
    n_bins : int or "cube_root", default=3
        Number of intervals; "cube_root" is that of the feature's known values, rounded up.
    categorical_features : None, "from_dtype", mask, column numbers or names, default=None
        Columns that are not cut: numbers pass through, text becomes codes. "from_dtype": those
        of a data frame that are not numbers, and pandas categoricals.

    Attributes
    ----------
    cuts_ : list of n_features ndarrays
        Cut points in increasing order; an interval holds its upper end. Empty: one interval.
    labels_ : list of n_features tuples of str
        The intervals as text.
    is_categorical_ : ndarray of shape (n_features,), bool
    categories_ : list of n_features ndarrays or None
        Of a column of text its categories, in the order of their codes; of all others None.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if `fit` saw names.

    References
    ----------
    Dougherty, Kohavi & Sahami (1995), Supervised and unsupervised discretization of
    continuous features, ICML 12, 194-202.

    Examples
    --------
    >>> from tamis.data import EqualFrequencyDiscretizer
    >>> X = [[0.0], [1.0], [1.0], [2.0], [9.0], [50.0]]
    >>> EqualFrequencyDiscretizer(n_bins=3).fit(X).inverse_labels(0)
    ('(-inf, 0.5]', '(0.5, 5.5]', '(5.5, inf)')
    """

    def __init__(self, n_bins: int | str = 3, categorical_features=None):
        self.n_bins = n_bins
        self.categorical_features = categorical_features

    def _place(self, values: np.ndarray, bins: int) -> np.ndarray:
        n = len(values)
        low, high = values[:-1], values[1:]
        below = np.flatnonzero(low < high) + 1  # values below each possible cut
        target = np.arange(1, bins) * n  # times k, so that distances are whole numbers
        after = np.searchsorted(below * bins, target).clip(0, len(below) - 1)
        before = (after - 1).clip(0)
        nearer = np.abs(below[before] * bins - target) <= np.abs(below[after] * bins - target)
        chosen = np.unique(np.where(nearer, below[before], below[after]))
        left, right = values[chosen - 1], values[chosen]
        middle = left / 2 + right / 2  # the sum of two large values may overflow
        return np.where((left <= middle) & (middle < right), middle, left)


def cube_root(n: int) -> int:
    """The cube root of a whole number, rounded up; exact where floating point is not.

    Examples
    --------
    >>> cube_root(27), cube_root(28)
    (3, 4)
    """
    root = round(n ** (1 / 3))
    return root if root**3 >= n else root + 1
