"""Limits against independent constructions, and what every interval must be."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.metrics import METRICS, HeldOut, VarianceInflation, effective_units
from tamis.metrics.confusion_matrix import bcr_of, mcc_of
from tamis.metrics.intervals import (
    auc_interval,
    auc_limits,
    check_level,
    errors_above_chance,
    label_interval,
    recall_intervals,
    share_limits,
)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.integers(1, 40), st.sampled_from([0.8, 0.95]))
def test_limits_of_whole_numbers_are_those_of_scipy(hits, n, level):
    hits = min(hits, n)
    share, count = np.array([hits / n]), np.array([float(n)])
    low, high = share_limits(share, count, exact=True, level=level)
    peer = stats.binomtest(hits, n).proportion_ci(level, method="exact")
    assert (low[0], high[0]) == pytest.approx((peer.low, peer.high), abs=1e-9)
    low, high = share_limits(share, count, level=level)
    tails = stats.beta(hits + 0.5, n - hits + 0.5).ppf([(1 - level) / 2, (1 + level) / 2])
    assert low[0] == (0 if hits == 0 else pytest.approx(tails[0], abs=1e-9))
    assert high[0] == (1 if hits == n else pytest.approx(tails[1], abs=1e-9))


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1), st.floats(0.2, 300), st.booleans())
def test_limits_hold_the_share_and_have_width(share, count, exact):
    low, high = share_limits(np.array([share]), np.array([count]), exact)
    assert 0 <= low[0] <= share + 1e-9
    assert share - 1e-9 <= high[0] <= 1
    assert high[0] - low[0] > 0


def test_fewer_independent_samples_give_wider_limits():
    widths = [
        np.subtract(*share_limits(np.array([0.8]), np.array([m]))[::-1])[0]
        for m in (60, 30, 10, 4, 1.5)
    ]
    assert widths == sorted(widths)


def reference(score, matrix, value, sampling, direction=1):
    """One class at a time, written out."""
    true = matrix.sum(axis=0)
    down = up = 0.0
    for c in range(len(true)):
        if true[c] == 0:
            continue
        m = sampling.units[c] / sampling.labels
        x = matrix[c, c] / true[c] * m
        ends = [
            0.0 if x <= 1e-9 else stats.beta.ppf(0.025, x + 0.5, m - x + 0.5),
            1.0 if m - x <= 1e-9 else stats.beta.ppf(0.975, x + 0.5, m - x + 0.5),
        ]
        changes = []
        for recall in ends:
            moved = matrix.astype(float)
            wrong = [k for k in range(len(true)) if k != c]
            errors = sum(matrix[k, c] for k in wrong)
            for k in wrong:
                part = matrix[k, c] / errors if errors else 1 / len(wrong)
                moved[k, c] = part * (1 - recall) * true[c]
            moved[c, c] = recall * true[c]
            changes.append(float(score(moved) - score(matrix.astype(float))))
        falls, rises = max(0.0, -min(changes)), max(0.0, *changes)
        down += (max(falls, rises) if direction > 0 else falls) ** 2
        up += (max(falls, rises) if direction < 0 else rises) ** 2
    return value - math.sqrt(down), value + math.sqrt(up)


@st.composite
def matrices(draw):
    C = draw(st.integers(2, 4))
    cells = draw(st.lists(st.integers(0, 12), min_size=C * C, max_size=C * C))
    matrix = np.array(cells).reshape(C, C)
    matrix[0] += 1  # every class has a sample
    return matrix


@settings(max_examples=60, deadline=None)
@given(matrices(), st.sampled_from(["bcr", "accuracy", "f", "mcc", "loss"]), st.floats(1, 6))
def test_moving_one_recall_at_a_time(matrix, name, f):
    score = METRICS[name].of_confusion
    sampling = VarianceInflation(matrix.sum(axis=0).astype(float), labels=f)
    value = float(score(matrix))
    if math.isnan(value):
        return
    direction = METRICS[name].direction
    found = label_interval(score, matrix, value, sampling, direction)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = reference(score, matrix, value, sampling, direction)
    if not any(map(math.isnan, expected)):
        assert found == pytest.approx(expected, abs=1e-9)
    assert found[0] <= value <= found[1]
    assert found[1] - found[0] > 0


def test_the_balanced_rate_is_the_mover_of_its_recalls():
    matrix = np.array([[24, 8], [6, 12]])
    sampling = VarianceInflation(np.array([30.0, 20.0]), labels=2.0, recall=2.0)
    (l0, u0), (l1, u1) = recall_intervals(matrix, sampling)
    low, high = label_interval(bcr_of, matrix, 0.7, sampling)
    assert low == pytest.approx(0.7 - 0.5 * math.hypot(0.8 - l0, 0.6 - l1))
    assert high == pytest.approx(0.7 + 0.5 * math.hypot(u0 - 0.8, u1 - 0.6))


def test_deviations_add_up_where_groups_hold_several_classes():
    matrix = np.array([[24, 8], [6, 12]])
    units = np.array([30.0, 20.0])
    apart = label_interval(bcr_of, matrix, 0.7, VarianceInflation(units))
    shared = label_interval(bcr_of, matrix, 0.7, VarianceInflation(units, shared=1.0))
    assert shared[0] < apart[0] < 0.7 < apart[1] < shared[1]


def test_all_predicted_as_one_class_still_has_an_interval():
    matrix = np.array([[20, 20], [0, 0]])
    low, high = label_interval(
        mcc_of, matrix, 0.0, VarianceInflation.k_fold(np.array([20.0, 20.0]))
    )
    assert low < 0 < high


def test_a_class_without_samples_has_no_recall_interval():
    found = recall_intervals(np.array([[3, 0], [1, 0]]), VarianceInflation(np.array([4.0, 0.0])))
    assert found[0][0] < 0.75 < found[0][1]
    assert math.isnan(found[1][0])


@settings(max_examples=40, deadline=None)
@given(st.floats(0.01, 0.99), st.floats(1.5, 80), st.floats(1.5, 80))
def test_area_limits_solve_their_equation(area, above, below):
    z = stats.norm.ppf(0.975)

    def variance(theta):  # Newcombe (2006), method 5, as printed there
        star = (above + below) / 2 - 1
        inner = 1 + star * (1 - theta) / (2 - theta) + star * theta / (1 + theta)
        return theta * (1 - theta) * inner / ((above - 1) * (below - 1))

    def gap(theta):
        return (theta - area) ** 2 - z**2 * variance(theta)

    low, high = auc_limits(area, above, below)
    for end, limit in ((low, 0.0), (high, 1.0)):
        if 0 < end < 1:
            assert gap(end) == pytest.approx(0, abs=1e-9)
        else:
            assert end == limit
    middle = optimize.brentq(gap, area, 1.0) if gap(1.0) > 0 else 1.0
    assert high == pytest.approx(middle, abs=1e-6)


def test_a_perfect_area_has_width_and_few_samples_have_no_interval():
    low, high = auc_limits(1.0, 20, 20)
    assert high == 1
    assert low < 0.95
    assert math.isnan(auc_limits(0.9, 1.0, 20)[0])
    assert not math.isnan(auc_limits(0.9, 3.0, 20, inflation=2.0)[0])
    assert math.isnan(auc_limits(0.9, 2.9, 20, inflation=2.0)[0])
    sampling = VarianceInflation.k_fold(np.array([2.0, 30.0, 30.0]))
    assert math.isnan(auc_interval(np.array([0.8, 0.8, 0.8]), 0.8, sampling)[0])
    assert math.isnan(
        auc_interval(
            np.array([0.8, 0.8]), 0.8, VarianceInflation.leave_one_out(np.array([9.0, 9.0]))
        )[0]
    )


@pytest.mark.parametrize("shared", [0.0, 0.3, 0.8, 1.0])
def test_areas_of_several_classes_go_together_by_half_or_by_what_groups_share(shared):
    sampling = VarianceInflation(np.array([20.0, 30.0, 40.0]), shared=shared)
    areas = np.array([0.7, 0.8, 0.9])
    ends = [auc_limits(a, n, 90 - n) for a, n in zip(areas, (20, 30, 40), strict=True)]
    low, high = auc_interval(areas, 0.8, sampling)
    r = max(0.5, shared)
    for end, side in ((low, 0), (high, 1)):
        own = np.array([e[side] for e in ends]) - areas
        off = math.sqrt(r * own.sum() ** 2 + (1 - r) * (own**2).sum()) / 3
        assert abs(end - 0.8) == pytest.approx(off)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.02, 1.0), st.floats(3, 80), st.floats(3, 80), st.floats(1.01, 4))
def test_limits_of_out_of_fold_areas_hold_the_area_and_grow_with_the_inflation(area, a, b, f):
    low, high = auc_limits(area, a, b, inflation=f)
    lower, higher = auc_limits(area, a, b, inflation=1.2 * f)
    assert lower <= low + 1e-9 <= area + 2e-9
    assert area - 1e-9 <= high <= higher + 1e-9


def test_an_area_within_half_a_sample_of_1_does_not_exclude_it():
    assert auc_limits(1 - 0.49 / 20, 20, 90, inflation=3.2)[1] == 1.0
    assert auc_limits(1 - 0.49 / 20, 20, 90)[1] < 1.0
    near, above = auc_limits(1 - 0.51 / 200, 200, 300, inflation=1.2)
    assert near < above < 1.0


def test_areas_have_units_of_their_own_where_scores_are_alike():
    areas, units = np.array([0.9, 0.9]), np.array([6.0, 6.0])
    narrow = auc_interval(areas, 0.9, VarianceInflation.k_fold(2 * units))
    mixed = auc_interval(areas, 0.9, replace(VarianceInflation.k_fold(units), ordered=2 * units))
    assert mixed == pytest.approx(narrow)
    assert auc_interval(areas, 0.9, VarianceInflation.k_fold(units))[0] < mixed[0]


def test_units_are_groups_of_effective_size():
    codes = np.repeat([0, 1], [12, 6])
    groups = np.array([f"p{i // 3}" for i in range(12)] + ["q", "q", "q", "q", "q", "r"])
    assert effective_units(codes, 2).tolist() == [12, 6]
    assert effective_units(codes, 2, groups) == pytest.approx([4, 36 / 26])


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.integers(0, 10**6), st.integers(1, 3))
def test_copies_of_samples_do_not_narrow_a_grouped_interval(C, seed, copies):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(C), rng.integers(0, C, 20)])
    proba = rng.dirichlet(np.ones(C), len(codes))
    again = np.repeat(np.arange(len(codes)), copies)

    def intervals(rows, groups):
        y, p = codes[rows], proba[rows]
        held = HeldOut.of([[(np.arange(len(rows)), y, p.argmax(axis=1), p)]])
        sampling = VarianceInflation.k_fold(effective_units(y, C, groups))
        return [held.estimate(name, sampling) for name in METRICS if name != "auprc"]

    once = intervals(np.arange(len(codes)), None)
    grouped = intervals(again, again)
    for a, b in zip(once, grouped, strict=True):
        assert (a.low, a.high) == pytest.approx((b.low, b.high), nan_ok=True)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_levels_are_shares(level):
    with pytest.raises(PlanError, match=f"level is {level}"):
        check_level(level)


def test_few_units_and_unclear_signals_have_the_whole_inflation():
    for n, clear in ((40, 30.0), (60, 30.0), (300, 0.0), (5000, 7.9), (300, -3.0)):
        found = VarianceInflation.k_fold(np.array([n / 2, n / 2]), clear=clear)
        assert (found.labels, found.recall, found.area) == pytest.approx((3.0, 1.8, 3.2))


def test_the_inflation_falls_with_units_and_clearness_to_one_half():
    def labels(n, clear, repeats=1):
        return VarianceInflation.k_fold(np.array([n / 2, n / 2]), repeats, clear=clear).labels

    for repeats in (1, 5):
        by_n = [labels(n, 30.0, repeats) for n in (60, 100, 150, 300, 1000)]
        by_clear = [labels(300, z, repeats) for z in (5.0, 10.0, 11.0, 12.0, 20.0)]
        assert (np.diff(by_n) <= 1e-12).all()
        assert (np.diff(by_clear) <= 1e-12).all()
        assert by_n[-1] == by_n[-2] == by_clear[-1] == pytest.approx((2.2 + 0.8 / repeats) / 2)
    assert labels(300, 9.0, repeats=5) == pytest.approx(2.36)  # repeats begin later
    assert labels(300, 9.0) < 3.0


def test_no_prediction_counts_more_than_once():
    found = VarianceInflation.k_fold(np.array([500.0, 500.0]), 10, clear=50.0)
    assert found.recall == pytest.approx(1.26)  # does not fall
    assert min(found.labels, found.area) >= 1.0


def test_errors_above_chance_are_those_of_independent_predictions():
    """Against draws: recalls of .7 and .9 of 60 and 40 samples."""
    rng = np.random.default_rng(0)
    hits = rng.binomial([60, 40], [0.7, 0.9], (20000, 2)) / [60, 40]
    error = hits.mean(axis=1).std()
    matrix = np.array([[42, 4], [18, 36]])
    found = errors_above_chance(matrix, np.array([60.0, 40.0]))
    assert found == pytest.approx(0.3 / error, rel=0.03)
    assert errors_above_chance(matrix / 2, np.array([60.0, 40.0])) == pytest.approx(found)
    assert errors_above_chance(matrix, np.array([30.0, 20.0])) < found
    assert errors_above_chance(np.array([[5, 0], [0, 0]]), np.array([5.0, 0.0])) == 0.0
    assert errors_above_chance(np.eye(3) * 10, np.full(3, 10.0)) > 8
