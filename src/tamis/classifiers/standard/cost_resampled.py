"""Costs as class sizes, in plans: rows copied or left out, or made up between others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..costs.sampling import resampled_rows, resampled_sizes, smote_class, with_synthetic_rows
from ..costs.scales import class_weights
from .charged import ChargedClassifier, ChargedPredictor
from .scaling import fit_in_units


@dataclass(frozen=True)
class CostResampled(ChargedClassifier):
    """Brings classes to sizes in the ratio n_j sum_i C'(i, j); `method` is "over" or "under"."""

    method: str = "over"

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> ChargedPredictor:  # fmt: skip
        """One fit to resampled rows."""
        counts = np.bincount(y, minlength=n_classes)
        sizes = resampled_sizes(counts, class_weights(self.costs, n_classes), self.method)
        rows = resampled_rows(np.random.default_rng(seed), y, sizes)
        inner = fit_in_units(self.of, X[rows], y[rows], n_classes, seed, levels)
        return ChargedPredictor(inner, sizes / counts)


@dataclass(frozen=True)
class CostSmote(ChargedClassifier):
    """Brings classes to sizes in the ratio n_j sum_i C'(i, j) by SMOTE (Chawla et al. 2002).

    Columns are standardised first, since neighbours are looked for across them.
    """

    k_neighbors: int = 5
    scaled = True

    def __post_init__(self) -> None:
        super().__post_init__()
        smote_class()  # which says at once that a package is missing

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> ChargedPredictor:
        """One fit to the rows and the synthetic ones."""
        counts = np.bincount(y, minlength=n_classes)
        sizes = resampled_sizes(counts, class_weights(self.costs, n_classes), "over")
        more, labels = with_synthetic_rows(X, y, sizes, self.k_neighbors, seed)
        return ChargedPredictor(
            fit_in_units(self.of, more, labels, n_classes, seed), sizes / counts
        )
