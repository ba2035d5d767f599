"""The threshold below which errors are most enriched, by Fisher's exact test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...metrics.rejection import Rejections
from .significant import Significant


@dataclass(frozen=True)
class Fisher(Significant):
    """Least P(X >= a), X the errors among as many samples drawn at random."""

    def values(self, found: Rejections) -> np.ndarray:
        """The tail's logarithm, its sign turned."""
        return -found.log_tails
