"""The calibration slope against a peer, by simulation, and where there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit, logsumexp
from sklearn.linear_model import LogisticRegression

from tamis.metrics.calibration import FEWEST, calibration_slope


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
    first, second = np.flatnonzero(codes == 0), np.flatnonzero(codes == 1)[: FEWEST - 1]
    rows = np.r_[first, second]
    found = calibration_slope(codes[rows], proba[rows], np.array([len(first), len(second)]))
    assert math.isnan(found.mean)
    assert found.note == "too few samples of a class to tell: 49 of the 50 needed"
    grouped = calibration_slope(codes, proba, np.array([200.0, 12.3]))
    assert grouped.note == "too few samples of a class to tell: 12 of the 50 needed"
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
