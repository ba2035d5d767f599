"""Support vector machines that decide by their margin, with Platt's probabilities beside."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import expit

from ..._core.arrays import fitting, unfit, whole_numbers
from ..._core.interfaces import Arrays, Beliefs
from .scaling import StandardClassifier


@dataclass(frozen=True)
class MachinePredictor:
    """A machine for every pair of classes, on shared support vectors.

    Attributes
    ----------
    vectors : ndarray of shape (s, k)
        Class by class.
    counts : ndarray of shape (C,)
        Support vectors of each class.
    weights : ndarray of shape (C - 1, s)
        Row j - 1 against class j for vectors of a class i < j, row i for those of j.
    intercepts : ndarray of shape (C (C - 1) / 2,)
        Of the pairs (0, 1), (0, 2), ..., (1, 2), ...; positive is the former class.
    gamma : float
        Of the Gaussian kernel exp(-gamma d^2); 0 for the linear one.
    sigmoid : ndarray of shape (1 or C, 2)
        a and b of 1 / (1 + exp(a f + b)) for each class (of two: the latter).
    """

    vectors: np.ndarray
    counts: np.ndarray
    weights: np.ndarray
    intercepts: np.ndarray
    gamma: float
    sigmoid: np.ndarray

    @classmethod
    def of(cls, fitted: Any, gamma: float) -> MachinePredictor:
        """From a fitted `PlattSVC`, and what its gamma came to (0: linear)."""
        machine = fitted.machine_
        weights, intercepts = machine.dual_coef_, machine.intercept_
        if len(machine.classes_) == 2:  # scikit-learn turns these towards the latter class
            weights, intercepts = -weights, -intercepts
        (calibrated,) = fitted.calibrated_.calibrated_classifiers_
        sigmoid = [[float(c.a_), float(c.b_)] for c in calibrated.calibrators]
        return cls(
            machine.support_vectors_, machine.n_support_.astype(np.int64), weights, intercepts,
            gamma, np.array(sigmoid),
        )  # fmt: skip

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Margins and probabilities of the rows of X (m, k)."""
        margin = self._margins(X)
        scores = margin[:, 1:] if len(self.counts) == 2 else margin
        proba = expit(-(self.sigmoid[:, 0] * scores + self.sigmoid[:, 1]))
        if len(self.counts) == 2:
            return Beliefs(np.column_stack([1 - proba, proba]), margin)
        total = proba.sum(axis=1, keepdims=True)
        even = np.full_like(proba, 1 / len(self.counts))
        return Beliefs(np.divide(proba, total, out=even, where=total > 0), margin)

    def _margins(self, X: np.ndarray) -> np.ndarray:
        """(m, C): votes of the pairs, ties by their summed margins; of two classes -f and f."""
        kernel = X @ self.vectors.T
        if self.gamma:
            squares = (X**2).sum(axis=1)[:, None] + (self.vectors**2).sum(axis=1)
            kernel = np.exp(-self.gamma * np.maximum(squares - 2 * kernel, 0.0))
        C = len(self.counts)
        stops = np.cumsum(self.counts)
        at = [slice(stop - n, stop) for n, stop in zip(self.counts, stops, strict=True)]
        votes, sums = np.zeros((2, len(X), C))
        for (i, j), intercept in zip(combinations(range(C), 2), self.intercepts, strict=True):
            f = kernel[:, at[i]] @ self.weights[j - 1, at[i]]
            f += kernel[:, at[j]] @ self.weights[i, at[j]] + intercept
            if C == 2:
                return np.column_stack([f, -f])
            sums[:, i] += f
            sums[:, j] -= f
            votes[:, i] += f >= 0
            votes[:, j] += f < 0
        return votes + sums / (3 * (np.abs(sums) + 1))

    def to_arrays(self) -> Arrays:
        """The machines and their sigmoids."""
        return {
            "vectors": self.vectors, "counts": self.counts.astype(float), "weights": self.weights,
            "intercepts": self.intercepts, "gamma": np.array([self.gamma]),
            "sigmoid": self.sigmoid,
        }  # fmt: skip

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> MachinePredictor:
        """From what `to_arrays` gave."""
        C = n_classes
        vectors, counts, weights, intercepts, gamma, sigmoid = fitting(
            arrays, vectors=(None, n_columns), counts=(C,), weights=(C - 1, None),
            intercepts=(C * (C - 1) // 2,), gamma=(1,), sigmoid=(1 if C == 2 else C, 2),
        )  # fmt: skip
        n = len(vectors)
        whole = whole_numbers(counts, 0, n + 1, "counts")
        if whole.sum() != n or weights.shape[1] != n or gamma[0] < 0:
            raise unfit("counts")
        return cls(vectors, whole, weights, intercepts, float(gamma[0]), sigmoid)


@dataclass(frozen=True)
class SupportVectors(StandardClassifier):
    """`PlattSVC` on standardised columns; "scale" is 1 / (k times the columns' variance)."""

    kernel: str = "linear"
    C: float = 1.0
    gamma: float | str = "scale"
    class_weight: str | None = None
    scaled = True

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        weights: np.ndarray | None = None,
    ) -> MachinePredictor:  # fmt: skip
        """The machine on all rows, its sigmoid on held-out ones."""
        from ..support_vector import PlattSVC

        found = PlattSVC(self.kernel, self.C, self.gamma, self.class_weight, random_state=seed)
        gamma = 0.0
        if self.kernel == "rbf":
            scale = 1 / (X.shape[1] * X.var())  # some column varies
            gamma = scale if self.gamma == "scale" else float(self.gamma)
        return MachinePredictor.of(found.fit(X, y, weights), gamma)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> MachinePredictor:
        """As of the predictor."""
        return MachinePredictor.from_arrays(arrays, n_columns, n_classes)
