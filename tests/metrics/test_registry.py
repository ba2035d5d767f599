"""The table of metrics: what holds of every row, values by hand, and chance by its formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from common import metric_checks
from common.metric_checks import CHECKS, sample
from tamis._core.errors import PlanError
from tamis.metrics import METRICS, confusion, get_metric, loss_metric

# of classes 0 0 0 1 and these beliefs in class 1, by which the third is called 1, too
TRUE, UP = np.array([0, 0, 0, 1]), np.array([0.1, 0.4, 0.7, 0.6])
BY_HAND = {
    "bcr": (2 / 3 + 1) / 2,
    "accuracy": 3 / 4,
    "f": 2 / (2 + 1 + 0),
    "auc": 2 / 3,
    "auprc": (1 / 2 + (1 + 1 + 3 / 4) / 3) / 2,
    "mcc": (1 * 2 - 1 * 0) / math.sqrt(2 * 1 * 3 * 2),
    "bcm": ((0.9 + 0.6 + 0.3) / 3 + 0.6) / 2,
    "ccem": (1 + (0.9 + 0.6 - 0.7 + 0.6) / 4) / 2,
    "brier": (0.01 + 0.16 + 0.49 + 0.16) / 4,
    "scaled_brier": 1 - (0.82 / 4) / (3 / 4 * 1 / 4),
    "loss": 1 / 4,
}
COSTS = np.array([[0.0, 4.0, 1.0], [1.0, 0.0, 2.0], [2.0, 1.0, 0.0]])


@pytest.mark.every
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_of_every_metric(metric, check):
    check(metric)


def test_metrics_go_by_the_names_of_their_rows():
    assert all(name == metric.name for name, metric in METRICS.items())


@pytest.mark.every
@pytest.mark.parametrize("name", BY_HAND)
def test_values_by_hand(name):
    proba = np.column_stack([1 - UP, UP])
    assert METRICS[name](TRUE, proba.argmax(axis=1), proba) == pytest.approx(BY_HAND[name])


def test_f_without_positives_is_undefined_and_counts_only_code_one():
    assert math.isnan(METRICS["f"](np.zeros(3, int), np.zeros(3, int), np.tile([1.0, 0.0], (3, 1))))
    assert METRICS["f"](np.array([0, 0, 1]), np.array([0, 0, 0]), None) == 0.0


def test_beliefs_are_required_where_they_matter():
    with pytest.raises(PlanError, match="needs class probabilities"):
        METRICS["auc"](np.array([0, 1]), np.array([0, 1]), None)


def test_loss_with_costs():
    costs = np.array([[0.0, 5.0], [1.0, 0.0]])
    true, pred = np.array([0, 0, 1, 1]), np.array([1, 0, 0, 1])
    assert loss_metric(costs)(true, pred, None) == (1 + 5) / 4
    assert METRICS["loss"](true, pred, None) == 0.5


def test_chance_has_a_value_only_where_there_is_a_formula():
    counts = [30, 10, 20]
    for name in ("bcr", "bcm", "f"):
        assert METRICS[name].chance(counts) == 1 / 3
    assert METRICS["auc"].chance(counts) == 0.5
    assert METRICS["mcc"].chance(counts) == 0.0
    assert METRICS["accuracy"].chance(counts) == METRICS["loss"].chance(counts) == 0.5
    assert METRICS["ccem"].chance(counts) is None
    assert METRICS["bcr"].chance([5, 0]) is None  # one class only: nothing to predict
    assert METRICS["bcr"].chance([5, 0, 5]) == 0.5


@pytest.mark.parametrize("C", [2, 3])
def test_chance_of_the_loss_follows_the_costs(C):
    metric_checks.no_labels_without_the_features_beat_chance_and_some_reach_it(
        loss_metric(COSTS[:C, :C]), (C,)
    )


def test_constant_beliefs_meet_chance():
    true = np.repeat([0, 1, 2], [5, 9, 2])
    flat = np.full((16, 3), 1 / 3)
    assert METRICS["bcm"](true, true, flat) == pytest.approx(METRICS["bcm"].chance([5, 9, 2]))
    assert METRICS["auc"](true, true, flat) == METRICS["auc"].chance([5, 9, 2])


def test_confusion_has_predictions_in_rows():
    matrix = confusion(np.array([0, 0, 0, 1, 2]), np.array([0, 1, 1, 1, 0]), 3)
    assert matrix.tolist() == [[1, 0, 1], [2, 1, 0], [0, 0, 0]]
    from sklearn.metrics import confusion_matrix

    true, pred, _ = sample(4)
    assert (confusion(true, pred, 4) == confusion_matrix(true, pred).T).all()


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(PlanError, match="did you mean 'auprc'"):
        get_metric("auprcs")
    assert get_metric(METRICS["bcr"]) is METRICS["bcr"]
