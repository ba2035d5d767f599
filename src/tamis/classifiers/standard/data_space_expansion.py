"""Data-space expansion in plans: weighted copies of rows with other labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import fitting, unfit
from ..._core.interfaces import Arrays, Beliefs, Predictor
from ..costs.data_space_expansion import expanded_rows
from ..costs.scales import before_expansion, class_weights, expansion_weights
from .charged import ChargedClassifier
from .scaling import fit_in_units, from_arrays, inside, of_inside

EXPANSION = "expansion"


@dataclass(frozen=True)
class ExpandedPredictor:
    """A predictor of copies; its probabilities are what they come from, as far as that is told.

    Attributes
    ----------
    inner : Predictor
    expansion : ndarray of shape (C, C)
        Weights of copies, rows the new label, columns the true class.
    """

    inner: Predictor
    expansion: np.ndarray

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        found = self.inner.beliefs(X)
        return Beliefs(before_expansion(found.proba, self.expansion), found.scores)

    def to_arrays(self) -> Arrays:
        """The weights, and those of what is inside."""
        return {EXPANSION: self.expansion, **inside(self.inner)}


@dataclass(frozen=True)
class DataSpaceExpansion(ChargedClassifier):
    """Copies labelled k weigh max_i C(i, y) - C(k, y) (Abe, Zadrozny & Langford 2004)."""

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> ExpandedPredictor:  # fmt: skip
        """One weighted fit to the copies."""
        class_weights(self.costs, n_classes)  # refuses a class of weight 0
        expansion = expansion_weights(self.costs, n_classes)
        rows, labels, weights = expanded_rows(y, expansion)
        weights = weights * (len(y) / weights.sum())
        inner = fit_in_units(self.of, X[rows], labels, n_classes, seed, levels, weights)
        return ExpandedPredictor(inner, expansion)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> ExpandedPredictor:
        """As of the predictor."""
        (expansion,) = fitting(arrays, **{EXPANSION: (n_classes, n_classes)})
        if (expansion < 0).any() or not (expansion.max(axis=0) > 0).all():
            raise unfit(EXPANSION)
        inner = from_arrays(self.of, of_inside(arrays), n_columns, n_classes)
        return ExpandedPredictor(inner, expansion)
