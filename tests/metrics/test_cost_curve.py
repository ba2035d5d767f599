"""Cost curves: every point is a count of the samples, and the envelope the least of any cut."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from common.examples import settings
from tamis.metrics import CostMatrix, cost_curve_points


@st.composite
def scored(draw):
    n = draw(st.integers(2, 40))
    codes = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    codes[:2] = [0, 1]
    up = draw(hnp.arrays(np.float64, n, elements=st.integers(0, 12).map(lambda v: v / 12)))
    return codes, np.column_stack([1 - up, up])


def slow_cost(codes, scores, threshold, x):
    """FNR x + FPR (1 - x), sample by sample."""
    positive = [s for y, s in zip(codes, scores, strict=True) if y]
    negative = [s for y, s in zip(codes, scores, strict=True) if not y]
    miss = Fraction(sum(s < threshold for s in positive), len(positive))
    alarm = Fraction(sum(s >= threshold for s in negative), len(negative))
    return miss * x + alarm * (1 - x)


@settings(max_examples=60, deadline=None)
@given(scored())
def test_points_are_counted_sample_by_sample(case):
    codes, proba = case
    scores, share = proba[:, 1], Fraction(int(codes.sum()), len(codes))
    points = cost_curve_points(codes, proba, 21)
    cuts = [*np.unique(scores), 2.0]
    for k, p in enumerate(points):
        x = Fraction(k, 20)
        assert p["x"] == pytest.approx(float(x))
        star = share * (1 - x) / (share * (1 - x) + (1 - share) * x)
        assert p["threshold"] == pytest.approx(float(star))
        assert p["loss"] == pytest.approx(float(slow_cost(codes, scores, p["threshold"], x)))
        least = min(slow_cost(codes, scores, cut, x) for cut in cuts)
        assert p["envelope"] == pytest.approx(float(least), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(scored())
def test_the_envelope_is_below_the_curve_and_the_trivial_classifiers(case):
    for p in cost_curve_points(*case):
        assert p["envelope"] <= p["loss"] + 1e-12
        assert p["envelope"] <= min(p["x"], 1 - p["x"]) + 1e-12


@settings(max_examples=40, deadline=None)
@given(scored(), st.integers(1, 9), st.integers(1, 9))
def test_it_is_the_mean_cost_in_parts_of_what_it_costs_to_be_always_wrong(case, miss, alarm):
    """With its x and p* a matrix gives the mean cost of the decisions that it makes."""
    codes, proba = case
    costs = CostMatrix([[0, miss], [alarm, 0]], ["-", "+"])
    whole = costs.values[1 - codes, codes].mean()
    x = codes.mean() * miss / whole
    share = codes.mean()
    star = share * (1 - x) / (share * (1 - x) + (1 - share) * x)
    assert star == pytest.approx(costs.threshold)
    decided = (proba[:, 1] >= costs.threshold).astype(int)
    mean = costs.values[decided, codes].mean()
    found = slow_cost(codes, proba[:, 1], costs.threshold, x)
    assert whole * found == pytest.approx(mean)


def test_a_prediction_that_knows_nothing_is_trivial_and_a_perfect_one_is_free():
    codes = np.array([0] * 8 + [1] * 4)
    share = np.tile([2 / 3, 1 / 3], (12, 1))
    for p in cost_curve_points(codes, share, 20):  # no point at x = 1/2, where both are as good
        assert p["loss"] == pytest.approx(min(p["x"], 1 - p["x"]))
    assert {p["loss"] for p in cost_curve_points(codes, np.eye(2)[codes])} == {0.0}


def test_too_sure_a_model_costs_more_than_its_envelope():
    """The order is the same, so that only the probabilities are at fault."""
    rng = np.random.default_rng(0)
    codes = np.arange(400) % 2
    logit = rng.normal(codes - 0.5, 1)
    fair, sure = (1 / (1 + np.exp(-f * logit)) for f in (1, 8))
    one, other = (cost_curve_points(codes, np.column_stack([1 - p, p])) for p in (fair, sure))
    assert [p["envelope"] for p in one] == [p["envelope"] for p in other]
    area = [np.mean([p["loss"] - p["envelope"] for p in points]) for points in (one, other)]
    assert area[1] > area[0]
    assert other[90]["loss"] > 1 - other[90]["x"]  # worse than calling everybody positive


@pytest.mark.parametrize("codes", [[0, 0], [1, 1], []])
def test_a_class_without_samples_has_no_curve(codes):
    assert cost_curve_points(np.array(codes, dtype=int), np.full((len(codes), 2), 0.5)) == []
