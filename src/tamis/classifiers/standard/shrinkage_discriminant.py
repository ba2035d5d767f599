"""Shrinkage discriminant analysis, made for fewer samples than features."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..._core.interfaces import Arrays
from ...kernels.shrinkage_discriminant import shrinkage_discriminant, shrunken_frequencies
from .linear import LinearPredictor
from .scaling import StandardClassifier

INTENSITIES = {"shrunken": None, "empirical": 0.0, "equal": 1.0}  # of the class frequencies


@dataclass(frozen=True)
class ShrinkageDiscriminant(StandardClassifier):
    """As R's ``sda``, on standardised columns, so that nothing depends on their units.

    Attributes
    ----------
    priors : {"shrunken", "empirical", "equal"}
        Class frequencies shrunk towards equal ones, as they are, or equal.
    """

    priors: str = "shrunken"
    scaled = True

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """Shrunken frequencies, or equal ones."""
        intensity = INTENSITIES[self.priors]
        return None if intensity == 0 else shrunken_frequencies(counts, intensity)[0]

    def with_shares(self) -> ShrinkageDiscriminant:
        """With class frequencies as they are."""
        return replace(self, priors="empirical")

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> LinearPredictor:
        """Coefficients and intercepts."""
        rule = shrinkage_discriminant(X, y, n_classes, INTENSITIES[self.priors])
        return LinearPredictor.of_classes(rule.coefficients, rule.intercepts)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearPredictor:
        """As of the predictor."""
        return LinearPredictor.from_arrays(arrays, n_columns, n_classes)
