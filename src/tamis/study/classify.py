"""Classifiers of a plan: scikit-learn's, built by name, and how one is run on a ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..kernels.lda_path import lda_path
from ..kernels.units import column_units, in_units, widest_unit
from . import registry

LDA = ("lda", "lda_equal")


def no_ranker(**_: Any) -> None:
    """For rows that rank nothing: every feature, or the covariates alone."""


def make_lda(n_classes: int, seed: int, priors: str = "empirical") -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    equal = np.full(n_classes, 1 / n_classes) if priors == "equal" else None
    return LinearDiscriminantAnalysis(priors=equal)


def make_logistic(n_classes: int, seed: int, **parameters: Any) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000, **parameters)


def make_svm(n_classes: int, seed: int, **parameters: Any) -> Any:
    from ..classifiers.support_vector import PlattSVC

    return PlattSVC(random_state=seed, **parameters)


def make_knn(n_classes: int, seed: int, n_neighbors: int = 5, metric: str = "l2") -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(n_neighbors, metric=metric, algorithm="brute")


def make_tree(n_classes: int, seed: int, **parameters: Any) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=seed, **parameters)


def make_forest(n_classes: int, seed: int, **parameters: Any) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(**{"n_estimators": 200, **parameters}, random_state=seed)


def make_naive_bayes(n_classes: int, seed: int, **parameters: Any) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB(**parameters)


def fit(
    name: str,
    parameters: Mapping[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    seed: int,
) -> Any:
    """Fit one classifier (with a scaler before it where it wants one) on codes y.

    Columns that are all constant say nothing: the class shares are the model. For columns
    that vary between the classes but not within them see `_discriminant`.
    """
    if not (X[:1] != X).any():
        return constant(y)
    row = registry.row(name, role="classify")
    values = {**row.fixed, **parameters}
    if name == "knn":
        values["n_neighbors"] = min(values.get("n_neighbors", 5), len(X))
    estimator = row.load()(n_classes, seed, **values)
    if name in LDA:
        estimator = _discriminant(estimator, X, y)
    if row.scale:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        estimator = make_pipeline(StandardScaler(), estimator)
    # naive Bayes widens every column by a share of the largest variance
    units = widest_unit(X) if name == "naive_bayes" else column_units(X)
    if (units == 1).all():
        return estimator.fit(X, y)
    return _after_units(units, estimator.fit(X / units, y), X)


def _after_units(units: np.ndarray, fitted: Any, X: np.ndarray) -> Any:
    """A fitted classifier of X in other units, as one of X itself."""
    from sklearn.pipeline import Pipeline, make_pipeline
    from sklearn.preprocessing import StandardScaler

    divide = StandardScaler(with_mean=False).fit(X / units)  # a step that model files know
    divide.scale_ = units
    steps = fitted.steps if isinstance(fitted, Pipeline) else make_pipeline(fitted).steps
    return Pipeline([("units", divide), *steps])


def _discriminant(lda: Any, X: np.ndarray, y: np.ndarray) -> Any:
    """LDA where columns may separate the classes without any spread inside them.

    scikit-learn's solver drops such columns, the best there are. A shrinkage of a millionth
    gives them a tiny variance instead; where no column has any spread within the classes
    there is no scale to take it from, and Gaussian naive Bayes (the nearest class mean)
    decides.
    """
    within = np.zeros(X.shape[1], dtype=bool)
    for c in np.unique(y):
        rows = X[y == c]
        within |= (rows[:1] != rows).any(axis=0)
    perfect = ~within & (X[:1] != X).any(axis=0)
    if not perfect.any():
        return lda
    if within.any():
        return lda.set_params(solver="lsqr", shrinkage=1e-6)
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB(priors=lda.priors)


def constant(y: np.ndarray) -> Any:
    """The model of nothing: class shares."""
    from sklearn.dummy import DummyClassifier

    return DummyClassifier(strategy="prior").fit(np.zeros((len(y), 1)), y)


def outcomes(
    name: str,
    parameters: Mapping[str, Any],
    train: np.ndarray,
    y: np.ndarray,
    test: np.ndarray,
    sizes: list[int],
    n_classes: int,
    seed: int,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """(predicted codes, probabilities) of the test rows for the leading columns of each size.

    LDA takes every size from one Cholesky factor; where that is singular, and for all other
    classifiers, each size is fitted by itself.
    """
    if len(test) == 0:  # the final fit has nothing to predict
        return [(np.zeros(0, dtype=np.int64), np.zeros((0, n_classes)))] * len(sizes)
    results: list[tuple[np.ndarray, np.ndarray]] = []
    if name in LDA and sizes and sizes[0] > 0:
        values = {**registry.row(name, role="classify").fixed, **parameters}
        priors = np.bincount(y, minlength=n_classes) / len(y)
        if values.get("priors") == "equal":
            priors = np.full(n_classes, 1 / n_classes)
        units = column_units(train)
        proba, sound = lda_path(in_units(train, units), y, in_units(test, units), sizes, priors)
        results = [(p.argmax(axis=1), p) for p in proba[:sound]]
    for k in sizes[len(results) :]:
        model = fit(name, parameters, train[:, :k], y, n_classes, seed)
        p = model.predict_proba(test[:, :k])
        own = registry.row(name, role="classify").own_labels
        results.append((model.predict(test[:, :k]) if own else p.argmax(axis=1), p))
    return results
