"""The table of metrics: same numbers as the public functions, and chance where it has a formula."""

from __future__ import annotations

import math
import pickle
from itertools import permutations

import numpy as np
import pytest

from tamis import metrics
from tamis._core.errors import PlanError
from tamis.metrics import METRICS, confusion, get_metric, loss_metric

LABELS = {
    "bcr": metrics.balanced_classification_rate,
    "accuracy": metrics.accuracy,
    "f": metrics.f_measure,
    "mcc": metrics.matthews,
}
BELIEFS = {
    "auc": metrics.area_under_roc,
    "auprc": metrics.area_under_pr,
    "bcm": metrics.belief_confusion_metric,
    "ccem": metrics.correct_class_enrichment,
}


def sample(C: int, n: int = 40, seed: int = 0):
    rng = np.random.default_rng(seed)
    true = np.concatenate([np.arange(C), rng.integers(0, C, n - C)])
    proba = np.round(rng.dirichlet(np.ones(C), n) + 0.3 * np.eye(C)[true], 1) + 0.05
    proba /= proba.sum(axis=1, keepdims=True)
    return true, proba.argmax(axis=1), proba


def test_short_names():
    assert list(METRICS) == ["bcr", "accuracy", "f", "auc", "auprc", "mcc", "bcm", "ccem", "loss"]
    for name, metric in METRICS.items():
        assert metric.name == name
        assert metric.direction == (-1 if name == "loss" else 1)
        assert metric.needs == ("proba" if name in BELIEFS else "labels")
        assert metric.label
        assert metric.definition.endswith(".")


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize("name", METRICS)
def test_codes_give_the_same_as_labels(name, C):
    true, pred, proba = sample(C)
    value = METRICS[name](true, pred, proba)
    assert type(value) is float
    if name == "loss":
        expected = metrics.expected_loss(true, pred, 1 - np.eye(C))
    elif name in LABELS:
        expected = LABELS[name](true, pred)
        assert METRICS[name](true, pred, None) == value
    else:
        expected = BELIEFS[name](true, proba)
    assert value == pytest.approx(expected, abs=1e-12)


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
def test_no_predictions_without_the_features_beat_chance_and_some_reach_it(C):
    rng = np.random.default_rng(C)
    counts = np.array([120, 48, 72])[:C]
    costs = np.array([[0.0, 4.0, 1.0], [1.0, 0.0, 2.0], [2.0, 1.0, 0.0]])[:C, :C]
    true = np.repeat(np.arange(C), counts)
    ways = [*np.eye(C), counts / counts.sum(), *rng.dirichlet(np.ones(C), 30)]
    drawn = [[rng.choice(C, len(true), p=q) for _ in range(30)] for q in ways]
    for metric in (METRICS["accuracy"], METRICS["loss"], loss_metric(costs), METRICS["f"]):
        means = [metric.direction * np.mean([metric(true, p, None) for p in one]) for one in drawn]
        best = metric.direction * metric.chance(counts)
        # F is a ratio of sums, and its chance that of their expectations
        near = (0.02 if metric.name == "f" else 1e-12) * costs.max()
        assert max(means[: C + 1]) == pytest.approx(best, abs=near), metric.name
        assert max(means) <= best + 0.02
        ways_alone = [mean == pytest.approx(best, abs=near) for mean in means[:C]]
        answer = metric.constant(counts)  # one class for all samples
        assert ways_alone.index(True) == answer if any(ways_alone) else answer is None, metric.name


@pytest.mark.parametrize("counts", [(2, 4), (1, 3), (2, 2, 2)])
def test_chance_of_average_precision_is_the_mean_over_all_orders(counts):
    codes = np.repeat(np.arange(len(counts)), counts)
    # over all orders of the samples, whatever the scores: give each class its own column
    orders = [np.array(order, float) for order in permutations(range(len(codes)))]
    columns = [np.column_stack([order] * len(counts)) for order in orders]
    mean = np.mean([METRICS["auprc"](codes, codes, column) for column in columns])
    assert METRICS["auprc"].chance(counts) == pytest.approx(mean, abs=1e-9)


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


def test_metrics_travel_to_other_processes():
    true, pred, proba = sample(3)
    for metric in METRICS.values():
        assert pickle.loads(pickle.dumps(metric))(true, pred, proba) == metric(true, pred, proba)


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(PlanError, match="did you mean 'auprc'"):
        get_metric("auprcs")
    assert get_metric(METRICS["bcr"]) is METRICS["bcr"]
