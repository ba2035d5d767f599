"""What all wrappers share: labels, costs by class, weights, and beliefs of what is inside."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    has_fit_parameter,
    validate_data,
)

from ..._core.errors import DataError, PlanError, value_text
from ..._core.interfaces import MIN_PROBABILITY
from ...data.class_codes import class_codes
from ...metrics.cost_matrix import CLASS_SIZES, CostMatrix, check_costs, number_table
from ..base.natural_scale import natural_scale
from ..huberized_svm.inputs import row_weights


def has_proba(wrapper: Any) -> bool:
    """Whether what is inside gives probabilities."""
    return hasattr(getattr(wrapper, "estimator_", wrapper.estimator), "predict_proba")


class CostWrapper(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier around another, which is cloned; rows of X go to it as they are.

    Subclasses have the parameters ``estimator`` and ``costs``.
    """

    _charges = True  # in training

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        return tags

    def _start(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> tuple[Any, np.ndarray, np.ndarray | None]:
        """Learn classes and their sizes; X that rows can be taken of, class codes, and weights."""
        if self._charges:
            refuse_charged(self.estimator, type(self).__name__)
        check_consistent_length(X, y)
        y = column_or_1d(y, warn=True)
        validate_data(self, X, skip_check_array=True)
        self.classes_, codes = class_codes(y, type(self).__name__)
        given, n = None, len(codes)
        if sample_weight is not None:
            one = np.isscalar(sample_weight)
            given = row_weights(np.full(n, sample_weight) if one else sample_weight, n)
        self.class_counts_ = np.bincount(codes, given)
        if issparse(X):
            X = X.tocsr()  # of which rows can be taken
        return (X if hasattr(X, "shape") else np.asarray(X)), codes, given

    def _seen(self, X: Any) -> Any:
        """X for prediction, its columns checked."""
        check_is_fitted(self)
        if len(getattr(X, "shape", (0, 0))) == 2:  # others the estimator refuses
            validate_data(self, X, reset=False, skip_check_array=True)
        return X

    @property
    def _matrix(self) -> CostMatrix:
        """The costs as they are set now, for the classes of training."""
        names = self.classes_.tolist()
        if self.costs is None:
            return CostMatrix.of_errors(names)
        if isinstance(self.costs, str):
            if self.costs != CLASS_SIZES:
                raise PlanError(
                    f"costs = {value_text(self.costs)}: give a cost matrix, a table by class, "
                    f'"{CLASS_SIZES}" or None'
                )
            return CostMatrix.of_class_sizes(
                dict(zip(names, self.class_counts_.tolist(), strict=True))
            )
        return CostMatrix.of(self.costs, names)


class ChargedWrapper(CostWrapper):
    """One in which `estimator_` is fitted on the scale of costs, and decides as it always does."""

    def predict(self, X) -> np.ndarray:
        """The labels of the classifier inside (n_samples,): costs are in it already."""
        X = self._seen(X)
        return self.estimator_.predict(X)

    def decision_function(self, X) -> np.ndarray:
        """What it decides by, on the scale of costs: its own decision values, else log
        probabilities (n_samples, n_classes); of two classes the latter against the former
        (n_samples,)."""
        X = self._seen(X)
        if hasattr(self.estimator_, "decision_function"):
            return self.estimator_.decision_function(X)
        return scores_of(proba_or_votes(self.estimator_, X, self.classes_))

    @available_if(has_proba)
    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities on the natural scale (n_samples, n_classes): the likeliest class
        need not be the label."""
        X = self._seen(X)
        return natural_scale(self.estimator_.predict_proba(X), self.class_weights_)


class WeightedWrapper(ChargedWrapper):
    """One around a classifier of weighted samples, or of weighted copies of them."""

    def __init__(self, estimator, costs=None):
        self.estimator = estimator
        self.costs = costs

    def fit(self, X, y, sample_weight=None):
        """Fit the estimator to weighted samples, or copies.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Multiplied with the weights of the costs; these are scaled so that all weights still
            add to the sum of `sample_weight`.

        Returns
        -------
        self
        """
        X, codes, given = self._start(X, y, sample_weight)
        given = np.ones(len(codes)) if given is None else given
        rows, labels, weights = self._copies(codes, self._matrix.values)
        weights = weights * given[rows]
        weights *= given.sum() / weights.sum()
        one, table = clone(self.estimator), rows_of(X, rows)
        self.estimator_ = fit_weighted(one, table, self.classes_[labels], weights)
        return self

    def _copies(self, codes: np.ndarray, costs: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
        """Of all copies their rows, codes and weights."""
        raise NotImplementedError


def refuse_charged(estimator: Any, around: str) -> None:
    """Refuse what weighs classes itself: costs would be counted twice, or ("balanced" divides by
    the weights that it is given) taken back out.

    Raises
    ------
    PlanError
        It is one of these classifiers, contains one, or has a ``class_weight``.
    """
    for name, value in {"": estimator, **estimator.get_params()}.items():
        if isinstance(value, CostWrapper):
            raise PlanError(
                f"{around} around {type(value).__name__} would count costs twice: leave one out"
            )
        if name.rpartition("__")[2] == "class_weight" and value is not None:
            raise PlanError(
                f"{name} = {value_text(value)} inside {around} would be counted beside the costs, "
                f'or undo them: leave it None; costs="{CLASS_SIZES}" weighs all classes the same'
            )


def rows_of(X: Any, rows: np.ndarray | slice) -> Any:
    """Some rows of an array, a sparse matrix or a frame."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def checked_sample_costs(sample_costs: Any, n: int, classes: Any) -> np.ndarray | None:
    """Costs of each sample (n, C, C), rows predicted and columns true.

    Raises
    ------
    DataError
        There is not a table for every sample.
    PlanError
        No sensible decision exists under one.
    """
    if sample_costs is None:
        return None
    costs = number_table(sample_costs, "sample_costs")
    names = list(classes)
    if costs.ndim != 3 or len(costs) != n:
        raise DataError(
            f"sample_costs of shape {costs.shape}: give ({n}, {len(names)}, {len(names)}), for "
            "each sample rows predicted and columns true"
        )
    check_costs(costs, names)
    return costs


def seeded_clone(estimator: Any, seed: int) -> Any:
    """A copy in which whatever has no seed of its own has this one."""
    one = clone(estimator)
    found = one.get_params()
    keys = [key for key in found if key == "random_state" or key.endswith("__random_state")]
    return one.set_params(**{key: seed for key in keys if found[key] is None})


def fit_weighted(estimator: Any, X: Any, y: np.ndarray, weights: np.ndarray | None) -> Any:
    """Fit an estimator, with weights where there are some.

    Raises
    ------
    PlanError
        It takes none.
    """
    if weights is None:
        return estimator.fit(X, y)
    if not takes_weights(estimator):
        raise PlanError(
            f"{type(estimator).__name__} takes no sample_weight: use CostResampledClassifier, "
            "CostingClassifier or MinimumRiskClassifier around it, or inside a pipeline put this "
            "around the last step"
        )
    return estimator.fit(X, y, sample_weight=weights)


def takes_weights(estimator: Any) -> bool:
    """Whether its `fit` has ``sample_weight``, or routes it to a part that requested it."""
    if has_fit_parameter(estimator, "sample_weight"):
        return True
    if not (get_config()["enable_metadata_routing"] and hasattr(estimator, "get_metadata_routing")):
        return False
    return bool(get_routing_for_object(estimator).consumes("fit", ("sample_weight",)))


def proba_or_votes(fitted: Any, X: Any, classes: np.ndarray) -> np.ndarray:
    """Probabilities of classes (m, C), a vote for the label where there are none; 0 for classes
    that the estimator has not seen."""
    if hasattr(fitted, "predict_proba"):
        found = np.asarray(fitted.predict_proba(X), dtype=np.float64)
        if len(fitted.classes_) == len(classes):
            return found
        proba = np.zeros((len(found), len(classes)))
        proba[:, np.searchsorted(classes, fitted.classes_)] = found
        return proba
    return np.eye(len(classes))[np.searchsorted(classes, fitted.predict(X))]


def scores_of(proba: np.ndarray) -> np.ndarray:
    """Log probabilities (m, C), of two classes their difference (m,)."""
    scores = np.log(np.maximum(proba, MIN_PROBABILITY))  # 0 is "less than we can tell"
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
