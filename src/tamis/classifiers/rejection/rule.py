"""What rules by a threshold of certainty share."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ..._core.arrays import bounded_array, fitting_arrays, unbounded_number
from ..._core.interfaces import Arrays, Rule, RuleInput

ACCEPT_ALL = -math.inf  # the threshold below which no sample is declined


@dataclass(frozen=True)
class ByCertainty(Rule):
    """Declines samples whose certainty is below a threshold.

    Attributes
    ----------
    threshold : float
    """

    threshold: float = ACCEPT_ALL

    def fit(self, given: RuleInput, y: np.ndarray) -> Self:
        """By the rule's own choice of a threshold."""
        return replace(self, threshold=self.chosen(given.certainty, given.codes != y))

    def chosen(self, certainty: np.ndarray, wrong: np.ndarray) -> float:
        """The threshold, from certainties (n,) and whether the predictions were wrong (n,)."""
        raise NotImplementedError

    def accepts(self, given: RuleInput) -> np.ndarray:
        """Those at the threshold and above."""
        return given.certainty >= self.threshold

    def report_text(self) -> str:
        """The threshold."""
        if math.isinf(self.threshold):
            return "declines " + ("no sample" if self.threshold < 0 else "all samples")
        return f"declines samples of a certainty below {self.threshold:.3g}"

    def to_arrays(self) -> Arrays:
        """The threshold."""
        return {"threshold": bounded_array(self.threshold)}

    def from_arrays(self, arrays: Arrays) -> Self:
        """From the threshold."""
        (threshold,) = fitting_arrays(arrays, threshold=(1,))
        return replace(self, threshold=unbounded_number(float(threshold[0])))
