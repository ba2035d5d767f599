"""Temperature scaling (Guo et al. 2017): one slope for all classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..._core.arrays import fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Recalibration
from ...kernels.recalibration_slopes import softmax_shares
from ..base.temperature_scaling import fit_slope
from ..decisions.rest_scores import scores_of_own_prior


@dataclass(frozen=True)
class Temperature(Recalibration):
    """softmax(a f), one a > 0 for all classes: the likeliest class stays what it was."""

    slope: float = 1.0

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """By Newton's method (`fit_slope`)."""
        scores = scores_of_own_prior(beliefs)
        C = scores.shape[1]
        return type(self)(fit_slope(scores, y, np.ones(len(y)), C))

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """By the slope."""
        return softmax_shares(self.slope * scores_of_own_prior(beliefs))

    def to_arrays(self) -> Arrays:
        """The slope."""
        return {"slope": np.array([self.slope])}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From the slope."""
        (slope,) = fitting_arrays(arrays, slope=(1,))
        if slope[0] <= 0:
            raise unfit_part_error("slope")
        return type(self)(float(slope[0]))
