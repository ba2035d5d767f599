"""RMA's background correction against a plain reference, and what must hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from expression.made_up import intensities, ragged_sets, ugly_arrays
from tamis.kernels.rma_background import (
    GRID_POINTS,
    _density_bandwidth,
    background_parameters,
    density_mode,
    expected_signal,
    spread_mass,
)


def background_correct(X):
    """Arrays (n, p) by the kernel, one by one; NaN where there is no estimate."""
    out = np.empty(X.shape)
    for row, to in zip(X, out, strict=True):
        expected_signal(row, *background_parameters(np.sort(row)), to)
    return out


def plain_mode(values):
    """The density point by point, without a transform."""
    values = sorted(values)
    k = len(values)
    deviation = np.std(values, ddof=1)
    low_quarter, high_quarter = np.percentile(values, [25, 75])
    spread = min(deviation, (high_quarter - low_quarter) / 1.34)
    width = 0.9 * (spread or deviation) * k**-0.2
    low, high = values[0] - 7 * width, values[-1] + 7 * width
    mass = np.zeros(GRID_POINTS + 1)
    for v in values:
        place = (v - low) / ((high - low) / (GRID_POINTS - 1))
        mass[int(place)] += (1 - place % 1) / k
        mass[int(place) + 1] += place % 1 / k
    reach = width * math.sqrt(5)
    density = np.zeros(GRID_POINTS)
    for at in np.flatnonzero(mass):
        away = np.abs(np.arange(GRID_POINTS) - at) / (2 * GRID_POINTS - 1) * 2 * (high - low)
        density += mass[at] * np.maximum(1 - (away / reach) ** 2, 0) * 3 / (4 * reach)
    shown = np.linspace(low + 4 * width, high - 4 * width, GRID_POINTS)
    return shown[np.argmax(np.interp(shown, np.linspace(low, high, GRID_POINTS), density))]


def plain_correct(x):
    m0 = plain_mode(x)
    mu = plain_mode(x[x < m0])
    below = x[x < mu]
    sigma = math.sqrt(sum((v - mu) ** 2 for v in below) / (len(below) - 1)) * math.sqrt(2)
    alpha = 1 / plain_mode(x[x > mu] - mu)
    a = x - mu - alpha * sigma**2
    density = np.exp(-0.5 * (a / sigma) ** 2) / math.sqrt(2 * math.pi)
    lower = np.array([0.5 * math.erfc(-v / sigma / math.sqrt(2)) for v in a])
    return a + sigma * density / lower


@pytest.mark.parametrize("seed", range(3))
def test_as_a_plain_reference(seed):
    rng = np.random.default_rng(seed)
    X = np.vstack(
        [intensities(2, ragged_sets(30, rng), rng)[:, :250], ugly_arrays(250, rng)[[0, 2]]]
    )
    expected = np.array([plain_correct(row) for row in X])
    np.testing.assert_allclose(background_correct(X), expected, rtol=1e-9)


@pytest.mark.longer
@given(st.integers(0, 2**32 - 1), st.sampled_from([30, 100, 700]))
@settings(max_examples=40, deadline=None)
def test_what_must_hold(seed, p):
    rng = np.random.default_rng(seed)
    X = np.vstack([ugly_arrays(p, rng), np.round(rng.gamma(1.5, 200, (1, p)) + 60)])
    for row in X:
        (found,) = background_correct(row[None])
        if math.isnan(background_parameters(np.sort(row))[0]):
            assert np.isnan(found).all()
            continue
        assert (found > 0).all()
        order = np.argsort(row, kind="stable")
        assert (np.diff(found[order]) >= -1e-9 * found.max()).all()  # the order of probes stays
        moved = rng.permutation(p)
        np.testing.assert_array_equal(background_correct(row[None, moved])[0], found[moved])
        if len(np.unique(row)) == p:  # the width of a density of one value is 1, in any unit
            np.testing.assert_array_equal(background_correct(4 * row[None])[0], 4 * found)


def test_far_to_the_left_the_limit_is_given():
    """Where phi/Phi is 0/0, and where the sum would lose its digits."""
    a = -np.logspace(0, 9, 200)
    found = np.empty(200)
    expected_signal(a, 0.0, 1.0, 0.0, found)
    assert (np.diff(found) < 0).all()  # a falls
    np.testing.assert_allclose(found[-1], 1e-9, rtol=1e-12)
    near = np.array([-9.999999, -10.000001])
    both = np.empty(2)
    expected_signal(near, 0.0, 1.0, 0.0, both)
    np.testing.assert_allclose(both[0] - both[1], 2e-6 * 0.0093, rtol=0.02)  # no step between


@pytest.mark.parametrize("row", [[1.0], [5.0, 5.0, 5.0, 5.0], [1.0, 2.0], [0.0] * 50 + [1.0]])
def test_arrays_without_an_estimate(row):
    assert np.isnan(background_correct(np.array([row]))).all()


@pytest.mark.parametrize("scale", [1e-323, 1e-310, 1e-160, 1e160, 1e250, 1e306])
def test_magnitudes_beyond_those_of_squares_have_no_estimate_or_one(scale):
    rng = np.random.default_rng(0)
    X = scale * (np.round(rng.gamma(2.0, 10.0, (1, 300))) - 1.0)
    found = background_correct(X)
    assert np.isnan(found).all() or (found >= 0).all()


def test_a_mode_is_where_most_values_are():
    rng = np.random.default_rng(0)
    values = np.sort(np.concatenate([rng.normal(10, 1, 4000), rng.uniform(0, 100, 1000)]))
    assert abs(density_mode(values) - 10) < 0.3


@pytest.mark.every
@pytest.mark.parametrize(
    ("values", "spread"),
    [
        ([0.0, 1, 2, 3, 4], 2 / 1.34),  # of quartiles, below the deviation
        ([0.0, 0, 4, 4], math.sqrt(16 / 3)),  # the deviation, below 4 / 1.34
        ([0.0] * 7 + [8.0], math.sqrt(8)),  # the quartiles are equal
        ([-3.0] * 4, 3.0),
        ([0.0] * 4, 1.0),
    ],
)
def test_the_width_of_a_density(values, spread):
    found = _density_bandwidth(np.array(values))
    assert found == pytest.approx(0.9 * spread * len(values) ** -0.2, rel=1e-12)


def test_mass_is_shared_by_the_two_points_beside_a_value():
    """The last point takes its own alone; what lies beyond is not counted, as in R."""
    mass, last = np.zeros(2 * GRID_POINTS), GRID_POINTS - 1
    values = np.array([0.25, 3.0, last - 0.5, last, last + 1.5])
    spread_mass(2.0 + values / 4, 2.0, 0.25, mass)
    expected = {0: 0.75, 1: 0.25, 3: 1.0, last - 1: 0.5, last: 1.5}
    assert {int(at): 5 * mass[at] for at in np.flatnonzero(mass)} == pytest.approx(expected)
