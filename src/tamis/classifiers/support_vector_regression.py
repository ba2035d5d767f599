"""Support vector regression of a number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._core.arrays import fitting_arrays, unfit_part_error
from .._core.interfaces import Arrays, Beliefs, Regressor
from .support_vectors import gaussian_kernel


@dataclass(frozen=True)
class RegressionMachine:
    """K(X, vectors) weights + intercept.

    Attributes
    ----------
    vectors : ndarray of shape (s, k)
    weights : ndarray of shape (s,)
    intercept : float
    gamma : float
        Of the Gaussian kernel exp(-gamma d^2); 0 for the linear one.
    """

    vectors: np.ndarray
    weights: np.ndarray
    intercept: float
    gamma: float

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        kernel = X @ self.vectors.T
        if self.gamma:
            squares = (X**2).sum(axis=1), (self.vectors**2).sum(axis=1)
            kernel = gaussian_kernel(kernel, *squares, self.gamma)
        return Beliefs.of_values(kernel @ self.weights + self.intercept)

    def to_arrays(self) -> Arrays:
        """Vectors and weights; intercept and gamma as one array of two numbers."""
        numbers = np.array([self.intercept, self.gamma])
        return {"vectors": self.vectors, "weights": self.weights, "numbers": numbers}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int) -> RegressionMachine:
        """From what `to_arrays` gave."""
        vectors, weights, numbers = fitting_arrays(
            arrays, vectors=(None, n_columns), weights=(None,), numbers=(2,)
        )
        intercept, gamma = numbers.tolist()
        if len(vectors) != len(weights) or gamma < 0:
            raise unfit_part_error("weights")
        return cls(vectors, weights, intercept, gamma)


@dataclass(frozen=True)
class SupportVectorRegression(Regressor):
    """scikit-learn's `SVR` on standardised columns, the number in units of its standard deviation.

    Attributes
    ----------
    kernel : {"rbf", "linear"}
    C : float
        What an error costs beyond `epsilon`.
    epsilon : float
        Errors up to which there is no cost, in standard deviations.
    gamma : float or "scale"
        Of the Gaussian kernel; "scale" is 1 over the number of columns that vary.
    """

    kernel: str = "rbf"
    C: float = 1.0
    epsilon: float = 0.1
    gamma: float | str = "scale"
    scaled = True

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> RegressionMachine:
        """The machine on all rows."""
        from sklearn.svm import SVR

        middle, unit = float(y.mean()), float(y.std()) or 1.0
        gamma = self._gamma(X)
        more = {"gamma": gamma} if gamma else {}
        machine = SVR(kernel=self.kernel, C=self.C, epsilon=self.epsilon, **more)
        machine.random_state = 0  # else fit draws from the global generator, and uses none of it
        machine.fit(X, (y - middle) / unit)
        weights, intercept = machine.dual_coef_[0] * unit, float(machine.intercept_[0])
        return RegressionMachine(X[machine.support_], weights, intercept * unit + middle, gamma)

    def _gamma(self, X: np.ndarray) -> float:
        """0 is the linear kernel; "scale" is scikit-learn's."""
        if self.kernel != "rbf":
            return 0.0
        if self.gamma != "scale":
            return float(self.gamma)
        spread = X.shape[1] * X.var()
        return float(1 / spread) if spread else 1.0

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> RegressionMachine:
        """As of the predictor."""
        return RegressionMachine.from_arrays(arrays, n_columns)
