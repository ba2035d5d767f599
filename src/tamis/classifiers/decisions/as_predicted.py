"""The number as it is predicted: nothing is decided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Beliefs, Decided, Decision


@dataclass(frozen=True)
class AsPredicted(Decision):
    """Of a number; every sample is accepted."""

    def decide(self, beliefs: Beliefs) -> Decided:
        """The beliefs."""
        n = len(beliefs)
        return Decided(np.zeros(n, dtype=np.int64), np.ones(n, dtype=bool), beliefs)
