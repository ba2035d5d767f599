"""Probabilities on the natural scale, and the decision for the balanced accuracy, classifier by
classifier: balanced weights with their own labels, and p / pi, are one thing."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from common.examples import settings
from tamis._core.errors import ModelError
from tamis._core.interfaces import Beliefs
from tamis._core.registry import rows_of
from tamis._core.rows import ClassifierRow
from tamis.classifiers.base.natural_scale import (
    NaturalPredictor,
    fit_natural,
    natural_beliefs_by_size,
    natural_from_arrays,
)
from tamis.classifiers.base.scaling import fit_in_units
from tamis.classifiers.classifier_labels import build_classifier, is_natural, takes_raw
from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.classifiers.decisions.balanced import Balanced, balanced_scale
from tamis.classifiers.recalibrations.temperature import Temperature

BALANCED = {"class_weight": "balanced"}
WEIGHTED = [
    ("logistic", BALANCED),
    ("lda_equal", {}),
    ("lda", {"priors": "equal"}),
    ("bagging(logistic)", {**BALANCED, "n_estimators": 5}),
    ("bagging(lda_equal)", {"n_estimators": 5}),
    ("with_novelty(lda_equal)", {}),
    ("as_categories(logistic)", BALANCED),
]


def unequal(C=2, n=120, k=4, seed=0):
    """Classes of unequal size, some signal, and rows to predict."""
    rng = np.random.default_rng(seed)
    shares = np.array([0.8, 0.2]) if C == 2 else np.array([0.6, 0.3, 0.1])
    y = np.repeat(np.arange(C), np.round(n * shares).astype(int))
    X = rng.normal(size=(len(y), k)) + 0.8 * rng.normal(size=(C, k))[y]
    return X, y, rng.normal(size=(300, k)) * 1.5


def shares_of(y, m):
    return np.tile(np.bincount(y) / len(y), (m, 1))


def natural_beliefs(label, parameters, C, seed=0):
    X, y, new = unequal(C, seed=seed)
    levels = {} if takes_raw(label) else None
    fitted = fit_natural(build_classifier(label, parameters), X, y, C, 3, levels)
    found = fitted.beliefs(new)
    return Beliefs(found.proba, found.margin, prior=shares_of(y, len(new))), y


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize(("label", "parameters"), WEIGHTED)
def test_labels_of_balanced_weights_are_those_of_p_over_pi(label, parameters, C):
    beliefs, _ = natural_beliefs(label, parameters, C)
    own = ArgMax().decide(beliefs).codes
    ratios = beliefs.proba / beliefs.prior
    clear = np.sort(ratios, axis=1)[:, -1] > np.sort(ratios, axis=1)[:, -2] * (1 + 1e-9)
    assert clear.sum() > 100
    assert np.array_equal(own[clear], Balanced().decide(beliefs).codes[clear])
    assert len(np.unique(own)) == C
    likeliest = beliefs.proba.argmax(axis=1)
    assert np.mean(likeliest == 0) > np.mean(own == 0)  # on the natural scale the large class wins


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize(("label", "parameters"), WEIGHTED)
def test_natural_probabilities_are_p_share_over_pi(label, parameters, C):
    X, y, new = unequal(C)
    levels = {} if takes_raw(label) else None
    built = build_classifier(label, parameters)
    plain = fit_in_units(built, X, y, C, 3, levels).beliefs(new)
    found = fit_natural(built, X, y, C, 3, levels).beliefs(new)
    by_hand = plain.proba * np.bincount(y) / len(y) * C  # pi is 1 / C
    by_hand /= by_hand.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.proba, by_hand, atol=1e-12)
    scale = balanced_scale(found.proba, shares_of(y, len(new)))
    np.testing.assert_allclose(scale, plain.proba, atol=1e-9)


GROWN = [
    ("tree", {"min_samples_leaf": 5}),
    ("tree", {"max_depth": 3}),
    ("forest", {"n_estimators": 20, "min_samples_leaf": 5}),
    ("forest", {"n_estimators": 20}),
]


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize(("label", "parameters"), GROWN)
def test_trees_of_balanced_weights_tell_the_rows_of_their_leaves(label, parameters, C):
    """Leaf by leaf, against scikit-learn's own weighted counts; its labels stay with `arg_max`."""
    X, y, new = unequal(C)
    built = build_classifier(label, {**BALANCED, **parameters})
    fitted = fit_natural(built, X, y, C, 3)
    found = fitted.beliefs(new)
    model = {"tree": DecisionTreeClassifier, "forest": RandomForestClassifier}[label](
        class_weight="balanced", random_state=3, **parameters
    ).fit(X, y)
    trees = model.estimators_ if label == "forest" else [model]
    weights = len(y) / C / np.bincount(y)
    by_hand = np.zeros((len(new), C))
    for tree in trees:
        rows = tree.predict_proba(new) / weights
        by_hand += rows / rows.sum(axis=1, keepdims=True) / len(trees)
    np.testing.assert_allclose(found.proba, by_hand, atol=1e-12)
    np.testing.assert_array_equal(ArgMax().decide(found).codes, model.predict(new))
    again = natural_from_arrays(built, fitted.to_arrays(), X.shape[1], C).beliefs(new)
    np.testing.assert_array_equal(again.proba, found.proba)
    bad = {**fitted.to_arrays(), "class_weights": np.zeros(C)}
    with pytest.raises(ModelError):
        natural_from_arrays(built, bad, X.shape[1], C)


def test_equal_priors_on_the_natural_scale_are_the_class_shares():
    """LDA with equal priors and with class shares differ in nothing but the prior."""
    X, y, new = unequal(3)
    equal, own = (
        fit_natural(build_classifier("lda", {"priors": p}), X, y, 3, 0).beliefs(new).proba
        for p in ("equal", "empirical")
    )
    np.testing.assert_allclose(equal, own, atol=1e-12)


@pytest.mark.parametrize(("label", "parameters"), [WEIGHTED[0], WEIGHTED[1]])
def test_sizes_at_once_are_on_the_natural_scale_too(label, parameters):
    X, y, new = unequal(2, k=6)
    built = build_classifier(label, parameters)
    together = natural_beliefs_by_size(built, X, y, 2, new, [1, 3, 6], 0)
    for size, found in zip([1, 3, 6], together, strict=True):
        alone = fit_natural(built, X[:, :size], y, 2, 0).beliefs(new[:, :size])
        np.testing.assert_allclose(found.proba, alone.proba, atol=1e-9)
        np.testing.assert_allclose(found.margin, alone.margin, atol=1e-7)


@pytest.mark.parametrize(("label", "parameters"), WEIGHTED)
def test_they_are_read_back_from_arrays(label, parameters):
    X, y, new = unequal(2)
    levels = {} if takes_raw(label) else None
    built = build_classifier(label, parameters)
    fitted = fit_natural(built, X, y, 2, 3, levels)
    assert isinstance(fitted, NaturalPredictor)
    arrays = fitted.to_arrays()
    again = natural_from_arrays(built, arrays, X.shape[1], 2).beliefs(new)
    np.testing.assert_array_equal(again.proba, fitted.beliefs(new).proba)
    for bad in ([0.0, 1.0], [-1.0, 1.0], [np.inf, 1.0], [1.0]):
        with pytest.raises(ModelError):
            natural_from_arrays(built, {**arrays, "prior_weights": np.array(bad)}, X.shape[1], 2)
    with pytest.raises(ModelError):
        natural_from_arrays(built, {**arrays, "coef": np.zeros((1, 4))}, X.shape[1], 2)


def test_natural_is_said_of_every_classifier_that_gives_probabilities():
    """But of those that decide by margins, have charged costs, or are the user's own."""
    rows = [r for r in rows_of(ClassifierRow) if not r.takes.is_meta_estimator]
    unnatural = {r.name for r in rows if not is_natural(r.name)}
    assert unnatural == {"svm_linear", "svm_rbf", "svm_grid", "adaboost"}
    for label in ("costing(logistic)", "cost_weighted(logistic)", "metacost(lda)"):
        assert not is_natural(label)
    assert is_natural("bagging(lda)")
    assert not is_natural("bagging(svm_linear)")


def test_columns_that_are_constant_say_nothing_on_any_scale():
    X, y = np.ones((30, 2)), np.repeat([0, 1], [24, 6])
    for label in ("logistic", "lda_equal", "lda"):
        found = fit_natural(build_classifier(label, {}), X, y, 2, 0).beliefs(X)
        np.testing.assert_allclose(found.proba, shares_of(y, 30), atol=1e-12)
        beliefs = Beliefs(found.proba, found.margin, prior=shares_of(y, 30))
        assert not Balanced().decide(beliefs).codes.any()  # a tie goes to the first class


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 3), st.integers(2, 6))
def test_no_labels_have_a_higher_expected_balanced_rate(seed, C, m):
    """Against every labelling of a few samples, the classes' shares being means of p."""
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(C), m)
    prior = proba.mean(axis=0)
    decided = Balanced().decide(Beliefs(proba, prior=np.tile(prior, (m, 1)))).codes

    def expected(codes):
        return np.mean(
            [(proba[:, c] * (np.array(codes) == c)).sum() / (m * prior[c]) for c in range(C)]
        )

    best = max(expected(codes) for codes in product(range(C), repeat=m))
    assert expected(decided) == pytest.approx(best, abs=1e-12)


def test_ties_shares_of_nothing_and_no_prior():
    prior = np.array([[0.75, 0.25], [0.75, 0.25], [0.0, 1.0], [1.0, 0.0]])
    proba = np.array([[0.75, 0.25], [0.7, 0.3], [0.0, 1.0], [1.0, 0.0]])
    assert Balanced().decide(Beliefs(proba, prior=prior)).codes.tolist() == [0, 1, 1, 0]
    nearly = np.nextafter(0.25, 1) * np.ones((1, 1))
    tie = Beliefs(np.hstack([1 - nearly, nearly]), prior=prior[:1])
    assert Balanced().decide(tie).codes.tolist() == [0]
    margin = np.array([[0.0, 1.0]])
    assert Balanced().decide(Beliefs(np.array([[0.9, 0.1]]), margin)).codes.tolist() == [1]
    assert Balanced().decide(Beliefs(np.array([[0.9, 0.1]]))).codes.tolist() == [0]


def test_the_distance_is_that_of_log_ratios():
    beliefs = Beliefs(np.array([[0.9, 0.1], [0.5, 0.5]]), prior=np.array([[0.9, 0.1], [0.8, 0.2]]))
    found = Balanced().distance(beliefs)
    np.testing.assert_allclose(found, [0.0, np.log(2.5 / 0.625)], atol=1e-12)


@pytest.mark.parametrize("outer", ["cost_weighted", "costing", "cost_resampled", "metacost"])
@pytest.mark.parametrize("inner", ["logistic", "lda_equal", "bagging(logistic)"])
def test_inside_what_charges_costs_nothing_else_weighs_the_classes(outer, inner):
    """Balanced weights would undo costs; equal priors would hide what was drawn."""
    if outer == "cost_weighted" and inner != "logistic":
        pytest.skip("takes no weights")
    X, y, new = unequal(2)
    costs = np.array([[0.0, 1.0], [6.0, 0.0]])  # rows called, columns true: the large class is dear
    weighted, label = ({}, "lda") if inner == "lda_equal" else (BALANCED, inner)
    own, bare = (
        fit_natural(build_classifier(f"{outer}({of})", given, costs), X, y, 2, 1)
        for of, given in ((inner, weighted), (label, {}))
    )
    np.testing.assert_array_equal(own.beliefs(new).proba, bare.beliefs(new).proba)
    unweighted = fit_natural(build_classifier(label, {}), X, y, 2, 1).beliefs(new)
    called = ArgMax().decide(own.beliefs(new)).codes
    assert np.mean(called) < np.mean(unweighted.proba.argmax(axis=1))  # away from the cheap class


def test_one_slope_keeps_the_prior_that_probabilities_stand_for():
    """Margins of balanced weights are on another scale, which no slope leads back from."""
    beliefs, _ = natural_beliefs("logistic", BALANCED, 2)
    plain = Temperature(1.0).recalibrated(beliefs)
    np.testing.assert_allclose(plain, beliefs.proba, atol=1e-12)


def test_which_classifiers_take_a_weight_for_each_row():
    plain = [r for r in rows_of(ClassifierRow) if not r.takes.is_meta_estimator]
    assert {r.name for r in plain if not r.takes.accepts_sample_weight} == {
        *("lda", "lda_equal", "diagonal_discriminant", "shrinkage_discriminant", "knn"),
    }
