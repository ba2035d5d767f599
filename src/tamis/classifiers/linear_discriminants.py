"""What shrinkage and diagonal discriminant analysis have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from .._core.errors import PlanError, nearest_hint, value_text
from .._core.interfaces import Arrays, Classifier
from ..data.class_codes import class_codes
from ..kernels.shrinkage_discriminant import INTENSITIES, shrunken_frequencies
from ..kernels.within_classes import log_odds
from .base.linear_classifier import LinearClassifier
from .base.linear_predictor import LinearPredictor
from .base.scaling import standardised_with_scale


@dataclass(eq=False)
class DiscriminantParameters:
    """Parameters of the classifier and of what plans run."""

    priors: str = "empirical"


class LinearDiscriminantClassifier(LinearClassifier, DiscriminantParameters):
    """A linear function a class, learnt on standardised columns."""

    PRIORS: tuple[str, ...] = ()

    def fit(self, X, y):
        """Fit on the rows of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), finite
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.

        Returns
        -------
        self
        """
        priors = self.priors
        if priors not in self.PRIORS:
            raise PlanError(f"priors={value_text(priors)}: {nearest_hint(priors, self.PRIORS)}")
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = class_codes(y, type(self).__name__)
        columns, self.mean_, self.scale_ = standardised_with_scale(X)
        coefficients, intercepts = log_odds(*self._fit(columns, codes))
        self.coef_ = coefficients / self.scale_
        self.intercept_ = intercepts - self.coef_ @ self.mean_
        return self

    def _fit(self, columns: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients (C, p) and intercepts (C,) of standardised columns."""
        raise NotImplementedError


class LinearDiscriminant(DiscriminantParameters, Classifier):
    """The same in plans, on columns standardised before."""

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
