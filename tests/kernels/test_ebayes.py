"""The prior of the variances: trigamma's inverse, the two branches, and recovery of the truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import digamma, polygamma

from common.examples import settings
from tamis.kernels.ebayes import _quick_median, fit_prior, trigamma_inverse


def plain_prior(variances, df):
    """The moment equations, solved by bisection on ln(d0/2)."""
    floor = 1e-5 * np.median(variances)
    s2 = [max(v, floor) for v in variances]
    e = [np.log(v) - digamma(df / 2) + np.log(df / 2) for v in s2]
    right = np.var(e, ddof=1) - polygamma(1, df / 2)
    if right <= 0:
        return np.inf, np.mean(s2)
    half = np.exp(brentq(lambda u: np.log(polygamma(1, np.exp(u)) / right), -40, 40, xtol=1e-14))
    return 2 * half, np.exp(np.mean(e) + digamma(half) - np.log(half))


@settings(max_examples=200, deadline=None)
@given(st.floats(-12, 12))
def test_trigamma_inverse_round_trip(exponent):
    x = 10.0**exponent
    y = trigamma_inverse(x)
    assert y > 0
    # past 1e7 and below 1e-6 the leading term of the expansion is used
    np.testing.assert_allclose(polygamma(1, y), x, rtol=1e-3 if x > 1e7 else 1e-6)
    if 1e-6 <= x <= 1e7:
        np.testing.assert_allclose(polygamma(1, y), x, rtol=1e-8)


def test_trigamma_inverse_at_known_points():
    np.testing.assert_allclose(trigamma_inverse(np.pi**2 / 6), 1, rtol=1e-12)
    np.testing.assert_allclose(trigamma_inverse(np.pi**2 / 2), 0.5, rtol=1e-12)
    values = [trigamma_inverse(x) for x in np.geomspace(1e-9, 1e9, 200)]
    assert (np.diff(values) < 0).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 80), st.integers(1, 40), st.floats(0.05, 2.5), st.integers(0, 10**6))
def test_equals_the_plain_reference(p, df, spread, seed):
    rng = np.random.default_rng(seed)
    variances = np.exp(spread * rng.normal(size=p)) * rng.chisquare(df, p) / df
    d0, s02 = fit_prior(variances, df)
    slow = plain_prior(variances, df)
    if np.isinf(slow[0]):
        assert np.isinf(d0)
    elif slow[0] < 1e5:  # beyond, d0 hangs on the rounding of a difference
        np.testing.assert_allclose(d0, slow[0], rtol=1e-7)
    np.testing.assert_allclose(s02, slow[1], rtol=1e-7)


@settings(max_examples=40, deadline=None)
@given(st.floats(-6, 6), st.integers(1, 20), st.integers(0, 10**6))
def test_units_of_the_variances_scale_the_prior(exponent, df, seed):
    variances = np.random.default_rng(seed).gamma(1.0, size=30)
    unit = 10.0**exponent
    d0, s02 = fit_prior(variances, df)
    scaled = fit_prior(unit * variances, df)
    if np.isinf(d0) or d0 > 1e5:
        assert scaled[0] > 1e4
    else:
        np.testing.assert_allclose(scaled[0], d0, rtol=1e-7)
    np.testing.assert_allclose(scaled[1], unit * s02, rtol=1e-7)


@pytest.mark.parametrize(("d0", "s02", "df"), [(4, 0.3, 10), (10, 2.0, 4), (1.5, 5.0, 30)])
def test_recovers_the_prior_of_its_own_model(d0, s02, df):
    rng = np.random.default_rng(0)
    sigma2 = d0 * s02 / rng.chisquare(d0, 40_000)
    variances = sigma2 * rng.chisquare(df, 40_000) / df
    found = fit_prior(variances, df)
    np.testing.assert_allclose(found, (d0, s02), rtol=0.06)


def test_variances_that_vary_less_than_chance_have_an_infinite_prior():
    variances = np.array([1.0, 1.1, 0.9, 1.05])
    d0, s02 = fit_prior(variances, 5)
    assert np.isinf(d0)
    np.testing.assert_allclose(s02, variances.mean(), rtol=1e-15)
    assert fit_prior(np.full(7, 3.0), 2) == (np.inf, 3.0)


def test_a_single_variance_has_no_prior():
    assert fit_prior(np.array([0.7]), 6) == (0.0, 0.7)
    assert fit_prior(np.array([0.0]), 6) == (0.0, 0.0)
    assert fit_prior(np.array([]), 6)[0] == 0.0


def test_zero_variances_are_raised_for_the_fit_only():
    rng = np.random.default_rng(2)
    variances = rng.gamma(2.0, size=50)
    variances[:5] = 0.0
    kept = variances.copy()
    raised = np.maximum(variances, 1e-5 * np.median(variances))
    assert fit_prior(variances, 8) == fit_prior(raised, 8)
    assert np.array_equal(variances, kept)
    # more zeros than values: the floor is 1e-5, and nothing varies
    d0, s02 = fit_prior(np.zeros(9), 8)
    assert np.isinf(d0)
    np.testing.assert_allclose(s02, 1e-5, rtol=1e-12)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 8000), st.sampled_from(["free", "few values", "sorted"]), st.integers(0, 10**6)
)
def test_median_is_numpys(n, kind, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, n).astype(float) if kind == "few values" else rng.chisquare(3, n)
    if kind == "sorted":
        values.sort()
    assert _quick_median(values) == np.median(values)
