"""A wished coverage: the least certain samples are declined, whatever they were predicted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...metrics.rejection import Rejections
from .rule import ByCertainty


@dataclass(frozen=True)
class Coverage(ByCertainty):
    """The largest threshold that declines no more than a share 1 - at of the samples held out.

    Attributes
    ----------
    at : float
        The share to be given a class, in (0, 1].
    """

    at: float = 0.8

    def chosen(self, certainty: np.ndarray, wrong: np.ndarray) -> float:
        """Equally certain samples are declined together or not at all."""
        return float(Rejections.of(certainty, wrong).up_to(1 - self.at).thresholds[-1])
