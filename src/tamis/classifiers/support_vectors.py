"""Support vector machines that decide by their margin, with Platt's probabilities beside."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._core.arrays import fitting, unfit, whole_numbers
from .._core.interfaces import Arrays, Beliefs, Classifier
from ..data.class_codes import class_codes
from .huberized_svm.inputs import row_weights


class PlattSVC(ClassifierMixin, BaseEstimator):
    """`sklearn.svm.SVC` that decides by its margin and gives cross-fitted probabilities.

    The sigmoid (Platt 1999) is fitted to decision values of samples held out in 3 folds of
    the training data; the machine itself is fitted on all of it. Labels are the machine's
    own, so they do not depend on the sigmoid. A class with a single member cannot be held
    out: then the sigmoid is fitted to the training decisions themselves.

    Parameters
    ----------
    kernel : {"linear", "rbf"}, default="linear"
    C : float, default=1.0
    gamma : float or "scale", default="scale"
    class_weight : "balanced" or None, default=None
    random_state : int, default=None
        Shuffles the folds.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis.classifiers.support_vectors import PlattSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> PlattSVC(random_state=0).fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    def __init__(self, kernel="linear", C=1.0, gamma="scale", class_weight=None, random_state=None):
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the machine on all rows and the sigmoid on held-out decisions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            At least 0: the slack of a row costs C times its weight, and it counts so much in the
            sigmoid.

        Returns
        -------
        self
        """
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.model_selection import StratifiedKFold
        from sklearn.svm import SVC

        X, y = validate_data(self, X, y, dtype=np.float64)
        given = row_weights(sample_weight, len(y))
        kept = np.flatnonzero(given)
        X, y, given = X[kept], y[kept], given[kept]
        self.classes_, codes = class_codes(y, type(self).__name__)
        machine = SVC(
            C=self.C, kernel=self.kernel, gamma=self.gamma, class_weight=self.class_weight,
            random_state=0,  # nothing is drawn; without, a seed is, from the global generator
        )  # fmt: skip
        self.machine_ = machine.fit(X, y, given)
        weights = None if sample_weight is None else given
        if weights is not None and get_config()["enable_metadata_routing"]:
            machine.set_fit_request(sample_weight=True)
        folds = min(3, int(np.bincount(codes).min()))
        cv = [(np.arange(len(X)), np.arange(len(X)))]
        if folds > 1:
            cv = StratifiedKFold(folds, shuffle=True, random_state=self.random_state)
        calibrated = CalibratedClassifierCV(machine, cv=cv, ensemble=False)
        self.calibrated_ = calibrated.fit(X, y, sample_weight=weights)
        return self

    def decision_function(self, X):
        """Signed distances to the separating surface."""
        check_is_fitted(self)
        return self.machine_.decision_function(validate_data(self, X, reset=False, dtype=float))

    def predict(self, X):
        """Class labels by the machine's margin."""
        check_is_fitted(self)
        return self.machine_.predict(validate_data(self, X, reset=False, dtype=float))

    def predict_proba(self, X):
        """Class probabilities, (n_samples, n_classes)."""
        check_is_fitted(self)
        return self.calibrated_.predict_proba(validate_data(self, X, reset=False, dtype=float))


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
class SupportVectors(Classifier):
    """`PlattSVC` in plans, on standardised columns."""

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
        found = PlattSVC(self.kernel, self.C, self.gamma, self.class_weight, random_state=seed)
        gamma = 0.0
        if self.kernel == "rbf":
            scale = 1 / (X.shape[1] * X.var())  # scikit-learn's "scale"; some column varies
            gamma = scale if self.gamma == "scale" else float(self.gamma)
        return MachinePredictor.of(found.fit(X, y, weights), gamma)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> MachinePredictor:
        """As of the predictor."""
        return MachinePredictor.from_arrays(arrays, n_columns, n_classes)
