"""Shrinkage discriminant analysis."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..._core.interfaces import Arrays
from ...kernels.shrinkage_discriminant import (
    INTENSITIES,
    shrinkage_discriminant,
    shrunken_frequencies,
)
from ...kernels.within_classes import log_odds
from .linear import LinearPredictor
from .scaling import StandardClassifier


@dataclass(frozen=True)
class ShrinkageDiscriminant(StandardClassifier):
    """Ahdesmaeki & Strimmer's (2010), on standardised columns.

    Variances are shrunk towards one value, which means the same to every column once all have
    the same unit.
    """

    priors: str = "shrunken"
    scaled = True

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> LinearPredictor:
        """Coefficients by the analytic intensities; nothing is searched."""
        found = shrinkage_discriminant(X, y, n_classes, INTENSITIES[self.priors])
        return LinearPredictor(*log_odds(found.coefficients, found.intercepts))

    def with_shares(self) -> ShrinkageDiscriminant:
        """With class shares as priors."""
        return replace(self, priors="empirical")

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearPredictor:
        """As of the predictor."""
        return LinearPredictor.from_arrays(arrays, n_columns, n_classes)

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """Class prior (C,) that its probabilities stand for, of so many training samples of each
        class; None: their shares."""
        if self.priors == "empirical":
            return None
        return shrunken_frequencies(counts, INTENSITIES[self.priors])[0]
