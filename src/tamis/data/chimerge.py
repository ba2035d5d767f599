"""ChiMerge: neighbouring intervals join until all of them differ in their classes."""

from __future__ import annotations

import numbers

import numpy as np

from .._core.errors import PlanError
from ._discretizer import Cutter, SupervisedDiscretizer


class ChiMergeDiscretizer(SupervisedDiscretizer):
    """Join the two neighbours with the least chi-square until all exceed the threshold.

    Every distinct value starts as an interval of its own. The chi-square of two neighbours is
    ``sum (A - E)^2 / max(E, 1/2)`` over the 2 x C table of their class counts A, with E the
    counts expected without an association. (The 1/2, which is Kerber's, keeps rare classes
    from blowing up the sum.) The pair with the least chi-square joins, the leftmost on ties,
    until all chi-squares exceed the 1 - alpha quantile of the chi-square distribution with
    one degree of freedom less than there are classes.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of the threshold, between 0 and 1; smaller gives fewer intervals. Many pairs are
        compared one after the other, so it is no error rate of the result.
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
    Kerber (1992), ChiMerge: discretization of numeric attributes, AAAI 10, 123-128.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis.data import ChiMergeDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> ChiMergeDiscretizer(alpha=0.1).fit(X, y).inverse_labels(0)
    ('(-inf, 5.45]', '(5.45, 5.75]', '(5.75, 6.25]', '(6.25, 7.05]', '(7.05, inf)')
    """

    def __init__(self, alpha: float = 0.05, categorical_features=None):
        self.alpha = alpha
        self.categorical_features = categorical_features

    def _cutter(self, n_samples: int, n_classes: int) -> Cutter:
        from scipy.special import chdtri

        from ..kernels.cuts import chimerge_cuts

        if not isinstance(self.alpha, numbers.Real) or not 0 < self.alpha < 1:
            raise PlanError(f"alpha={self.alpha!r}: give a number between 0 and 1")
        thresholds = np.zeros(n_classes)
        thresholds[1:] = chdtri(np.arange(1, n_classes), float(self.alpha))
        return lambda values, codes: chimerge_cuts(values, codes, n_classes, thresholds)
