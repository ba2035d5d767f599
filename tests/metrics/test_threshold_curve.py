"""The threshold view: every point is what a count of the samples gives."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from common.examples import settings
from tamis.metrics import expected_loss, threshold_points

COSTS = np.array([[0.0, 10.0], [1.0, 0.5]])


@st.composite
def scored(draw):
    """Codes of two classes, probabilities with ties and ends, and costs of each sample."""
    n = draw(st.integers(2, 40))
    codes = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    codes[:2] = [0, 1]
    up = draw(hnp.arrays(np.float64, n, elements=st.integers(0, 12).map(lambda v: v / 12)))
    own = draw(hnp.arrays(np.float64, (n, 2, 2), elements=st.integers(-3, 9).map(float)))
    return codes, np.column_stack([1 - up, up]), own


def slow_point(codes, scores, own, threshold):
    """Sample by sample, in exact fractions."""
    called = [s >= threshold for s in scores]
    both = list(zip(codes, called, strict=True))
    n, right = len(both), [a for y, a in both if y]
    wrong = [a for y, a in both if not y]
    return {
        "sensitivity": Fraction(sum(right), len(right)),
        "specificity": 1 - Fraction(sum(wrong), len(wrong)),
        "predicted": Fraction(sum(called), n),
        "precision": Fraction(sum(right), sum(called)) if any(called) else None,
        "loss": sum(Fraction(c[int(a), y]) for c, (y, a) in zip(own, both, strict=True)) / n,
    }


@settings(max_examples=80, deadline=None)
@given(scored())
def test_points_are_counted_sample_by_sample(case):
    codes, proba, own = case
    points = threshold_points(codes, proba, own)
    given_here = {0.0, 1.0, *proba[:, 1].tolist()}
    assert [p["threshold"] for p in points] == sorted(given_here)
    for point in points:
        for key, value in slow_point(codes, proba[:, 1], own, point["threshold"]).items():
            expected = None if value is None else pytest.approx(float(value), abs=1e-12)
            assert point[key] == expected, key


@settings(max_examples=40, deadline=None)
@given(scored(), st.floats(0, 1))
def test_a_points_numbers_hold_down_to_the_point_before(case, threshold):
    codes, proba, own = case
    point = next(p for p in threshold_points(codes, proba) if p["threshold"] >= threshold)
    found = slow_point(codes, proba[:, 1], own, threshold)
    assert point["sensitivity"] == pytest.approx(float(found["sensitivity"]))
    assert point["specificity"] == pytest.approx(float(found["specificity"]))
    assert point["loss"] is None


@settings(max_examples=40, deadline=None)
@given(scored())
def test_the_cost_of_a_matrix_is_the_expected_loss(case):
    codes, proba, _ = case
    for point in threshold_points(codes, proba, COSTS):
        predicted = (proba[:, 1] >= point["threshold"]).astype(int)
        assert point["loss"] == pytest.approx(expected_loss(codes, predicted, costs=COSTS))


def test_everybody_stands_first_and_nobody_last():
    proba = np.array([[0.7, 0.3], [0.4, 0.6]])
    first, *_, last = threshold_points(np.array([0, 1]), proba, COSTS)
    assert (first["sensitivity"], first["specificity"], first["predicted"]) == (1, 0, 1)
    assert first["loss"] == pytest.approx((1 + 0.5) / 2)
    assert (last["sensitivity"], last["specificity"], last["predicted"]) == (0, 1, 0)
    assert last["precision"] is None
    assert last["loss"] == pytest.approx(10 / 2)


def test_long_curves_are_thinned_to_points_of_their_own():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, 3000)
    up = 1 / (1 + np.exp(rng.normal(0, 1, 3000) - codes))
    every = threshold_points(codes, np.column_stack([1 - up, up]), most=10**6)
    few = threshold_points(codes, np.column_stack([1 - up, up]), most=100)
    assert len(few) <= 100 < len(every)
    assert [p for p in few if p not in every] == []
    assert (few[0], few[-1]) == (every[0], every[-1])
    for key in ("threshold", "sensitivity", "specificity"):
        assert np.abs(np.diff([p[key] for p in few])).max() < 0.05


def test_repeats_give_the_mean_of_their_rates():
    rng = np.random.default_rng(1)
    codes = np.arange(20) % 2
    runs = [np.round(rng.uniform(size=20), 2) for _ in range(2)]
    up = np.concatenate(runs)
    points = threshold_points(np.tile(codes, 2), np.column_stack([1 - up, up]), COSTS)
    for point in points:
        ones = [slow_point(codes, r, [COSTS] * 20, point["threshold"]) for r in runs]
        for key in ("sensitivity", "specificity", "loss"):
            assert point[key] == pytest.approx(np.mean([float(o[key]) for o in ones]))


@pytest.mark.parametrize("codes", [[0, 0], [1, 1], []])
def test_a_class_without_samples_has_no_rates(codes):
    proba = np.full((len(codes), 2), 0.5)
    assert threshold_points(np.array(codes, dtype=int), proba) == []
