"""A target coverage: the least certain samples are declined, whatever they were predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...metrics.rejection import Rejections
from .rule import ACCEPT_ALL, ByCertainty


@dataclass(frozen=True)
class Coverage(ByCertainty):
    """The largest threshold that declines no more than a share 1 - at of the samples held out.

    Attributes
    ----------
    at : float
        The share to be given a class, in (0, 1].
    """

    at: float = 0.8

    promises: ClassVar[bool] = True

    def chosen(self, certainty: np.ndarray, wrong: np.ndarray) -> float:
        """Equally certain samples are declined together or not at all."""
        return float(Rejections.of(certainty, wrong).up_to(1 - self.at).thresholds[-1])

    def doubt(self) -> str:
        """Where the least certain are so many that none may be declined."""
        if self.threshold > ACCEPT_ALL:
            return ""
        return (
            f"the least certain samples held out inside, all equally so, are more than the "
            f"{1 - self.at:.2g} to be declined: no sample is declined"
        )
