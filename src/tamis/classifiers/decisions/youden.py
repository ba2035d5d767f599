"""Youden's index: the threshold of the largest sensitivity + specificity (1950)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Beliefs
from .rest_scores import rest_scores
from .threshold import OperatingPoints, Threshold, best_threshold


@dataclass(frozen=True)
class Youden(Threshold):
    """max (sensitivity + specificity - 1), which is the best balanced accuracy."""

    def chosen(self, beliefs: Beliefs, y: np.ndarray) -> float:
        """Of equal thresholds the middle one."""
        points = OperatingPoints.of(rest_scores(beliefs)[:, 0], y == 1)
        return best_threshold(points.sensitivity + points.specificity, points.thresholds)
