"""Fayyad and Irani's discretisation by least entropy and minimum description length."""

from __future__ import annotations

from ._discretizer import Cutter, SupervisedDiscretizer


class MDLDiscretizer(SupervisedDiscretizer):
    """Recursive least-entropy cuts, kept while they pay for their description.

    Of all midpoints between neighbouring values the one with the largest information gain
    splits the set, the first on ties; the cut is accepted if

    ``gain > [log2(N - 1) + log2(3^k - 2) - (k E - k1 E1 - k2 E2)] / N``

    with N the rows of the set, k, k1, k2 the classes and E, E1, E2 the class entropies (bits)
    of the set and its two parts. Both parts are then split in the same way. A feature without
    an accepted cut has one interval: it says nothing about the class by itself.

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

    Notes
    -----
    Cuts look at the class. Taken on rows that later test a model they flatter it; put the
    discretiser in a pipeline, so that every fold has its own cuts.

    References
    ----------
    Fayyad & Irani (1993), Multi-interval discretization of continuous-valued attributes for
    classification learning, IJCAI 13, 1022-1027.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis.data import MDLDiscretizer
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> cuts = MDLDiscretizer().fit(X, y)
    >>> cuts.inverse_labels("petal width (cm)")
    ('(-inf, 0.8]', '(0.8, 1.75]', '(1.75, inf)')
    >>> cuts.transform(X)[[0, 75, 149], 3].tolist()
    [0.0, 1.0, 2.0]
    """

    def _cutter(self, n_samples: int, n_classes: int) -> Cutter:
        from ..kernels.cuts import mdl_cuts, x_log2_x

        table = x_log2_x(n_samples)
        return lambda values, codes: mdl_cuts(values, codes, n_classes, table)
