"""CAIM: discretisation by class-attribute interdependence maximisation."""

from __future__ import annotations

from ._discretizer import Cutter, SupervisedDiscretizer


class CAIMDiscretizer(SupervisedDiscretizer):
    """One cut at a time, the one with the largest class-attribute interdependence.

    ``CAIM = (1/k) sum_r max_r^2 / M_r`` over the k intervals, M_r the rows of interval r and
    max_r those of its most frequent class. Every midpoint between neighbouring values is
    tried; the best one, the first on ties, is accepted if CAIM rises above that of the last
    accepted cut (0 at the start) or if there are still fewer intervals than classes.

    So a feature gets at least as many intervals as there are classes (if it has the values),
    whether it has anything to do with them or not.

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
    Kurgan & Cios (2004), CAIM discretization algorithm, IEEE Transactions on Knowledge and
    Data Engineering 16, 145-153.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis.data import CAIMDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> CAIMDiscretizer().fit(X, y).inverse_labels(2)
    ('(-inf, 2.45]', '(2.45, 4.75]', '(4.75, inf)')
    """

    def _cutter(self, n_samples: int, n_classes: int) -> Cutter:
        from ..kernels.cuts import top_down_cuts

        return lambda values, codes: top_down_cuts(values, codes, n_classes, True)
