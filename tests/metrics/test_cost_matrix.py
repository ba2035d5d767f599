"""Cost matrices: what they are written as, what follows from them, what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV, cross_val_score

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.metrics import CostMatrix, expected_loss
from tamis.metrics.cost_matrix import check_costs, expected_costs, least_risk

NAMES = ["low", "mid", "high"]
TABLE = [[0, 2, 9], [1, 0, 4], [3, 1, 0]]
quick = settings(max_examples=80, deadline=None)


@st.composite
def problems(draw, most=4):
    """Costs with reduced entries that allow decisions, and probabilities."""
    C = draw(st.integers(2, most))
    reduced = draw(hnp.arrays(np.float64, (C, C), elements=st.integers(1, 20).map(float)))
    reduced[np.diag_indices(C)] = 0
    shares = draw(hnp.arrays(np.float64, (10, C), elements=st.integers(1, 1000).map(float)))
    gains = draw(hnp.arrays(np.float64, C, elements=st.integers(-8, 8).map(float)))
    return reduced, shares / shares.sum(axis=1, keepdims=True), gains


def clear(risks):
    """Rows of which the least risk is least beyond rounding."""
    two = np.sort(risks, axis=1)[:, :2]
    return two[:, 1] - two[:, 0] > 1e-9 * np.abs(risks).max()


NESTED = {"high": {"low": 3, "mid": 1}, "low": {"mid": 2, "high": 9}, "mid": {"low": 1, "high": 4}}


@pytest.mark.parametrize(
    "written",
    [
        TABLE,
        np.array(TABLE),
        NESTED,
        pd.DataFrame(TABLE, NAMES, NAMES),
        pd.DataFrame(TABLE, NAMES, NAMES).loc[NAMES[::-1], ["mid", "low", "high"]],
        CostMatrix(TABLE, NAMES),
    ],
    ids=["lists", "array", "tables", "frame", "frame in another order", "matrix"],
)
def test_one_matrix_in_many_spellings(written):
    found = CostMatrix.of(written, NAMES)
    assert found == CostMatrix(TABLE, NAMES)
    assert found.to_dict()["low"] == {"low": 0.0, "mid": 2.0, "high": 9.0}
    assert CostMatrix.of(found.to_dict(), NAMES) == found
    assert CostMatrix.of(found.frame(), NAMES) == found
    turned = CostMatrix.of(found, NAMES[::-1])
    assert turned.classes == ("high", "mid", "low")
    np.testing.assert_array_equal(turned.values, found.values[::-1, ::-1])


def test_the_cost_of_any_error_on_a_class():
    found = CostMatrix.of({"high": 5, "low": 1, "mid": 2}, NAMES)
    np.testing.assert_array_equal(found.values, [[0, 2, 5], [1, 0, 5], [1, 2, 0]])
    np.testing.assert_array_equal(found.weights, [2, 4, 10])


def test_a_matrix_stays_as_it_is():
    given = np.array(TABLE, dtype=float)
    found = CostMatrix(given, NAMES)
    given[0, 1] = 77
    assert found.values[0, 1] == 2
    with pytest.raises(ValueError, match="read-only"):
        found.values[0, 1] = 1
    assert found != CostMatrix(given, NAMES)
    assert found != "costs"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ([[0, 1], [1, 0]], "shape (2, 2) for the 3 classes 'low', 'mid', 'high'"),
        ([0, 1, 2], "give 3 rows (predicted) of 3 columns (true)"),
        ([[0, 1, np.nan], [1, 0, 1], [1, 1, 0]], "missing or infinite"),
        ([[0, 1, 1], [1, 0], [1, 1, 0]], "give numbers, in rows (predicted) of one length"),
        ([[0, "x", 1], [1, 0, 1], [1, 1, 0]], "give numbers, in rows (predicted) of one length"),
        ([[0, 1, 1], [-1, 0, 1], [1, 1, 0]], "calling 'low' 'mid' costs -1, less than 0"),
        ([[2, 1, 1], [1, 0, 1], [1, 1, 0]], "calling 'low' 'mid' costs less than being right"),
        ([[0, 0, 0], [1, 0, 1], [1, 1, 0]], "predicting 'low' is never an error"),
        ([[0, 1e60, 1], [1, 0, 1], [1, 1, 0]], "calling 'mid' 'low' costs 1e+60: give costs"),
        ([[0, 1, 1e-60], [1, 0, 1], [1, 1, 0]], "calling 'high' 'low' costs 1e-60"),
        ({"low": 1, "mid": 2}, "do not say what an error on 'high' costs"),
        ({"low": 1, "mid": 2, "hihg": 1}, "costs name 'hihg', not a class here"),
        ({**NESTED, "low": {"mid": 2}}, "do not say what calling 'high' 'low' costs"),
        ({**NESTED, "low": {"mid": 2, "highh": 9}}, "name 'highh', not a class here"),
        ({**NESTED, "low": 3}, "'low' has 3 where others have a table"),
        ({**NESTED, "low": {"mid": "2", "high": 9}}, "calling 'mid' 'low' costs '2': give a n"),
        ({**NESTED, "low": {"mid": True, "high": 9}}, "costs True: give a number"),
        (pd.DataFrame(TABLE, ["a", "b", "c"], NAMES), "costs name 'a'"),
    ],
)
def test_what_is_refused(written, told):
    with pytest.raises(PlanError) as error:
        CostMatrix.of(written, NAMES)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_class_of_another_type_is_told_by_it():
    with pytest.raises(PlanError, match="costs name '1', not a class here: it is 1, of type int"):
        CostMatrix.of({"1": 2}, [0, 1])


def test_more_refusals():
    for names in (["a"], ["a", "a"]):
        with pytest.raises(PlanError, match="two or more different classes"):
            CostMatrix(np.zeros((len(names),) * 2), names)
    with pytest.raises(PlanError, match="these are 3"):
        CostMatrix(TABLE, NAMES).threshold  # noqa: B018
    with pytest.raises(PlanError, match="a class has no sample"):
        CostMatrix.of_class_sizes({"a": 3, "b": 0})


def test_costs_by_class_size_give_every_class_the_same_weight():
    two = CostMatrix.of_class_sizes({"no": 90, "yes": 10})
    np.testing.assert_allclose(two.values, [[0, 90], [10, 0]])
    sizes = {"a": 4, "b": 30, "c": 11}
    three = CostMatrix.of_class_sizes(sizes)
    many = CostMatrix.of_class_sizes(dict.fromkeys(range(100), 10_000))  # 10^400 in all
    assert many.values[0, 1] == pytest.approx(10_000)
    np.testing.assert_allclose(np.ptp(three.weights * list(sizes.values())), 0, atol=1e-9)


@quick
@given(problems())
def test_gains_and_their_removal_change_no_decision(problem):
    """A constant added to a column (the diagonal too) is paid whatever is predicted."""
    reduced, proba, gains = problem
    names = list(range(len(reduced)))
    plain, shifted = CostMatrix(reduced, names), CostMatrix(reduced + gains, names)
    np.testing.assert_allclose(shifted.reduced, reduced, atol=1e-12)
    np.testing.assert_allclose(shifted.weights, plain.weights)
    sure = clear(plain.risks(proba))
    np.testing.assert_array_equal(plain.decide(proba)[sure], shifted.decide(proba)[sure])


@quick
@given(problems())
def test_risks_are_the_sums_they_say(problem):
    reduced, proba, gains = problem
    values = reduced + gains
    found = CostMatrix(values, range(len(values)))
    for row, risks in zip(proba, found.risks(proba), strict=True):
        slow = [sum(row[j] * values[i, j] for j in range(len(row))) for i in range(len(row))]
        np.testing.assert_allclose(risks, slow, atol=1e-9)


@quick
@given(problems(most=2))
def test_the_threshold_is_where_the_decision_turns(problem):
    reduced, proba, gains = problem
    costs = CostMatrix(reduced + gains, ["no", "yes"])
    away = np.abs(proba[:, 1] - costs.threshold) > 1e-9
    np.testing.assert_array_equal(
        costs.decide(proba)[away], (proba[:, 1] > costs.threshold)[away].astype(int)
    )
    at = np.array([[1 - costs.threshold, costs.threshold]])
    np.testing.assert_allclose(*costs.risks(at)[0], atol=1e-9)


@quick
@given(problems(), st.integers(0, 5))
def test_costs_of_each_sample_are_taken_sample_by_sample(problem, seed):
    reduced, proba, _ = problem
    own = reduced * np.random.default_rng(seed).uniform(0.5, 2, (len(proba), 1, 1))
    risks = expected_costs(proba, own)
    for row, table, found in zip(proba, own, risks, strict=True):
        np.testing.assert_allclose(found, table @ row)
    np.testing.assert_array_equal(least_risk(proba, own), risks.argmin(axis=1))
    np.testing.assert_allclose(
        expected_costs(proba, np.tile(reduced, (len(proba), 1, 1))), expected_costs(proba, reduced)
    )


def test_of_equal_risks_the_first_class_is_predicted():
    costs = CostMatrix.of_errors(["b", "a"])
    assert costs.predict([[0.5, 0.5], [0.4, 0.6]]).tolist() == ["b", "a"]


def test_the_scorer_is_the_mean_cost():
    rng = np.random.default_rng(0)
    y = np.array(["well", "sick"])[(rng.random(600) < 0.3).astype(int)]
    X = rng.normal(size=(600, 1)) + (y == "sick")[:, None]
    costs = CostMatrix.of({"sick": 8, "well": 1}, ["well", "sick"])
    model = LogisticRegression().fit(X, y)
    loss = expected_loss(y, model.predict(X), costs.values, costs.classes)
    assert costs.scorer()(model, X, y) == pytest.approx(-loss)
    assert (cross_val_score(LogisticRegression(), X, y, scoring=costs.scorer()) < 0).all()


def test_an_empirical_threshold_is_one_line():
    """scikit-learn finds it by cross-validation; the truth is p* = 1/9."""
    rng = np.random.default_rng(1)
    y = (rng.random(4000) < 0.3).astype(int)
    X = rng.normal(size=(4000, 1)) + 2 * y[:, None]
    costs = CostMatrix.of({1: 8, 0: 1}, [0, 1])
    model = TunedThresholdClassifierCV(LogisticRegression(), scoring=costs.scorer()).fit(X, y)
    tuned, at_half = (
        expected_loss(y, labels, costs.values, costs.classes)
        for labels in (model.predict(X), model.estimator_.predict(X))
    )
    by_risk = expected_loss(
        y, costs.decide(model.estimator_.predict_proba(X)), costs.values, costs.classes
    )
    assert tuned < 0.7 * at_half
    assert tuned == pytest.approx(by_risk, rel=0.05)


def test_a_sample_may_have_an_error_that_costs_nothing_and_is_named_where_costs_are_wrong():
    costs = np.array([[[0.0, 5.0], [1.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]]])
    check_costs(costs, ("well", "sick"))
    assert least_risk(np.array([[0.1, 0.9], [0.1, 0.9]]), costs).tolist() == [1, 0]
    costs[1, 0, 1] = -1
    with pytest.raises(
        PlanError, match="costs of sample 'P7': calling 'sick' 'well' costs -1, less"
    ):
        check_costs(costs, ("well", "sick"), ["P6", "P7"])
    with pytest.raises(PlanError, match="costs of sample 1: "):
        check_costs(costs, ("well", "sick"))
