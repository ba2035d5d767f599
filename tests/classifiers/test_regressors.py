"""Predictors of a number against scikit-learn's, and regressors of a user's own."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import HuberRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.svm import SVR

from study.test_numbers import QUICK, number_data
from tamis._core.errors import ModelError, PlanError
from tamis._core.own_code import OwnCodeError
from tamis.classifiers.base.natural_scale import fit_natural
from tamis.classifiers.classifier_labels import build_classifier
from tamis.model.file import load_model
from tamis.study import Plan, run_study


def table(n=30, k=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, k)) * 2 + 1
    return X, 3 * X[:, 0] + rng.normal(size=n) + 50, rng.normal(size=(7, k)) * 2 + 1


def values_of(label, X, y, test, **settings):
    """Predictions, and the same after reading the predictor back."""
    made = build_classifier(label, settings, response="number")
    fitted = fit_natural(made, X, y, 1, 0, {} if label == "forest" else None)
    return fitted.beliefs(test).value


def standardised(X, test):
    centre, scale = X.mean(axis=0), X.std(axis=0)
    return (X - centre) / scale, (test - centre) / scale


@pytest.mark.parametrize(("metric", "p"), [("l1", 1), ("l2", 2)])
def test_neighbours_are_scikit_learns(metric, p):
    X, y, test = table()
    Z, near = standardised(X, test)
    peer = KNeighborsRegressor(4, p=p).fit(Z, y)
    found = values_of("knn", X, y, test, n_neighbors=4, metric=metric)
    np.testing.assert_allclose(found, peer.predict(near), rtol=1e-12)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_support_vectors_are_scikit_learns(kernel):
    X, y, test = table()
    Z, near = standardised(X, test)
    peer = SVR(kernel=kernel, C=2.0, epsilon=0.2).fit(Z, (y - y.mean()) / y.std())
    found = values_of("svr", X, y, test, kernel=kernel, C=2.0, epsilon=0.2)
    np.testing.assert_allclose(found, peer.predict(near) * y.std() + y.mean(), rtol=1e-9)
    moved = values_of("svr", X, 1e6 * y - 7, test, kernel=kernel, C=2.0, epsilon=0.2)
    np.testing.assert_allclose(moved, 1e6 * found - 7, rtol=1e-4)  # libsvm stops at 1e-3


def test_a_forest_is_scikit_learns():
    X, y, test = table()
    peer = RandomForestRegressor(8, max_features=1 / 3, random_state=0).fit(X, y)
    found = values_of("forest", X, y, test, n_estimators=8)
    np.testing.assert_allclose(found, peer.predict(test), rtol=1e-12)


def test_bagging_is_the_mean_of_members_on_drawn_rows():
    X, y, test = table()
    found = values_of("bagging(ridge)", X, y, test, n_estimators=3)
    rng, members = np.random.default_rng(0), []
    for _ in range(3):
        rows = np.sort(rng.choice(np.arange(len(y)), len(y)))
        rng.integers(2**31)
        members.append(values_of("ridge", X[rows], y[rows], test))
    np.testing.assert_allclose(found, np.mean(members, axis=0), rtol=1e-12)


OWN = "sklearn.linear_model:HuberRegressor"


def test_a_regressor_of_scikit_learn_predicts_and_is_saved_if_trusted(tmp_path):
    method = {"select": "correlation", "sizes": [2], "classify": OWN, "grid": {"alpha": [0.5]}}
    data = number_data()
    found = run_study(data, {**QUICK, "method": [method], "permutations": 0}, tmp_path / "s")
    with pytest.raises(ModelError, match="HuberRegressor"):
        load_model(tmp_path / "s/model.npz")
    trusted = ["sklearn.linear_model._huber.HuberRegressor"]
    model = load_model(tmp_path / "s/model.npz", trust=trusted)
    columns = [data.feature_names.index(name) for name in found.features]
    peer = HuberRegressor(alpha=0.5).fit(data.X[:, columns], data.numbers)
    np.testing.assert_allclose(model.predict(data), peer.predict(data.X[:, columns]), rtol=1e-9)


@pytest.mark.parametrize(
    ("label", "response", "words"),
    [
        (OWN, "class", "is a regressor: give a classifier"),
        ("sklearn.linear_model:LogisticRegression", "number", "is no regressor, and a number is"),
        ("forest_of", "number", "unknown name classify"),
        ("lda", "number", "needs classes; for a number: "),
    ],
)
def test_what_serves_another_outcome_is_refused(label, response, words):
    select = {"class": "moderated_t", "number": "correlation"}[response]
    method = {"select": select, "classify": label}
    with pytest.raises(PlanError) as caught:
        Plan.resolve({**QUICK, "response": response, "method": [method]})
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


class Strange:
    """A regressor whose predictions have the wrong shape."""

    _estimator_type = "regressor"

    def __sklearn_tags__(self):
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type="regressor", target_tags=TargetTags(required=True))

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros((len(X), 2))

    def get_params(self, deep=True):
        return {}

    def set_params(self):
        return self


def test_predictions_of_another_shape_are_refused(tmp_path):
    method = {"select": "correlation", "sizes": [2], "classify": Strange()}
    with pytest.raises(OwnCodeError, match="not one number for each of"):
        run_study(number_data(), {**QUICK, "method": [method]}, tmp_path / "s")
