"""Scores on labels: worked examples, equality with scikit-learn, and what is refused."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn import metrics as peer

from common.examples import settings
from tamis._core.errors import TamisError
from tamis.metrics import (
    accuracy,
    area_under_pr,
    area_under_roc,
    balanced_classification_rate,
    belief_confusion_metric,
    correct_class_enrichment,
    expected_loss,
    f_measure,
    matthews,
)

quick = settings(max_examples=60, deadline=None)


@st.composite
def predictions(draw, max_classes=4):
    """True codes holding every class, predicted codes, and beliefs with many ties."""
    C = draw(st.integers(2, max_classes))
    n = draw(st.integers(C, 30))
    codes = st.integers(0, C - 1)
    true = np.array(draw(st.lists(codes, min_size=n, max_size=n)))
    true[:C] = np.arange(C)
    pred = np.array(draw(st.lists(codes, min_size=n, max_size=n)))
    scores = draw(hnp.arrays(np.float64, (n, C), elements=st.integers(1, 6).map(float)))
    return true, pred, scores / scores.sum(axis=1, keepdims=True)


@pytest.fixture(scope="module")
def three_of_four():
    """Three classes of four samples; one A is read as B with probability .7."""
    y = ["A"] * 4 + ["B"] * 4 + ["C"] * 4
    own = [0.6, 0.9, 1.0, 0.3, 1.0, 1.0, 0.7, 1.0, 1.0, 1.0, 1.0, 1.0]
    other = {"A": 1, "B": 2, "C": 0}
    proba = np.zeros((12, 3))
    for row, (label, belief) in enumerate(zip(y, own, strict=True)):
        proba[row, "ABC".index(label)] = belief
        proba[row, other[label]] = 1 - belief
    return y, proba


def test_worked_example_of_bcm_and_ccem(three_of_four):
    y, proba = three_of_four
    assert belief_confusion_metric(y, proba) == pytest.approx(0.875, abs=1e-12)
    assert correct_class_enrichment(y, proba) == pytest.approx(0.8958333, abs=1e-7)


def test_beliefs_of_zero_and_one_give_bcr_and_accuracy():
    y = np.array([0, 0, 0, 1, 1, 2])
    pred = np.array([0, 0, 1, 1, 2, 2])
    sure = np.eye(3)[pred]
    assert belief_confusion_metric(y, sure) == pytest.approx(balanced_classification_rate(y, pred))
    assert correct_class_enrichment(y, sure) == pytest.approx(accuracy(y, pred))


def test_balanced_rate_by_hand_and_over_the_classes_present():
    y, pred = ["a"] * 4 + ["b"] * 2, ["a", "a", "a", "b", "b", "a"]
    assert balanced_classification_rate(y, pred) == (3 / 4 + 1 / 2) / 2
    assert balanced_classification_rate(["a", "a"], ["a", "c"]) == 0.5  # "c" is not in the truth


@quick
@given(predictions())
def test_label_scores_equal_scikit_learn(case):
    true, pred, _ = case
    C = true.max() + 1
    assert balanced_classification_rate(true, pred) == pytest.approx(
        peer.balanced_accuracy_score(true, pred), abs=1e-12
    )
    assert accuracy(true, pred) == peer.accuracy_score(true, pred)
    assert matthews(true, pred) == pytest.approx(peer.matthews_corrcoef(true, pred), abs=1e-12)
    average = "binary" if C == 2 else "macro"
    assert f_measure(true, pred) == pytest.approx(
        peer.f1_score(true, pred, average=average, zero_division=np.nan), abs=1e-12
    )


@quick
@given(predictions())
def test_rank_scores_equal_scikit_learn(case):
    true, _, proba = case
    C = proba.shape[1]
    one_hot = np.eye(C, dtype=int)[true]
    if C == 2:
        expected = peer.roc_auc_score(true, proba[:, 1])
    else:
        expected = peer.roc_auc_score(true, proba, multi_class="ovr", average="macro")
    assert area_under_roc(true, proba) == pytest.approx(expected, abs=1e-12)
    expected = peer.average_precision_score(one_hot, proba, average="macro")
    assert area_under_pr(true, proba) == pytest.approx(expected, abs=1e-12)


@quick
@given(predictions(max_classes=2))
def test_auc_is_the_midrank_formula(case):
    from scipy.stats import rankdata

    true, _, proba = case
    ranks, up = rankdata(proba[:, 1]), int(true.sum())
    expected = (ranks[true == 1].sum() - up * (up + 1) / 2) / (up * (len(true) - up))
    assert area_under_roc(true, proba[:, 1]) == pytest.approx(expected, abs=1e-12)
    assert area_under_roc(true, -proba[:, 1]) == pytest.approx(1 - expected, abs=1e-12)


def test_average_precision_by_hand_groups_ties():
    # "yes": .8 (yes) first, precision 1; then a tie of one yes and one no, precision 2/3
    yes = (1 / 2) * 1 + (1 / 2) * (2 / 3)
    # "no": .1 first, precision 1; then the tie, precision 2/3
    assert area_under_pr(["no", "no", "yes", "yes"], [0.1, 0.4, 0.4, 0.8]) == pytest.approx(yes)


@quick
@given(predictions())
def test_expected_loss_is_the_mean_of_the_costs_paid(case):
    true, pred, _ = case
    C = 4
    costs = np.arange(C * C, dtype=float).reshape(C, C) ** 2
    paid = np.mean([costs[p, t] for p, t in zip(pred, true, strict=True)])
    assert expected_loss(true, pred, costs, classes=range(C)) == pytest.approx(paid)
    zero_one = 1 - np.eye(C)
    assert expected_loss(true, pred, zero_one, range(C)) == pytest.approx(1 - accuracy(true, pred))


def test_costs_have_predictions_in_rows():
    costs = [[0, 7], [1, 0]]
    assert expected_loss(["n", "p"], ["n", "n"], costs, ["n", "p"]) == 7 / 2
    assert expected_loss(["n", "p"], ["p", "p"], costs, ["n", "p"]) == 1 / 2


def test_f_measure_of_a_named_class():
    y, pred = ["a", "a", "b", "b", "c"], ["a", "b", "b", "b", "a"]
    assert f_measure(y, pred, positive="b") == pytest.approx(2 * 2 / (2 * 2 + 1 + 0))
    assert f_measure(y, pred, positive="a") == pytest.approx(2 * 1 / (2 * 1 + 1 + 1))
    assert f_measure(y, pred) == pytest.approx((4 / 5 + 2 / 4 + 0) / 3)


def test_undefined_scores_are_nan_and_constant_predictions_have_no_correlation():
    assert math.isnan(area_under_roc([1, 1], [[0.2, 0.8], [0.4, 0.6]], classes=[0, 1]))
    assert math.isnan(area_under_pr([1, 1], [[0.2, 0.8], [0.4, 0.6]], classes=[0, 1]))
    assert matthews(["a", "b"], ["a", "a"]) == 0.0
    assert matthews(["a", "a"], ["a", "a"]) == 0.0
    assert matthews(["a", "b", "b"], ["a", "b", "b"]) == 1.0


def test_columns_follow_the_classes_given():
    y = ["b", "a", "b"]
    proba = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    assert belief_confusion_metric(y, proba, ["b", "a"]) == pytest.approx((0.75 + 0.8) / 2)
    assert area_under_roc(y, proba, ["b", "a"]) == area_under_roc(y, proba[:, ::-1]) == 1.0
    assert belief_confusion_metric(y, proba[:, 1], ["b", "a"]) == pytest.approx((0.75 + 0.8) / 2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: accuracy(["a"], ["a", "b"]), "y_pred has 2 labels and y_true 1"),
        (lambda: accuracy([], []), "y_true is empty"),
        (lambda: accuracy([["a"]], ["a"]), "y_true has shape"),
        (lambda: accuracy(["a", None], ["a", "a"]), "missing labels"),
        (lambda: accuracy([1, 2], ["a", "b"]), "different types"),
        (lambda: f_measure(["case", "ctrl"], ["case", "ctrl"], "cse"), "did you mean 'case'"),
        (lambda: expected_loss([0, 1], [0, 1], [[0, 1, 1]]), "finite 2 x 2"),
        (lambda: expected_loss([0, 1], [0, 1], np.eye(2), [0, 0]), "repeats a class"),
        (lambda: area_under_roc([0, 1, 2], np.ones((3, 2))), "2 columns for 3 classes"),
        (lambda: area_under_roc([0, 1], np.ones((3, 2))), "one row for each of the 2"),
        (lambda: area_under_roc([0, 1], [np.nan, 1.0]), "NaN"),
        (lambda: area_under_roc(["a", "c"], np.ones((2, 2)), ["a", "b"]), "y_true holds 'c'"),
        (lambda: belief_confusion_metric([0, 1], [-2.0, 3.0]), "between 0 and 1"),
        (lambda: correct_class_enrichment([0, 1], [[0.2, 0.2], [0.5, 0.5]]), "sum of 1"),
    ],
)
def test_refusals_say_what_is_wrong_in_one_line(call, words):
    with pytest.raises(TamisError) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_importing_the_room_loads_numpy_only():
    heavy = "{'scipy', 'sklearn', 'pandas', 'numba'}"
    code = f"import sys, tamis.metrics; print(sorted({heavy} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
