"""Weighted metrics against the same metrics of rows written out, and the resampling itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tamis._core.errors import DataError, PlanError
from tamis.metrics import METRICS, bootstrap_intervals, loss_metric, pooled_scores
from tamis.metrics import bootstrap as module
from tamis.metrics.bootstrap import resample_weights


def sample(C: int = 2, n: int = 60, repeats: int = 1, seed: int = 0):
    rng = np.random.default_rng(seed)
    true = np.concatenate([np.arange(C), rng.integers(0, C, n - C)])
    proba = rng.dirichlet(np.ones(C), (repeats, n)) + 0.4 * np.eye(C)[true]
    proba /= proba.sum(axis=2, keepdims=True)
    return true, proba.argmax(axis=2), proba


@st.composite
def weighted_case(draw):
    C = draw(st.integers(2, 4))
    n = draw(st.integers(C, 15))
    true = np.array(draw(st.lists(st.integers(0, C - 1), min_size=n, max_size=n)))
    true[:C] = np.arange(C)
    pred = np.array(draw(st.lists(st.integers(0, C - 1), min_size=n, max_size=n)))
    scores = draw(hnp.arrays(np.float64, (n, C), elements=st.integers(1, 5).map(float)))
    weights = draw(hnp.arrays(np.int64, (n, 4), elements=st.integers(0, 3)))
    weights[:C] += 1  # every class is drawn, as the stratified draw assures
    return true, pred, scores / scores.sum(axis=1, keepdims=True), weights


@settings(max_examples=60, deadline=None)
@given(weighted_case())
def test_a_weight_is_a_row_repeated(case):
    true, pred, proba, weights = case
    C = proba.shape[1]
    costs = np.arange(C * C, dtype=float).reshape(C, C)
    chosen = [*METRICS.values(), loss_metric(costs)]
    for metric in chosen:
        got = module._resampled(true, [(pred, proba)], [metric], weights.astype(float))
        rows = [np.repeat(np.arange(len(true)), column) for column in weights.T]
        plain = [metric(true[r], pred[r], proba[r]) for r in rows]
        np.testing.assert_allclose(got[metric.name], plain, atol=1e-12, err_msg=metric.name)


@pytest.mark.parametrize("C", [2, 3])
def test_intervals_are_quantiles_of_plain_recomputation(C):
    true, pred, proba = sample(C, repeats=2)
    got = bootstrap_intervals(true, pred, proba, METRICS, 50, np.random.default_rng(3), level=0.9)
    (weights,) = resample_weights(true, 50, np.random.default_rng(3))
    for name, metric in METRICS.items():
        values = []
        for column in weights.T.astype(int):
            r = np.repeat(np.arange(len(true)), column)
            values.append(np.mean([metric(true[r], pred[k][r], proba[k][r]) for k in range(2)]))
        np.testing.assert_allclose(got[name], np.quantile(values, [0.05, 0.95]), atol=1e-12)


def test_pooled_scores_average_the_repeats_and_lie_inside_for_ordinary_data():
    true, pred, proba = sample(3, n=90, repeats=4)
    scores = pooled_scores(true, list(pred), list(proba), METRICS)
    intervals = bootstrap_intervals(true, pred, proba, METRICS, 500, np.random.default_rng(0))
    for name, metric in METRICS.items():
        plain = [metric(true, pred[k], proba[k]) for k in range(4)]
        assert scores[name] == pytest.approx(np.mean(plain))
        low, high = intervals[name]
        assert low < scores[name] < high


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.integers(0, 99))
def test_every_resample_keeps_the_class_counts(codes, seed):
    codes = np.array(codes)
    (weights,) = resample_weights(codes, 20, np.random.default_rng(seed))
    for k in np.unique(codes):
        assert (weights[codes == k].sum(axis=0) == (codes == k).sum()).all()


def test_draws_are_uniform_within_a_class():
    codes = np.repeat([0, 1], [5, 3])
    (weights,) = resample_weights(codes, 20_000, np.random.default_rng(0))
    # the count of one row is binomial(n_k, 1/n_k): mean 1, variance 1 - 1/n_k
    np.testing.assert_allclose(weights.mean(axis=1), 1.0, atol=0.03)
    np.testing.assert_allclose(weights.var(axis=1), 1 - 1 / np.repeat([5, 3], [5, 3]), atol=0.04)


def test_whole_groups_are_drawn_and_no_class_is_lost():
    codes = np.array([0, 0, 0, 1, 1, 1, 0, 1, 2, 0])
    groups = np.array(["a", "a", "b", "c", "c", "d", "e", "e", "e", "f"])
    (weights,) = resample_weights(codes, 300, np.random.default_rng(1), groups)
    for name in np.unique(groups):
        assert (weights[groups == name] == weights[groups == name][0]).all()
    for k in range(3):
        assert (weights[codes == k].sum(axis=0) > 0).all()
    assert (weights[groups == "e"] == 1).all()  # the only group of its kind
    pure = weights[[0, 2, 9]].sum(axis=0)  # a, b and f hold class 0 only: three draws
    assert (pure == 3).all()


def test_groups_of_one_row_are_the_plain_bootstrap():
    true, pred, proba = sample(3)
    plain = bootstrap_intervals(true, pred, proba, METRICS, 200, np.random.default_rng(5))
    alone = bootstrap_intervals(
        true, pred, proba, METRICS, 200, np.random.default_rng(5), groups=np.arange(len(true))
    )
    wide = {name: alone[name][1] - alone[name][0] for name in alone}
    for name, (low, high) in plain.items():
        assert wide[name] == pytest.approx(high - low, rel=0.35)


def test_copies_of_a_row_do_not_narrow_the_interval_when_grouped():
    true, pred, proba = sample(2, n=40)
    copies = np.repeat(np.arange(40), 5)
    rng = np.random.default_rng(0)
    once = bootstrap_intervals(true, pred, proba, ["bcr", "auc"], 2000, rng)
    grouped = bootstrap_intervals(
        true[copies], pred[:, copies], proba[:, copies], ["bcr", "auc"], 2000, rng, groups=copies
    )
    naive = bootstrap_intervals(
        true[copies], pred[:, copies], proba[:, copies], ["bcr", "auc"], 2000, rng
    )
    for name in ("bcr", "auc"):
        width = [ends[name][1] - ends[name][0] for ends in (once, grouped, naive)]
        assert width[1] == pytest.approx(width[0], rel=0.15)
        assert width[2] < 0.65 * width[0]


def test_same_seed_same_answer_and_memory_is_blocked(monkeypatch):
    true, pred, proba = sample()
    runs = [
        bootstrap_intervals(true, pred, proba, METRICS, 100, np.random.default_rng(7))
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    monkeypatch.setattr(module, "BLOCK", 7 * len(true))
    blocks = list(resample_weights(true, 100, np.random.default_rng(7)))
    assert [b.shape[1] for b in blocks] == [7] * 14 + [2]
    blocked = bootstrap_intervals(true, pred, proba, METRICS, 100, np.random.default_rng(7))
    assert all(low <= high for low, high in blocked.values())


def test_undefined_metrics_have_no_interval():
    true, pred = np.zeros(6, int), np.zeros(6, int)
    proba = np.column_stack([np.linspace(0.5, 0.9, 6), np.linspace(0.5, 0.1, 6)])
    ends = bootstrap_intervals(true, pred, proba, METRICS, 20, np.random.default_rng(0))
    for name in ("auc", "auprc", "f"):
        assert math.isnan(ends[name][0])
        assert math.isnan(ends[name][1])
    assert ends["bcr"] == (1.0, 1.0)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"n_boot": 0}, PlanError, "n_boot is 0"),
        ({"level": 95}, PlanError, "level is 95"),
        ({"metrics": ["bcr", "aucc"]}, PlanError, "did you mean 'auc'"),
        ({"proba": None, "metrics": ["auc"]}, PlanError, "needs class probabilities"),
        ({"codes_pred": np.zeros(3, int)}, DataError, "predicted codes have shape"),
        ({"proba": np.ones((3, 2))}, DataError, "proba has shape"),
        ({"groups": np.arange(3)}, DataError, "groups has 3 entries"),
    ],
)
def test_refusals(options, error, words):
    true, pred, proba = sample()
    call = {
        "codes_true": true, "codes_pred": pred, "proba": proba, "metrics": ["bcr"],
        "n_boot": 10, "rng": np.random.default_rng(0),
    }  # fmt: skip
    with pytest.raises(error, match=words):
        bootstrap_intervals(**(call | options))
