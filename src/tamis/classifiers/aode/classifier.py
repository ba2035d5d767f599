"""Averaged one-dependence estimators, and their subsumption resolution, as a classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.utils.validation import check_is_fitted, validate_data

from ..._core.errors import DataError, PlanError, listed_names, value_text
from ...data.categories import encode_frame, is_frame, learn_categories
from ...data.class_codes import class_codes
from ..base.raw_tables import WeightedTableClassifier
from ..huberized_svm.inputs import row_weights
from .columns import (
    Columns,
    declared_columns,
    declared_cuts,
    mdl_cuts_of,
    refuse_category,
    refuse_lost,
)
from .model import AODEParameters, check_settings, empty_counts, model_of


class AODEClassifier(WeightedTableClassifier, AODEParameters):
    """Averaged one-dependence estimators (AODE), and AODEsr.

    Naive Bayes takes features for independent within a class. Here each feature in turn is a
    parent that all others may depend on besides the class, and the models are averaged:
    P(y, x) is the mean over i of ``P(y, x_i) prod_j P(x_j | y, x_i)``, over parents whose value
    `min_support` training samples have. Nothing is chosen, so it varies little; all is counts of
    pairs of values. Numeric features are cut by MDL first.

    Parameters
    ----------
    min_support : float, default=30
        Samples (or their weight) that must have a value for it to be a parent; above 0. A sample
        without a parent is left to naive Bayes.
    subsumption : bool, default=False
        AODEsr: leave out a value that another of the sample implies (a woman, if pregnant).
    subsumption_support : float, default=100
        A value implies another where all of more than this many training samples have both.
    m_estimate : float or None, default=None
        M of probabilities (f + M/K) / (n + M) of K levels, at least 1e-9; None: Laplace's
        (f + 1) / (n + K).
    categorical_features : None, "from_dtype", mask, or sequence of int or str, default=None
        Columns of categories. "from_dtype": those of a data frame that are not numbers.
        A pandas categorical brings its declared categories; otherwise they are the values seen.
    categories : mapping of int or str to array-like, or None, default=None
        Categories of some columns, declared; these columns are categorical.
    cuts : mapping of int or str to array-like, or None, default=None
        Increasing cut points of some numeric columns; an interval holds its upper end. All others
        are cut by MDL, on the first samples that the model is given.
    random_state : None
        Not used: nothing is random.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
        Samples, or their weight.
    is_categorical_ : ndarray of shape (n_features,), bool
    categories_ : list of n_features arrays
        Of a categorical feature its categories, else empty.
    cuts_ : list of n_features arrays
        Of a numeric feature its cut points, else empty.
    n_levels_ : ndarray of shape (n_features,), int64
        Categories or intervals.

    Raises
    ------
    PlanError
        A parameter is out of range.
    DataError
        The weights cannot be used, a column holds text and is not categorical, a category or
        class was not declared, or the counts would need more than 2 GB.

    Notes
    -----
    All declared levels count in the estimates. A missing value, or a category that is not known,
    is left out, as if the sample had no such feature. A feature of one level (MDL found no cut)
    stays in, as in Weka: as a parent it adds naive Bayes to the average.

    References
    ----------
    Webb, Boughton & Wang (2005), Not so naive Bayes: aggregating one-dependence estimators,
    Machine Learning 58, 5-24. Zheng & Webb (2006), Efficient lazy elimination for averaged
    one-dependence estimators, ICML 2006, 1113-1120 (AODEsr).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis.classifiers import AODEClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = AODEClassifier().fit(X, y)
    >>> model.n_levels_.tolist()
    [3, 3, 3, 3]
    >>> model.predict_proba(X)[[0, 70, 110]].round(3).tolist()
    [[0.998, 0.001, 0.001], [0.007, 0.048, 0.946], [0.002, 0.012, 0.987]]
    """

    def fit(self, X, y, sample_weight=None):
        return self._add(X, y, None, sample_weight, first=True)

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Count more samples.

        With declared `classes`, categories and `cuts` the model is that of one `fit` on all
        samples, whatever their order and parts: to the bit, if weights are whole numbers.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels.
        classes : array-like of shape (n_classes,) or None, default=None
            All there are, at the first call; None: those of its y.
        sample_weight : array-like of shape (n_samples,) or None, default=None

        Returns
        -------
        self
        """
        return self._add(X, y, classes, sample_weight, first=not hasattr(self, "classes_"))

    def predict_joint_log_proba(self, X) -> np.ndarray:
        """log P(y, x) of the rows of X, (n_samples, n_classes)."""
        codes = self._codes(X)
        return self._model.joint_log(codes)

    def predict_log_proba(self, X) -> np.ndarray:
        """Logarithms of class probabilities of the rows of X, (n_samples, n_classes)."""
        joint = self.predict_joint_log_proba(X)
        return joint - logsumexp(joint, axis=1, keepdims=True)

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X, (n_samples, n_classes)."""
        codes = self._codes(X)
        return self._model.shares(codes)

    @property
    def class_count_(self) -> np.ndarray:
        """Samples of each class, or their weight."""
        check_is_fitted(self)
        return self._model.counts.classes.copy()

    def _codes(self, X) -> np.ndarray:
        """Levels of rows to predict."""
        X, coded = self._new_rows(X)
        return Columns(self.is_categorical_, self.categories_, self.cuts_).codes(X, coded)[0]

    def _add(self, X, y, classes, sample_weight, first: bool):
        """Learn levels and classes if these are the first samples, and count."""
        from ...kernels.aode import add_rows

        self._check_parameters()
        given, frame = X, is_frame(X)
        if frame:
            known = self._categories_of(X, first)
            X = encode_frame(X, *known)
        X, y = validate_data(
            self, X, y, dtype=np.float64, order="C", ensure_all_finite="allow-nan", reset=first
        )
        if frame:
            refuse_lost(given, X, *known)
        else:
            given, known = X, self._categories_of(X, first)
        weights = row_weights(sample_weight, len(y))
        if not weights.all():
            kept = np.flatnonzero(weights)
            X, y, weights = X[kept], y[kept], weights[kept]
        labels, values = self._class_codes(y, classes, first)
        if first:
            cuts = declared_cuts(self.cuts, given, known[0])
            free = np.setdiff1d(np.flatnonzero(~known[0]), [*cuts])
            cuts |= mdl_cuts_of(X, values, len(labels), free, weights)
            columns = Columns(*known, [cuts.get(j, np.empty(0)) for j in range(X.shape[1])])
        else:
            columns = Columns(*known, self.cuts_)
        codes, unknown = columns.codes(X, frame)
        if unknown is not None:
            refuse_category(unknown[1], X[unknown], known[1][unknown[1]])
        counts = empty_counts(columns.levels, len(labels)) if first else self._model.counts
        add_rows(counts, codes, values, weights)
        self._keep(labels, columns, counts)
        return self

    def _keep(self, classes: np.ndarray, columns: Columns, counts: Any) -> None:
        """What was learned; what was computed of the counts before is left behind."""
        self.classes_, self.n_levels_, self.cuts_ = classes, columns.levels, columns.cuts
        self.is_categorical_, self.categories_ = columns.categorical, columns.categories
        self._model = model_of(self, counts)

    def _categories_of(self, X: Any, first: bool) -> tuple[np.ndarray, list[np.ndarray]]:
        """Which columns are categorical, and their categories: known already, declared or seen."""
        if not first:
            return self.is_categorical_, self.categories_
        own = declared_columns(self.categories, "categories", X)
        mask, categories = learn_categories(X, self.categorical_features)
        for j, values in own.items():
            mask[j], categories[j] = True, values
        return mask, categories

    def _class_codes(self, y, classes, first: bool) -> tuple[np.ndarray, np.ndarray]:
        """The classes of the model and the codes of y among them."""
        found, codes = class_codes(y, type(self).__name__, least=1)
        if first and classes is None:
            return found, codes
        known = np.unique(np.asarray(classes)) if first else self.classes_
        if not first and classes is not None and not np.array_equal(np.unique(classes), known):
            raise DataError(
                f"classes={value_text(classes)}: the model was begun with {listed_names(known)}"
            )
        new = np.setdiff1d(found, known)
        if len(new):
            raise DataError(
                f"y has {listed_names(new)}, which is none of the classes {listed_names(known)}: "
                "give all classes to the first partial_fit"
            )
        return known, np.searchsorted(known, found)[codes]

    def _check_parameters(self) -> None:
        if not isinstance(self.subsumption, bool | np.bool_):
            raise PlanError(f"subsumption={self.subsumption!r}: give True or False")
        check_settings(self)
