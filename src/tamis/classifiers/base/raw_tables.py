"""What classifiers of tables as they are share: categories, missing values, weights."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ...data.categories import encode_array, encode_frame, is_frame, learn_categories
from ...data.class_codes import class_codes
from ..huberized_svm.inputs import row_weights


class Rows(NamedTuple):
    """What is learnt from."""

    X: np.ndarray  # (n, p), codes in place of categories, NaN is missing
    codes: np.ndarray  # (n,), of the classes
    weights: np.ndarray  # (n,), above 0
    labels: np.ndarray  # of all rows given
    kept: np.ndarray  # (n,), which of these


class RawTableClassifier(ClassifierMixin, BaseEstimator):
    """Reads tables with categories and missing values; subclasses have `categorical_features`.

    They define `fit` and `predict_proba`.
    """

    categorical_features: Any
    _least: ClassVar[int] = 1  # classes that it needs

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def predict(self, X) -> np.ndarray:
        """The most probable class of each row of X, ties to the first class."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def _learn_table(self, X, y, sample_weight=None) -> Rows:
        """Rows of positive weight; of one class alone refused if `_least` is 2."""
        frame = is_frame(X)
        if frame:
            categorical, categories = learn_categories(X, self.categorical_features)
            X = encode_frame(X, categorical, categories)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", ensure_all_finite="allow-nan")
        if not frame:
            categorical, categories = learn_categories(X, self.categorical_features)
            X = encode_array(X, categorical, categories)
        self.is_categorical_, self.categories_ = categorical, categories
        weights = row_weights(sample_weight, len(y))
        kept = np.flatnonzero(weights)
        self.classes_, codes = class_codes(y[kept], type(self).__name__, self._least)
        return Rows(X[kept], codes, weights[kept], y, kept)

    def _new_rows(self, X) -> tuple[np.ndarray, bool]:
        """New rows as numbers, and whether they hold codes in place of categories already."""
        check_is_fitted(self)
        frame = is_frame(X)
        if frame:
            X = encode_frame(X, self.is_categorical_, self.categories_)
        X = validate_data(
            self, X, dtype=np.float64, order="C", ensure_all_finite="allow-nan", reset=False
        )
        return X, frame

    def _read_table(self, X) -> np.ndarray:
        """New rows as numbers, codes in place of categories."""
        X, coded = self._new_rows(X)
        return X if coded else encode_array(X, self.is_categorical_, self.categories_)

    def _levels(self) -> np.ndarray:
        """Number of categories, 0 = numeric; a category never seen still is a category."""
        sizes = [len(known) for known in self.categories_]
        return np.where(self.is_categorical_, np.maximum(sizes, 1), 0).astype(np.int64)


class WeightedTableClassifier(RawTableClassifier):
    """One whose rows may be weighted; subclasses define `_fit`, or a `fit` of these parameters."""

    def fit(self, X, y, sample_weight=None):
        """Learn from a table as it is.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            At least 0; samples of weight 0 play no part.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._fit(self._learn_table(X, y, sample_weight))
        return self

    def _check_parameters(self) -> None:
        """Refuse what is out of range, before anything is read."""

    def _fit(self, rows: Rows) -> None:
        """Learn from these rows."""
        raise NotImplementedError
