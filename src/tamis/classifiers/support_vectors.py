"""Support vector machines that decide by their margin, with Platt's probabilities beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_is_fitted, validate_data

from .._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from .._core.errors import PlanError, nearest_hint, value_text
from .._core.interfaces import Arrays, Beliefs, Classifier
from ..data.class_codes import class_codes
from .base.folds import Splits, is_finite_number
from .huberized_svm.inputs import row_weights
from .recalibrations.platt import least_entropy

MOST_ROWS = 2000  # of which all products are kept; with more, libsvm keeps what it has memory for


@dataclass(eq=False)
class SupportVectorParameters:
    """Parameters of `PlattSVC` and `SupportVectors`, described there."""

    kernel: str = "linear"
    C: float = 1.0
    gamma: float | str = "scale"
    class_weight: Any = None
    random_state: Any = None


class PlattSVC(ClassifierMixin, BaseEstimator, SupportVectorParameters):
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
    class_weight : "balanced", dict of label to weight, or None, default=None
        What slack of each class costs beside the others.
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
        self._check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float64)
        given = row_weights(sample_weight, len(y))
        kept = np.flatnonzero(given)
        self.classes_, codes = class_codes(y[kept], type(self).__name__)
        weight = self.class_weight
        if isinstance(weight, Mapping):
            weight = tuple(compute_class_weight(weight, classes=self.classes_, y=y[kept]))
        machine = SupportVectors(self.kernel, self.C, self.gamma, weight)
        self.machine_ = machine.fit(
            X[kept], codes, len(self.classes_), self.random_state, given[kept]
        )
        return self

    def decision_function(self, X):
        """Signed distances to the separating surface."""
        margin = self._beliefs(X).scores
        return margin[:, 1] if len(self.classes_) == 2 else margin

    def predict(self, X):
        """Class labels by the machine's margin; the first of the classes with as many votes."""
        found = most_votes(self._beliefs(X).scores)
        return self.classes_[found]

    def predict_proba(self, X):
        """Class probabilities, (n_samples, n_classes)."""
        return self._beliefs(X).proba

    def _check_parameters(self) -> None:
        kernels, weights = ("linear", "rbf"), ("balanced", None)
        if self.kernel not in kernels:
            raise PlanError(
                f"kernel={value_text(self.kernel)}: {nearest_hint(self.kernel, kernels)}"
            )
        gamma = {} if self.gamma == "scale" else {"gamma": self.gamma}
        numbers: dict[str, Any] = {"C": self.C, **gamma}
        for name, value in numbers.items():
            if not is_finite_number(value) or value <= 0:
                raise PlanError(f"{name}={value_text(value)}: give a number above 0")
        if not (isinstance(self.class_weight, Mapping) or self.class_weight in weights):
            raise PlanError(
                f"class_weight={value_text(self.class_weight)}: give 'balanced', None or a number "
                "above 0 for each label"
            )

    def _beliefs(self, X) -> Beliefs:
        check_is_fitted(self)
        return self.machine_.beliefs(validate_data(self, X, reset=False, dtype=float))


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
    def of(
        cls,
        X: np.ndarray,
        codes: np.ndarray,
        n_classes: int,
        machines: tuple[np.ndarray, np.ndarray],
        gamma: float,
        sigmoid: np.ndarray,
    ) -> MachinePredictor:
        """From machines on the rows of X (n, k), as `pair_machines` has them."""
        multipliers, intercepts = machines
        used = np.flatnonzero((multipliers != 0).any(axis=0))
        rows = used[np.argsort(codes[used], kind="stable")]
        weights, own = np.zeros((n_classes - 1, len(rows))), codes[rows]
        for (i, j), b in zip(class_pairs(n_classes), multipliers[:, rows], strict=True):
            weights[j - 1, own == i] = b[own == i]
            weights[i, own == j] = b[own == j]
        counts = np.bincount(own, minlength=n_classes)
        return cls(X[rows], counts, weights, intercepts, gamma, sigmoid)

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Margins and probabilities of the rows of X (m, k)."""
        margin = class_margins(self.pair_values(X), len(self.counts))
        scores = margin[:, 1:] if len(self.counts) == 2 else margin
        proba = expit(-(self.sigmoid[:, 0] * scores + self.sigmoid[:, 1]))
        if len(self.counts) == 2:
            return Beliefs(np.column_stack([1 - proba, proba]), margin)
        total = proba.sum(axis=1, keepdims=True)
        even = np.full_like(proba, 1 / len(self.counts))
        return Beliefs(np.divide(proba, total, out=even, where=total > 0), margin)

    def pair_values(self, X: np.ndarray) -> np.ndarray:
        """What each machine says of the rows of X (m, k): (m, C (C - 1) / 2)."""
        kernel = X @ self.vectors.T
        if self.gamma:
            squares = (X**2).sum(axis=1), (self.vectors**2).sum(axis=1)
            kernel = gaussian_kernel(kernel, *squares, self.gamma)
        stops = np.cumsum(self.counts)
        at = [slice(stop - n, stop) for n, stop in zip(self.counts, stops, strict=True)]
        found = np.empty((len(X), len(self.intercepts)))
        for p, (i, j) in enumerate(class_pairs(len(self.counts))):
            found[:, p] = kernel[:, at[i]] @ self.weights[j - 1, at[i]]
            found[:, p] += kernel[:, at[j]] @ self.weights[i, at[j]] + self.intercepts[p]
        return found

    def to_arrays(self) -> Arrays:
        """The machines and their sigmoids."""
        return {
            "vectors": self.vectors,
            "counts": self.counts.astype(float),
            "weights": self.weights,
            "intercepts": self.intercepts,
            "gamma": np.array([self.gamma]),
            "sigmoid": self.sigmoid,
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> MachinePredictor:
        """From what `to_arrays` gave."""
        C = n_classes
        vectors, counts, weights, intercepts, gamma, sigmoid = fitting_arrays(
            arrays,
            vectors=(None, n_columns),
            counts=(C,),
            weights=(C - 1, None),
            intercepts=(C * (C - 1) // 2,),
            gamma=(1,),
            sigmoid=(1 if C == 2 else C, 2),
        )
        n = len(vectors)
        sizes = checked_integers(counts, 0, n + 1, "counts")
        if sizes.sum() != n or weights.shape[1] != n or gamma[0] < 0:
            raise unfit_part_error("counts")
        return cls(vectors, sizes, weights, intercepts, float(gamma[0]), sigmoid)


def class_pairs(n_classes: int) -> list[tuple[int, int]]:
    """Of classes: (0, 1), (0, 2), ..., (1, 2), ...; a machine is positive for the former."""
    return list(combinations(range(n_classes), 2))


def machines_by_libsvm(
    X: np.ndarray, codes: np.ndarray, n_classes: int, costs: np.ndarray, gamma: float
) -> tuple[np.ndarray, np.ndarray]:
    """As `pair_machines`, for rows of X (n, k) whose products are too many to keep."""
    from sklearn.svm import SVC

    kernel, settings = ("rbf", {"gamma": gamma}) if gamma else ("linear", {})
    machine = SVC(kernel=kernel, random_state=0, **settings).fit(X, codes, costs)
    weights, intercepts = machine.dual_coef_, machine.intercept_
    if n_classes == 2:  # scikit-learn turns these towards the latter class
        weights, intercepts = -weights, -intercepts
    rows, own = machine.support_, codes[machine.support_]
    multipliers = np.zeros((len(intercepts), len(codes)))
    for b, (i, j) in zip(multipliers, class_pairs(n_classes), strict=True):
        b[rows[own == i]] = weights[j - 1, own == i]
        b[rows[own == j]] = weights[i, own == j]
    return multipliers, intercepts


def kernel_values(
    products: np.ndarray, left: np.ndarray, right: np.ndarray, gamma: float
) -> np.ndarray:
    """Of some rows with others, from the products of all rows."""
    squares = products.diagonal()
    found = products[left[:, None], right]
    return gaussian_kernel(found, squares[left], squares[right], gamma) if gamma else found


def gaussian_kernel(
    products: np.ndarray, left: np.ndarray, right: np.ndarray, gamma: float
) -> np.ndarray:
    """exp(-gamma d^2) (m, n) from products of rows and their squares (m,), (n,)."""
    return np.exp(-gamma * np.maximum(left[:, None] + right - 2 * products, 0.0))


def class_margins(values: np.ndarray, n_classes: int) -> np.ndarray:
    """(m, C) from what each pair's machine says: votes, ties by their summed margins; of two
    classes f and -f."""
    if n_classes == 2:
        return np.column_stack([values[:, 0], -values[:, 0]])
    votes, sums = np.zeros((2, len(values), n_classes))
    for f, (i, j) in zip(values.T, class_pairs(n_classes), strict=True):
        sums[:, i] += f
        sums[:, j] -= f
        votes[:, i] += f >= 0
        votes[:, j] += f < 0
    return votes + sums / (3 * (np.abs(sums) + 1))


def most_votes(margins: np.ndarray) -> np.ndarray:
    """The class with most votes (m,), the first of those with as many, as libsvm has it."""
    votes = margins if margins.shape[1] == 2 else np.round(margins)
    return votes.argmax(axis=1)


def held_out_folds(codes: np.ndarray, seed: Any) -> Splits:
    """Three stratified folds; fewer, if a class has fewer members. One member cannot be held out:
    then all rows on both sides."""
    from sklearn.model_selection import StratifiedKFold

    folds = min(3, int(np.bincount(codes).min()))
    if folds < 2:
        every = np.arange(len(codes))
        return [(every, every)]
    dealt = StratifiedKFold(folds, shuffle=True, random_state=seed)
    return list(dealt.split(np.zeros((len(codes), 1)), codes))


def fit_sigmoids(
    values: np.ndarray, codes: np.ndarray, n_classes: int, weights: np.ndarray
) -> np.ndarray:
    """a and b of 1 / (1 + exp(a f + b)) for each class, of two the latter's: (1 or C, 2)."""
    margins = class_margins(values, n_classes)
    wanted = [1] if n_classes == 2 else range(n_classes)
    return -np.array([least_entropy(margins[:, c], codes == c, weights) for c in wanted])


class SupportVectors(SupportVectorParameters, Classifier):
    """`PlattSVC` in plans, on standardised columns; `class_weight` may be a number a class (C,)."""

    scaled = True

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        weights: np.ndarray | None = None,
    ) -> MachinePredictor:
        """The machine on all rows, its sigmoid on held-out ones."""
        return next(self._by_size(X, y, n_classes, [X.shape[1]], seed, weights))

    def beliefs_by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        test: np.ndarray,
        sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:
        """For the leading columns of every size: products of rows are added up as columns come."""
        found = self._by_size(X, y, n_classes, sizes, seed, None)
        return [one.beliefs(test[:, :k]) for one, k in zip(found, sizes, strict=True)]

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> MachinePredictor:
        """As of the predictor."""
        return MachinePredictor.from_arrays(arrays, n_columns, n_classes)

    def _by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        sizes: Sequence[int],
        seed: Any,
        weights: np.ndarray | None,
    ) -> Iterator[MachinePredictor]:
        """Machines on the leading columns of each size."""
        from ..kernels.support_vector_machine import add_products

        n, before, folds = len(y), 0, held_out_folds(y, seed)
        own = np.ones(n) if weights is None else weights
        few = n <= MOST_ROWS
        columns = np.ascontiguousarray(X[:, : sizes[-1]].T, dtype=np.float64)
        products = np.zeros((n, n)) if few else None
        for k in sizes:
            if products is not None:
                add_products(columns[before:k], columns[before:k], products)
            before = k
            yield self._calibrated(X[:, :k], products, y, n_classes, folds, own)

    def _calibrated(
        self,
        X: np.ndarray,
        products: np.ndarray | None,
        y: np.ndarray,
        n_classes: int,
        folds: Splits,
        weights: np.ndarray,
    ) -> MachinePredictor:
        """From products of all rows (n, n); None: too many to keep."""
        held_out = np.empty((len(y), len(class_pairs(n_classes))))
        for train, test in folds:
            found, gamma = self._machines(X, products, y, n_classes, train, weights)
            if products is None:
                none = np.zeros((1, 2))
                one = MachinePredictor.of(X[train], y[train], n_classes, found, gamma, none)
                held_out[test] = one.pair_values(X[test])
            else:
                multipliers, intercepts = found
                across = kernel_values(products, test, train, gamma)
                held_out[test] = across @ multipliers.T + intercepts
        sigmoid = fit_sigmoids(held_out, y, n_classes, weights)
        every = np.arange(len(y))
        found, gamma = self._machines(X, products, y, n_classes, every, weights)
        return MachinePredictor.of(X, y, n_classes, found, gamma, sigmoid)

    def _machines(
        self,
        X: np.ndarray,
        products: np.ndarray | None,
        y: np.ndarray,
        n_classes: int,
        rows: np.ndarray,
        weights: np.ndarray,
    ) -> tuple[tuple[np.ndarray, np.ndarray], float]:
        """On some rows, and the gamma they have."""
        from ..kernels.support_vector_machine import pair_machines

        codes, gamma = y[rows], self._gamma(X, rows)
        costs = self._costs(codes, weights[rows])
        if products is None:
            return machines_by_libsvm(X[rows], codes, n_classes, costs, gamma), gamma
        kernel = kernel_values(products, rows, rows, gamma)
        return pair_machines(kernel, codes, n_classes, costs), gamma

    def _gamma(self, X: np.ndarray, rows: np.ndarray) -> float:
        """0 is the linear kernel; "scale" is scikit-learn's."""
        if self.kernel != "rbf":
            return 0.0
        if self.gamma != "scale":
            return float(self.gamma)
        spread = X.shape[1] * X[rows].var()
        return float(1 / spread) if spread else 1.0

    def _costs(self, codes: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """What slack of rows costs: C times their weight; balanced, as much in every class."""
        costs = self.C * weights
        if self.class_weight == "balanced":
            counts = np.bincount(codes)
            return costs * (len(codes) / (np.count_nonzero(counts) * counts[codes]))
        return costs if self.class_weight is None else costs * np.array(self.class_weight)[codes]
