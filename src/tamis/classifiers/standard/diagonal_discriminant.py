"""Diagonal linear discriminant analysis (Dudoit, Fridlyand & Speed 2002)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..._core.interfaces import Arrays, Beliefs
from ...kernels.diagonal_discriminant import diagonal_discriminant, diagonal_discriminants
from ...kernels.units import column_units, in_units
from ..temperature_scaling import softmax
from .linear import LinearPredictor
from .scaling import FAR, StandardClassifier, equal_prior


@dataclass(frozen=True)
class DiagonalDiscriminant(StandardClassifier):
    """Class means and pooled variances, no correlations.

    Attributes
    ----------
    priors : {"empirical", "equal"}
        Class shares, or equal numbers, which is the rule of the paper.
    """

    priors: str = "empirical"

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """Equal, if it is told so."""
        return equal_prior(counts) if self.priors == "equal" else None

    def with_shares(self) -> DiagonalDiscriminant:
        """Without equal priors."""
        return replace(self, priors="empirical")

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> LinearPredictor:
        """Coefficients and intercepts."""
        return LinearPredictor.of_classes(
            *diagonal_discriminant(X, y, n_classes, self._priors(y, n_classes))
        )

    def beliefs_by_size(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, test: np.ndarray, sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:  # fmt: skip
        """For the leading columns of every size: each adds to the discriminants by itself."""
        if not sizes or sizes[0] == 0:
            return []
        units = column_units(X)
        near = np.clip(in_units(test, units), -FAR, FAR)
        found = diagonal_discriminants(
            in_units(X, units), y, near, sizes, self._priors(y, n_classes)
        )
        return [Beliefs(softmax(scores)) for scores in found]

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearPredictor:
        """As of the predictor."""
        return LinearPredictor.from_arrays(arrays, n_columns, n_classes)

    def _priors(self, y: np.ndarray, n_classes: int) -> np.ndarray:
        counts = np.bincount(y, minlength=n_classes)
        return equal_prior(counts) if self.priors == "equal" else counts / len(y)
