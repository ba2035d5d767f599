"""One slope of the log odds and an offset for each class but one: logistic recalibration.

Cox (1958), Biometrika 45:562-565, fitted to predictions of samples that the model had not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..._core.arrays import fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Recalibration
from ...kernels.recalibration_slopes import SLOPE_BOUNDS, centred, fit_slopes, softmax_shares
from ..decisions.rest_scores import scores_of_own_prior


@dataclass(frozen=True)
class Slope(Recalibration):
    """softmax(a (f - log pi) + log pi + b) of log probabilities f (or margins) and class shares pi.

    a and b are the mode of the likelihood of the inner predictions times an exponential and a
    lognormal prior of a and normal ones of b: few samples, or samples separated without an error,
    leave a near 1, and scores that say little give the class shares. Every repeat of a sample is a
    row of weight one over its repeats, since the model to come is a single one and not their mean.

    Attributes
    ----------
    slope : float
        a.
    offsets : ndarray of shape (C,) or None
        (1 - a) log pi + b, less that of the first class: softmax(a f + offsets).
    """

    slope: float = 1.0
    offsets: np.ndarray | None = None

    pools = True

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """By Newton's method (`fit_slopes`)."""
        weights = np.ones(len(y))
        if beliefs.samples is not None:
            _, place, counts = np.unique(beliefs.samples, return_inverse=True, return_counts=True)
            weights = 1 / counts[place]
        slopes, offsets = fit_slopes(scores_of_own_prior(beliefs)[None], y, weights)
        return type(self)(float(slopes[0]), offsets[0])

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """By the slope and the offsets."""
        assert self.offsets is not None
        return softmax_shares(self.slope * centred(scores_of_own_prior(beliefs)) + self.offsets)

    def report_text(self) -> str:
        """The slope."""
        return f"log odds recalibrated by a slope of {self.slope:.2g}"

    def to_arrays(self) -> Arrays:
        """The slope and the offsets."""
        assert self.offsets is not None
        return {"slope": np.array([self.slope]), "offsets": self.offsets}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From these."""
        slope, offsets = fitting_arrays(arrays, slope=(1,), offsets=(n_classes,))
        if not SLOPE_BOUNDS[0] <= slope[0] <= SLOPE_BOUNDS[1]:
            raise unfit_part_error("slope")
        return type(self)(float(slope[0]), offsets)
