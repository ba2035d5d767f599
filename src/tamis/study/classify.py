"""Classifiers of a plan: scikit-learn's, built by name, and how one is run on a ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..kernels.lda_path import lda_path
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

    Columns that are all constant say nothing: the class shares are the model. Columns that
    are constant within every class leave LDA no covariance to invert: Gaussian naive Bayes,
    which then goes by the nearest class mean, takes its place.
    """
    if not (X != X[:1]).any():
        return constant(y)
    row = registry.row(name, role="classify")
    values = {**row.fixed, **parameters}
    if name == "knn":
        values["n_neighbors"] = min(values.get("n_neighbors", 5), len(X))
    estimator = row.load()(n_classes, seed, **values)
    if name in LDA and not _varies_within_a_class(X, y):
        from sklearn.naive_bayes import GaussianNB

        estimator = GaussianNB(priors=estimator.priors)
    if row.scale:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        estimator = make_pipeline(StandardScaler(), estimator)
    return estimator.fit(X, y)


def _varies_within_a_class(X: np.ndarray, y: np.ndarray) -> bool:
    return any((X[y == c] != X[y == c][:1]).any() for c in np.unique(y))


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
        proba, sound = lda_path(train, y, test, sizes, priors)
        results = [(p.argmax(axis=1), p) for p in proba[:sound]]
    for k in sizes[len(results) :]:
        model = fit(name, parameters, train[:, :k], y, n_classes, seed)
        p = model.predict_proba(test[:, :k])
        own = registry.row(name, role="classify").own_labels
        results.append((model.predict(test[:, :k]) if own else p.argmax(axis=1), p))
    return results
