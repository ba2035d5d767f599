"""Slopes of the logistic loss beside NumPy's, and what may be said of a step."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from common.examples import settings
from tamis.kernels.logistic_steps import is_below, logistic_slopes, negative_exponentials


def test_exponentials_to_the_last_bit_but_one():
    x = -np.concatenate([np.linspace(0, 50, 20001), np.geomspace(1e-300, 708, 20001), [0.0]])
    found = np.empty_like(x)
    negative_exponentials(x.copy(), found)
    np.testing.assert_allclose(found, np.exp(x), rtol=3e-16)
    negative_exponentials(np.array([-709.0, -1e9, -np.inf]), found[:3])
    np.testing.assert_allclose(found[:3], np.exp(-708), rtol=3e-16)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 30), st.floats(0.1, 300), st.integers(0, 10**6))
def test_slopes(n, spread, seed):
    rng = np.random.default_rng(seed)
    eta, codes, weights = rng.normal(0, spread, n), rng.integers(0, 2, n), rng.uniform(0, 3, n)
    pulls, bends = np.empty(n), np.empty(n)
    logistic_slopes(eta, codes, weights, pulls, bends, np.empty(n))
    signed = np.where(codes == 1, eta, -eta)
    np.testing.assert_allclose(
        pulls, weights * np.where(codes == 1, 1, -1) * expit(-signed), rtol=1e-14, atol=1e-300
    )
    np.testing.assert_allclose(bends, weights * expit(eta) * expit(-eta), rtol=1e-14, atol=1e-300)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 8), st.floats(0.05, 3), st.integers(0, 10**6))
def test_a_step_that_is_said_to_go_down_does(n, t, seed):
    """Along a line the loss of random rows, whose second derivative is at most sum w x^2 / 4."""
    rng = np.random.default_rng(seed)
    x, signs, weights = rng.normal(0, 3, n), rng.choice([-1, 1], n), rng.uniform(0.1, 2, n)
    start = rng.normal(0, 3, n)

    def loss(s):
        return (weights * np.logaddexp(0, -signs * (start + s * x))).sum()

    def slope(s):
        return -(weights * signs * x * expit(-signs * (start + s * x))).sum()

    if slope(0.0) >= 0:
        return
    bend = (weights * x * x).sum() / 4
    if is_below(-slope(0.0), bend, t, -slope(t)):
        assert loss(t) <= loss(0.0) + 1e-12
