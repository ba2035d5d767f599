"""Nearest shrunken centroids (PAM): a classifier, and in plans a path of thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._core.arrays import fitting_arrays, unfit_part_error
from .._core.errors import PlanError, nearest_hint
from .._core.interfaces import Arrays, Beliefs, Part, Path, PathClassifier, Seeds
from .._core.parameters import StepSettings
from .._core.settings import checked_count
from ..data.class_codes import class_codes
from .base.folds import stratified_splits

PRIORS = ("empirical", "equal")
ARRAY_NAMES = ("d", "m", "overall", "scale", "log_prior", "threshold")


def threshold_grid(d: np.ndarray, n_thresholds: int) -> np.ndarray:
    """Equally spaced thresholds from 0 to max |d|, where the last feature vanishes."""
    return np.linspace(0.0, np.abs(d).max(), checked_count(n_thresholds, "n_thresholds", 2))


def cross_validated_errors(
    X: np.ndarray,
    codes: np.ndarray,
    n_classes: int,
    thresholds: np.ndarray,
    splits: Iterable[tuple[np.ndarray, np.ndarray]],
    priors: np.ndarray | None = None,
) -> np.ndarray:
    """Share of wrong predictions at each threshold, pooled over the test sets, (t,).

    Everything but the grid of thresholds is fitted on the training set of each split.
    """
    from ..kernels.shrunken_centroids import shrunken_path

    wrong, seen = np.zeros(len(thresholds)), 0
    for train, test in splits:
        probabilities, _ = shrunken_path(
            X[train], codes[train], X[test], thresholds, n_classes, priors
        )
        wrong += (probabilities.argmax(axis=2) != codes[test]).sum(axis=1)
        seen += len(test)
    return wrong / seen if seen else np.full(len(thresholds), np.nan)


def least_error(errors: np.ndarray) -> int:
    """Index of the least error, ties to the larger threshold; 0 if there are no errors."""
    if np.isnan(errors).all():
        return 0
    return int(np.flatnonzero(errors == np.nanmin(errors))[-1])


@dataclass(frozen=True)
class ShrunkenPredictor:
    """Centroids shrunk by one threshold; attributes as in `kernels.shrunken_centroids`."""

    d: np.ndarray
    m: np.ndarray
    overall: np.ndarray
    scale: np.ndarray
    log_prior: np.ndarray
    threshold: np.ndarray

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        from ..kernels.shrunken_centroids import shrunken_beliefs

        proba, margin = shrunken_beliefs(
            np.ascontiguousarray(X),
            self.d,
            self.m,
            self.overall,
            self.scale,
            self.log_prior,
            self.threshold,
        )
        return Beliefs(proba[0], margin[0])

    def to_arrays(self) -> Arrays:
        """The centroids and the threshold."""
        return {name: getattr(self, name) for name in ARRAY_NAMES}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> ShrunkenPredictor:
        """From the centroids and the threshold."""
        C, k = (n_classes,), (n_columns,)
        d, m, overall, scale, log_prior, threshold = fitting_arrays(
            arrays, d=C + k, m=C, overall=k, scale=k, log_prior=C, threshold=(1,)
        )
        if not ((scale > 0).all() and threshold[0] >= 0):
            raise unfit_part_error("scale")
        return cls(d, m, overall, scale, log_prior, threshold)


@dataclass(frozen=True)
class ShrunkenPath(Path):
    """The centroids of one training set at falling thresholds."""

    full: ShrunkenPredictor
    thresholds: np.ndarray

    @property
    def settings(self) -> list[StepSettings]:
        """The threshold of each step."""
        return [{"threshold": float(t)} for t in self.thresholds]

    @cached_property
    def columns(self) -> list[np.ndarray]:
        """Columns that survive, the one that reaches furthest first."""
        from ..kernels.shrunken_centroids import surviving_columns

        return surviving_columns(self.full.d, self.thresholds)

    def beliefs(self, X: np.ndarray, covariates: np.ndarray) -> list[Beliefs]:
        """Of other rows, at every threshold in one pass."""
        from ..kernels.shrunken_centroids import shrunken_beliefs

        w = self.full
        found = shrunken_beliefs(X, w.d, w.m, w.overall, w.scale, w.log_prior, self.thresholds)
        return [Beliefs(*pair) for pair in zip(*found, strict=True)]

    def predictor(self, step: int, columns: np.ndarray) -> ShrunkenPredictor:
        """One threshold. What does not survive adds the same to every class, and is left out."""
        w = self.full
        return ShrunkenPredictor(
            np.ascontiguousarray(w.d[:, columns]),
            w.m,
            w.overall[columns],
            w.scale[columns],
            w.log_prior,
            self.thresholds[step : step + 1],
        )


@dataclass(eq=False)
class ShrunkenCentroids(PathClassifier):
    """PAM as a `PathClassifier`; covariates play no part.

    Parameters are those of `ShrunkenCentroidClassifier`, of which plans set `n_thresholds` alone.
    """

    threshold: float | None = None
    n_thresholds: int = 30
    cv: int = 5
    priors: Any = None
    random_state: Any = None

    def follow(
        self, part: Part, settings: Sequence[StepSettings] | None, stream: Seeds
    ) -> ShrunkenPath:
        """Centroids of the part, at its own thresholds or those given."""
        from ..kernels.shrunken_centroids import class_centroids, log_priors

        found = class_centroids(part.X, part.y, part.n_classes)
        if settings is None:
            thresholds = threshold_grid(found.d, self.n_thresholds)[::-1]
        else:
            thresholds = np.array([step["threshold"] for step in settings])
        full = ShrunkenPredictor(
            found.d, found.m, found.overall, found.scale, log_priors(found.counts), thresholds
        )
        return ShrunkenPath(full, np.ascontiguousarray(thresholds))

    def count(self) -> int:
        """Thresholds."""
        return self.n_thresholds

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> ShrunkenPredictor:
        """As of the predictor."""
        return ShrunkenPredictor.from_arrays(arrays, n_columns, n_classes)


class ShrunkenCentroidClassifier(ClassifierMixin, BaseEstimator, ShrunkenCentroids):
    """Nearest shrunken centroids (PAM).

    Class centroids are shrunk towards the overall centroid, in units of each feature's
    within-class standard deviation; features whose centroids all reach it play no part.
    A sample goes to the class with the least discriminant
    ``delta_k = 1/2 sum_j (x_j - c_jk)^2 / (s_j + s0)^2 - ln prior_k``, and
    ``P(k | x)`` is proportional to ``exp(-delta_k)``.

    Parameters
    ----------
    threshold : float or None, default=None
        Amount of shrinkage, at least 0. None: of `n_thresholds` equally spaced values from
        0 to max \\|d\\|, the one with the least cross-validated error, ties to the larger.
    n_thresholds : int, default=30
    cv : int, default=5
        Stratified shuffled folds; no more than the smallest class has members.
    priors : {"empirical", "equal"}, array-like of shape (n_classes,) or None, default=None
        Class probabilities; None and "empirical" take the class shares of the training
        data (in cross-validation, of the training set).
    random_state : int, RandomState or None, default=None
        Shuffles the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    centroids_, shrunken_centroids_ : ndarray of shape (n_classes, n_features)
    overall_centroid_ : ndarray of shape (n_features,)
    scores_ : ndarray of shape (n_classes, n_features)
        d, the standardised differences from the overall centroid, before shrinking.
    scale_ : ndarray of shape (n_features,)
        s + s0, in the units of the features.
    class_count_, class_prior_ : ndarray of shape (n_classes,)
    threshold_ : float
    thresholds_, cv_errors_ : ndarray of shape (n_thresholds,)
        Only with ``threshold=None``. Errors are shares; NaN if every class has one member.
    selected_ : ndarray of shape (n_selected,)
        Columns that survive, largest max \\|d\\| first, ties by column.

    References
    ----------
    Tibshirani, Hastie, Narasimhan & Chu (2002), Diagnosis of multiple cancer types by
    shrunken centroids of gene expression, PNAS 99, 6567-6572.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.classifiers import ShrunkenCentroidClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["a", "b"], 15)
    >>> X = rng.normal(size=(30, 200))
    >>> X[:, :2] += 4 * (y == "b")[:, None]
    >>> model = ShrunkenCentroidClassifier(random_state=0).fit(X, y)
    >>> sorted(model.selected_.tolist()), model.score(X, y)
    ([0, 1], 1.0)
    """

    def fit(self, X, y):
        """Fit on the rows of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), finite
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.

        Returns
        -------
        self

        Raises
        ------
        PlanError
            A parameter is out of range.
        DataError
            y has only one class.
        """
        from ..kernels.shrunken_centroids import (
            class_centroids,
            log_priors,
            soft_threshold,
            vanishing_thresholds,
        )

        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        self.classes_, codes = class_codes(y, type(self).__name__)
        n_classes = len(self.classes_)
        priors = self._priors(n_classes)
        found = class_centroids(X, codes, n_classes)
        if self.threshold is None:
            self.thresholds_ = threshold_grid(found.d, self.n_thresholds)
            splits = stratified_splits(codes, self.cv, self.random_state)
            self.cv_errors_ = cross_validated_errors(
                X, codes, n_classes, self.thresholds_, splits, priors
            )
            self.threshold_ = float(self.thresholds_[least_error(self.cv_errors_)])
        else:
            self.threshold_ = float(self.threshold)
            if not 0 <= self.threshold_ < np.inf:
                raise PlanError(f"threshold={self.threshold!r}: give a number of at least 0")
        self.centroids_, self.scores_ = found.means, found.d
        self.overall_centroid_, self.scale_ = found.overall, found.scale
        self.class_count_ = found.counts
        self.class_prior_ = np.exp(log_priors(found.counts, priors))
        offsets = found.m[:, None] * soft_threshold(found.d, self.threshold_)
        self.shrunken_centroids_ = found.overall + found.scale * offsets
        reach = vanishing_thresholds(found.d)
        self.selected_ = np.argsort(-reach, kind="stable")[: int((reach > self.threshold_).sum())]
        return self

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X, (n_samples, n_classes)."""
        from ..kernels.shrunken_centroids import class_weights

        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        with np.errstate(divide="ignore"):
            log_prior = np.log(self.class_prior_)
        predictor = ShrunkenPredictor(
            self.scores_,
            class_weights(self.class_count_),
            self.overall_centroid_,
            self.scale_,
            log_prior,
            np.array([self.threshold_]),
        )
        return predictor.beliefs(X).proba

    def predict(self, X) -> np.ndarray:
        """The most probable class of each row of X, ties to the first class."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def _priors(self, n_classes: int) -> np.ndarray | None:
        """Prior weights, or None for the class shares."""
        if self.priors is None:
            return None
        if isinstance(self.priors, str):
            if self.priors not in PRIORS:
                raise PlanError(f"priors={self.priors!r}: {nearest_hint(self.priors, PRIORS)}")
            return None if self.priors == "empirical" else np.ones(n_classes)
        weights = np.asarray(self.priors, dtype=np.float64)
        if weights.shape != (n_classes,) or not (weights > 0).all():
            raise PlanError(
                f"priors={self.priors!r}: give 'empirical', 'equal' or {n_classes} positive "
                "numbers, one a class"
            )
        return weights
