"""A linear function a class (one of two classes), and its softmax: LDA, logistic, elastic net."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs
from ...kernels.recalibration_slopes import softmax_shares
from .temperature_scaling import logistic_function


def beliefs_of(scores: Sequence[np.ndarray] | np.ndarray) -> list[Beliefs]:
    """Of log odds (m, 1 or C), one array a predictor: all of them at once."""
    together = np.asarray(scores)
    if together.shape[2] > 1:
        return [Beliefs(one) for one in softmax_shares(together)]
    found = np.empty((*together.shape[:2], 2))
    found[:, :, 1] = logistic_function(together[:, :, 0])
    found[:, :, 0] = 1 - found[:, :, 1]
    return [Beliefs(one) for one in found]


@dataclass(frozen=True)
class LinearPredictor:
    """Log-odds X coef' + intercept.

    Attributes
    ----------
    coef : ndarray of shape (1 or C, k)
        One row for two classes: towards code 1.
    intercept : ndarray of shape (1 or C,)
    """

    coef: np.ndarray
    intercept: np.ndarray

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        return beliefs_of([X @ self.coef.T + self.intercept])[0]

    def to_arrays(self) -> Arrays:
        """Coefficients and intercepts."""
        return {"coef": self.coef, "intercept": self.intercept}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> LinearPredictor:
        """From coefficients and intercepts."""
        coef, intercept = fitting_arrays(arrays, coef=(None, n_columns), intercept=(None,))
        if not len(coef) == len(intercept) == (1 if n_classes == 2 else n_classes):
            raise unfit_part_error("coef")
        return cls(coef, intercept)
