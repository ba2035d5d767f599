"""A classifier, and how far a sample is from the classes that it has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .._core.interfaces import Arrays, Beliefs, Predictor
from .base.scaling import FAR, AroundClassifier, fit_in_units, from_arrays
from .rejection.novelty import Distance

OF, DISTANCE = "of.", "distance."


@dataclass(frozen=True)
class NovelPredictor:
    """Another's beliefs with the distance to the nearest class mean."""

    of: Predictor
    distance: Distance

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        return replace(self.of.beliefs(X), novelty=self.distance.scores(np.clip(X, -FAR, FAR)))

    def to_arrays(self) -> Arrays:
        """Those of both."""
        parts = {OF: self.of.to_arrays(), DISTANCE: self.distance.to_arrays()}
        return {f"{at}{name}": array for at, own in parts.items() for name, array in own.items()}


@dataclass(frozen=True)
class WithNovelty(AroundClassifier):
    """Fits another classifier, and a covariance within classes beside it."""

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> NovelPredictor:  # fmt: skip
        """Both on the same rows."""
        inside = fit_in_units(self.of, X, y, n_classes, seed, levels)
        return NovelPredictor(inside, Distance.of(X, y))

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> NovelPredictor:
        """Both from their own."""
        inside, distance = (
            {k.removeprefix(at): a for k, a in arrays.items() if k.startswith(at)}
            for at in (OF, DISTANCE)
        )
        return NovelPredictor(
            from_arrays(self.of, inside, n_columns, n_classes),
            Distance.from_arrays(distance, n_columns, n_classes),
        )
