"""A Gaussian support vector machine whose C and gamma come from a grid that is refined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._core.errors import PlanError, value_text
from .._core.interfaces import Arrays, Classifier
from .._core.settings import checked_count
from ..data.class_codes import class_codes
from .base.boosting_rounds import mean_error
from .base.folds import Splits, is_finite_number, splits_of, stratified_rows, stratified_splits
from .base.scaling import standardised_with_scale
from .huberized_svm.inputs import row_weights
from .support_vectors import (
    MachinePredictor,
    PlattSVC,
    SupportVectors,
    class_margins,
    most_votes,
)

C_EXPONENTS, GAMMA_EXPONENTS = (-22.0, 7.0), (-10.0, 3.0)  # of 2
N_REFINEMENTS, REFINEMENT_FACTOR = 3, 3  # how often steps get that much shorter
Point = tuple[float, float]


@dataclass(eq=False)
class SVMGridParameters:
    """Parameters of `SVMGridClassifier` and `SVMGrid`, described there."""

    step: float = 3.0
    levels: int = N_REFINEMENTS
    tune_on: int = 2000
    cv: Any = 3
    random_state: Any = None


class SVMGridClassifier(ClassifierMixin, BaseEstimator, SVMGridParameters):
    """Support vector machine with a Gaussian kernel, tuned on a grid of three levels.

    C = 2^-22 ... 2^7 and gamma = 2^-10 ... 2^3 are tried in steps of 2^3, ends included; then,
    around the best of what was tried, two steps to each side that are a third as long, and once
    more. A point is scored by the error of held-out rows (of their weight, if there are weights);
    equal ones go to the smaller C, then the smaller gamma. The machine at the best point is
    `PlattSVC`: it decides by its margin and has cross-fitted probabilities. Columns are
    standardised inside.

    Parameters
    ----------
    step : float, default=3.0
        Of the first level, in exponents of 2.
    levels : int, default=3
    tune_on : int, default=2000
        At most so many rows, with the classes' shares, choose the point; the machine has all.
    cv : int, splitter or list of (train, test), default=3
        A number: stratified folds, no more than the smallest class has members. What is given as
        folds is of all rows, and `tune_on` then plays no part.
    random_state : int, RandomState instance or None, default=None
        Draws the rows and deals the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    C_, gamma_ : float
    points_ : ndarray of shape (n_tried, 2)
        Exponents of C and gamma, in the order tried.
    cv_error_ : ndarray of shape (n_tried,)
    mean_, scale_ : ndarray of shape (n_features,)
    machine_ : PlattSVC

    Raises
    ------
    PlanError
        A parameter is out of range.
    DataError
        One class alone, or weights that cannot be used.

    Notes
    -----
    Weights make the slack of a row dearer, in the grid and in the machine, and count in the error;
    with those of costs it is the mean cost that is tuned. They count in the sigmoid too.

    Where no fold has two classes in training, C = 1 and gamma = 1/n_features.

    References
    ----------
    Cortes & Vapnik (1995), Support-vector networks, Machine Learning 20, 273-297. Platt (1999),
    Probabilistic outputs for support vector machines. Hsu, Chang & Lin (2003), A practical guide to
    support vector classification (coarse grid, then fine).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from tamis.classifiers import SVMGridClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SVMGridClassifier(levels=2, random_state=0).fit(X[::2], y[::2])
    >>> len(model.points_), round(model.score(X[1::2], y[1::2]), 3)
    (79, 0.954)
    """

    def fit(self, X, y, sample_weight=None):
        """Choose C and gamma, and fit the machine and its sigmoid on all rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            At least 0.

        Returns
        -------
        self
        """
        self._check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float64)
        weights = row_weights(sample_weight, len(y))
        kept = np.flatnonzero(weights)
        self.classes_, codes = class_codes(y[kept], type(self).__name__)
        columns, self.mean_, self.scale_ = standardised_with_scale(X[kept])
        given = not isinstance(self.cv, int | np.integer)
        splits = splits_of(self.cv, y, codes, kept, self.random_state) if given else self.cv
        found = tuned_point(
            columns,
            codes,
            weights[kept],
            float(self.step),
            int(self.levels),
            int(self.tune_on),
            splits,
            self.random_state,
        )
        self.C_, self.gamma_ = found.C, found.gamma
        self.points_, self.cv_error_ = found.points, found.errors
        machine = PlattSVC("rbf", self.C_, self.gamma_, random_state=self.random_state)
        self.machine_ = machine.fit(columns, y[kept], weights[kept])
        return self

    def decision_function(self, X) -> np.ndarray:
        """Signed distances to the separating surface."""
        columns = self._columns(X)
        return self.machine_.decision_function(columns)

    def predict(self, X) -> np.ndarray:
        """Class labels by the machine's margin."""
        columns = self._columns(X)
        return self.machine_.predict(columns)

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities, (n_samples, n_classes)."""
        columns = self._columns(X)
        return self.machine_.predict_proba(columns)

    def _columns(self, X) -> np.ndarray:
        check_is_fitted(self)
        return (validate_data(self, X, reset=False, dtype=np.float64) - self.mean_) / self.scale_

    def _check_parameters(self) -> None:
        if not is_finite_number(self.step) or self.step <= 0:
            raise PlanError(f"step={value_text(self.step)}: give a number above 0")
        for name in ("levels", "tune_on"):
            checked_count(getattr(self, name), name, 1)


@dataclass(frozen=True)
class Tuned:
    """What a grid came to."""

    C: float
    gamma: float
    points: np.ndarray  # (tried, 2), exponents of 2
    errors: np.ndarray  # (tried,)


def tuned_point(
    X: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray,
    step: float,
    levels: int,
    tune_on: int,
    splits: Splits | int,
    random_state: Any,
) -> Tuned:
    """The best C and gamma on standardised columns X (n, p), and all that were tried.

    Parameters
    ----------
    splits : list of (ndarray, ndarray), or int
        A number of stratified folds of `tune_on` rows, or folds of all rows.
    step, levels, tune_on, random_state
        As of `SVMGridClassifier`.
    """
    if isinstance(splits, int | np.integer):
        if len(X) > tune_on:
            rows = stratified_rows(codes, tune_on, random_state)
            X, codes, weights = X[rows], codes[rows], weights[rows]
        splits = stratified_splits(codes, int(splits), random_state)
    folds = [(a, b) for a, b in splits if len(np.unique(codes[a])) > 1]
    if not folds:
        return Tuned(1.0, 1 / X.shape[1], np.zeros((0, 2)), np.zeros(0))
    errors: dict[Point, float] = {}
    for level in range(levels):
        if level == 0:
            wanted = first_level(step)
        else:
            wanted = around_best(best_of(errors), step / REFINEMENT_FACTOR**level)
        wanted = [point for point in wanted if point not in errors]
        errors.update(zip(wanted, grid_errors(X, codes, weights, folds, wanted), strict=True))
    c, gamma = best_of(errors)
    return Tuned(2.0**c, 2.0**gamma, np.array(list(errors)), np.array(list(errors.values())))


def first_level(step: float) -> list[Point]:
    """All of the grid in this step, ends included."""
    axes = [
        sorted({*np.arange(low, high, step).tolist(), high})
        for low, high in (C_EXPONENTS, GAMMA_EXPONENTS)
    ]
    return [(c, gamma) for gamma in axes[1] for c in axes[0]]


def around_best(best: Point, step: float) -> list[Point]:
    """Two steps to each side of a point, inside of the grid."""
    axes = [
        [x for x in (at + k * step for k in range(-2, 3)) if low <= x <= high]
        for at, (low, high) in zip(best, (C_EXPONENTS, GAMMA_EXPONENTS), strict=True)
    ]
    return [(c, gamma) for gamma in axes[1] for c in axes[0]]


def best_of(errors: dict[Point, float]) -> Point:
    """The point of the least error; of equal ones that of the smallest C, then gamma."""
    return min(errors, key=lambda point: (errors[point], point))


def grid_errors(
    X: np.ndarray, codes: np.ndarray, weights: np.ndarray, folds: Splits, points: list[Point]
) -> list[float]:
    """The error of held-out rows at each point; points of one gamma share the kernel's values."""
    from scipy.spatial.distance import cdist

    from ..kernels.support_vector_machine import pair_machines

    tests = np.concatenate([test for _, test in folds])
    predicted = {point: [] for point in points}  # type: dict[Point, list[np.ndarray]]
    for train, test in folds:
        classes, there = np.unique(codes[train], return_inverse=True)
        inside = cdist(X[train], X[train], "sqeuclidean")
        across = cdist(X[test], X[train], "sqeuclidean")
        for gamma in dict.fromkeys(g for _, g in points):
            among, outward = np.exp(-(2.0**gamma) * inside), np.exp(-(2.0**gamma) * across)
            for point in points:
                if point[1] == gamma:
                    costs = 2.0 ** point[0] * weights[train]
                    b, intercepts = pair_machines(among, there, len(classes), costs)
                    margins = class_margins(outward @ b.T + intercepts, len(classes))
                    predicted[point].append(classes[most_votes(margins)])
    right, own = codes[tests], weights[tests]
    every = np.arange(codes.max() + 1)
    return [mean_error(np.concatenate(predicted[p])[:, None] == every, right, own) for p in points]


class SVMGrid(SVMGridParameters, Classifier):
    """`SVMGridClassifier` in plans, on columns standardised before."""

    scaled = True

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        weights: np.ndarray | None = None,
    ) -> MachinePredictor:
        """C and gamma by inner folds, then the machine on all rows; the seed deals the folds."""
        given = np.ones(len(y)) if weights is None else weights
        found = tuned_point(X, y, given, self.step, self.levels, self.tune_on, self.cv, seed)
        machine = SupportVectors("rbf", found.C, found.gamma)
        return machine.fit(X, y, n_classes, seed, weights)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> MachinePredictor:
        """As of the predictor."""
        return MachinePredictor.from_arrays(arrays, n_columns, n_classes)
