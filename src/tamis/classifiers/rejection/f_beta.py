"""The threshold of the largest F_beta of catching errors by declining (van Rijsbergen 1979)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...metrics.rejection import Rejections
from .significant import Significant


@dataclass(frozen=True)
class FBeta(Significant):
    """Precision is the share of errors among the samples declined, recall the share of the errors
    that is declined; of equal thresholds the one that declines the fewest.

    Attributes
    ----------
    beta : float
        Recall weighs so many times as much as precision.
    """

    beta: float = 1.0

    def values(self, found: Rejections) -> np.ndarray:
        """F_beta."""
        return found.f(self.beta)
