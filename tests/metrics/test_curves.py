"""Curves: the area under the points is the score, and thinning keeps the shape."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn import metrics as peer

from common.examples import settings
from tamis.metrics import HeldOut, calibration_points, pr_points, roc_points, wilson_interval
from tamis.metrics.curves import decision_curve_points


@st.composite
def scored(draw):
    n = draw(st.integers(2, 60))
    codes = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    codes[:2] = [0, 1]
    up = draw(hnp.arrays(np.float64, n, elements=st.integers(0, 12).map(lambda v: v / 12)))
    return codes, np.column_stack([1 - up, up])


def big(C: int, n: int = 3000, seed: int = 0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, C, n)
    proba = rng.dirichlet(np.ones(C), n) + 0.3 * np.eye(C)[codes]
    return codes, proba / proba.sum(axis=1, keepdims=True)


@settings(max_examples=60, deadline=None)
@given(scored())
def test_areas_under_the_points_are_the_scores(case):
    codes, proba = case
    x, y = np.array(roc_points(codes, proba)).T
    assert peer.auc(x, y) == pytest.approx(peer.roc_auc_score(codes, proba[:, 1]), abs=1e-12)
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    recall, precision = np.array(pr_points(codes, proba)).T
    expected = peer.average_precision_score(codes, proba[:, 1])
    assert np.sum(np.diff(recall) * precision[1:]) == pytest.approx(expected, abs=1e-12)
    assert recall[0] == 0
    assert recall[-1] == 1


@settings(max_examples=40, deadline=None)
@given(scored())
def test_points_lie_on_scikit_learns_curves(case):
    codes, proba = case
    fpr, tpr, _ = peer.roc_curve(codes, proba[:, 1], drop_intermediate=False)
    theirs = {(round(a, 9), round(b, 9)) for a, b in zip(fpr, tpr, strict=True)}
    assert {(round(a, 9), round(b, 9)) for a, b in roc_points(codes, proba)} <= theirs
    precision, recall, _ = peer.precision_recall_curve(codes, proba[:, 1])
    theirs = {(round(r, 9), round(p, 9)) for r, p in zip(recall, precision, strict=True)}
    assert {(round(r, 9), round(p, 9)) for r, p in pr_points(codes, proba)[1:]} <= theirs


@pytest.mark.parametrize("C", [2, 3])
def test_long_curves_are_thinned_without_moving(C):
    codes, proba = big(C)
    roc, pr = np.array(roc_points(codes, proba)), np.array(pr_points(codes, proba))
    assert len(roc) <= 200 < len(roc_points(codes, proba, most=10**6))
    assert len(pr) <= 200 < len(pr_points(codes, proba, most=10**6))
    flat = np.eye(C)[codes][:, int(C == 2) :].ravel(), proba[:, int(C == 2) :].ravel()
    scores = proba[:, 1] if C == 2 else proba
    area = peer.roc_auc_score(codes, scores, multi_class="ovr")
    assert peer.auc(*roc.T) == pytest.approx(area, abs=2e-3)
    steps = np.sum(np.diff(pr[:, 0]) * pr[1:, 1])
    assert steps == pytest.approx(peer.average_precision_score(*flat), abs=5e-3)
    assert (np.diff(roc, axis=0) >= 0).all()
    assert (np.diff(pr[:, 0]) >= 0).all()


@st.composite
def scored_folds(draw):
    """Class codes, probabilities with ties, and folds of any size."""
    C = draw(st.integers(2, 3))
    n = draw(st.integers(4, 40))
    codes = np.array(draw(st.lists(st.integers(0, C - 1), min_size=n, max_size=n)))
    codes[:C] = np.arange(C)
    raw = draw(hnp.arrays(np.float64, (n, C), elements=st.integers(1, 6).map(float)))
    cuts = sorted(draw(st.sets(st.integers(C, n - 1), max_size=3)))
    folds = [slice(a, b) for a, b in zip([0, *cuts], [*cuts, n], strict=True)]
    return codes, raw / raw.sum(axis=1, keepdims=True), folds


@settings(max_examples=60, deadline=None)
@given(scored_folds())
def test_the_area_under_the_mean_of_the_folds_curves_is_the_area_of_their_pairs(case):
    codes, proba, folds = case
    points = np.array(roc_points(codes, proba, folds, most=10**6))
    parts = [(np.arange(n := len(codes[f])), codes[f], np.zeros(n, int), proba[f]) for f in folds]
    expected = HeldOut.of([parts]).score("auc")
    assert peer.auc(*points.T) == pytest.approx(expected, abs=1e-12)
    assert points[0].tolist() == [0, 0]
    assert points[-1] == pytest.approx([1, 1])
    assert (np.diff(points, axis=0) >= -1e-12).all()


def test_a_mean_curve_by_hand():
    """Two folds of one and two pairs: one right pair, and one of two in the right order."""
    codes = np.array([0, 1, 0, 0, 1])
    up = np.array([0.1, 0.2, 0.9, 0.3, 0.5])
    points = roc_points(codes, np.column_stack([1 - up, up]), [slice(0, 2), slice(2, 5)])
    third = pytest.approx(1 / 3)
    assert points == [[0, 0], [0, third], [0.5, third], [0.5, 1], [1, 1]]


def test_several_classes_are_pooled_one_against_the_rest():
    codes, proba = big(3, n=40)
    assert sum(p["n"] for p in calibration_points(codes, proba)) == 120


def test_repeats_are_pooled_but_do_not_narrow_intervals():
    codes, proba = big(2, n=60)
    again = np.tile(codes, 2), np.tile(proba, (2, 1))
    halves = [slice(0, 60), slice(60, 120)]
    np.testing.assert_allclose(roc_points(*again, halves), roc_points(codes, proba), atol=1e-12)
    assert pr_points(*again) == pr_points(codes, proba)
    once, both = calibration_points(codes, proba), calibration_points(*again, inflation=2)
    assert [p["n"] for p in both] == [2 * p["n"] for p in once]
    for a, b in zip(once, both, strict=True):
        assert [a[k] for k in ("observed", "low", "high")] == pytest.approx(
            [b[k] for k in ("observed", "low", "high")]
        )


def test_curves_of_one_class_are_empty():
    codes, proba = np.zeros(4, int), np.tile([0.7, 0.3], (4, 1))
    assert roc_points(codes, proba) == []
    assert roc_points(1 - codes, proba) == []
    assert pr_points(codes, proba) == []
    assert pr_points(1 - codes, proba) == [[0.0, 1.0], [1.0, 1.0]]


@settings(max_examples=60, deadline=None)
@given(scored(), st.integers(1, 12))
def test_calibration_bins_partition_the_predictions(case, n_bins):
    codes, proba = case
    points = calibration_points(codes, proba, n_bins)
    assert 1 <= len(points) <= n_bins
    assert sum(p["n"] for p in points) == len(codes)
    assert sum(p["n"] * p["observed"] for p in points) == pytest.approx(codes.sum())
    assert sum(p["n"] * p["mean_predicted"] for p in points) == pytest.approx(proba[:, 1].sum())
    means = [p["mean_predicted"] for p in points]
    assert means == sorted(set(means))
    for p in points:
        assert 0 <= p["low"] <= p["observed"] + 1e-12
        assert p["observed"] - 1e-12 <= p["high"] <= 1
        low, high = wilson_interval(p["n"] * p["observed"], p["n"])
        assert (p["low"], p["high"]) == pytest.approx((low, high))


def test_bins_hold_about_equal_numbers():
    codes, proba = big(2, n=1000)
    assert {p["n"] for p in calibration_points(codes, proba)} <= {99, 100, 101}


def test_calibrated_probabilities_lie_near_the_diagonal():
    rng = np.random.default_rng(0)
    up = rng.uniform(size=20_000)
    codes = (rng.uniform(size=20_000) < up).astype(int)
    for p in calibration_points(codes, np.column_stack([1 - up, up])):
        assert abs(p["observed"] - p["mean_predicted"]) < 0.04


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_wilson_interval_solves_its_equation(level):
    from scipy.stats import binomtest

    for hits, n in [(0, 5), (3, 10), (10, 10), (40, 97)]:
        low, high = wilson_interval(hits, n, level)
        peer_ends = binomtest(hits, n).proportion_ci(level, method="wilson")
        assert (float(low), float(high)) == pytest.approx((peer_ends.low, peer_ends.high), abs=1e-9)


def slow_net_benefit(positive, scores, percent):
    """Vickers & Elkin (2006), sample by sample, in exact fractions."""
    odds = Fraction(percent, 100 - percent)
    hits = sum(bool(p) for p, s in zip(positive, scores, strict=True) if s >= percent / 100)
    alarms = sum(not p for p, s in zip(positive, scores, strict=True) if s >= percent / 100)
    return float((hits - alarms * odds) / len(scores))


@settings(max_examples=40, deadline=None)
@given(scored())
def test_decision_curves_are_counted_sample_by_sample(case):
    codes, proba = case
    points = decision_curve_points(codes, proba)
    assert [p["threshold"] for p in points] == [k / 100 for k in range(1, 100)]
    everybody = np.ones(len(codes))
    for k, p in enumerate(points, 1):
        expected = slow_net_benefit(codes, proba[:, 1], k)
        assert p["net_benefit"] == pytest.approx(expected, abs=1e-12)
        expected = slow_net_benefit(codes, everybody, k)
        assert p["treat_all"] == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_thresholds_on_the_grid_are_acted_on():
    proba = np.array([[0.7, 0.3], [0.3, 0.7]])
    points = decision_curve_points(np.array([0, 1]), proba)
    assert points[69]["net_benefit"] == 0.5  # at 0.7 the positive is still caught
    assert points[70]["net_benefit"] == 0.0
    assert points[29]["net_benefit"] == pytest.approx(0.5 - 0.5 * 3 / 7)


@pytest.mark.parametrize("C", [2, 3])
def test_decision_curves_of_repeats_and_classes_are_averaged(C):
    codes, proba = big(C, n=80)
    _, other = big(C, n=80, seed=5)
    stacked = decision_curve_points(np.tile(codes, 2), np.vstack([proba, other]))
    by_class = [(codes == c, p[:, c]) for p in (proba, other) for c in range(int(C == 2), C)]
    for k in (1, 20, 50, 99):
        mean = np.mean([slow_net_benefit(own, scores, k) for own, scores in by_class])
        assert stacked[k - 1]["net_benefit"] == pytest.approx(mean, abs=1e-12)


def test_a_perfect_prediction_gains_every_positive():
    codes = np.array([0, 0, 0, 1])
    points = decision_curve_points(codes, np.eye(2)[codes])
    assert {p["net_benefit"] for p in points} == {0.25}
    assert points[24]["treat_all"] == pytest.approx(0.0)  # at the prevalence, all is nobody
    assert decision_curve_points(np.zeros(0, int), np.zeros((0, 2))) == []
