"""Recalibrations of beliefs, against the same written out and against peers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logsumexp
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from tamis._core.errors import ModelError
from tamis._core.interfaces import Beliefs
from tamis.classifiers.costs.minimum_risk import MinimumRisk
from tamis.classifiers.decisions.rest_scores import rest_scores
from tamis.classifiers.recalibrations.isotonic import Isotonic
from tamis.classifiers.recalibrations.layer import Recalibrated
from tamis.classifiers.recalibrations.platt import Platt, fit_sigmoid
from tamis.classifiers.recalibrations.slope import Slope
from tamis.classifiers.recalibrations.temperature import Temperature
from tamis.kernels.recalibration_slopes import (
    LOG_SLOPE_SD,
    OFFSET_SD,
    SLOPE_BOUNDS,
    SLOPE_RATE,
    centred,
    fit_slopes,
    slope_information,
    softmax_shares,
)

LEARNING = {"slope": Slope, "platt": Platt, "isotonic": Isotonic, "temperature": Temperature}


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
    proba = fitted.recalibrated(given)
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
    found = Isotonic().fit(given, y).recalibrated(new)
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
    found = Temperature(slope).recalibrated(given)
    assert found.argmax(axis=1).tolist() == given.scores.argmax(axis=1).tolist()
    np.testing.assert_allclose(
        found, np.exp(slope * scores - logsumexp(slope * scores, axis=1)[:, None])
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
        assert before == LEARNING[name]()  # stays as it was
        proba = fitted.recalibrated(one)
        assert np.isfinite(proba).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        loss = -np.log(np.maximum(proba[np.arange(80), y], 1e-12)).mean()
        assert loss < np.log(C) + 0.01  # no worse than to know nothing
        layered = Recalibrated(before, MinimumRisk(1 - np.eye(C))).fit(one, y).decide(one)
        np.testing.assert_array_equal(layered.beliefs.proba, proba)
        assert layered.codes.tolist() == proba.argmax(axis=1).tolist() == layered.labels.tolist()
        assert layered.accepted.all()
        assert layered.beliefs.margin is None
        assert layered.beliefs.novelty is one.novelty
        assert layered.beliefs.samples is one.samples
        assert layered.beliefs.own is one


def plain_slope(scores, y, weights):
    """The same sum brought to its least value by a general minimiser."""
    C = scores.shape[1]
    base = np.log([weights[y == c].sum() / weights.sum() for c in range(C)])
    f = scores - scores.mean(axis=1, keepdims=True) - (base - base.mean())

    def loss(theta):
        b = np.r_[0.0, theta[1:]] - np.r_[0.0, theta[1:]].mean()
        z = np.exp(theta[0]) * f + base + b
        points = logsumexp(z, axis=1) - z[np.arange(len(y)), y]
        return (
            weights @ points
            + SLOPE_RATE * np.exp(theta[0])
            + theta[0] ** 2 / (2 * LOG_SLOPE_SD**2)
            + b @ b / (2 * OFFSET_SD**2)
        )

    found = minimize(
        loss,
        np.zeros(C),
        method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 20_000, "maxfev": 20_000},
    )
    return found.x, loss  # fmt: skip


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize("scale", [0.2, 1.0, 6.0])
@pytest.mark.parametrize("strength", [0.0, 1.0, 6.0])
def test_slope_and_offsets_are_the_least_of_their_sum(C, scale, strength):
    """Shy, right and bold log odds; of classes that overlap, and of such as are apart."""
    given, y = beliefs(C, n=60, strength=strength)
    weights = np.random.default_rng(0).uniform(0.2, 1.0, size=60)
    scores = scale * given.margin
    (slope,), (offsets,) = fit_slopes(scores[None], y, weights)
    theta, loss = plain_slope(scores, y, weights)
    base = np.log(np.bincount(y, weights))
    ours = np.r_[np.log(slope), (offsets - (1 - slope) * (base - base[0]))[1:]]
    assert loss(ours) <= loss(theta) + 1e-7
    np.testing.assert_allclose(ours, theta, atol=2e-3)
    assert offsets[0] == 0


@pytest.mark.parametrize("C", [2, 4])
def test_candidates_are_fitted_each_by_itself(C):
    parts = [beliefs(C, seed=seed, strength=seed) for seed in range(5)]
    y, weights = parts[0][1], np.ones(80)
    scores = np.stack([one.scores for one, _ in parts])
    slopes, offsets = fit_slopes(scores, y, weights)
    for k in range(5):
        alone = fit_slopes(scores[k : k + 1], y, weights)
        assert slopes[k] == pytest.approx(alone[0][0], rel=1e-6)
        np.testing.assert_allclose(offsets[k], alone[1][0], atol=1e-6)


def test_without_a_prior_the_slope_is_that_of_a_logistic_regression():
    given, y = beliefs(2, n=200, strength=0.8)
    f = given.margin[:, 1] - given.margin[:, 0]
    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(f[:, None], y)
    (slope,), (offsets,) = fit_slopes(
        given.margin[None], y, np.ones(200), pull=0, spread=1e6, offset=1e6
    )
    assert slope == pytest.approx(peer.coef_[0, 0], rel=1e-5)
    assert offsets[1] == pytest.approx(peer.intercept_[0], abs=1e-5)


def test_the_prior_of_a_slope_counts_as_much_whatever_the_repeats():
    """A hundred predictions of a sample say no more than their mean of the sum."""
    given, y = beliefs(2, n=40)
    once = Slope().fit(Beliefs(given.proba, samples=np.arange(40)), y)
    many = np.tile(np.arange(40), 7)
    again = Slope().fit(Beliefs(given.proba[many], samples=many), y[many])
    assert again.slope == pytest.approx(once.slope, rel=1e-6)
    few, _ = beliefs(2, n=8)
    assert abs(np.log(Slope().fit(few, np.arange(8) % 2).slope)) < 2 * LOG_SLOPE_SD


@pytest.mark.parametrize(("wrong", "least"), [(False, 1.0), (True, SLOPE_BOUNDS[0])])
def test_order_is_kept_even_where_the_scores_say_the_wrong(wrong, least):
    """Classes apart give a finite slope above 1; scores against the classes one above 0."""
    f = np.linspace(-3, 3, 40)
    y = (f < 0).astype(int) if wrong else (f > 0).astype(int)
    given = Beliefs(np.column_stack([1 / (1 + np.exp(f)), 1 / (1 + np.exp(-f))]))
    fitted = Slope().fit(given, y)
    assert least <= fitted.slope <= SLOPE_BOUNDS[1]
    assert fitted.slope < 1 if wrong else fitted.slope > 1
    found = fitted.recalibrated(given)[:, 1]
    assert (np.diff(found) > 0).all()


def test_calibration_of_many_new_samples_is_mended():
    """Log odds a third of what they should be, with the wrong class shares, of 300 samples."""
    rng = np.random.default_rng(2)
    truth = rng.normal(0, 2, size=4300)
    y = (rng.random(4300) < expit(truth)).astype(int)
    f = truth / 3 + 0.5
    given = Beliefs(np.column_stack([expit(-f), expit(f)]))
    learnt, new = np.arange(300), np.arange(300, 4300)
    proba = Slope().fit(given.take(learnt), y[learnt]).recalibrated(given.take(new))
    found = fit_slopes(np.log(proba)[None], y[new], np.ones(4000), pull=0, spread=1e6, offset=1e6)
    before = fit_slopes(
        given.take(new).scores[None], y[new], np.ones(4000), pull=0, spread=1e6, offset=1e6
    )
    assert 0.8 < found[0][0] < 1.25 < before[0][0]
    assert abs(found[1][0, 1]) < 0.3
    np.testing.assert_allclose(centred(np.log(proba)).sum(axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("C", [2, 3])
def test_scores_that_say_nothing_become_the_class_shares(C):
    """Extreme ones of noise, on one side in the mean: neither they nor their offset is believed."""
    rng = np.random.default_rng(3)
    y = np.r_[np.zeros(60, dtype=int), rng.integers(1, C, size=40)]
    f = 12 * rng.normal(size=(100, C)) + 4 * np.arange(C)
    given = Beliefs(np.exp(f - logsumexp(f, axis=1, keepdims=True)))
    fitted = Slope().fit(given, y)
    assert fitted.slope < 0.1
    fair = Beliefs(np.exp(f - f.mean(axis=0) - logsumexp(f - f.mean(axis=0), axis=1)[:, None]))
    mean = fitted.recalibrated(fair).mean(axis=0)
    np.testing.assert_allclose(mean, np.bincount(y) / 100, atol=0.12)


def test_a_temperature_is_read_back_and_is_above_zero():
    """Two of the scores log .2 and log .8: .04 and .64 over their sum."""
    again = Temperature().from_arrays(Temperature(2.0).to_arrays(), 2)
    assert again.slope == 2.0
    found = again.recalibrated(Beliefs(np.array([[0.2, 0.8], [0.5, 0.5]])))
    assert found == pytest.approx(np.array([[1 / 17, 16 / 17], [0.5, 0.5]]))
    for slope in ([0.0], [-2.0], [1.0, 1.0], [np.inf]):
        with pytest.raises(ModelError, match="part 'slope' does not fit"):
            Temperature().from_arrays({"slope": np.array(slope)}, 2)
    least = np.nextafter(0.0, 1.0)
    assert Temperature().from_arrays({"slope": np.array([least])}, 2).slope == least


def test_a_slope_at_its_upper_bound_is_read_back_with_its_offsets():
    """Shy probabilities of uneven classes: 19 log pi are more than any offset of its own."""
    rng = np.random.default_rng(0)
    y = np.r_[np.zeros(270, dtype=int), np.ones(30, dtype=int)]
    odds = np.log(0.1 / 0.9) + 0.02 * rng.normal(size=300) + 0.1 * y
    given = Beliefs(np.column_stack([expit(-odds), expit(odds)]))
    fitted = Slope().fit(given, y)
    assert fit_slopes(np.log(given.proba)[None], y, np.ones(300))[0] == pytest.approx(
        SLOPE_BOUNDS[1]
    )
    assert 0.85 * SLOPE_BOUNDS[1] < fitted.slope < SLOPE_BOUNDS[1]
    assert fitted.offsets[1] > 35
    again = Slope().from_arrays(fitted.to_arrays(), 2)
    np.testing.assert_array_equal(again.recalibrated(given), fitted.recalibrated(given))


@pytest.mark.parametrize("C", [2, 5])
@pytest.mark.parametrize("scale", [100.0, 1000.0])
def test_offsets_are_the_best_where_the_slope_is_at_its_bound(C, scale):
    """Margins of noise so large that no slope is small enough."""
    rng = np.random.default_rng(2)
    y = np.arange(40) % C
    scores, weights = scale * rng.normal(size=(1, 40, C)), np.ones(40)
    slopes, offsets = fit_slopes(scores, y, weights)
    assert slopes[0] == pytest.approx(SLOPE_BOUNDS[0])
    z = SLOPE_BOUNDS[0] * centred(scores[0])

    def loss(b):
        b = np.r_[0.0, b]
        points = logsumexp(z + b, axis=1) - (z + b)[np.arange(40), y]
        return points.sum() + ((b - b.mean()) ** 2).sum() / (2 * OFFSET_SD**2)

    best = minimize(loss, np.zeros(C - 1), method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(offsets[0, 1:], best.x, atol=1e-5)


def test_scores_whose_squares_are_no_numbers_leave_the_other_candidates_as_they_are():
    given, y = beliefs(2)
    scores = np.stack([given.margin, 1e300 * given.margin])
    slopes, offsets = fit_slopes(scores, y, np.ones(80))
    alone = fit_slopes(scores[:1], y, np.ones(80))
    assert slopes[0] == pytest.approx(alone[0][0])
    np.testing.assert_allclose(offsets[0], alone[1][0])
    assert slopes[1] == pytest.approx(SLOPE_BOUNDS[0])
    assert np.isfinite(offsets).all()


@pytest.mark.parametrize("C", [2, 3])
def test_information_is_the_curvature_of_the_likelihood(C):
    """Its mean over the classes that the fit expects; offsets taken out by Schur's complement."""
    given, y = beliefs(C, n=60)
    weights = np.random.default_rng(1).uniform(0.2, 1, 60)
    scores = given.margin[None]
    slopes, offsets = fit_slopes(scores, y, weights)
    shares = np.bincount(y, weights)
    base = centred(np.log(shares / shares.sum()))
    f, a = centred(given.margin) - base, slopes[0]
    own = offsets[0] - (1 - a) * base
    P = softmax_shares(a * centred(given.margin) + offsets[0])

    def loss(theta):
        z = np.exp(theta[0]) * f + base + np.r_[0, theta[1:]]
        return weights @ (logsumexp(z, axis=1) - (P * z).sum(axis=1))

    at, h = np.r_[np.log(a), (own - own[0])[1:]], 1e-3
    steps = h * np.eye(C)
    bend = [
        [
            (loss(at + i + j) - loss(at + i - j) - loss(at - i + j) + loss(at - i - j)) / (4 * h**2)
            for i in steps
        ]
        for j in steps
    ]
    found = slope_information(scores, y, weights, slopes, offsets)
    assert found[0] == pytest.approx(1 / np.linalg.inv(bend)[0, 0], rel=1e-4)


@pytest.mark.every
@pytest.mark.parametrize(("pull", "spread"), [(1.0, 1.5), (0.5, 1.5), (1.0, 0.7), (3.0, 2.0)])
def test_where_scores_say_nothing_the_slope_is_that_of_the_prior(pull, spread):
    """The least pull a + (log a)^2 / (2 spread^2): pull a = -log(a) / spread^2."""
    scores, y = np.zeros((1, 6, 2)), np.array([0, 1, 0, 1, 0, 1])
    slope, offsets = fit_slopes(scores, y, np.ones(6), pull=pull, spread=spread)
    assert pull * slope[0] == pytest.approx(-np.log(slope[0]) / spread**2, rel=1e-5)
    np.testing.assert_allclose(offsets, 0.0, atol=1e-9)
