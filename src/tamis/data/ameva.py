"""Ameva: autonomous discretisation by a chi-square that pays for its intervals."""

from __future__ import annotations

from ._discretizer import Cutter, SupervisedDiscretizer


class AmevaDiscretizer(SupervisedDiscretizer):
    """One cut at a time, the one with the largest Ameva criterion.

    ``Ameva(k) = chi2(k) / (k (l - 1))`` with ``chi2(k) = N (sum_ij n_ij^2 / (n_i n_j) - 1)``
    over the l classes and k intervals. Every midpoint between neighbouring values is tried;
    the best one, the first on ties, is accepted if Ameva rises (from 0 with one interval),
    else the search ends. The first cut is accepted whenever it separates anything at all:
    Ameva is no test, and cuts features that have nothing to do with the class.

    Parameters
    ----------
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
    Gonzalez-Abril, Cuberos, Velasco & Ortega (2009), Ameva: an autonomous discretization
    algorithm, Expert Systems with Applications 36, 5327-5332.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis.data import AmevaDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> AmevaDiscretizer().fit(X, y).inverse_labels(2)
    ('(-inf, 2.45]', '(2.45, 4.75]', '(4.75, inf)')
    """

    def _cutter(self, n_samples: int, n_classes: int) -> Cutter:
        from ..kernels.cuts import top_down_cuts

        return lambda values, codes: top_down_cuts(values, codes, n_classes, False)
