"""Which learner a search evaluates subsets with, and how it is evaluated."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ..._core.errors import PlanError, nearest_hint, value_text
from ..._core.interfaces import Seeds
from ..._core.own_checks import is_kind, refuse_regression
from ..._core.own_code import Own
from .additive import DiagonalFold, NaiveBayesFold
from .discriminant import DiscriminantFold
from .fold_model import FoldModel, Values
from .least_squares import LeastSquaresFold
from .neighbours import NeighboursFold
from .refitted import RefittedFold, fit_estimator, fit_row

# Names that are evaluated by updating; any other classifier that a plan can name is fitted anew.
LEARNERS = ("lda", "diagonal_discriminant", "ridge", "naive_bayes", "knn")
Fold = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], tuple[FoldModel, RefittedFold]]


@dataclass(frozen=True)
class Learner:
    """A learner for subsets.

    Attributes
    ----------
    name : str
    updates : bool
        Subsets one column away are evaluated by updating.
    values : str
        As of `FoldModel`.
    regresses : bool
        It is a regression on the codes of two classes.
    fold : callable
        (X, codes, rows that train, rows held out) -> the model of a fold, and what it fits anew if
        need be.
    ranked : bool
        It takes the inverse of a covariance, whose rank the rows limit.
    """

    name: str
    updates: bool
    values: Values
    regresses: bool
    fold: Fold
    ranked: bool = False

    def most(self, n: int, n_classes: int) -> int:
        """The largest subset that it is defined for on n rows."""
        return max(1, n - n_classes) if self.ranked else sys.maxsize


def find_learner(estimator: Any, n_classes: int, stream: Seeds) -> Learner:
    """The learner of a name, or of an estimator with scikit-learn's manners.

    Raises
    ------
    PlanError
        An unknown name, or what is no classifier and no least squares.
    """
    if isinstance(estimator, str):
        return _named_learner(estimator, n_classes, stream)
    if isinstance(estimator, type) or not callable(getattr(estimator, "fit", None)):
        raise PlanError(
            f"estimator={value_text(estimator)}: give a name such as 'lda', or an object with `fit`"
        )
    own = Own(type(estimator).__name__, estimator)
    regresses = is_kind(estimator, "is_regressor")
    if regresses and n_classes > 2:
        refuse_regression(own, estimator)
    kind = _kind_of_values(estimator)
    fit = fit_estimator(own, n_classes, stream, kind)
    return _updating_learner(own.short, estimator, n_classes, fit, kind)


def _named_learner(name: str, n_classes: int, stream: Seeds) -> Learner:
    from ..._core.registry import find_row, row_names, rows_of
    from ..._core.rows import ClassifierRow

    if name == "ridge":
        from sklearn.linear_model import RidgeClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        ridge = make_pipeline(StandardScaler(), RidgeClassifier(solver="cholesky"))
        fit = fit_estimator(Own(name, ridge), n_classes, stream, "indicators")
        return _updating_learner(name, ridge, n_classes, fit, "indicators")
    if name not in row_names(ClassifierRow):
        plain = [
            row.name
            for row in rows_of(ClassifierRow)
            if not (row.takes.is_meta_estimator or row.takes.costs)
        ]
        raise PlanError(f"estimator={name!r}: {nearest_hint(name, [*plain, 'ridge'])}")
    row = find_row(name, ClassifierRow)
    if row.takes.is_meta_estimator or row.takes.costs or row.promises.beliefs != "proba":
        raise PlanError(
            f"estimator={name!r} does not stand for itself: give a classifier such as 'lda', which "
            "gives probabilities and is around no other"
        )
    fit = fit_row(row.build({}), n_classes, int(stream.generate_state(1)[0]), row.takes.raw)
    alike = _equivalent_estimator(name)
    return _updating_learner(
        name, alike, n_classes, fit, "proba" if alike is None else _kind_of_values(alike)
    )


def _kind_of_values(estimator: Any) -> Values:
    """What an estimator says of samples."""
    from sklearn.neighbors import KNeighborsClassifier

    if not hasattr(estimator, "predict_proba"):
        return "indicators"
    return "shares" if isinstance(_inside_pipeline(estimator)[0], KNeighborsClassifier) else "proba"


def _equivalent_estimator(name: str) -> Any:
    """The estimator of scikit-learn's that a plan's classifier is, if it is updated as that."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from ...classifiers import DiagonalDiscriminantClassifier

    return {
        "lda": LinearDiscriminantAnalysis(),
        "diagonal_discriminant": DiagonalDiscriminantClassifier(),
        "naive_bayes": GaussianNB(),
        "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    }.get(name)


def _updating_learner(
    name: str, estimator: Any, n_classes: int, fit: Callable, kind: Values
) -> Learner:
    """With updates where the estimator, behind standardised columns or not, is one of those."""
    inner, scaled = _inside_pipeline(estimator)
    update = _update_model(inner, n_classes) if inner is not None else None
    regresses = is_kind(inner, "is_regressor")

    def fold_models(X: np.ndarray, codes: np.ndarray, train: np.ndarray, test: np.ndarray):
        refitted = RefittedFold(fit, X, codes, train, test, kind)
        if update is None:
            return refitted, refitted
        inside, outside = X[train], X[test]
        if scaled:
            from ...classifiers.base.scaling import as_standardised, standardised_with_scale

            inside, center, scale = standardised_with_scale(inside)
            outside = as_standardised(outside, np.ones(1), center, scale)
        return update(inside, codes[train], outside, refitted), refitted

    return Learner(name, update is not None, kind, regresses, fold_models, _has_inverse(inner))


def _inside_pipeline(estimator: Any) -> tuple[Any, bool]:
    """What stands behind a `StandardScaler` in a pipeline of these two; else the estimator."""
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    if type(estimator) is not Pipeline:
        return estimator, False
    steps = [step for _, step in estimator.steps]
    plain = len(steps) == 2 and type(steps[0]) is StandardScaler
    if plain and steps[0].with_mean and steps[0].with_std:
        return steps[1], True
    return None, False


def _update_model(one: Any, n_classes: int) -> Callable[..., FoldModel] | None:
    """The model of a fold that updates, of an estimator as it is set; None if there is none."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    from ...classifiers import DiagonalDiscriminantClassifier

    kind = type(one)
    if kind is LinearDiscriminantAnalysis:
        plain = (one.solver, one.shrinkage, one.covariance_estimator) == ("svd", None, None)
        return _discriminant_fold(one.priors, n_classes) if plain else None
    if kind is DiagonalDiscriminantClassifier:
        return lambda train, codes, test, _: DiagonalFold(
            train, test, codes, _class_prior_shares(codes, n_classes, None, one.priors == "equal")
        )
    if kind is GaussianNB:
        return lambda train, codes, test, _: NaiveBayesFold(
            train, test, codes, _class_prior_shares(codes, n_classes, one.priors), one.var_smoothing
        )
    if kind is KNeighborsClassifier:
        return _neighbours_fold(one, n_classes)
    if kind in (Ridge, RidgeClassifier, LinearRegression):
        return _least_squares(one, n_classes)
    return None


def _has_inverse(one: Any) -> bool:
    """Whether what updates it takes the inverse of a covariance without a ridge."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return type(one) is LinearDiscriminantAnalysis and one.solver == "svd"


def _class_prior_shares(
    codes: np.ndarray, n_classes: int, priors: Any, equal: bool = False
) -> np.ndarray:
    """Class priors (C,): those given, equal ones, or the shares among the codes."""
    from ...classifiers.base.scaling import equal_prior

    if priors is not None:
        return np.asarray(priors, dtype=np.float64)
    counts = np.bincount(codes, minlength=n_classes)
    return equal_prior(counts) if equal else counts / counts.sum()


def _discriminant_fold(priors: Any, n_classes: int) -> Callable[..., FoldModel]:
    def make_discriminant_fold(train, codes, test, refitted):
        from ...kernels.units import column_units

        units = column_units(train)  # the rule has no units, and its products stay numbers
        shares = _class_prior_shares(codes, n_classes, priors)
        return DiscriminantFold(train / units, test / units, codes, shares, refitted)

    return make_discriminant_fold


def _neighbours_fold(one: Any, n_classes: int) -> Callable[..., FoldModel] | None:
    distance = {"minkowski": one.p, "manhattan": 1, "l1": 1, "euclidean": 2, "l2": 2}
    power = distance.get(one.metric) if isinstance(one.metric, str) else None
    if one.weights != "uniform" or power not in (1, 2) or one.metric_params is not None:
        return None
    return lambda train, codes, test, _: NeighboursFold(
        train, test, codes, n_classes, one.n_neighbors, power == 1
    )


def _least_squares(one: Any, n_classes: int) -> Callable[..., FoldModel] | None:
    plain = one.fit_intercept and not getattr(one, "positive", False)
    plain &= getattr(one, "class_weight", None) is None
    plain &= getattr(one, "solver", "auto") in ("auto", "svd", "cholesky")
    alpha = getattr(one, "alpha", 0.0)
    if not plain or not isinstance(alpha, Real):
        return None
    return lambda train, codes, test, refitted: LeastSquaresFold(
        train, test, codes, n_classes, float(alpha), refitted
    )
