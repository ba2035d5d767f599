"""The fifteen combinations of chapter 2: classifiers and how costs come to them.

All see the same columns: numbers cut by MDL in the training set, categories as they are. Trees and
Bayesian classifiers see codes; support vector machines and the perceptron 0/1 columns of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone

from tamis.classifiers import (
    AdaBoostC44Classifier,
    AODEClassifier,
    C45Classifier,
    CostingClassifier,
    CostWeightedClassifier,
    LogitBoostClassifier,
    MinimumRiskClassifier,
    SVMGridClassifier,
)

COSTS = "class_sizes"
NEVER = 1e18  # rows that no value has: AODE without parents is naive Bayes


class Spread(TransformerMixin, BaseEstimator):
    """Codes to 0/1 columns, missing and unseen codes 0 in all of a column's."""

    def fit(self, X, y=None):
        self.codes_ = [np.unique(column[~np.isnan(column)]) for column in X.T]
        return self

    def transform(self, X):
        return np.column_stack(
            [column[:, None] == codes for column, codes in zip(X.T, self.codes_, strict=True)]
        ).astype(np.float64)


class Smoted(ClassifierMixin, BaseEstimator):
    """A classifier on rows to which SMOTE for categories has added the rarer class, to even sizes.

    A missing value is a category of its own there.
    """

    def __init__(self, estimator, random_state=0):
        self.estimator = estimator
        self.random_state = random_state

    def fit(self, X, y):
        from imblearn.over_sampling import SMOTEN

        few = int(np.bincount(y).min())
        sampler = SMOTEN(k_neighbors=min(5, few - 1), random_state=self.random_state)
        codes, labels = sampler.fit_resample(np.where(np.isnan(X), -1, X).astype(int), y)
        self.estimator_ = clone(self.estimator).fit(np.where(codes < 0, np.nan, codes), labels)
        self.classes_ = self.estimator_.classes_
        return self

    def predict_proba(self, X):
        return self.estimator_.predict_proba(X)

    def predict(self, X):
        return self.estimator_.predict(X)


def spread(classifier: Any) -> Any:
    """A classifier of 0/1 columns."""
    from sklearn.pipeline import make_pipeline

    return make_pipeline(Spread(), classifier)


def combinations(p: int, seed: int) -> dict[str, Callable[[], Any]]:
    """Name -> what makes the classifier, for tables of p columns of codes."""
    from sklearn.neural_network import MLPClassifier

    every = np.ones(p, dtype=bool)
    aode = {"categorical_features": every, "min_support": 30}
    j48 = {"categorical_features": every}
    c44 = {**j48, "prune": False, "collapse": False, "laplace": True}
    bayes = {**aode, "min_support": NEVER}

    def weighted(estimator: Any) -> Any:
        return CostWeightedClassifier(estimator, COSTS)

    def risk(estimator: Any) -> Any:
        return MinimumRiskClassifier(estimator, COSTS)

    def costing(estimator: Any) -> Any:
        return CostingClassifier(estimator, COSTS, n_estimators=100, random_state=seed)

    def svm() -> Any:
        return SVMGridClassifier(random_state=seed)

    return {
        "AODEsr, weights": lambda: weighted(AODEClassifier(subsumption=True, **aode)),
        "AODE, weights": lambda: weighted(AODEClassifier(**aode)),
        "NB, weights": lambda: weighted(AODEClassifier(**bayes)),
        "NB, Costing": lambda: costing(AODEClassifier(**bayes)),
        "C4.4, Costing": lambda: costing(C45Classifier(**c44)),
        "AdaBoost C4.4, weights": lambda: weighted(
            AdaBoostC44Classifier(categorical_features=every, cv=3, random_state=seed)
        ),
        "LogitBoost, weights": lambda: weighted(
            LogitBoostClassifier(categorical_features=every, cv=3, random_state=seed)
        ),
        "SVM, Platt and risk": lambda: spread(risk(svm())),
        "NB, SMOTE and risk": lambda: risk(Smoted(AODEClassifier(**bayes), seed)),
        "MLP, weights": lambda: spread(weighted(MLPClassifier(max_iter=500, random_state=seed))),
        "J48, weights": lambda: weighted(C45Classifier(**j48)),
        "NB, risk": lambda: risk(AODEClassifier(**bayes)),
        "SVM, weights": lambda: spread(weighted(svm())),
        "J48, SMOTE and risk": lambda: risk(Smoted(C45Classifier(**j48), seed)),
        "J48, risk": lambda: risk(C45Classifier(**j48)),
    }


# Where the source's two rankings have them, best first (its tables 2.4 and 2.5).
SOURCE_AUC = (
    "AODEsr, weights",
    "AODE, weights",
    "NB, weights",
    "NB, Costing",
    "C4.4, Costing",
    "AdaBoost C4.4, weights",
    "LogitBoost, weights",
    "SVM, Platt and risk",
    "NB, SMOTE and risk",
    "MLP, weights",
    "J48, weights",
    "NB, risk",
    "SVM, weights",
    "J48, SMOTE and risk",
    "J48, risk",
)
SOURCE_LOSS = (
    "SVM, weights",
    "SVM, Platt and risk",
    "LogitBoost, weights",
    "AODEsr, weights",
    "C4.4, Costing",
    "AODE, weights",
    "MLP, weights",
    "AdaBoost C4.4, weights",
    "J48, weights",
    "J48, risk",
    "J48, SMOTE and risk",
    "NB, Costing",
    "NB, risk",
    "NB, weights",
    "NB, SMOTE and risk",
)
