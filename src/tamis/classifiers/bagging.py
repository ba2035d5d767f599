"""Bagging: a classifier on bootstrap samples, and the mean of what these believe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.arrays import unfit_part_error
from .._core.interfaces import Arrays, Beliefs, Predictor, Regressor
from .base.folds import class_bootstrap
from .base.scaling import AroundClassifier, fit_in_units, from_arrays


@dataclass(frozen=True)
class MeanPredictor:
    """The mean of some predictors' probabilities, or of their values."""

    members: Sequence[Predictor]

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        found = [member.beliefs(X) for member in self.members]
        values = [one.value for one in found if one.value is not None]
        if values:
            return Beliefs.of_values(np.mean(values, axis=0))
        return Beliefs(np.mean([one.proba for one in found], axis=0))

    def to_arrays(self) -> Arrays:
        """Those of every member, under its number."""
        arrays = [member.to_arrays() for member in self.members]
        return {f"{i}.{k}": v for i, own in enumerate(arrays) for k, v in own.items()}

    @classmethod
    def from_arrays(cls, of: Any, arrays: Arrays, n_columns: int, n_classes: int) -> MeanPredictor:
        """Every member, of the classifier `of`, from its own arrays."""
        own: dict[str, Arrays] = {}
        for name, array in arrays.items():
            number, _, rest = name.partition(".")
            own.setdefault(number, {})[rest] = array
        if set(own) != set(map(str, range(len(own)))) or not own:
            raise unfit_part_error("members")
        return cls([from_arrays(of, own[str(i)], n_columns, n_classes) for i in range(len(own))])


@dataclass(frozen=True)
class Bagging(AroundClassifier):
    """Fits another classifier on samples drawn with replacement, class by class.

    Breiman (1996). Each class keeps its number of rows, so that no bootstrap sample lacks one and
    all have the same prior.
    """

    n_estimators: int = 25

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> MeanPredictor:
        """Draw, and fit every member; a table as it is goes on to them."""
        rng = np.random.default_rng(seed)
        members = []
        for _ in range(self.n_estimators):
            rows = class_bootstrap(rng, self._strata(y), n_classes)
            one = int(rng.integers(2**31))
            members.append(fit_in_units(self.of, X[rows], y[rows], n_classes, one, levels))
        return MeanPredictor(members)

    def _strata(self, y: np.ndarray) -> np.ndarray:
        """What bootstrap samples hold in the same shares."""
        return y

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> MeanPredictor:
        """Every member from its own arrays."""
        return MeanPredictor.from_arrays(self.of, arrays, n_columns, n_classes)


class BaggedRegression(Bagging, Regressor):
    """The same of a number, of which any rows may be drawn."""

    draws = True

    def _strata(self, y: np.ndarray) -> np.ndarray:
        """One for all rows."""
        return np.zeros(len(y), dtype=np.int64)
