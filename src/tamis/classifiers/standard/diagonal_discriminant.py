"""Diagonal linear discriminant analysis: every size of a ranking from sums over columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..._core.interfaces import Arrays, Beliefs
from ...kernels.diagonal_discriminant import diagonal_discriminant, diagonal_discriminants
from ...kernels.shrinkage_discriminant import INTENSITIES, shrunken_frequencies
from ...kernels.units import column_units, in_units
from ...kernels.within_classes import log_odds
from ..temperature_scaling import softmax
from .linear import LinearPredictor
from .scaling import StandardClassifier, as_standardised, standardised


@dataclass(frozen=True)
class DiagonalDiscriminant(StandardClassifier):
    """Class means and pooled variances, with class shares, or equal numbers, as priors.

    Columns are standardised for the sake of far-off values only: the rule has no units.
    """

    priors: str = "empirical"
    scaled = True

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> LinearPredictor:
        """Dudoit, Fridlyand & Speed (2002)."""
        priors = self._frequencies(np.bincount(y, minlength=n_classes))
        return LinearPredictor(*log_odds(*diagonal_discriminant(X, y, n_classes, priors)))

    def beliefs_by_size(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, test: np.ndarray, sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:  # fmt: skip
        """For the leading columns of every size; none where the first size has nothing to say."""
        if not sizes or not (X[:1, : sizes[0]] != X[:, : sizes[0]]).any():
            return []
        X, test = X[:, : sizes[-1]], test[:, : sizes[-1]]
        units = column_units(X)
        columns, center, scale = standardised(in_units(X, units))
        near = as_standardised(test, units, center, scale)
        priors = self._frequencies(np.bincount(y, minlength=n_classes))
        scores = diagonal_discriminants(columns, y, near, sizes, priors)
        return [Beliefs(softmax(of_size)) for of_size in scores]

    def with_shares(self) -> DiagonalDiscriminant:
        """With class shares as priors."""
        return replace(self, priors="empirical")

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearPredictor:
        """As of the predictor."""
        return LinearPredictor.from_arrays(arrays, n_columns, n_classes)

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """Class prior (C,) that its probabilities stand for, of so many training samples of each
        class; None: their shares."""
        return None if self.priors == "empirical" else self._frequencies(counts)

    def _frequencies(self, counts: np.ndarray) -> np.ndarray:
        return shrunken_frequencies(counts, INTENSITIES[self.priors])[0]
