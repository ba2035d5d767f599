"""Ridge regression of a number, its penalty by leave-one-out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._core.interfaces import Arrays, Beliefs, Regressor
from .base.linear_value import LinearValue


@dataclass(frozen=True)
class RidgeRegression(Regressor):
    """On standardised columns: min Σ(y - b0 - x'b)² + λ |b|².

    Attributes
    ----------
    penalty : float or "loo"
        λ, or that of the least leave-one-out error among 25 multiples, from 1e-4 to 1e4, of the
        mean eigenvalue of X'X (`kernels.ridge_number`).
    """

    penalty: float | str = "loo"
    scaled = True

    @property
    def _fixed(self) -> float | None:
        return None if isinstance(self.penalty, str) else float(self.penalty)

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> LinearValue:
        """Coefficients on all columns."""
        from ..kernels.ridge_number import ridge_number

        X = np.ascontiguousarray(X, dtype=np.float64)
        ((coef, intercept, _),) = ridge_number(X, y, [X.shape[1]], self._fixed)
        return LinearValue(coef, intercept)

    def beliefs_by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        test: np.ndarray,
        sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:
        """For the leading columns of every size."""
        from ..kernels.ridge_number import ridge_number_values

        X, test = (np.ascontiguousarray(rows, dtype=np.float64) for rows in (X, test))
        found = ridge_number_values(X, y, test, sizes, self._fixed)
        return [Beliefs.of_values(values) for values in found]

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearValue:
        """As of the predictor."""
        return LinearValue.from_arrays(arrays, n_columns)
