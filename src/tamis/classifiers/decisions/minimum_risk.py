"""Minimum risk: the class whose expected cost is least (Elkan 2001)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ..._core.arrays import fitting, unfit
from ..._core.errors import PlanError
from ..._core.interfaces import Arrays, Beliefs, Decided, Decision
from ..._core.registry import find_row
from ..._core.rows import DecisionRow
from ...metrics.cost_matrix import check_costs, expected_costs, least_risk

Calibration = Literal["platt", "isotonic", "temperature"]


@dataclass(frozen=True)
class MinimumRisk(Decision):
    """argmin_i sum_j P(j | x) C(i, j), of the classifier's own probabilities or recalibrated ones.

    A sample that brings costs of its own (`Beliefs.costs`) is decided by those.

    Attributes
    ----------
    costs : ndarray of shape (C, C)
        Rows predicted, columns true.
    calibrate : {"platt", "isotonic", "temperature"} or None
        What makes probabilities of margins, or better ones of probabilities.
    calibration : Decision or None
        Fitted to inner beliefs.
    """

    costs: np.ndarray | None = None
    calibrate: Calibration | None = None
    calibration: Any = None

    by_sample: ClassVar[bool] = True

    @property
    def learns(self) -> bool:
        """Only a calibration does."""
        return self.calibrate is not None

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """Fit the calibration."""
        if self.calibrate is None:
            return self
        return replace(self, calibration=self._calibrator.fit(beliefs, y))

    @property
    def _calibrator(self) -> Any:
        """The decision that recalibrates, not yet fitted."""
        return find_row(str(self.calibrate), DecisionRow).build({})

    def decide(self, beliefs: Beliefs) -> Decided:
        """Every sample is accepted."""
        proba, costs = self._weighed(beliefs)
        told = replace(beliefs, proba=proba, margin=None)
        return Decided(least_risk(proba, costs), np.ones(len(proba), dtype=bool), told)

    def distance(self, beliefs: Beliefs) -> np.ndarray:
        """What the least risk saves over the second."""
        risks = np.sort(expected_costs(*self._weighed(beliefs)), axis=1)
        return risks[:, 1] - risks[:, 0]

    def _weighed(self, beliefs: Beliefs) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities, and what they are weighed by."""
        proba = beliefs.proba
        if self.calibration is not None:
            proba = self.calibration.recalibrated(beliefs)
        costs = self.costs if beliefs.costs is None else beliefs.costs
        if costs is None:
            raise PlanError("decide = 'minimum_risk' has to know what errors cost: give [costs]")
        return proba, costs

    def to_arrays(self) -> Arrays:
        """The costs, and what the calibration learnt."""
        assert self.costs is not None
        inner = {} if self.calibration is None else self.calibration.to_arrays()
        return {"costs": self.costs, **{f"calibration.{k}": v for k, v in inner.items()}}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From these."""
        own = {k: v for k, v in arrays.items() if k == "costs"}
        rest = {k.removeprefix("calibration."): v for k, v in arrays.items() if k != "costs"}
        (costs,) = fitting(own, costs=(n_classes, n_classes))
        try:
            check_costs(costs, range(n_classes))
        except PlanError as error:
            raise unfit("costs") from error
        calibration = None
        if self.calibrate is not None:
            calibration = self._calibrator.from_arrays(rest, n_classes)
        elif rest:
            raise unfit(next(iter(rest)))
        return replace(self, costs=costs, calibration=calibration)
