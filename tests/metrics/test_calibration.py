"""The calibration slope against a peer, by simulation, and where there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit, logsumexp
from sklearn.linear_model import LogisticRegression

from tamis.kernels.recalibration_slopes import fit_slopes
from tamis.metrics.calibration import (
    MIN_CLASS_SIZE,
    MIN_SMOOTH_CLASS_SIZE,
    calibration_index,
    calibration_of,
    calibration_slope,
    perfect_index,
)
from tamis.metrics.held_out import HeldOut
from tamis.metrics.intervals import VarianceInflation


def cohort(n, strength, slope=1.0, C=2, seed=0):
    """Classes, and probabilities whose log odds are the true ones over `slope`."""
    rng = np.random.default_rng(seed)
    f = strength * rng.normal(size=(n, C))
    share = np.exp(f - logsumexp(f, axis=1, keepdims=True))
    codes = (rng.random(n)[:, None] > share.cumsum(axis=1)).sum(axis=1)
    return codes, np.exp(f / slope - logsumexp(f / slope, axis=1, keepdims=True))


def test_it_is_the_coefficient_of_a_logistic_regression_and_its_error():
    codes, proba = cohort(300, 1.2, slope=2.0)
    f = np.log(proba[:, 1] / proba[:, 0])
    peer = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(f[:, None], codes)
    p = peer.predict_proba(f[:, None])[:, 1]
    design = np.column_stack([f, np.ones(300)])
    error = np.sqrt(np.linalg.inv((design * (p * (1 - p))[:, None]).T @ design)[0, 0])
    found = calibration_slope(codes, proba, np.bincount(codes).astype(float))
    assert found.mean == pytest.approx(peer.coef_[0, 0], rel=1e-5)
    assert found.high - found.mean == pytest.approx(1.96 * error, rel=1e-4)
    assert found.mean - found.low == pytest.approx(1.96 * error, rel=1e-4)
    halves = calibration_slope(codes, proba, np.bincount(codes) / 2)  # two rows a patient
    assert halves.high - halves.mean == pytest.approx(1.96 * error * np.sqrt(2), rel=1e-4)


@pytest.mark.parametrize(("C", "slope"), [(2, 0.5), (2, 1.0), (2, 3.0), (3, 1.0), (4, 2.0)])
def test_many_samples_show_what_is_wrong(C, slope):
    codes, proba = cohort(6000, 1.5, slope, C)
    found = calibration_slope(codes, proba, np.bincount(codes).astype(float))
    assert found.low < slope < found.high
    assert found.high - found.low < 0.2 * slope


@pytest.mark.parametrize("offset", [-4.0, 0.0, 2.0])
@pytest.mark.parametrize("slope", [0.3, 3.0, 10.0])
def test_far_slopes_and_offsets_are_those_of_a_logistic_regression(slope, offset):
    """Shy log odds that are shifted too: the way there is long and crooked."""
    rng = np.random.default_rng(1)
    truth = 2 * rng.normal(size=400)
    codes = (rng.random(400) < expit(truth)).astype(int)
    f = truth / slope + offset
    peer = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(f[:, None], codes)
    proba = np.column_stack([expit(-f), expit(f)])
    found = calibration_slope(codes, proba, np.bincount(codes).astype(float))
    assert found.mean == pytest.approx(peer.coef_[0, 0], rel=1e-4)


@pytest.mark.longer
@pytest.mark.parametrize("n", [120, 400])
def test_intervals_cover_the_slope_of_perfect_probabilities(n):
    held = []
    for seed in range(300):
        codes, proba = cohort(n, 1.0, seed=seed)
        found = calibration_slope(codes, proba, np.bincount(codes).astype(float))
        held.append(found.low <= 1 <= found.high if not found.note else np.nan)
    assert np.isfinite(held).mean() > 0.6
    assert 0.92 < np.nanmean(held) < 0.98


def test_where_too_few_tell_nothing_is_given():
    codes, proba = cohort(400, 1.0)
    first, second = np.flatnonzero(codes == 0), np.flatnonzero(codes == 1)[: MIN_CLASS_SIZE - 1]
    rows = np.r_[first, second]
    found = calibration_slope(codes[rows], proba[rows], np.array([len(first), len(second)]))
    assert math.isnan(found.mean)
    assert found.note == "too few independent samples in a class (49; 50 are needed)"
    grouped = calibration_slope(codes, proba, np.array([200.0, 12.3]))
    assert grouped.note == "too few independent samples in a class (12; 50 are needed)"
    f = np.linspace(-4, 4, 200)
    apart = np.column_stack([expit(-f), expit(f)])
    found = calibration_slope((f > 0).astype(int), apart, np.array([100.0, 100.0]))
    assert found.note == "the classes are separated without an error, or not at all"


@pytest.mark.parametrize("C", [2, 3])
def test_probabilities_that_say_nothing_or_all_but_everything_have_no_slope(C):
    """A model of class shares alone; probabilities of 0 and 1; a single sample amid the others."""
    codes, units = np.arange(100 * C) % C, np.full(C, 100.0)
    for shares in (np.ones(C), np.arange(1.0, C + 1)):
        alike = np.tile(shares / shares.sum(), (100 * C, 1))
        found = calibration_slope(codes, alike, units)
        assert found.note == "all samples have the same probabilities"
        alike[0] = np.roll(alike[0], 1) + 1e-3 * (np.eye(C)[0] - 1 / C)
        one = calibration_slope(codes, alike, units)
        assert one.note.startswith("the classes are separated") or one.low < one.mean < one.high
    found = calibration_slope(codes, np.eye(C)[codes], units)
    assert found.note == "the classes are separated without an error, or not at all"
    assert math.isnan(found.low)


def test_the_index_of_groups_is_that_of_a_loop():
    codes, proba = cohort(97, 1.2, slope=2.0)
    order = np.argsort(proba[:, 1], kind="stable")
    ends = np.searchsorted(
        np.sort(proba[:, 1]),
        np.quantile(proba[:, 1], [0.2, 0.4, 0.6, 0.8], method="lower"),
        side="right",
    )
    gaps = [
        len(rows) / 97 * abs(proba[rows, 1].mean() - (codes[rows] == 1).mean())
        for rows in np.split(order, ends)
    ]
    assert calibration_index(codes, proba) == pytest.approx(sum(gaps))


def test_the_smooth_curve_is_a_logistic_regression_on_a_spline():
    codes, proba = cohort(900, 1.2, slope=2.0)
    assert np.bincount(codes).min() >= MIN_SMOOTH_CLASS_SIZE
    f = np.log(proba[:, 1] / proba[:, 0])
    a, b, c = np.quantile(f, [0.1, 0.5, 0.9])
    cubes = [np.maximum(f - knot, 0) ** 3 for knot in (a, b, c)]
    bend = cubes[0] - cubes[1] * (c - a) / (c - b) + cubes[2] * (b - a) / (c - b)
    design = np.column_stack([f, bend / (c - a) ** 2])
    peer = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(design, codes)
    gaps = np.abs(peer.predict_proba(design)[:, 1] - proba[:, 1])
    assert calibration_index(codes, proba) == pytest.approx(gaps.mean(), abs=1e-5)


@pytest.mark.parametrize(("n", "least", "most"), [(60, 0.075, 0.1), (100, 0.06, 0.08)])
def test_chance_alone_gives_a_perfect_model_an_index(n, least, most):
    """.085 and .066 of 60 and 100 samples of a clear signal; samples in pairs have more."""
    codes, proba = cohort(n, 1.4)
    mean, low, high = perfect_index(codes, proba)
    assert least < mean < most
    assert low < mean < high
    assert perfect_index(codes, proba, math.sqrt(2))[0] == pytest.approx(math.sqrt(2) * mean)


@pytest.mark.parametrize(("n", "C"), [(150, 2), (900, 2), (240, 3)])
def test_of_perfect_probabilities_the_index_lies_where_it_is_said_to(n, C):
    inside = []
    for seed in range(60):
        codes, proba = cohort(n, 1.0, C=C, seed=seed)
        _, low, high = perfect_index(codes, proba)
        inside.append(low <= calibration_index(codes, proba) <= high)
    assert np.mean(inside) > 0.86


def test_an_index_of_too_few_or_of_no_probabilities():
    codes = np.arange(48) % 2
    proba = np.column_stack([1 - codes * 0.8, codes * 0.8])
    fold = np.arange(48), codes, codes, proba
    found = calibration_of(HeldOut.of([[fold]]), VarianceInflation(np.array([24.0, 24.0])))
    assert found["index"]["mean"] is None
    assert found["index"]["note"] == "too few independent samples in a class (24; 25 are needed)"
    assert (
        calibration_of(HeldOut.of([[fold]], "order"), VarianceInflation(np.array([24.0, 24.0])))
        is None
    )


def test_repeats_count_once():
    codes, proba = cohort(200, 1.0)
    fold = np.arange(200), codes, codes, proba
    sampling = VarianceInflation(np.bincount(codes).astype(float))
    once, thrice = (calibration_of(HeldOut.of([[fold]] * r), sampling) for r in (1, 3))
    for name in ("mean", "low", "high"):
        assert once["slope"][name] == pytest.approx(thrice["slope"][name], rel=1e-6)
    assert once["index"]["mean"] == pytest.approx(thrice["index"]["mean"])
    assert once["index"]["perfect"] == thrice["index"]["perfect"]


def test_samples_drawn_again_in_one_pool_add_nothing():
    """As in a repeated holdout: chance is that of the independent samples."""
    codes, proba = cohort(120, 1.0)
    parts = [np.arange(90), np.arange(30, 120), np.r_[:45, 75:120]]
    repeats = [[(rows, codes[rows], codes[rows], proba[rows])] for rows in parts]
    held = HeldOut.of(repeats)
    assert len(held.repeats) == 1
    units = np.bincount(codes) * 0.75
    pooled = calibration_of(held, VarianceInflation.holdout(units, 3.0, 3))["index"]
    alone = calibration_of(HeldOut.of(repeats[:1]), VarianceInflation.holdout(units, 3.0, 1))[
        "index"
    ]
    assert pooled["perfect"]["mean"] == pytest.approx(alone["perfect"]["mean"], rel=0.15)


def test_a_slope_of_folds_has_a_wider_interval_and_one_of_a_single_row_held_out_none():
    codes, proba = cohort(300, 1.0)
    held = HeldOut.of([[(np.arange(300), codes, codes, proba)]])
    units = np.bincount(codes).astype(float)
    external, folds, alone = (
        calibration_of(held, make(units))["slope"]
        for make in (
            VarianceInflation.external,
            VarianceInflation.k_fold,
            VarianceInflation.leave_one_out,
        )
    )
    assert external["mean"] == folds["mean"] == alone["mean"]
    widths = [one["high"] - one["low"] for one in (external, folds)]
    assert widths[1] == pytest.approx(math.sqrt(2) * widths[0])
    assert alone["low"] is None
    assert alone["note"] == "no interval: not simulated for this split"


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.2, 0.5, 0.3)])
def test_limits_of_a_scaled_brier_score_are_those_of_the_brier_score(shares):
    rng = np.random.default_rng(0)
    codes, proba = rng.choice(len(shares), 90, p=shares), rng.dirichlet(np.ones(len(shares)), 90)
    held = HeldOut.of([[(np.arange(90), codes, codes, proba)]])
    sampling = VarianceInflation.k_fold(np.bincount(codes).astype(float))
    brier, scaled = (held.estimate(name, sampling) for name in ("brier", "scaled_brier"))
    scale = (1 - (np.bincount(codes) ** 2).sum() / 90**2) / 2
    assert scaled.mean == pytest.approx(1 - brier.mean / scale)
    assert scaled.low == pytest.approx(1 - brier.high / scale)
    assert scaled.high == pytest.approx(1 - brier.low / scale)


@pytest.mark.longer
@pytest.mark.parametrize(("n", "share"), [(60, 0.64), (100, 0.77), (200, 0.92)])
def test_slopes_of_few_samples_say_little_of_a_weak_signal(n, share):
    """How often perfect probabilities (AUC .65) have a slope between .6 and 1.6: on which the
    least number of samples rests (`MIN_CLASS_SIZE`)."""
    rng = np.random.default_rng(n)
    inside = []
    for _ in range(600):
        f = 0.57 * rng.normal(size=n)
        codes = (rng.random(n) < expit(f)).astype(int)
        scores = np.column_stack([-f, f])[None] / 2
        (slope,), _ = fit_slopes(scores, codes, np.ones(n), pull=0, spread=np.inf, offset=np.inf)
        inside.append(0.6 <= slope <= 1.6)
    assert np.mean(inside) == pytest.approx(share, abs=0.05)
