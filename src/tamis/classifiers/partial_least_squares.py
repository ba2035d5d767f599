"""Partial least squares regression of a number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._core.interfaces import Arrays, Regressor
from .base.linear_value import LinearValue


@dataclass(frozen=True)
class PartialLeastSquares(Regressor):
    """On standardised columns.

    Attributes
    ----------
    n_components : int
        Parts; as many as there are, where these are fewer.
    """

    n_components: int = 2
    scaled = True

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> LinearValue:
        """Coefficients on all columns."""
        from ..kernels.partial_least_squares import pls_coefficients

        coef, intercept, _ = pls_coefficients(X, y, self.n_components)
        return LinearValue(coef, intercept)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearValue:
        """As of the predictor."""
        return LinearValue.from_arrays(arrays, n_columns)
