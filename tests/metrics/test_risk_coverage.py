"""Risk and coverage against plain loops, and in mean over the orders of equally certain samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import DataError
from tamis.metrics import risk_coverage_curve
from tamis.metrics.risk_coverage import risk_coverage_of


@st.composite
def samples(draw, most=12):
    """Certainties, with ties, and whether each prediction was wrong."""
    values = st.sampled_from([-np.inf, -3.0, 0.0, 0.25, 0.5, 2.0, np.inf])
    pairs = draw(st.lists(st.tuples(values, st.booleans()), min_size=1, max_size=most))
    return np.array([c for c, _ in pairs]), np.array([w for _, w in pairs])


def plain_area(wrong):
    """The mean error rate of the first 1, 2, ... n."""
    return np.mean([np.mean(wrong[: k + 1]) for k in range(len(wrong))])


@given(samples())
def test_the_curve_is_that_of_a_plain_loop(drawn):
    certainty, wrong = drawn
    curve = risk_coverage_of(wrong, certainty)
    points = sorted(set(certainty.tolist()), reverse=True)
    assert curve.thresholds.tolist() == points
    for k, point in enumerate(points):
        kept = certainty >= point
        assert curve.coverage[k] == pytest.approx(kept.mean())
        assert curve.risk[k] == pytest.approx(wrong[kept].mean())
        assert curve.risk_at(kept.mean()) == pytest.approx(wrong[kept].mean())
    assert curve.coverage[-1] == 1.0
    assert curve.least_area == pytest.approx(plain_area(np.sort(wrong)))
    assert curve.excess_area >= -1e-12


def test_the_area_is_the_mean_over_the_orders_of_ties():
    """4,000 orders of 30 samples with five certainties; five standard errors of their mean."""
    rng = np.random.default_rng(0)
    certainty = rng.integers(0, 5, 30).astype(float)
    wrong = rng.random(30) < 0.3
    areas = []
    for _ in range(4000):
        order = np.lexsort((rng.random(30), -certainty))
        areas.append(plain_area(wrong[order]))
    error = np.std(areas) / np.sqrt(len(areas))
    assert risk_coverage_of(wrong, certainty).area == pytest.approx(np.mean(areas), abs=5 * error)


@given(st.lists(st.booleans(), min_size=1, max_size=20))
def test_without_ties_the_area_is_that_of_the_one_order(wrong):
    curve = risk_coverage_of(np.array(wrong), -np.arange(len(wrong), dtype=float))
    assert curve.area == pytest.approx(plain_area(wrong))


@given(st.integers(0, 8), st.integers(1, 8))
def test_an_order_with_every_error_last_cannot_be_bettered(errors, right):
    wrong = np.arange(errors + right) >= right
    curve = risk_coverage_of(wrong, -np.arange(errors + right, dtype=float))
    assert curve.excess_area == pytest.approx(0, abs=1e-15)
    worst = risk_coverage_of(wrong, np.arange(errors + right, dtype=float))
    assert worst.excess_area >= 0
    assert (worst.excess_area > 0) == (errors > 0)


def test_losses_may_be_of_any_size():
    curve = risk_coverage_of(np.array([0.0, 4.0, 1.0]), np.array([3.0, 2.0, 1.0]))
    np.testing.assert_allclose(curve.risk, [0, 2, 5 / 3])
    assert curve.area == pytest.approx((0 + 2 + 5 / 3) / 3)
    assert curve.least_area == pytest.approx((0 + 1 / 2 + 5 / 3) / 3)


def test_labels_of_any_kind():
    text = risk_coverage_curve(["u", "v", "v"], ["u", "u", "v"], [3, 1, 2])
    codes = risk_coverage_curve([0, 1, 1], [0, 0, 1], np.array([3.0, 1.0, 2.0]))
    assert text.risk.tolist() == codes.risk.tolist() == [0, 0, pytest.approx(1 / 3)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0, 1], [0, 1], [0.5]), "certainty of shape"),
        (([0, 1], [0, 1], [[0.5, 0.1]]), "certainty of shape"),
        (([0, 1], [0, 1], [0.5, np.nan]), "give a number for each of the 2"),
        (([0, 1], [0, 1], ["high", "low"]), "certainty"),
        (([0, 1], [0, 1], None), "certainty"),
        (([0, 1], [0], [0.5, 1.0]), "y_pred has 1 labels"),
        (([], [], []), "y_true is empty"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments, words):
    with pytest.raises(DataError, match=words) as error:
        risk_coverage_curve(*arguments)
    assert "\n" not in str(error.value)
