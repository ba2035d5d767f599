"""Ridge logistic regression against scikit-learn, against its own gradient, size by size."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from common.examples import settings
from tamis.classifiers.base.scaling import fit_in_units, standardised_with_scale
from tamis.classifiers.ridge_logistic import RidgeLogistic
from tamis.kernels.ridge_logistic import WIDE_RATIO, ridge_logistic


def problem(seed, n_classes=2, n=40, k=10, shift=0.7):
    """Standardised columns that hang together, classes apart; every class has two rows or more."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.repeat(np.arange(n_classes), 2), rng.integers(0, n_classes, n)])[:n]
    X = rng.normal(size=(n, k)) + rng.normal(size=(n, 2)) @ rng.normal(size=(2, k))
    X += shift * rng.normal(size=(n_classes, k))[y]
    return StandardScaler().fit_transform(X), y


def fitted(X, y, C=1.0, weights=None, n_classes=None):
    """Coefficients and intercepts on all columns."""
    weights = np.ones(len(y)) if weights is None else weights
    n_classes = n_classes or int(y.max()) + 1
    return ridge_logistic(np.ascontiguousarray(X), y, weights, n_classes, [X.shape[1]], [C])[0]


def plain_gradient(X, y, weights, C, coef, intercept):
    """Of sum_i w_i loss_i + ||B||^2 / 2C by the formulas: of coefficients, of intercepts."""
    eta = X @ coef.T + intercept
    if len(coef) == 1:
        eta = np.hstack([np.zeros_like(eta), eta])
    shares = np.exp(eta - eta.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    wrong = weights[:, None] * (shares - (y[:, None] == np.arange(eta.shape[1])))
    wrong = wrong[:, -len(coef) :]
    return wrong.T @ X + coef / C, wrong.sum(axis=0)


def assert_solved(X, y, weights, C, found):
    """No gradient is left, in proportion to that of the start; intercepts have a sum of 0."""
    coef, intercept = found
    zero = plain_gradient(X, y, weights, C, np.zeros_like(coef), np.zeros_like(intercept))
    scale = max(np.abs(zero[0]).max(), np.abs(zero[1]).max(), 1e-3 * weights.sum())
    here = plain_gradient(X, y, weights, C, coef, intercept)
    assert max(np.abs(here[0]).max(), np.abs(here[1]).max()) <= 1e-8 * scale
    if len(intercept) > 1:
        assert abs(intercept.sum()) < 1e-8
        assert np.abs(coef.sum(axis=0)).max() < 1e-8


drawn = given(
    st.integers(2, 5),
    st.integers(12, 60),
    st.one_of(st.integers(1, 30), st.integers(100, 200)),
    st.floats(0, 2),
    st.sampled_from([0.01, 0.1, 1.0, 10.0]),
    st.sampled_from(["no", "drawn", "some are 0"]),
    st.sampled_from([None, "balanced"]),
    st.integers(0, 10**6),
)


@settings(max_examples=60, deadline=None)
@drawn
def test_equals_scikit_learn(n_classes, n, k, shift, C, weighted, class_weight, seed):
    X, y = problem(seed, n_classes, n, k, shift)
    weights = np.ones(n)
    if weighted != "no":
        weights = np.random.default_rng(seed).uniform(0.1, 3, n)
    if weighted == "some are 0":
        weights[2 * n_classes :: 3] = 0
    ours = RidgeLogistic(C, class_weight).fit(X, y, n_classes, 0, weights)
    peer = LogisticRegression(
        C=C, class_weight=class_weight, solver="newton-cholesky", tol=1e-10, max_iter=10000
    )
    with warnings.catch_warnings():  # its line search gives up where no digit is left to gain
        warnings.simplefilter("ignore")
        peer.fit(X, y, weights)
    shift = peer.intercept_.mean() if n_classes > 2 else 0.0
    np.testing.assert_allclose(ours.coef, peer.coef_, rtol=0, atol=1e-6)
    np.testing.assert_allclose(ours.intercept, peer.intercept_ - shift, rtol=0, atol=1e-6)


@settings(max_examples=60, deadline=None)
@drawn
def test_no_gradient_is_left(n_classes, n, k, shift, C, weighted, class_weight, seed):
    X, y = problem(seed, n_classes, n, k, shift)
    weights = np.ones(n)
    if weighted != "no":
        weights = 10 ** np.random.default_rng(seed).uniform(-3, 3, n)
    if weighted == "some are 0":
        weights[2 * n_classes :: 3] = 0
    assert_solved(X, y, weights, C, fitted(X, y, C, weights, n_classes))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("C", [1e-6, 1e3, 1e6])
@pytest.mark.parametrize("k", [3, 50, 300])
def test_perfect_separation_and_extreme_penalties(n_classes, C, k):
    X, y = problem(1, n_classes, k=k, shift=8.0)
    coef, intercept = fitted(X, y, C)
    assert_solved(X, y, np.ones(len(y)), C, (coef, intercept))
    scores = X @ coef.T + intercept
    likeliest = scores.argmax(axis=1) if n_classes > 2 else scores[:, 0] > 0
    if C > 1:
        assert (likeliest == y).all()


@pytest.mark.parametrize("k", [4, 200])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_sample_in_a_class(n_classes, k):
    X, y = problem(2, n_classes, k=k)
    rows = np.r_[np.flatnonzero(y != 1), np.flatnonzero(y == 1)[:1]]
    found = fitted(X[rows], y[rows], 0.1)
    assert_solved(X[rows], y[rows], np.ones(len(rows)), 0.1, found)


@pytest.mark.parametrize("k", [1, 5, 150])
def test_duplicated_columns_share_a_coefficient(k):
    X, y = problem(3, k=k)
    twice = np.hstack([X, X])
    coef, intercept = fitted(twice, y, 0.5)
    np.testing.assert_allclose(coef[:, :k], coef[:, k:], rtol=0, atol=1e-9)
    once = fitted(X, y, 1.0)
    np.testing.assert_allclose(2 * coef[:, :k], once[0], rtol=0, atol=1e-8)
    np.testing.assert_allclose(intercept, once[1], rtol=0, atol=1e-8)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_rows_without_weight_are_as_if_they_were_not_there(n_classes):
    X, y = problem(4, n_classes, n=60)
    weights = np.random.default_rng(4).integers(0, 3, 60).astype(float)
    weights[: 2 * n_classes] = 1
    some = np.repeat(np.arange(60), weights.astype(int))
    for one, other in zip(fitted(X, y, 1.0, weights), fitted(X[some], y[some]), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_a_class_without_weight_has_no_share(n_classes, class_weight):
    X, y = problem(5, n_classes)
    weights = (y != 1).astype(float)
    proba = RidgeLogistic(1.0, class_weight).fit(X, y, n_classes, 0, weights).beliefs(X).proba
    assert proba[:, 1].max() < 1e-6
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize("k", [1, 100])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_columns_of_zeros_leave_the_class_shares(n_classes, k):
    _, y = problem(6, n_classes)
    coef, intercept = fitted(np.zeros((len(y), k)), y)
    assert (coef == 0).all()
    shares = np.log(np.bincount(y) / len(y))
    expected = shares[1:] - shares[0] if n_classes == 2 else shares - shares.mean()
    np.testing.assert_allclose(intercept, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_wide_and_tall_routes_agree(n_classes):
    n = 20
    X, y = problem(7, n_classes, n=n, k=WIDE_RATIO * n)
    tall = fitted(X, y)
    wide = fitted(np.hstack([X, np.zeros((n, 1))]), y)  # one column more than the tall one takes
    np.testing.assert_allclose(wide[0][:, :-1], tall[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(wide[1], tall[1], rtol=0, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("kind", ["same", "each its own", "shared by pairs"])
def test_a_size_does_not_depend_on_others(n_classes, kind):
    X, y = problem(8, n_classes, n=30, k=100)
    sizes = [1, 5, 10, 20, 50, 60, 61, 100]
    penalties = {
        "same": [0.1] * 8,
        "each its own": [5 / k for k in sizes],
        "shared by pairs": [1.0, 1.0, 0.5, 0.5, 0.1, 0.1, 1.0, 1.0],
    }[kind]
    together = ridge_logistic(X, y, np.ones(30), n_classes, sizes, penalties)
    for k, C, (coef, intercept) in zip(sizes, penalties, together, strict=True):
        alone = fitted(X[:, :k], y, C)
        np.testing.assert_allclose(coef, alone[0], rtol=0, atol=1e-10)
        np.testing.assert_allclose(intercept, alone[1], rtol=0, atol=1e-10)


def test_inputs_are_left_alone():
    X, y = problem(9)
    weights = np.ones(40)
    before = X.copy(), y.copy()
    ridge_logistic(X, y, weights, 2, [3, 10], [1.0, 1.0])
    assert np.array_equal(X, before[0])
    assert np.array_equal(y, before[1])
    assert (weights == 1).all()


def test_the_analytic_penalty_is_a_tenth_at_fifty_columns():
    for k, C in ((1, 5.0), (50, 0.1), (500, 0.01)):
        X, y = problem(11, k=k)
        analytic = RidgeLogistic("analytic").fit(X, y, 2, 0)
        number = RidgeLogistic(C).fit(X, y, 2, 0)
        np.testing.assert_allclose(analytic.coef, number.coef, rtol=0, atol=1e-12)


def test_the_prior_is_uniform_over_the_classes_seen_if_balanced():
    counts = np.array([30, 0, 5])
    assert RidgeLogistic().prior(counts) is None
    np.testing.assert_array_equal(
        RidgeLogistic(class_weight="balanced").prior(counts), [0.5, 0, 0.5]
    )


def test_balanced_probabilities_stand_for_the_prior_even_of_constant_columns():
    y = np.repeat([0, 1], [30, 10])
    classifier = RidgeLogistic(class_weight="balanced")
    predictor = fit_in_units(classifier, np.ones((40, 3)), y, 2, 0)
    np.testing.assert_allclose(predictor.beliefs(np.ones((2, 3))).proba, 0.5, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.integers(2, 8), st.booleans(), st.integers(0, 10**6))
def test_standardised_columns_are_scikit_learns(n, k, fortran, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, k)) * 10.0 ** rng.integers(-6, 6, k) + 10.0 ** rng.integers(-3, 15, k)
    X[:, rng.integers(k)] = rng.normal()
    X = np.asarray(X, order="F" if fortran else "C")
    columns, center, scale = standardised_with_scale(X)
    peer = StandardScaler().fit(X)
    np.testing.assert_array_equal(center, peer.mean_)
    np.testing.assert_array_equal(scale, peer.scale_)
    np.testing.assert_array_equal(columns, (X - peer.mean_) / peer.scale_)
