"""A Gaussian support vector machine in plans that tunes itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Arrays
from .scaling import StandardClassifier
from .support_vectors import MachinePredictor


@dataclass(frozen=True)
class SVMGrid(StandardClassifier):
    """`tamis.classifiers.SVMGridClassifier`, on columns standardised before."""

    step: float = 3.0
    levels: int = 3
    tune_on: int = 2000
    cv: int = 3
    scaled = True

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        weights: np.ndarray | None = None,
    ) -> MachinePredictor:  # fmt: skip
        """C and gamma by inner folds, then the machine on all rows; the seed deals the folds."""
        from ..support_vector import PlattSVC
        from ..svm_grid import tuned_point

        given = np.ones(len(y)) if weights is None else weights
        found = tuned_point(X, y, given, self.step, self.levels, self.tune_on, self.cv, seed)
        machine = PlattSVC("rbf", found.C, found.gamma, random_state=seed)
        return MachinePredictor.of(machine.fit(X, y, weights), found.gamma)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> MachinePredictor:
        """As of the predictor."""
        return MachinePredictor.from_arrays(arrays, n_columns, n_classes)
