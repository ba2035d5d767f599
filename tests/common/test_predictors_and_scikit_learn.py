"""Predictors as arrays against scikit-learn's own predictions, of the same fits."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from tamis.classifiers.base.scaling import fit_in_units
from tamis.classifiers.classifier_labels import build_classifier
from tamis.classifiers.decisions.arg_max import likeliest_class
from tamis.classifiers.support_vectors import PlattSVC

PEERS = {
    "naive_bayes": ({}, lambda C: GaussianNB(), False),
    "lda": ({}, lambda C: LinearDiscriminantAnalysis(), False),
    "lda_equal": ({}, lambda C: LinearDiscriminantAnalysis(priors=np.full(C, 1 / C)), False),
    "logistic": (
        {"C": 0.5, "class_weight": "none"},
        lambda C: LogisticRegression(C=0.5, solver="newton-cholesky", tol=1e-12),
        True,
    ),
    "knn": (
        {"n_neighbors": 4, "metric": "l1"},
        lambda C: KNeighborsClassifier(4, metric="l1", algorithm="brute"),
        True,
    ),
    "tree": (
        {"min_samples_leaf": 3},
        lambda C: DecisionTreeClassifier(min_samples_leaf=3, random_state=7),
        False,
    ),
    "forest": (
        {"n_estimators": 12, "class_weight": "balanced"},
        lambda C: RandomForestClassifier(12, class_weight="balanced", random_state=7),
        False,
    ),
    "svm_linear": ({"C": 2.0}, lambda C: PlattSVC("linear", 2.0, random_state=7), True),
    "svm_rbf": ({}, lambda C: PlattSVC("rbf", random_state=7), True),
}
peers = pytest.mark.parametrize("name", PEERS)
classes = pytest.mark.parametrize("C", [2, 4])


def samples(C, seed=0, n=90, k=5):
    rng = np.random.default_rng(seed)
    y = np.minimum(rng.integers(0, C + 1, n), C - 1)  # unequal classes
    return rng.normal(size=(n, k)) * [1, 2, 0.5, 1, 3] + 0.9 * y[:, None] * (np.arange(k) < 3), y


def fitted(name, C):
    """The predictor, scikit-learn's estimator, and new rows as each wants them."""
    parameters, make, scaled = PEERS[name]
    (X, y), (new, _) = samples(C), samples(C, seed=1)
    ours = fit_in_units(build_classifier(name, parameters), X, y, C, seed=7)
    scaler = StandardScaler().fit(X) if scaled else None
    train, test = (X, new) if scaler is None else (scaler.transform(X), scaler.transform(new))
    return ours, make(C).fit(train, y), new, test


@peers
@classes
def test_probabilities_are_those_of_scikit_learn(name, C):
    ours, peer, new, test = fitted(name, C)
    found = ours.beliefs(new)
    np.testing.assert_allclose(found.proba, peer.predict_proba(test), rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.proba.sum(axis=1), 1, rtol=1e-12)


@peers
@classes
def test_labels_are_those_of_scikit_learn(name, C):
    ours, peer, new, test = fitted(name, C)
    found = ours.beliefs(new)
    clear = np.ones(len(new), dtype=bool)
    if name.startswith("svm") and C > 2:  # tied votes: libsvm takes the first of these classes
        votes = np.sort(np.round(found.margin), axis=1)
        clear = votes[:, -1] > votes[:, -2]
        assert clear.sum() > 0.8 * len(new)
    np.testing.assert_array_equal(likeliest_class(found)[clear], peer.predict(test)[clear])


@pytest.mark.parametrize("name", ["svm_linear", "svm_rbf"])
@classes
def test_margins_are_those_of_the_machine(name, C):
    ours, peer, new, test = fitted(name, C)
    expected = peer.decision_function(test)
    if C == 2:
        expected = np.column_stack([-expected, expected])
    np.testing.assert_allclose(ours.beliefs(new).margin, expected, rtol=0, atol=1e-9)


def test_only_classifiers_that_decide_by_margins_have_them():
    """Or that grow trees by balanced weights, whose votes are the margins then."""
    for name, (parameters, _, _) in PEERS.items():
        ours, _, new, _ = fitted(name, 2)
        weighted = name == "forest" and parameters.get("class_weight") == "balanced"
        assert (ours.beliefs(new).margin is not None) == (name.startswith("svm") or weighted)


@classes
def test_values_on_a_threshold_go_where_single_precision_sends_them(C):
    """Trees of scikit-learn see single precision: equal to a threshold is left of it."""
    X, y = samples(C)
    X = np.round(X, 1)
    peer = DecisionTreeClassifier(random_state=7).fit(X, y)
    ours = fit_in_units(build_classifier("tree", {}), X, y, C, seed=7)
    inner = peer.tree_.children_left >= 0
    new = np.repeat(X[:1], inner.sum(), axis=0)
    new[np.arange(len(new)), peer.tree_.feature[inner]] = peer.tree_.threshold[inner]
    for rows in (new, new + 1e-9, new - 1e-9, X):
        np.testing.assert_array_equal(ours.beliefs(rows).proba, peer.predict_proba(rows))


def test_a_column_that_separates_the_classes_is_used():
    """Where nothing varies within the classes the nearest mean decides, else a shrunken LDA."""
    y = np.arange(30) % 3
    perfect = y[:, None].astype(float)
    noise = np.random.default_rng(0).normal(size=(30, 1))
    for X in (perfect, np.hstack([perfect, noise]), np.hstack([noise, perfect])):
        found = fit_in_units(build_classifier("lda", {}), X, y, 3, seed=0).beliefs(X)
        np.testing.assert_array_equal(likeliest_class(found), y)


@classes
def test_bagging_is_the_mean_of_its_members_and_draws_every_class(C):
    X, y = samples(C)
    new = samples(C, seed=1)[0]
    label, settings = "bagging(naive_bayes)", {"n_estimators": 4}
    found = fit_in_units(build_classifier(label, settings), X, y, C, seed=3)
    members = [one.beliefs(new).proba for one in found.members]
    assert len(members) == 4
    assert not np.allclose(members[0], members[1])
    np.testing.assert_allclose(found.beliefs(new).proba, np.mean(members, axis=0), atol=1e-15)
    again = fit_in_units(build_classifier(label, settings), X, y, C, seed=3)
    np.testing.assert_array_equal(found.beliefs(new).proba, again.beliefs(new).proba)
    columns = np.ones(X.shape[1])
    columns[1:] = 1e-30  # beside the first column these say nothing to naive Bayes
    alone, small = (
        fit_in_units(build_classifier(label, settings), one, y, C, seed=3).beliefs(new * columns)
        for one in (X * (columns == 1), X * columns)
    )
    np.testing.assert_allclose(small.proba, alone.proba, atol=1e-12)
    rare = np.r_[np.zeros(20, dtype=int), np.arange(1, C)]  # one sample of each other class
    few = fit_in_units(build_classifier(label, settings), X[: len(rare)], rare, C, seed=3)
    assert few.beliefs(new).proba.shape == (len(new), C)
