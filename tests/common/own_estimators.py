"""Estimators that a user might bring, by name: scikit-learn's, and some of their own."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_selection import RFECV, SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from tamis._core.own_code import TRUSTED_TYPES

HERE = "common.own_estimators"
LASSO = SelectFromModel(LinearSVC(penalty="l1", dual=False, C=0.3))
PIPELINE = make_pipeline(StandardScaler(), LogisticRegression())
RECURSIVE = RFECV(
    LogisticRegression(), step=0.75, cv=StratifiedKFold(3, shuffle=True), min_features_to_select=2
)  # its folds are drawn at random
BOOSTING = HistGradientBoostingClassifier(max_iter=4, min_samples_leaf=4)
MACHINE = make_pipeline(StandardScaler(), LinearSVC())  # margins, and no probabilities


class Labels(KNeighborsClassifier):
    """Nearest neighbours that tell no probabilities."""

    @property
    def predict_proba(self):
        raise AttributeError("no probabilities")

    def predict(self, X):
        votes = self._y[self.kneighbors(X, return_distance=False)]
        return (votes.mean(axis=1) > 0.5).astype(int)


class Plain:
    """Nothing of scikit-learn's: the class whose mean is nearer."""

    def __init__(self, power=2):
        self.power = power

    def fit(self, X, y):
        self.means = np.array([X[y == c].mean(axis=0) for c in np.unique(y)])

    def predict(self, X):
        gaps = np.abs(X[:, None] - self.means) ** self.power
        return gaps.sum(axis=2).argmin(axis=1)


TYPES = (
    "common.own_estimators.Labels",
    "common.own_estimators.Plain",
    "functools.partial",
    "sklearn.ensemble._hist_gradient_boosting.gradient_boosting.HistGradientBoostingClassifier",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.neighbors._kd_tree.KDTree",
    "sklearn.pipeline.Pipeline",
    "sklearn.utils.validation.check_array",
)


@contextmanager
def trusting():
    """As with --trust for all of them."""
    token = TRUSTED_TYPES.set(TYPES)
    try:
        yield
    finally:
        TRUSTED_TYPES.reset(token)


def own_methods():
    """Each as a method of a plan."""
    select = {"own rfecv": "RECURSIVE", "own lasso": "LASSO"}
    classify = {
        "own boosting": "BOOSTING",
        "own pipeline": "PIPELINE",
        "own margins": "MACHINE",
        "own labels": "Labels",
        "own plain": "Plain",
    }
    ranked = [{"name": k, "select": f"{HERE}:{v}"} for k, v in select.items()]
    ranked.append(
        {"name": "own scores", "select": "sklearn.feature_selection:SelectKBest", "sizes": [2, 5]}
    )
    return ranked + [
        {"name": k, "select": "moderated_t", "sizes": [3], "classify": f"{HERE}:{v}"}
        for k, v in classify.items()
    ]
