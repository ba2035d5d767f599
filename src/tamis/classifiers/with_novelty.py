"""A classifier, and how far a sample is from the classes that it has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .._core.interfaces import Arrays, Beliefs, Predictor
from .base.scaling import (
    MAX_STANDARDISED,
    AroundClassifier,
    fit_in_units,
    from_arrays,
    inner_arrays,
    of_inside,
)
from .rejection.novelty import Distance

DISTANCE_PREFIX = "distance."  # of names of its arrays


@dataclass(frozen=True)
class NovelPredictor:
    """Another's beliefs with the distance to the nearest class mean."""

    of: Predictor
    distance: Distance

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        return replace(
            self.of.beliefs(X),
            novelty=self.distance.scores(np.clip(X, -MAX_STANDARDISED, MAX_STANDARDISED)),
        )

    def to_arrays(self) -> Arrays:
        """Those of both."""
        return {**inner_arrays(self.of), **inner_arrays(self.distance, DISTANCE_PREFIX)}


@dataclass(frozen=True)
class WithNovelty(AroundClassifier):
    """Fits another classifier, and a covariance within classes beside it."""

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> NovelPredictor:
        """Both on the same rows."""
        inner = fit_in_units(self.of, X, y, n_classes, seed, levels)
        return NovelPredictor(inner, Distance.of(X, y))

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> NovelPredictor:
        """Both from their own."""
        return NovelPredictor(
            from_arrays(self.of, of_inside(arrays), n_columns, n_classes),
            Distance.from_arrays(of_inside(arrays, DISTANCE_PREFIX), n_columns, n_classes),
        )
