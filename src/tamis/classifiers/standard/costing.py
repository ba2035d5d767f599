"""Costing in plans: the mean of classifiers on rows kept in proportion to their costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Arrays
from ..costs.sampling import kept_by_cost
from ..costs.scales import class_weights
from .bagging import MeanPredictor
from .charged import ChargedClassifier, ChargedPredictor
from .scaling import fit_in_units, of_inside


@dataclass(frozen=True)
class Costing(ChargedClassifier):
    """Keeps a row with probability cost / largest cost (Zadrozny, Langford & Abe 2003)."""

    n_estimators: int = 25

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> ChargedPredictor:  # fmt: skip
        """Draw, and fit every member; no draw lacks a class."""
        rng = np.random.default_rng(seed)
        weights = class_weights(self.costs, n_classes)
        members = []
        for _ in range(self.n_estimators):
            rows = kept_by_cost(rng, y, n_classes, weights[y])
            one = int(rng.integers(2**31))
            members.append(fit_in_units(self.of, X[rows], y[rows], n_classes, one, levels))
        return ChargedPredictor(MeanPredictor(members), weights)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> ChargedPredictor:
        """The weights, and every member from its own arrays."""
        inner = MeanPredictor.from_arrays(self.of, of_inside(arrays), n_columns, n_classes)
        return ChargedPredictor.from_arrays(arrays, n_classes, inner)
