"""Decisions on beliefs, against the same written out and against peers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logsumexp
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from tamis._core.interfaces import Beliefs
from tamis.classifiers.decisions.arg_max import ArgMax, likeliest_class
from tamis.classifiers.decisions.isotonic import Isotonic
from tamis.classifiers.decisions.platt import Platt, fit_sigmoid
from tamis.classifiers.decisions.recalibration import rest_scores
from tamis.classifiers.decisions.temperature import Temperature

LEARNING = {"platt": Platt, "isotonic": Isotonic, "temperature": Temperature}


def beliefs(C, n=80, seed=0, strength=1.0, margins=True):
    """Scores of n samples, and their classes."""
    rng = np.random.default_rng([seed, C])
    y = np.arange(n) % C
    margin = rng.normal(size=(n, C)) + strength * (y[:, None] == np.arange(C))
    proba = np.exp(margin - logsumexp(margin, axis=1, keepdims=True))
    return Beliefs(proba, margin if margins else None), y


def plain_sigmoid(f, positive):
    """Platt's cross-entropy brought to its least value by a general minimiser."""
    n1, n0 = positive.sum(), (~positive).sum()
    t = np.where(positive, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))

    def entropy(theta):
        z = theta[0] * f + theta[1]
        return np.sum(np.logaddexp(0, z) - t * z)

    start = [0.0, np.log((n1 + 1) / (n0 + 1))]
    found = minimize(
        entropy,
        start,
        method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 10_000},
    )
    return found.x, entropy


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scale", [1.0, 1e-3, 50.0])
def test_platts_sigmoid_is_the_least_of_its_cross_entropy(seed, scale):
    rng = np.random.default_rng(seed)
    positive = rng.random(60) < 0.3
    f = scale * (rng.normal(size=60) + 1.5 * positive)
    a, b = fit_sigmoid(f, positive)
    (slow_a, slow_b), entropy = plain_sigmoid(f / scale, positive)
    assert entropy([a * scale, b]) <= entropy([slow_a, slow_b]) + 1e-9
    assert (a * scale, b) == (pytest.approx(slow_a, abs=1e-4), pytest.approx(slow_b, abs=1e-4))


def test_platts_sigmoid_is_a_logistic_regression_on_his_targets():
    """Each sample twice, with its smoothed target and the rest as weights."""
    rng = np.random.default_rng(5)
    positive = rng.random(80) < 0.4
    f = rng.normal(size=80) + 1.2 * positive
    n1, n0 = positive.sum(), (~positive).sum()
    t = np.where(positive, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000)
    peer.fit(np.r_[f, f][:, None], np.r_[np.ones(80), np.zeros(80)], np.r_[t, 1 - t])
    a, b = fit_sigmoid(f, positive)
    assert a == pytest.approx(peer.coef_[0, 0], abs=1e-5)
    assert b == pytest.approx(peer.intercept_[0], abs=1e-5)


def test_platts_sigmoid_where_classes_are_apart_and_where_margins_say_the_wrong():
    f = np.r_[np.full(10, -1.0), np.full(10, 1.0)]
    positive = f > 0
    a, b = fit_sigmoid(f, positive)
    assert np.isfinite(a)
    assert expit(a + b) == pytest.approx(11 / 12)
    assert expit(b - a) == pytest.approx(1 / 12)
    a, b = fit_sigmoid(f, ~positive)
    assert a == 0
    assert b == pytest.approx(0)
    positive = np.arange(10) < 4  # of six and four: the least of the cross-entropy with a = 0
    share = (4 * 5 / 6 + 6 / 8) / 10
    for f in (np.zeros(10), np.where(positive, -1.0, 1.0)):
        assert fit_sigmoid(f, positive) == (0.0, pytest.approx(np.log(share / (1 - share))))


@pytest.mark.parametrize("C", [2, 4])
def test_platt_has_a_sigmoid_for_each_class_against_the_rest(C):
    given, y = beliefs(C)
    fitted = Platt().fit(given, y)
    proba = fitted.decide(given).beliefs.proba
    if C == 2:
        f = given.margin[:, 1] - given.margin[:, 0]
        a, b = fit_sigmoid(f, y == 1)
        np.testing.assert_allclose(proba[:, 1], expit(a * f + b))
    else:
        each = np.empty_like(proba)
        for c in range(C):
            f = given.margin[:, c] - np.delete(given.margin, c, axis=1).max(axis=1)
            a, b = fit_sigmoid(f, y == c)
            each[:, c] = expit(a * f + b)
        np.testing.assert_allclose(proba, each / each.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("C", [2, 3])
def test_isotonic_is_that_of_scikit_learn(C):
    given, y = beliefs(C)
    new, _ = beliefs(C, seed=1, strength=2.0)
    found = Isotonic().fit(given, y).decide(new).beliefs.proba
    f, g = rest_scores(given), rest_scores(new)
    columns = [1] if C == 2 else range(C)
    each = np.column_stack(
        [
            IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
            .fit(f[:, i], y == c)
            .predict(g[:, i])
            for i, c in enumerate(columns)
        ]
    )
    if C == 2:
        expected = np.column_stack([1 - each, each])
    else:
        total = each.sum(axis=1, keepdims=True)
        expected = np.where(total > 0, each / np.where(total > 0, total, 1), 1 / C)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize("margins", [True, False])
def test_temperature_is_the_best_of_a_grid(C, margins):
    given, y = beliefs(C, strength=0.7, margins=margins)
    slope = Temperature().fit(given, y).slope
    N = np.bincount(y)
    targets = np.where(np.arange(C) == y[:, None], N[y][:, None] + 1, 1) / (N[y][:, None] + C)
    scores = given.margin if margins else np.log(given.proba)

    def entropy(a):
        z = a * scores
        return np.sum(logsumexp(z, axis=1) - (targets * z).sum(axis=1))

    grid = np.linspace(0.01, 5, 5000)
    best = grid[np.argmin([entropy(a) for a in grid])]
    assert slope == pytest.approx(best, abs=1e-3)
    found = Temperature(slope).decide(given)
    assert found.codes.tolist() == likeliest_class(given).tolist()
    np.testing.assert_allclose(
        found.beliefs.proba, np.exp(slope * scores - logsumexp(slope * scores, axis=1)[:, None])
    )


@pytest.mark.parametrize("name", LEARNING)
@pytest.mark.parametrize("C", [2, 3])
def test_what_every_recalibration_does(name, C):
    given, y = beliefs(C, margins=False)
    sure = Beliefs(np.eye(C)[given.proba.argmax(axis=1)], None, np.arange(80.0), np.arange(80))
    for one in (given, sure):  # probabilities of 0 and 1 too
        before = LEARNING[name]()
        fitted = before.fit(one, y)
        assert fitted is not before
        assert before.to_arrays.__self__ == LEARNING[name]()  # stays as it was
        found = fitted.decide(one)
        proba = found.beliefs.proba
        assert np.isfinite(proba).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        assert found.accepted.all()
        assert found.codes.tolist() == proba.argmax(axis=1).tolist() == found.told.tolist()
        assert found.beliefs.margin is None
        assert found.beliefs.novelty is one.novelty
        assert found.beliefs.samples is one.samples
        loss = -np.log(np.maximum(proba[np.arange(80), y], 1e-12)).mean()
        assert loss < np.log(C) + 0.01  # no worse than to know nothing


def test_arg_max_follows_margins_before_probabilities():
    proba = np.array([[0.6, 0.4], [0.5, 0.5]])
    assert ArgMax().decide(Beliefs(proba)).codes.tolist() == [0, 0]
    margin = np.array([[-1.0, 1.0], [2.0, -2.0]])
    found = ArgMax().fit(Beliefs(proba, margin), np.array([0, 1])).decide(Beliefs(proba, margin))
    assert found.codes.tolist() == [1, 0]
    assert found.beliefs.proba is proba
