"""A linear function as the prediction of a number: ridge, elastic net, partial least squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.arrays import fitting_arrays
from ..._core.interfaces import Arrays, Beliefs


@dataclass(frozen=True)
class LinearValue:
    """X coef + intercept.

    Attributes
    ----------
    coef : ndarray of shape (k,)
    intercept : float
    """

    coef: np.ndarray
    intercept: float

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        return Beliefs.of_values(X @ self.coef + self.intercept)

    def to_arrays(self) -> Arrays:
        """Coefficients and intercept."""
        return {"coef": self.coef, "intercept": np.array([self.intercept])}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int) -> LinearValue:
        """From coefficients and intercept."""
        coef, intercept = fitting_arrays(arrays, coef=(n_columns,), intercept=(1,))
        return cls(coef, float(intercept[0]))
