"""LogitBoost in plans: stumps on a table as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import fitting, unfit, whole_numbers
from ..._core.interfaces import Arrays, Beliefs
from .scaling import StandardClassifier
from .seen_levels import SeenLevels

NAMES = ("feature", "split", "values")


@dataclass(frozen=True)
class StumpsPredictor:
    """Stumps as arrays; they are those of `tamis.classifiers.LogitBoostClassifier`.

    Attributes
    ----------
    seen : SeenLevels
    feature, split : ndarray of shape (rounds, 1 or C)
    values : ndarray of shape (rounds, 1 or C, 3)
    """

    seen: SeenLevels
    feature: np.ndarray
    split: np.ndarray
    values: np.ndarray

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k); a category that no training row has is a missing value."""
        from ...kernels.logit_boost import Stumps
        from ..logit_boost import scores_after, shares_of

        stumps = Stumps(self.feature, self.split, self.values)
        rounds = np.array([len(self.feature)])
        levels = self.seen.sizes.astype(np.int64)
        return Beliefs(shares_of(scores_after(stumps, levels, self.seen.coded(X), rounds)[0]))

    def to_arrays(self) -> Arrays:
        """The categories and the stumps."""
        return {**self.seen.to_arrays(), **{n: getattr(self, n).astype(float) for n in NAMES}}


@dataclass(frozen=True)
class LogitBoost(StandardClassifier):
    """Additive logistic regression by stumps, as many as the log loss of inner folds asks for."""

    rounds: int | str = "cv"
    max_rounds: int = 2000
    cv: int = 5
    z_limit: float = 3.0

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int] | None = None, weights: np.ndarray | None = None,
    ) -> StumpsPredictor:  # fmt: skip
        """On a table as it is; the seed deals the folds."""
        from ..folds import stratified_splits
        from ..logit_boost import chosen_stumps
        from ..rounds import rounds_to_try

        seen = SeenLevels.of(X, levels or {})
        given = np.ones(len(y)) if weights is None else weights
        stumps, _ = chosen_stumps(
            seen.coded(X), y, given, n_classes, seen.sizes.astype(np.int64),
            rounds_to_try(self.rounds, self.max_rounds), stratified_splits(y, self.cv, seed),
            float(self.z_limit),
        )  # fmt: skip
        return StumpsPredictor(seen, *stumps)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> StumpsPredictor:
        """From the categories and the stumps."""
        seen, scores = SeenLevels.from_arrays(arrays, n_columns), 1 if n_classes == 2 else n_classes
        feature, split, values = fitting(
            arrays, feature=(None, scores), split=(None, scores), values=(None, scores, 3)
        )
        if not len(feature) == len(split) == len(values):
            raise unfit("feature")
        if (np.abs(values) > self.z_limit * (1 + 1e-9)).any():  # means of what is cut there
            raise unfit("values")
        return StumpsPredictor(seen, whole_numbers(feature, 0, n_columns, "feature"), split, values)
