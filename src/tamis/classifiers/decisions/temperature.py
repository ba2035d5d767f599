"""Temperature scaling (Guo et al. 2017): one slope for all classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ..._core.arrays import fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs
from ..base.temperature_scaling import fit_slope, softmax_shares
from .recalibration import Recalibrated


@dataclass(frozen=True)
class Temperature(Recalibrated):
    """softmax(a f), one a > 0 for all classes: the likeliest class stays what it was."""

    slope: float = 1.0

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """By Newton's method (`fit_slope`)."""
        scores = _prior_free_scores(beliefs)
        C = scores.shape[1]
        return type(self)(fit_slope(scores, y, np.ones(len(y)), C))

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """By the slope."""
        return softmax_shares(self.slope * _prior_free_scores(beliefs))

    def to_arrays(self) -> Arrays:
        """The slope."""
        return {"slope": np.array([self.slope])}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From the slope."""
        (slope,) = fitting_arrays(arrays, slope=(1,))
        if slope[0] <= 0:
            raise unfit_part_error("slope")
        return type(self)(float(slope[0]))


def _prior_free_scores(beliefs: Beliefs) -> np.ndarray:
    """Logarithms of probabilities that stand for a known prior, which one slope keeps: the margins
    may be of another (balanced weights); else the scores."""
    return beliefs.scores if beliefs.prior is None else replace(beliefs, margin=None).scores
