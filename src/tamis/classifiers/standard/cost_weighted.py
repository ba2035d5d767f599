"""Costs as weights of rows, in plans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..costs.scales import class_weights
from .charged import ChargedClassifier, ChargedPredictor
from .scaling import fit_in_units


@dataclass(frozen=True)
class CostWeighted(ChargedClassifier):
    """Gives every row of class j the weight sum_i C'(i, j) (Elkan 2001); their mean is 1."""

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> ChargedPredictor:  # fmt: skip
        """One weighted fit."""
        weights = class_weights(self.costs, n_classes)
        rows = weights[y] / weights[y].mean()
        inner = fit_in_units(self.of, X, y, n_classes, seed, levels, rows)
        return ChargedPredictor(inner, weights)
