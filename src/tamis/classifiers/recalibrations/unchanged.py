"""No recalibration: the classifier's own probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Beliefs, Recalibration


@dataclass(frozen=True)
class Unchanged(Recalibration):
    """As the classifier gives them."""

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """They themselves."""
        return beliefs.proba
