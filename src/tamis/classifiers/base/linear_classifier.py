"""What linear classifiers share in scikit-learn's manners: what they say of rows."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ...kernels.recalibration_slopes import softmax_shares
from .temperature_scaling import one_a_class


class LinearClassifier(ClassifierMixin, BaseEstimator):
    """A linear function a class, one of two classes; `fit` learns `coef_` and `intercept_`."""

    _sparse: ClassVar[str | bool] = False  # the format in which it takes sparse tables

    def decision_function(self, X) -> np.ndarray:
        """Linear functions of the rows of X (log odds, or margins): (n_samples,), or (n_samples,
        n_classes).

        With two classes positive means the second of `classes_`.
        """
        scores = self._linear(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X) -> np.ndarray:
        """The class of the largest function of each row of X, ties to the first class."""
        scores = one_a_class(self._linear(X))
        return self.classes_[scores.argmax(axis=1)]

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X, (n_samples, n_classes)."""
        return softmax_shares(one_a_class(self._linear(X)))

    def _linear(self, X) -> np.ndarray:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=self._sparse, dtype=np.float64, reset=False)
        return X @ self.coef_.T + self.intercept_
