"""Shrinkage and diagonal discriminant analysis: rows of plans and estimators are one thing."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from tamis._core.errors import PlanError
from tamis._core.registry import find_row
from tamis._core.rows import ClassifierRow
from tamis.classifiers import DiagonalDiscriminantClassifier, ShrinkageDiscriminantClassifier
from tamis.classifiers.base.scaling import fit_in_units, from_arrays
from tamis.classifiers.classifier_labels import build_classifier
from tamis.classifiers.diagonal_discriminant import DiagonalDiscriminant
from tamis.classifiers.shrinkage_discriminant import ShrinkageDiscriminant
from tamis.kernels.shrinkage_discriminant import shrinkage_discriminant

PAIRS = {
    "shrinkage_discriminant": (ShrinkageDiscriminant, ShrinkageDiscriminantClassifier),
    "diagonal_discriminant": (DiagonalDiscriminant, DiagonalDiscriminantClassifier),
}
names = pytest.mark.parametrize("name", PAIRS)
classes = pytest.mark.parametrize("n_classes", [2, 3])


def samples(n_classes, n=40, k=60, seed=0):
    rng = np.random.default_rng(seed)
    y = np.minimum(rng.permutation(np.arange(n)) % (n_classes + 1), n_classes - 1)  # unequal
    X = rng.normal(size=(n, k)) + rng.normal(size=(n, 1)) + 0.6 * rng.normal(size=(n_classes, k))[y]
    return X * np.exp(rng.normal(size=k)) + 5, y


@names
def test_row_and_estimator_have_the_same_parameters_and_defaults(name):
    of_plans, public = PAIRS[name]
    own = [
        {p.name: p.default for p in inspect.signature(kind).parameters.values()}
        for kind in (of_plans, public)
    ]
    assert own[0] == own[1]
    assert set(own[0]) == set(find_row(name, ClassifierRow).parameters)


@names
@classes
def test_row_and_estimator_believe_the_same(name, n_classes):
    X, y = samples(n_classes)
    for priors in PAIRS[name][1].PRIORS:
        built = build_classifier(name, {"priors": priors})
        found = fit_in_units(built, X, y, n_classes, 0)
        public = PAIRS[name][1](priors=priors).fit(X, y)
        new = X + 0.3 * np.random.default_rng(1).normal(size=X.shape)
        np.testing.assert_allclose(
            found.beliefs(new).proba, public.predict_proba(new), rtol=0, atol=1e-10
        )
        again = from_arrays(built, found.to_arrays(), X.shape[1], n_classes)
        assert np.array_equal(again.beliefs(new).proba, found.beliefs(new).proba)


@names
@classes
def test_prior_is_the_one_in_the_intercept(name, n_classes):
    """Where columns say nothing the probabilities are the prior."""
    y = np.tile(np.repeat(np.arange(n_classes), np.arange(1, n_classes + 1)), 2)
    X = np.where(np.arange(len(y))[:, None] < len(y) // 2, [1.0, 2.0], [-1.0, -2.0])
    counts = np.bincount(y)
    for priors in PAIRS[name][1].PRIORS:
        built = build_classifier(name, {"priors": priors})
        expected = built.prior(counts)
        assert (expected is None) == (priors == "empirical")
        if expected is None:
            expected = counts / counts.sum()
        found = fit_in_units(built, X, y, n_classes, 0).beliefs(X).proba
        np.testing.assert_allclose(found, np.tile(expected, (len(X), 1)), atol=1e-12)
        public = PAIRS[name][1](priors).fit(X, y)
        np.testing.assert_allclose(public.class_prior_, expected, rtol=1e-14)


def test_a_class_without_samples_has_no_prior():
    counts = np.array([3, 0, 5])
    for built in (DiagonalDiscriminant("equal"), ShrinkageDiscriminant("equal")):
        assert built.prior(counts).tolist() == [0.5, 0, 0.5]
    assert ShrinkageDiscriminant().prior(counts)[1] == 0


def test_with_many_samples_shrinkage_vanishes():
    """It becomes linear discriminant analysis."""
    rng = np.random.default_rng(0)
    y = (rng.random(200_000) < 0.3).astype(int)
    mix = np.eye(5) + 0.4 * rng.normal(size=(5, 5))
    X = rng.normal(size=(len(y), 5)) @ mix + 0.5 * y[:, None] * np.arange(5)
    found = ShrinkageDiscriminantClassifier().fit(X, y)
    peer = LinearDiscriminantAnalysis().fit(X, y)
    assert max(found.lambda_, found.lambda_var_, found.lambda_freqs_) < 1e-3
    np.testing.assert_allclose(found.coef_, peer.coef_, rtol=0.01)
    np.testing.assert_allclose(found.class_prior_, peer.priors_, atol=1e-4)


@names
def test_units_of_columns_do_not_matter(name):
    X, y = samples(3)
    units = 10.0 ** np.random.default_rng(2).uniform(-4, 4, X.shape[1])
    one, other = PAIRS[name][1]().fit(X, y), PAIRS[name][1]().fit(X * units, y)
    np.testing.assert_allclose(
        other.predict_proba(X * units), one.predict_proba(X), rtol=0, atol=1e-9
    )
    np.testing.assert_allclose(other.coef_ * units, one.coef_, rtol=1e-7, atol=1e-9)


def test_the_estimator_is_the_kernel_on_standardised_columns():
    X, y = samples(3)
    model = ShrinkageDiscriminantClassifier().fit(X, y)
    found = shrinkage_discriminant((X - X.mean(axis=0)) / X.std(axis=0), y, 3)
    assert model.lambda_ == pytest.approx(found.intensity)
    assert model.lambda_var_ == pytest.approx(found.variance_intensity)
    assert model.lambda_freqs_ == found.frequency_intensity
    np.testing.assert_allclose(model.coef_ * X.std(axis=0), found.coefficients, rtol=1e-9)
    assert model.decision_function(X).shape == (40, 3)
    two = ShrinkageDiscriminantClassifier().fit(X, y == 1)
    assert np.array_equal(two.decision_function(X) > 0, two.predict(X))
    assert two.coef_.shape == (1, 60)


@names
def test_other_priors_are_refused(name):
    X, y = samples(2)
    with pytest.raises(PlanError, match="did you mean 'equal'"):
        PAIRS[name][1](priors="equall").fit(X, y)
