"""The huberised SVM's loss, dual and solver against plain arithmetic and a generic solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar

from tamis.kernels.huberized_svm import (
    Problem,
    certify,
    descend,
    dual_value,
    intercept_only,
    loss,
    pull,
    solve,
)

DELTAS, LAMBDA2 = [0.01, 0.1, 0.5, 1.0, 2.0], [0.0, 1e-6, 1e-2, 1.0, 10.0]


def plain_loss(t, delta):
    if t > 1:
        return 0.0
    return (1 - t) ** 2 / (2 * delta) if t > 1 - delta else 1 - t - delta / 2


def objective(problem, l1, b0, b):
    """F by the formula, row by row."""
    total = 0.0
    for row, sign, weight in zip(problem.columns.T, problem.y, problem.v, strict=True):
        total += weight * plain_loss(sign * (b0 + row @ b), problem.delta)
    return total + l1 * np.abs(b).sum() + problem.l2 / 2 * (b**2).sum()


def lambda_max(problem):
    y, v = problem.y, problem.v
    b0 = intercept_only(v[y > 0].sum(), v[y < 0].sum(), problem.delta) if problem.intercept else 0
    return b0, np.abs(problem.columns @ (v * y * pull(y * b0, problem.delta))).max()


@st.composite
def problems(draw):
    n, p = draw(st.integers(4, 25)), draw(st.integers(1, 30))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, p)) if draw(st.booleans()) else rng.integers(-1, 2, (n, p)) * 1.0
    if p > 3:
        X[:, 1], X[:, 2] = X[:, 0], 0.0  # a duplicate and a constant column
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    v = rng.choice([0.5, 1.0, 2.0], n) / n
    l2, delta = draw(st.sampled_from(LAMBDA2)), draw(st.sampled_from(DELTAS))
    return Problem(np.ascontiguousarray(X.T), y, v, l2, delta, draw(st.booleans()))


@pytest.mark.parametrize("delta", DELTAS)
def test_loss_and_slope(delta):
    t = np.concatenate([np.linspace(-3, 3, 301), [1.0, 1 - delta]])
    np.testing.assert_allclose(loss(t, delta), [plain_loss(x, delta) for x in t], atol=1e-15)
    step = 1e-7
    slope = (loss(t + step, delta) - loss(t - step, delta)) / (2 * step)
    np.testing.assert_allclose(pull(t, delta), -slope, atol=2 * step / delta)


@pytest.mark.parametrize("delta", DELTAS)
def test_conjugate(delta):
    """phi*(-a) = sup_t (-a t - phi(t)) = -a + delta a^2 / 2 on [0, 1]."""
    t = np.linspace(-10, 10, 2_000_001)
    for a in (0.0, 0.3, 0.9, 1.0):
        supremum = (-a * t - loss(t, delta)).max()
        assert supremum == pytest.approx(-a + delta * a * a / 2, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(st.floats(0.01, 1), st.floats(0.01, 1), st.sampled_from([*DELTAS, 5.0]))
def test_intercept_only_is_the_minimum(positive, negative, delta):
    def value(b0):
        return positive * plain_loss(b0, delta) + negative * plain_loss(-b0, delta)

    b0 = intercept_only(positive, negative, delta)
    width = 1 + delta
    found = minimize_scalar(value, bounds=(-width, width), method="bounded")
    assert value(b0) <= found.fun + 1e-12
    slope = negative * pull(np.array(-b0), delta) - positive * pull(np.array(b0), delta)
    assert abs(slope) < 1e-12 / delta


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(0, 10**6))
def test_weak_duality(problem, seed):
    """Any dual point is below any primal one: the gap can never flatter."""
    rng = np.random.default_rng(seed)
    _, most = lambda_max(problem)
    l1 = max(most, 1e-3) * rng.uniform(0.01, 1)
    b = rng.normal(size=len(problem.columns)) * (rng.random(len(problem.columns)) < 0.5)
    b0 = rng.normal() if problem.intercept else 0.0
    value = objective(problem, l1, b0, b)
    assert dual_value(problem, l1, rng.random(len(problem.y))) <= value + 1e-12
    found = certify(problem, l1, b0, b)
    assert found.primal == pytest.approx(value, rel=1e-12)
    assert found.gap >= 0


@settings(max_examples=80, deadline=None)
@given(problems(), st.sampled_from([0.9, 0.3, 0.05, 0.01]))
def test_certified_and_not_above_a_generic_solver(problem, ratio):
    b0, most = lambda_max(problem)
    if most < 1e-12:
        return
    l1, p = ratio * most, len(problem.columns)
    b0, b = solve(problem, l1, b0, np.zeros(p))
    found = certify(problem, l1, b0, b)
    assert found.kkt <= 1e-8
    assert found.gap <= 1e-10

    def split(u):  # b = plus - minus, both at least 0: smooth, with bounds
        b0, b = u[0], u[1 : p + 1] - u[p + 1 :]
        margins = problem.y * (b0 + b @ problem.columns)
        pulls = problem.v * problem.y * pull(margins, problem.delta)
        g = problem.l2 * b - problem.columns @ pulls
        value = problem.v @ loss(margins, problem.delta) + l1 * u[1:].sum()
        g0 = -pulls.sum() if problem.intercept else 0.0
        return value + problem.l2 / 2 * (b @ b), np.concatenate([[g0], g + l1, l1 - g])

    bounds = [(None, None)] + [(0, None)] * (2 * p)
    options = {"maxiter": 1000, "maxfun": 2000, "ftol": 1e-15, "gtol": 1e-10}
    start = np.zeros(2 * p + 1)
    peer = minimize(split, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    value = objective(problem, l1, b0, b)
    assert value <= peer.fun * (1 + 1e-9)
    # F is convex, so the peer is above the minimum by no more than what its own gradient allows
    u = np.concatenate([[b0], np.maximum(b, 0), np.maximum(-b, 0)])
    slope = split(peer.x)[1]
    slope[1:][(peer.x[1:] == 0) & (slope[1:] > 0)] = 0.0
    assert peer.fun - value <= np.abs(slope) @ np.abs(peer.x - u) + 1e-9 * value


def test_generic_solver_agrees_closely_on_a_wide_elbow():
    rng = np.random.default_rng(5)
    columns, y = rng.normal(size=(8, 40)), np.where(rng.random(40) < 0.4, 1.0, -1.0)
    problem = Problem(columns, y, np.full(40, 1 / 40), 0.1, 2.0, True)
    l1 = 0.02
    b0, b = solve(problem, l1, 0.0, np.zeros(8))
    step = 1 / (np.linalg.eigvalsh(columns @ columns.T)[-1] / 80 + 1.0)
    c0, c = 0.0, np.zeros(8)  # proximal gradient
    for _ in range(20000):
        pulls = y * pull(y * (c0 + c @ columns), 2.0) / 40
        moved = c - step * (0.1 * c - columns @ pulls)
        c0, c = c0 + step * pulls.sum(), np.sign(moved) * np.maximum(np.abs(moved) - step * l1, 0)
    np.testing.assert_allclose(b, c, atol=1e-10)
    assert b0 == pytest.approx(c0, abs=1e-10)
    np.testing.assert_array_equal(b != 0, c != 0)


@settings(max_examples=30, deadline=None)
@given(problems(), st.sampled_from([0.5, 0.05]))
def test_descent_never_rises(problem, ratio):
    b0, most = lambda_max(problem)
    l1, b = ratio * max(most, 1e-3), np.zeros(len(problem.columns))
    value = objective(problem, l1, b0, b)
    for _ in range(5):
        b0, b = descend(problem, problem.columns, l1, b0, b, 2)
        now = objective(problem, l1, b0, b)
        assert now <= value + 1e-13
        value = now


def test_descent_rescues_a_blocked_newton(monkeypatch):
    """With every Newton step refused, coordinate descent alone reaches the same minimum."""
    import tamis.kernels.huberized_svm as kernel

    rng = np.random.default_rng(1)
    columns, y = rng.normal(size=(6, 30)), np.where(rng.random(30) < 0.5, 1.0, -1.0)
    problem = Problem(columns, y, np.full(30, 1 / 30), 0.5, 1.0, True)
    b0, b = solve(problem, 0.05, 0.0, np.zeros(6))
    assert np.count_nonzero(b) > 1
    monkeypatch.setattr(kernel, "line_search", lambda *args: 0.0)
    monkeypatch.setattr(kernel, "same_region", lambda *args: False)
    c0, c = solve(problem, 0.05, 0.0, np.zeros(6))
    np.testing.assert_allclose(c, b, atol=1e-10)
    assert c0 == pytest.approx(b0, abs=1e-10)
