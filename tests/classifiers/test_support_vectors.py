"""PlattSVC: labels are the machine's own, probabilities come from held-out decisions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_array_equal
from scipy.optimize import minimize
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from tamis._core.errors import PlanError
from tamis.classifiers import support_vectors
from tamis.classifiers.support_vectors import PlattSVC, SupportVectors

TOLERANCE = 1e-5  # of f: g to 1e-6, and the intercept is among values that differ by as much


def planted(seed=0, n=60, p=8, n_classes=2, shift=1.0):
    rng = np.random.default_rng(seed)
    y = np.array(["a", "b", "c", "d"])[np.arange(n) % n_classes]
    X = rng.normal(size=(n, p))
    for k, label in enumerate("abcd"):
        X[y == label, k] += shift
    return X, y


def plain_sigmoid(decisions, positive):
    """Platt (1999): smoothed targets, a and b of 1/(1 + exp(a f + b)) by likelihood."""
    n1, n0 = positive.sum(), (~positive).sum()
    target = np.where(positive, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))

    def loss(v):
        z = v[0] * decisions + v[1]
        return (target * np.logaddexp(0, z) + (1 - target) * np.logaddexp(0, -z)).sum()

    start = [0.0, np.log((n0 + 1) / (n1 + 1))]
    return minimize(loss, start, method="BFGS", options={"gtol": 1e-9}).x


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("class_weight", [None, "balanced", {"a": 0.2, "b": 3}])
def test_labels_and_decisions_are_the_machines(n_classes, kernel, class_weight):
    X, y = planted(n_classes=n_classes)
    settings = {"kernel": kernel, "C": 0.7, "class_weight": class_weight}
    ours = PlattSVC(**settings, random_state=0).fit(X[:40], y[:40])
    theirs = SVC(**settings, tol=1e-9).fit(X[:40], y[:40])
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    expected = theirs.decision_function(X)
    np.testing.assert_allclose(ours.decision_function(X), expected, rtol=0, atol=TOLERANCE)
    loose = SVC(**settings).fit(X[:40], y[:40]).decision_function(X)  # libsvm's own 1e-3
    np.testing.assert_allclose(ours.decision_function(X), loose, rtol=0, atol=5e-3)
    assert ours.classes_.tolist() == sorted(set(y))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_probabilities_follow_platt_on_decisions_of_held_out_folds(kernel):
    X, y = planted(1)
    model = PlattSVC(kernel=kernel, random_state=5).fit(X, y)
    held_out = np.empty(len(y))
    for train, test in StratifiedKFold(3, shuffle=True, random_state=5).split(X, y):
        machine = SVC(kernel=kernel, tol=1e-9).fit(X[train], y[train])
        held_out[test] = machine.decision_function(X[test])
    a, b = plain_sigmoid(held_out, y == "b")
    expected = 1 / (1 + np.exp(a * model.decision_function(X) + b))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, atol=1e-4)


def test_held_out_probabilities_are_less_sure_than_the_training_decisions_would_be():
    ours, naive = [], []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(40, 400)), np.arange(40) % 2  # separable noise
        model = PlattSVC(random_state=0).fit(X, y)
        assert (model.predict(X) == y).all()
        unseen = rng.normal(size=(100, 400))
        a, b = plain_sigmoid(model.decision_function(X), y == 1)
        naive.append(np.abs(1 / (1 + np.exp(a * model.decision_function(unseen) + b)) - 0.5))
        ours.append(np.abs(model.predict_proba(unseen)[:, 1] - 0.5))
    assert np.mean(ours) < 0.75 * np.mean(naive)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_probabilities_are_probabilities_and_repeat(n_classes):
    X, y = planted(3, n_classes=n_classes)
    proba = PlattSVC(random_state=1).fit(X, y).predict_proba(X)
    assert proba.shape == (60, n_classes)
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-12)
    assert np.array_equal(proba, PlattSVC(random_state=1).fit(X, y).predict_proba(X))
    assert not np.array_equal(proba, PlattSVC(random_state=2).fit(X, y).predict_proba(X))


@pytest.mark.parametrize(
    "counts", [(11, 1), (1, 1), (6, 5, 1), (4, 1, 1, 1, 1, 1, 1, 1, 1), (9, 2)]
)
def test_classes_too_small_for_three_folds(counts):
    y = np.repeat(np.arange(len(counts)), counts)
    X = np.random.default_rng(4).normal(size=(len(y), 3)) + 3 * y[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = PlattSVC(random_state=0).fit(X, y, np.ones(len(y)))
        model = PlattSVC(random_state=0).fit(X, y)
    proba = model.predict_proba(X)
    assert proba.shape == (len(y), len(counts))
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-12)
    assert np.array_equal(model.predict(X), SVC(kernel="linear").fit(X, y).predict(X))
    if counts == (11, 1):
        a, b = plain_sigmoid(model.decision_function(X), y == 1)
        expected = 1 / (1 + np.exp(a * model.decision_function(X) + b))
        np.testing.assert_allclose(proba[:, 1], expected, atol=1e-4)


def test_swapping_the_labels_mirrors_the_probabilities():
    X, y = planted(5)
    swapped = np.where(y == "a", "b", "a")
    one = PlattSVC(random_state=0).fit(X, y).predict_proba(X)
    other = PlattSVC(random_state=0).fit(X, swapped).predict_proba(X)
    # folds are dealt class by class, so only the sigmoid of the same decisions compares
    assert np.corrcoef(one[:, 0], other[:, 1])[0, 1] > 0.99


def test_bad_input_is_refused():
    X, y = planted(6)
    with pytest.raises(ValueError, match="one class: 'a'"):
        PlattSVC().fit(X, np.repeat("a", 60))
    with pytest.raises(ValueError, match="Unknown label type"):
        PlattSVC().fit(X, np.linspace(0, 1, 60))
    with pytest.raises(ValueError, match="NaN"):
        PlattSVC().fit(np.where(X > 2, np.nan, X), y)
    model = PlattSVC(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="expecting 8 features"):
        model.predict_proba(X[:, :3])


@pytest.mark.parametrize("y", [np.arange(24) % 2, (np.arange(24) == 5).astype(int)])
def test_weights_count_the_same_with_metadata_routing(y):
    X = np.random.default_rng(1).normal(size=(24, 2)) + y[:, None]
    weights = np.linspace(0.5, 2, 24)
    expected = PlattSVC(random_state=0).fit(X, y, weights).predict_proba(X)
    with sklearn.config_context(enable_metadata_routing=True):
        found = PlattSVC(random_state=0).fit(X, y, weights).predict_proba(X)
    assert_array_equal(found, expected)
    plain = PlattSVC(random_state=0).fit(X, y).predict_proba(X)
    assert np.abs(found - plain).max() > 1e-4


@pytest.mark.quick
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_more_rows_than_products_are_kept_of(n_classes, kernel, class_weight, monkeypatch):
    """libsvm's machines then, to its tolerance."""
    X, y = planted(7, n_classes=n_classes)
    weights = np.linspace(0.5, 2, 60)
    classifier = SupportVectors(kernel, class_weight=class_weight)
    codes, sizes = np.unique(y, return_inverse=True)[1], [2, 5, 8]
    ours = classifier.fit(X, codes, n_classes, 1, weights)
    every = classifier.beliefs_by_size(X, codes, n_classes, X, sizes, 1)
    monkeypatch.setattr(support_vectors, "MOST_ROWS", 10)
    libsvm = classifier.fit(X, codes, n_classes, 1, weights)
    np.testing.assert_allclose(ours.pair_values(X), libsvm.pair_values(X), rtol=0, atol=5e-3)
    np.testing.assert_allclose(ours.sigmoid, libsvm.sigmoid, rtol=0.05, atol=0.05)
    others = classifier.beliefs_by_size(X, codes, n_classes, X, sizes, 1)
    for one, other in zip(every, others, strict=True):
        np.testing.assert_allclose(one.proba, other.proba, rtol=0, atol=0.02)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kernel": "poly"},
        {"C": 0},
        {"C": True},
        {"gamma": -1.0},
        {"gamma": "auto"},
        {"class_weight": "even"},
    ],
)
def test_bad_parameters_are_named(wrong):
    (name,) = wrong
    with pytest.raises(PlanError, match=f"{name}="):
        PlattSVC(**{"kernel": "rbf", **wrong}).fit(*planted())


def test_an_unfitted_machine_says_so():
    for say in ("predict", "predict_proba", "decision_function"):
        with pytest.raises(NotFittedError):
            getattr(PlattSVC(), say)(np.zeros((2, 2)))
