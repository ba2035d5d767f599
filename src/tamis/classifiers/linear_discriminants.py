"""What shrinkage and diagonal discriminant analysis have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._core.errors import PlanError, nearest, value_text
from .._core.interfaces import Arrays, Classifier
from ..data.class_codes import class_codes
from ..kernels.shrinkage_discriminant import INTENSITIES, shrunken_frequencies
from ..kernels.within_classes import log_odds
from .base.linear_predictor import LinearPredictor
from .base.scaling import standardised
from .base.temperature_scaling import one_a_class, softmax


class LinearDiscriminantClassifier(ClassifierMixin, BaseEstimator):
    """A linear function a class, learnt on standardised columns."""

    PRIORS: tuple[str, ...] = ()

    def _standardised(self, X, y) -> tuple[np.ndarray, np.ndarray]:
        """Columns in units of their standard deviations, and class codes."""
        priors = self.priors
        if priors not in self.PRIORS:
            raise PlanError(f"priors={value_text(priors)}: {nearest(priors, self.PRIORS)}")
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = class_codes(y, type(self).__name__)
        columns, self.mean_, self.scale_ = standardised(X)
        return columns, codes

    def _keep(self, coefficients: np.ndarray, intercepts: np.ndarray) -> None:
        """Of standardised columns, in the units of the columns as they were given."""
        coefficients, intercepts = log_odds(coefficients, intercepts)
        self.coef_ = coefficients / self.scale_
        self.intercept_ = intercepts - self.coef_ @ self.mean_

    def decision_function(self, X) -> np.ndarray:
        """Discriminants of the rows of X: log-odds (n_samples,), or (n_samples, n_classes).

        With two classes positive means the second of `classes_`.
        """
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X) -> np.ndarray:
        """The most probable class of each row of X, ties to the first class."""
        scores = one_a_class(self._scores(X))
        return self.classes_[scores.argmax(axis=1)]

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X, (n_samples, n_classes)."""
        return softmax(one_a_class(self._scores(X)))

    def _scores(self, X) -> np.ndarray:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X @ self.coef_.T + self.intercept_


@dataclass(frozen=True)
class LinearDiscriminant(Classifier):
    """The same in plans, on columns standardised before."""

    priors: str = "empirical"
    scaled = True

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """What `priors` comes to for so many samples of each class (C,); None: their shares."""
        return None if self.priors == "empirical" else self.frequencies(counts)

    def with_shares(self) -> Any:
        """With class shares as priors."""
        return replace(self, priors="empirical")

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearPredictor:
        """As of the predictor."""
        return LinearPredictor.from_arrays(arrays, n_columns, n_classes)

    def frequencies(self, counts: np.ndarray) -> np.ndarray:
        """Class probabilities (C,) by `priors`."""
        return shrunken_frequencies(counts, INTENSITIES[self.priors])[0]
