"""Scores of held-out predictions against the same written out, and every estimate's interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from common.examples import settings
from tamis._core.errors import DataError
from tamis.metrics import METRICS, HeldOut, VarianceInflation, effective_units


def predictions(seed, C=2, n=40, folds=5, repeats=1, signal=0.6):
    """Repeats of folds of (rows, codes, predicted, proba); each fold shifts its beliefs."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(C), rng.integers(0, C, n - C)])
    out = []
    for _ in range(repeats):
        parts = []
        for rows in np.array_split(rng.permutation(n), folds):
            logits = rng.normal(size=(len(rows), C)) + signal * np.eye(C)[codes[rows]]
            logits[:, 0] += 3 * rng.normal()  # models of different folds are on different scales
            p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
            parts.append((rows, codes[rows], p.argmax(axis=1), p))
        out.append(parts)
    return codes, out


def slow_auc(parts, C):
    """Pairs within folds, one by one."""
    areas = []
    for c in range(C):
        right = pairs = 0.0
        for _, y, _, p in parts:
            score = p[:, 1] if C == 2 else p[:, c]
            positive = y == (1 if C == 2 else c)
            for a in score[positive]:
                for b in score[~positive]:
                    pairs += 1
                    right += (a > b) + (a == b) / 2
        areas.append(right / pairs if pairs else math.nan)
    return float(np.mean(areas))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 12), st.integers(1, 3))
def test_pairs_are_counted_within_folds(seed, C, folds, repeats):
    _, out = predictions(seed, C, folds=folds, repeats=repeats)
    found = HeldOut.of(out).score("auc")
    expected = slow_auc([part for repeat in out for part in repeat], C)
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_one_fold_is_the_plain_area():
    _, out = predictions(1, folds=1)
    _, y, _, p = out[0][0]
    assert HeldOut.of(out).score("auc") == pytest.approx(roc_auc_score(y, p[:, 1]))


def test_a_predictor_of_class_shares_has_the_area_of_chance():
    """Pooled, such beliefs give .417: a fold with more of a class trains on fewer of it."""
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1], [33, 17])
    fold = rng.permutation(np.arange(50) % 7)
    parts, pooled = [], np.empty(50)
    for f in range(7):
        rows = np.flatnonzero(fold == f)
        share = codes[fold != f].mean()
        p = np.tile([1 - share, share], (len(rows), 1))
        pooled[rows] = share
        parts.append((rows, codes[rows], p.argmax(axis=1), p))
    assert roc_auc_score(codes, pooled) < 0.4
    assert HeldOut.of([parts]).score("auc") == 0.5


@pytest.mark.parametrize("C", [2, 3])
def test_other_scores_are_means_over_repeats_of_the_pools(C):
    codes, out = predictions(2, C, repeats=3)
    held = HeldOut.of(out)
    for name, metric in METRICS.items():
        if name == "auc":
            continue
        values = []
        for parts in out:
            rows = np.concatenate([p[0] for p in parts])
            predicted = np.concatenate([p[2] for p in parts])
            proba = np.concatenate([p[3] for p in parts])
            values.append(metric(codes[rows], predicted, proba))
        assert held.score(name) == pytest.approx(np.mean(values))


def test_repeats_of_other_rows_are_one_pool():
    _, first = predictions(3, n=30, folds=3)
    chosen = [[first[0][0]], [first[0][1]]]  # two test sets of a repeated holdout
    held = HeldOut.of(chosen)
    assert len(held.repeats) == 1
    assert held.n_repeats == 2
    assert held.matrix().sum() == pytest.approx(10)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 4),
    st.sampled_from([1, 3]),
    st.floats(0, 8),
    st.sampled_from(["k_fold", "leave_one_out", "external"]),
)
def test_every_estimate_lies_inside_its_interval_which_has_width(seed, C, repeats, signal, kind):
    codes, out = predictions(seed, C, repeats=repeats, signal=signal)
    held = HeldOut.of(out)
    sampling = getattr(VarianceInflation, kind)(effective_units(codes, C))
    for name, metric in METRICS.items():
        found = held.estimate(name, sampling)
        if math.isnan(found.low):
            assert found.note
            continue
        assert metric.least <= found.low <= found.mean + 1e-12
        assert found.mean - 1e-12 <= found.high <= metric.most
        assert found.high - found.low > 0
    for one in held.recalls(sampling):
        assert one.low <= one.mean <= one.high
        assert one.high > one.low


def test_what_has_no_value_or_interval_says_why():
    _, out = predictions(4, n=12, folds=12)
    held = HeldOut.of(out)
    sampling = VarianceInflation.leave_one_out(np.array([6.0, 6.0]))
    auc = held.estimate("auc", sampling).to_dict()
    assert (auc["mean"], auc["low"]) == (None, None)
    assert "no pairs" in auc["note"]
    auprc = held.estimate("auprc", sampling).to_dict()
    assert auprc["mean"] is not None
    assert auprc["low"] is None
    assert "no interval" in auprc["note"]
    assert set(held.estimate("bcr", sampling).to_dict()) == {"mean", "low", "high"}
    few = predictions(5, n=40)[1]
    found = HeldOut.of(few).estimate("auc", VarianceInflation.k_fold(np.array([2.0, 38.0])))
    assert "too few" in found.note


def test_nothing_held_out_is_refused():
    with pytest.raises(DataError, match="no held-out prediction"):
        HeldOut.of([[]])


@pytest.mark.parametrize(
    ("second", "bcr", "accuracy"),
    [
        ([-1, -1, -1, -1], "every sample was declined in a repeat", True),
        ([0, 0, -1, -1], "every sample of a class was declined in a repeat", False),
    ],
)
def test_one_repeat_without_decisions_leaves_labels_undefined_and_says_so(second, bcr, accuracy):
    codes, proba = np.array([0, 0, 1, 1]), np.full((4, 2), 0.5)
    rows = np.arange(4)
    first = (rows, codes, codes, proba)
    held = HeldOut.of([[first], [(rows, codes, np.array(second), proba)]])
    sampling = VarianceInflation.k_fold(np.array([2.0, 2.0]), 2)
    assert held.estimate("bcr", sampling).note == bcr
    assert np.isnan(held.score("accuracy")) == accuracy
    assert held.declined().tolist() == [0.5 * sum(np.array(second[:2]) < 0), 1.0]


def test_a_score_has_an_interval_of_as_many_classes_as_its_coverage_was_simulated_for():
    """The F-measure of two, the share right of any number; a cohort of its own needs no rule."""
    words = "no interval: no method kept its nominal coverage in simulated studies"
    for C in (2, 3):
        codes, out = predictions(6, C)
        held, units = HeldOut.of(out), effective_units(codes, C)
        folds, cohort = VarianceInflation.k_fold(units), VarianceInflation.external(units)
        f = held.estimate("f", folds)
        assert f.mean == held.score("f")
        assert (f.low < f.mean < f.high) == (C == 2)
        assert f.note == ("" if C == 2 else f"{words} with more than 2 classes")
        for name, sampling in (("f", cohort), ("accuracy", folds)):
            one = held.estimate(name, sampling)
            assert one.low < one.mean < one.high
            assert not one.note
        assert held.estimate("auprc", folds).note == words
