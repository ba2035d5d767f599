"""ShrunkenCentroidClassifier: threshold by cross-validation, probabilities, manners."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import NearestCentroid
from sklearn.utils.estimator_checks import check_estimator

from tamis._core.errors import TamisError
from tamis.classifiers import ShrunkenCentroidClassifier
from tamis.classifiers.shrunken_centroids import least_error


def planted(seed=0, n=60, p=120, n_classes=3):
    rng = np.random.default_rng(seed)
    y = np.array(["a", "b", "c", "d"])[np.arange(n) % n_classes]
    X = rng.normal(size=(n, p))
    for k, label in enumerate("abcd"):
        X[y == label, k] += 3
    return X, y


def plain_probabilities(model, X, priors):
    """exp(-delta_k), normalised, from the fitted shrunken centroids over all features."""
    gaps = (X[:, None, :] - model.shrunken_centroids_) / model.scale_
    delta = 0.5 * (gaps**2).sum(axis=2) - np.log(priors)
    weights = np.exp(delta.min(axis=1, keepdims=True) - delta)
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("threshold", [None, 1.0])
def test_check_estimator(threshold):
    results = check_estimator(ShrunkenCentroidClassifier(threshold=threshold), on_fail=None)
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []
    assert sum(r["status"] == "passed" for r in results) > 40


@pytest.mark.parametrize(
    ("priors", "weights"),
    [
        (None, [20, 20, 20]),
        ("empirical", [20, 20, 20]),
        ("equal", [1, 1, 1]),
        ([1, 2, 5], [1, 2, 5]),
    ],
)
def test_probabilities(priors, weights):
    X, y = planted()
    model = ShrunkenCentroidClassifier(threshold=0.8, priors=priors).fit(X, y)
    shares = np.array(weights) / np.sum(weights)
    np.testing.assert_allclose(model.class_prior_, shares, rtol=1e-14)
    expected = plain_probabilities(model, X, shares)
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=0, atol=1e-12)
    assert np.array_equal(model.predict(X), model.classes_[expected.argmax(axis=1)])


def test_centroids_are_those_of_scikit_learn():
    X, y = planted()
    for threshold in (0.5, 2.0):
        ours = ShrunkenCentroidClassifier(threshold=threshold).fit(X, y)
        peer = NearestCentroid(shrink_threshold=threshold).fit(X, y)
        np.testing.assert_allclose(ours.shrunken_centroids_, peer.centroids_, rtol=1e-11)


def test_threshold_has_the_least_cross_validated_error():
    X, y = planted(3)
    model = ShrunkenCentroidClassifier(random_state=5).fit(X, y)
    np.testing.assert_array_equal(model.thresholds_, np.linspace(0, abs(model.scores_).max(), 30))
    folds = StratifiedKFold(5, shuffle=True, random_state=5)
    errors = []
    for threshold in model.thresholds_:
        wrong = 0
        for train, test in folds.split(X, y):
            fold = ShrunkenCentroidClassifier(threshold=threshold).fit(X[train], y[train])
            wrong += (fold.predict(X[test]) != y[test]).sum()
        errors.append(wrong / len(y))
    np.testing.assert_allclose(model.cv_errors_, errors, rtol=1e-14)
    best = np.flatnonzero(model.cv_errors_ == model.cv_errors_.min())
    assert model.threshold_ == model.thresholds_[best[-1]]
    assert set(model.selected_) <= set(range(120))
    assert {0, 1, 2} <= set(model.selected_)


def test_ties_go_to_the_larger_threshold():
    assert least_error(np.array([0.3, 0.1, 0.2, 0.1, 0.4])) == 3
    assert least_error(np.full(3, np.nan)) == 0


def test_rows_one_at_a_time_equal_the_batch():
    X, y = planted(1)
    model = ShrunkenCentroidClassifier(threshold=0.4).fit(X, y)
    batch = model.predict_proba(X)
    alone = np.vstack([model.predict_proba(row[None]) for row in X])
    assert np.array_equal(alone, batch)


def test_features_that_do_not_survive_play_no_part():
    X, y = planted(2)
    model = ShrunkenCentroidClassifier(threshold=2.0).fit(X, y)
    assert 0 < len(model.selected_) < 120
    noisy = X.copy()
    others = np.setdiff1d(np.arange(120), model.selected_)
    noisy[:, others] = np.random.default_rng(0).normal(size=(len(X), len(others))) * 100
    assert np.array_equal(model.predict_proba(noisy), model.predict_proba(X))


def test_past_the_last_threshold_only_the_priors_are_left():
    X, y = planted(n=50, n_classes=2)
    y[:10] = "b"
    model = ShrunkenCentroidClassifier(threshold=1e6).fit(X, y)
    assert len(model.selected_) == 0
    np.testing.assert_allclose(model.predict_proba(X[:3]), np.tile(model.class_prior_, (3, 1)))
    np.testing.assert_allclose(
        model.shrunken_centroids_, np.tile(model.overall_centroid_, (2, 1)), rtol=1e-14
    )


def test_fit_twice_equals_once_and_names_are_kept():
    X, y = planted()
    table = pd.DataFrame(X, columns=[f"gene {j}" for j in range(X.shape[1])])
    model = ShrunkenCentroidClassifier(random_state=0).fit(table, y)
    first = model.threshold_, model.predict_proba(table)
    model.fit(table, y)
    assert model.threshold_ == first[0]
    assert np.array_equal(model.predict_proba(table), first[1])
    assert model.feature_names_in_[3] == "gene 3"


def test_classes_with_one_member():
    X = np.random.default_rng(0).normal(size=(3, 4))
    model = ShrunkenCentroidClassifier().fit(X, ["a", "b", "c"])
    assert model.threshold_ == 0
    assert np.isnan(model.cv_errors_).all()
    assert model.predict(X).tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"threshold": -1}, "threshold=-1: give a number of at least 0"),
        ({"n_thresholds": 1}, "n_thresholds=1"),
        ({"cv": 1}, "cv=1: give a whole number of folds, at least 2"),
        ({"priors": "equall"}, "did you mean 'equal'"),
        ({"priors": [0.5, 0.5]}, "3 positive numbers"),
    ],
)
def test_bad_parameters_are_named(settings, words):
    X, y = planted()
    with pytest.raises(TamisError, match=words):
        ShrunkenCentroidClassifier(**settings).fit(X, y)
