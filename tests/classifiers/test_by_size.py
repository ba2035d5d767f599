"""All sizes of a ranking at once: what the fit of each size by itself believes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from common.examples import settings
from tamis.classifiers.base.by_size import beliefs_by_size
from tamis.classifiers.base.natural_scale import fit_natural, natural_beliefs_by_size
from tamis.classifiers.base.scaling import fit_in_units, standardised_with_scale
from tamis.classifiers.classifier_labels import build_classifier
from tamis.kernels.naive_bayes import class_gaussians
from tamis.kernels.nearest_neighbours import nearest_votes

TOGETHER = [
    ("lda", {}),
    ("lda_equal", {}),
    ("diagonal_discriminant", {"priors": "equal"}),
    ("shrinkage_discriminant", {}),
    ("logistic", {"C": 0.1}),
    ("logistic", {"C": "analytic"}),
    ("logistic", {"class_weight": "balanced"}),
    ("naive_bayes", {}),
    ("naive_bayes", {"var_smoothing": 0.1}),
    ("knn", {}),
    ("knn", {"n_neighbors": 3, "metric": "l1"}),
    ("as_categories(naive_bayes)", {}),
    ("as_categories(logistic)", {"most": 4}),
    ("svm_linear", {}),
    ("svm_linear", {"C": 0.1, "class_weight": "balanced"}),
    ("svm_rbf", {}),
    ("svm_rbf", {"gamma": 0.1}),
]
ALONE = [("svm_grid", {"step": 14.0, "levels": 1}), ("bagging(naive_bayes)", {"n_estimators": 3})]
EXACT = {"naive_bayes", "knn", "as_categories(naive_bayes)", *(label for label, _ in ALONE)}
KINDS = (
    "plain",
    "far units",
    "constant",
    "constant first",
    "all constant",
    "nearly constant",
    "whole",
    "perfect",
    "copies",
    "few rows",
)


def table(kind, n_classes, seed, k=40):
    """Training rows with every class, codes, and rows to predict."""
    rng = np.random.default_rng(seed)
    n = n_classes + (2 if kind == "few rows" else int(rng.integers(8, 30)))
    y = rng.permutation(np.arange(n) % n_classes)
    X = rng.normal(size=(n + 7, k)) + rng.normal(size=(n_classes, k))[np.append(y, [0] * 7)]
    X = X * rng.uniform(0.1, 50, k) + rng.normal(size=k)
    if kind == "far units":
        X *= 10.0 ** rng.integers(-200, 200, k)
    elif kind == "constant":
        X[:, ::3] = 0.1
    elif kind == "constant first":
        X[:n, :3] = 7.0
    elif kind == "all constant":
        X[:n] = np.arange(k)
    elif kind == "nearly constant":
        X[:, 1] = 1e8 + 1e-8 * X[:, 1]
    elif kind == "whole":
        X = rng.integers(0, 3, X.shape).astype(float)
    elif kind == "perfect":
        X[:n, 4] = y
    elif kind == "copies":
        X[:n] = X[rng.integers(0, n, n)]
        X[:, 5] = X[:, 2]
    return X[:n], y, X[n:]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TOGETHER), st.sampled_from(KINDS), st.integers(2, 4), st.integers(0, 10**6))
def test_sizes_at_once_are_single_fits(which, kind, n_classes, seed):
    held_to_single_fits(*which, kind, n_classes, seed)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(ALONE), st.sampled_from(KINDS), st.integers(2, 3), st.integers(0, 10**6))
def test_those_fitted_one_by_one_have_the_same_columns(which, kind, n_classes, seed):
    held_to_single_fits(*which, kind, n_classes, seed)


def held_to_single_fits(label, parameters, kind, n_classes, seed):
    if kind == "nearly constant" and label.startswith("lda"):
        return  # one linear function of columns as they are loses those digits, the factor does not
    train, y, test = table(kind, n_classes, seed)
    classifier = build_classifier(label, parameters)
    sizes = [1, 2, 3, 5, 12, 40]
    found = natural_beliefs_by_size(classifier, train, y, n_classes, test, sizes, 3)
    assert len(found) == len(sizes)
    for k, beliefs in zip(sizes, found, strict=True):
        alone = fit_natural(classifier, train[:, :k], y, n_classes, 3).beliefs(test[:, :k])
        assert (beliefs.margin is None) == (alone.margin is None)
        if label in EXACT:
            np.testing.assert_array_equal(beliefs.proba, alone.proba)
        np.testing.assert_allclose(beliefs.proba, alone.proba, rtol=0, atol=1e-9)
    some = natural_beliefs_by_size(classifier, train, y, n_classes, test, [2, 12], 3)
    for at, one in zip((1, 4), some, strict=True):
        np.testing.assert_allclose(one.proba, found[at].proba, rtol=0, atol=1e-12)


@pytest.mark.parametrize("label", ["c45", "tree", "aode", "as_categories(c45)", "bagging(c45)"])
def test_tables_as_they_are(label):
    """Categories among the columns, missing values, and a first column that says nothing."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 6)), np.arange(40) % 2
    X[:, 0], X[:, 2], X[:, 3] = np.nan, rng.integers(0, 3, 40), X[:, 3] + y
    X[rng.random(X.shape) < 0.1] = np.nan
    classifier, sizes = build_classifier(label, {}), [1, 3, 6]
    found = beliefs_by_size(classifier, X[:30], y[:30], 2, X[30:], sizes, 0, {2: 3})
    for k, beliefs in zip(sizes, found, strict=True):
        levels = {2: 3} if k > 2 else {}
        alone = fit_in_units(classifier, X[:30, :k], y[:30], 2, 0, levels).beliefs(X[30:, :k])
        np.testing.assert_array_equal(beliefs.proba, alone.proba)


def test_nothing_to_predict_and_no_size():
    train, y, test = table("plain", 2, 0)
    for label, parameters in TOGETHER:
        classifier = build_classifier(label, parameters)
        assert beliefs_by_size(classifier, train, y, 2, test, [], 0) == []
        (found,) = beliefs_by_size(classifier, train, y, 2, test[:0], [5], 0)
        assert found.proba.shape == (0, 2)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 4), st.booleans(), st.floats(0, 0.5), st.integers(0, 10**6))
def test_naive_bayes_is_scikit_learns(n_classes, weighted, smoothing, seed):
    train, y, test = table("plain", n_classes, seed)
    weights = np.random.default_rng(seed).uniform(0.1, 3, len(y)) if weighted else None
    built = build_classifier("naive_bayes", {"var_smoothing": smoothing + 1e-9})
    found = built.fit(train, y, n_classes, 0, weights)
    peer = GaussianNB(var_smoothing=smoothing + 1e-9).fit(train, y, weights)
    np.testing.assert_allclose(found.means, peer.theta_, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(found.variances, peer.var_, rtol=1e-12)
    np.testing.assert_allclose(found.priors, peer.class_prior_, rtol=1e-14)
    np.testing.assert_allclose(found.beliefs(test).proba, peer.predict_proba(test), atol=1e-9)


def test_a_class_without_rows_or_weight_is_never_believed():
    train, y, test = table("plain", 2, 1)
    three = np.arange(len(y)) % 3
    for codes, weights in ((2 * y, None), (three, (three != 1) * 1.0)):
        found = build_classifier("naive_bayes", {}).fit(train, codes, 3, 0, weights).beliefs(test)
        assert np.isfinite(found.proba).all()
        assert (found.proba[:, 1] == 0).all()
    found = build_classifier("knn", {}).fit(train, 2 * y, 3, 0).beliefs(test)
    assert (found.proba[:, 1] == 0).all()


def test_moments_of_a_column_do_not_depend_on_the_others():
    train, y, _ = table("nearly constant", 3, 2)
    every, alone = class_gaussians(train, y, 3), class_gaussians(train[:, :1], y, 3)
    for all_of, one in zip(every[:3], alone[:3], strict=True):
        np.testing.assert_array_equal(all_of[..., :1], one)
    columns, center, scale = standardised_with_scale(train)
    first = standardised_with_scale(train[:, :1])
    for all_of, one in zip((columns[:, :1], center[:1], scale[:1]), first, strict=True):
        np.testing.assert_array_equal(all_of, one)


def plain_votes(train, codes, test, n_classes, k, absolute, sizes):
    """Sort the rows by distance and then by place; whole numbers, whose sums are exact."""
    votes = np.zeros((len(sizes), len(test), n_classes))
    for s, size in enumerate(sizes):
        for i, x in enumerate(test):
            steps = train[:, :size] - x[:size]
            distances = (abs(steps) if absolute else steps**2).sum(axis=1)
            for r in sorted(range(len(train)), key=lambda r: (distances[r], r))[:k]:
                votes[s, i, codes[r]] += 1
    return votes


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 25),
    st.integers(1, 20),
    st.integers(1, 9),
    st.integers(2, 4),
    st.booleans(),
    st.integers(0, 10**6),
)
def test_of_neighbours_at_equal_distances_the_earlier_votes(n, m, k, n_classes, absolute, seed):
    rng = np.random.default_rng(seed)
    train, test = rng.integers(0, 4, (n, 6)) * 1.0, rng.integers(0, 4, (m, 6)) * 1.0
    codes, k = rng.integers(0, n_classes, n), min(k, n)
    for sizes in ([1, 2, 4, 6], [6], [3, 3]):
        found = nearest_votes(train, codes, test, n_classes, k, absolute, sizes)
        expected = plain_votes(train, codes, test, n_classes, k, absolute, sizes)
        np.testing.assert_array_equal(found, expected)


def test_distances_that_differ_by_rounding_are_equal():
    """.1 + .2 + .3 is not .3 + .2 + .1; the later of the two rows is no nearer for that."""
    for row in ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]):
        train = np.array([row, row[::-1]])
        votes = nearest_votes(train, np.array([1, 0]), np.zeros((1, 3)), 2, 1, True, [3])
        assert votes.tolist() == [[[0.0, 1.0]]]


@pytest.mark.parametrize("metric", ["l1", "l2"])
def test_without_ties_the_neighbours_are_scikit_learns(metric):
    train, y, test = table("plain", 3, 5)
    peer = KNeighborsClassifier(5, metric=metric).fit(train, y)
    found = build_classifier("knn", {"metric": metric}).fit(train, y, 3, 0).beliefs(test)
    np.testing.assert_array_equal(found.proba, peer.predict_proba(test))
