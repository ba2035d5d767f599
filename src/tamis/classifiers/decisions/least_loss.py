"""The empirical threshold: that of the least mean cost on samples held out (Sheng & Ling 2006)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.errors import PlanError
from ..._core.interfaces import Beliefs
from ..costs.cost_weights import reduced_costs
from .rest_scores import rest_scores
from .threshold import OperatingPoints, Threshold, best_threshold


@dataclass(frozen=True)
class LeastLoss(Threshold):
    """min of false alarms times C'(1, 0) plus misses times C'(0, 1): what scores mean plays
    no part, so they need not be probabilities.

    Samples that bring costs of their own (`Beliefs.costs`) count with those.

    Attributes
    ----------
    costs : ndarray of shape (2, 2)
        Rows predicted, columns true.
    """

    costs: np.ndarray | None = None

    def chosen(self, beliefs: Beliefs, y: np.ndarray) -> float:
        """Of equal thresholds the middle one."""
        costs = self.costs if beliefs.costs is None else beliefs.costs
        if costs is None:
            raise PlanError("decide = 'least_loss' has to know what errors cost: give [costs]")
        reduced = reduced_costs(costs, 2)
        lost = np.where(y == 1, reduced[..., 0, 1], reduced[..., 1, 0])  # by an error on each
        size = lost.max() or 1.0  # samples of their own may all be free
        points = OperatingPoints.of(rest_scores(beliefs)[:, 0], y == 1, lost / size)
        saved = points.true_positives - points.false_positives
        return best_threshold(saved, points.thresholds)
