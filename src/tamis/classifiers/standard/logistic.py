"""Logistic regression with a ridge penalty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Arrays
from .linear import LinearPredictor
from .scaling import StandardClassifier, equal_prior


@dataclass(frozen=True)
class RidgeLogistic(StandardClassifier):
    """scikit-learn's, on standardised columns."""

    C: float = 0.1
    class_weight: str = "balanced"
    scaled = True

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """Equal with balanced weights."""
        return equal_prior(counts) if self.class_weight == "balanced" else None

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        weights: np.ndarray | None = None,
    ) -> LinearPredictor:  # fmt: skip
        """Coefficients by L-BFGS."""
        from sklearn.linear_model import LogisticRegression

        found = LogisticRegression(
            C=self.C,
            max_iter=1000,
            class_weight=None if self.class_weight == "none" else self.class_weight,
        )
        found.fit(X, y, weights)
        return LinearPredictor(found.coef_, found.intercept_)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearPredictor:
        """As of the predictor."""
        return LinearPredictor.from_arrays(arrays, n_columns, n_classes)
