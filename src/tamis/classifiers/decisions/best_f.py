"""The threshold of the largest F-measure of the positive class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Beliefs
from .rest_scores import rest_scores
from .threshold import OperatingPoints, Threshold, best_threshold


@dataclass(frozen=True)
class BestF(Threshold):
    """max (1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP).

    Attributes
    ----------
    beta : float
        How much more sensitivity counts than precision.
    """

    beta: float = 1.0

    def chosen(self, beliefs: Beliefs, y: np.ndarray) -> float:
        """Of equal thresholds the middle one."""
        points = OperatingPoints.of(rest_scores(beliefs)[:, 0], y == 1)
        square = self.beta**2
        hits, alarms = points.true_positives, points.false_positives
        total = hits + alarms + square * points.positives  # (1 + b^2) TP + b^2 FN + FP
        values = (1 + square) * hits / np.maximum(total, 1e-300)
        return best_threshold(values, points.thresholds)
