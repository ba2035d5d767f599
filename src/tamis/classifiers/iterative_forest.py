"""Iterative random forests (iRF) in plans: how many of the interactions that they are stable in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from .._core.interfaces import Arrays, Beliefs, Part, Path, PathClassifier, Predictor, Seeds, Term
from .._core.parameters import StepSettings
from ..interactions.sets.intersections import Intersections
from ..interactions.sets.tree_settings import IterativeForestParameters
from ..kernels.units import column_units, in_units
from .base.class_shares import ClassShares
from .trees import MAX_SINGLE, RandomForest

MIN_UNIT = 2.0**-100  # unit of a column: single precision has values so small
SET_COUNTS = (0, 1, 2, 5, 10, 20, 50)  # first none: the class shares


@dataclass(frozen=True)
class ForestSteps(Path):
    """A forest on the features of the first interactions, for every step.

    Attributes
    ----------
    settings : sequence of mapping
        How many interactions.
    found : Intersections
        Those of the training set, the one that stands out most first.
    part : Part
        Its X in these units, where trees tell small values apart.
    units : ndarray of shape (p,)
    forest : RandomForest
    seed : int
    """

    settings: Sequence[StepSettings]
    found: Intersections
    part: Part
    units: np.ndarray
    forest: RandomForest
    seed: int

    @property
    def columns(self) -> list[np.ndarray]:
        """Columns of the first interactions, in the order in which they come up."""
        sets = self.found.columns
        return [
            np.array(list(dict.fromkeys(j for one in sets[: int(s["sets"])] for j in one)), int)
            for s in self.settings
        ]

    def beliefs(self, X: np.ndarray, covariates: np.ndarray) -> list[Beliefs]:
        """Of other rows; steps with the same columns have one forest."""
        made: dict[bytes, Beliefs] = {}
        for columns in self.columns:
            key = columns.tobytes()
            if key not in made:
                made[key] = self._fitted(columns).beliefs(X[:, columns])
        return [made[columns.tobytes()] for columns in self.columns]

    def predictor(self, step: int, columns: np.ndarray) -> Predictor:
        """One step's forest, on X[:, columns]."""
        own = self.columns[step]
        if not len(own):
            return self._fitted(own)
        place = {int(j): k for k, j in enumerate(columns)}
        return self._fitted(own).among(np.array([place[int(j)] for j in own], int))

    def terms(self, step: int) -> list[Term]:
        """The interactions, with signs."""
        found = self.found
        n = min(int(self.settings[step]["sets"]), len(found))
        gap, stable = found.difference, found.stability
        assert stable is not None  # there are bootstrap samples
        return [
            Term(
                found.columns[s],
                found.signs[s],
                int(found.origin[s]),
                {"difference": float(gap[s]), "stability": float(stable[s])},
            )
            for s in range(n)
        ]

    def _fitted(self, columns: np.ndarray) -> Any:
        y, n_classes = self.part.y, self.part.n_classes
        if not len(columns):
            return ClassShares.of(y, n_classes)
        X = np.ascontiguousarray(self.part.X[:, columns])
        trees: Any = self.forest.fit(X, y, n_classes, self.seed)
        return trees.of_undivided(self.units[columns])


class IterativeForestMethod(IterativeForestParameters, PathClassifier):
    """`tamis.interactions.IterativeForest` as a `PathClassifier`; covariates play no part.

    Its stable interactions select, a forest on their features predicts.
    """

    def follow(
        self, part: Part, settings: Sequence[StepSettings] | None, stream: Seeds
    ) -> ForestSteps:
        """The interactions of the part, and every step, or those given."""
        from ..interactions import IterativeForest

        seed = int(stream.generate_state(1)[0])
        units = np.clip(column_units(part.X), MIN_UNIT, 1.0)
        part = replace(part, X=np.clip(in_units(part.X, units), -MAX_SINGLE, MAX_SINGLE))
        given = {**asdict(self), "random_state": seed, "n_jobs": 1}
        found = IterativeForest(**given).fit(part.X, part.y)
        steps = [{"sets": float(k)} for k in SET_COUNTS] if settings is None else list(settings)
        forest = RandomForest(n_estimators=self.n_estimators)
        return ForestSteps(steps, found.interactions_, part, units, forest, seed)

    def count(self) -> int:
        """Steps."""
        return len(SET_COUNTS)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """As of a forest."""
        return RandomForest().from_arrays(arrays, n_columns, n_classes)
