"""The dual of a support vector machine: its conditions, a plain reference, and libsvm."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

import tamis.kernels.support_vector_machine as kernels
from common.examples import settings
from tamis.kernels.support_vector_machine import add_products, pair_machines, solve_machine

KINDS = ("wide", "narrow", "one column", "gaussian", "copies", "contradictions", "nothing")
MARGIN = 1e-6  # of f, by the kernel's tolerance; the intercept is a mean of values as far apart


def problem(kind, n, seed):
    """A kernel's values, signs of both kinds, and costs."""
    rng = np.random.default_rng(seed)
    signs = np.where(rng.permutation(np.arange(n) % 2), 1.0, -1.0)
    k = {"wide": 100, "narrow": 3, "one column": 1}.get(kind, 6)
    X = rng.normal(size=(n, k)) + 0.5 * signs[:, None]
    if kind == "copies":
        X = X[rng.integers(0, n, n)]
    elif kind == "contradictions":
        X = X[np.arange(n) // 2]
    elif kind == "nothing":
        X[:] = 0.0
    kernel = X @ X.T
    if kind == "gaussian":
        kernel = np.exp(-0.2 * ((X[:, None] - X) ** 2).sum(axis=2))
    return kernel, signs, rng.choice([0.1, 1.0, 10.0], n)


def gain(kernel, signs, b):
    """What the dual maximises."""
    return signs @ b - b @ kernel @ b / 2


def plain_machine(kernel, signs, costs, rounds=4000):
    """Every pair of rows in turn moves as far as it gains."""
    n = len(signs)
    b, low, high = np.zeros(n), np.minimum(0, signs * costs), np.maximum(0, signs * costs)
    for _ in range(rounds):
        before = b.copy()
        for i, j in combinations(range(n), 2):
            slope = (signs - kernel @ b) @ (np.eye(n)[i] - np.eye(n)[j])
            bend = max(kernel[i, i] + kernel[j, j] - 2 * kernel[i, j], 1e-9)
            room = (low[i] - b[i], b[j] - high[j]), (high[i] - b[i], b[j] - low[j])
            step = np.clip(slope / bend, max(room[0]), min(room[1]))
            b[i], b[j] = b[i] + step, b[j] - step
        if np.abs(b - before).max() < 1e-12:
            break
    return b


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(KINDS), st.integers(2, 40), st.integers(0, 10**6))
def test_conditions_hold_to_the_tolerance(kind, n, seed):
    kernel, signs, costs = problem(kind, n, seed)
    b, intercept, _ = solve_machine(kernel, signs, costs)
    assert abs(b.sum()) <= 1e-12 * costs.sum()
    assert (signs * b >= 0).all()
    assert (signs * b <= costs).all()
    slack = 1 - signs * (kernel @ b + intercept)
    assert (slack[b == 0] <= MARGIN).all()
    assert (slack[signs * b == costs] >= -MARGIN).all()
    assert (np.abs(slack[(b != 0) & (signs * b < costs)]) <= MARGIN).all()


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(KINDS), st.integers(2, 9), st.integers(0, 10**6))
def test_equals_the_plain_reference(kind, n, seed):
    kernel, signs, costs = problem(kind, n, seed)
    b, _, _ = solve_machine(kernel, signs, costs)
    plain = plain_machine(kernel, signs, costs)
    best = gain(kernel, signs, plain)
    assert gain(kernel, signs, b) == pytest.approx(best, abs=1e-6 * costs.sum())
    np.testing.assert_allclose(kernel @ b, kernel @ plain, rtol=0, atol=2e-3)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["wide", "narrow", "gaussian"]), st.integers(4, 60), st.integers(0, 10**6))
def test_equals_libsvm(kind, n, seed):
    """f, which is unique, as near as single precision comes; by its own 1e-3 not so near."""
    kernel, signs, costs = problem(kind, n, seed)
    b, intercept, _ = solve_machine(kernel, signs, costs)
    for tol, near in ((1e-6, 1e-4), (1e-3, 2e-2)):
        peer = SVC(kernel="precomputed", tol=tol).fit(kernel, signs, costs)
        theirs = np.zeros(n)
        theirs[peer.support_] = peer.dual_coef_[0]
        np.testing.assert_allclose(kernel @ b, kernel @ theirs, rtol=0, atol=near)
        assert gain(kernel, signs, b) >= gain(kernel, signs, theirs) - 1e-6 * costs.sum()
        if ((b != 0) & (signs * b < costs)).any():
            assert intercept == pytest.approx(peer.intercept_[0], abs=near)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_machine_for_each_pair_of_classes(n_classes):
    rng = np.random.default_rng(3)
    codes = rng.permutation(np.arange(50) % n_classes)
    X = rng.normal(size=(50, 8)) + codes[:, None] * 0.3
    costs = rng.uniform(0.2, 3, 50)
    multipliers, intercepts = pair_machines(X @ X.T, codes, n_classes, costs)
    peer = SVC(kernel="linear", tol=1e-9, decision_function_shape="ovo").fit(X, codes, costs)
    values = X @ (multipliers @ X).T + intercepts
    expected = peer.decision_function(X).reshape(50, -1) * (-1 if n_classes == 2 else 1)
    np.testing.assert_allclose(values, expected, rtol=0, atol=2e-5)
    for b, (i, j) in zip(multipliers, combinations(range(n_classes), 2), strict=True):
        assert not b[(codes != i) & (codes != j)].any()


def test_what_does_not_end_gets_rougher(monkeypatch):
    rng = np.random.default_rng(0)
    X, signs = rng.normal(size=(34, 50)), np.where(np.arange(34) % 2, 1.0, -1.0)
    kernel, costs = X @ X.T, np.ones(34)
    _, _, all_steps = solve_machine(kernel, signs, costs)
    plain = solve_machine.py_func
    monkeypatch.setattr(kernels, "ROUGH_STEPS", 50)
    b, _, steps = plain(kernel, signs, costs)
    assert 50 < steps < all_steps
    g = signs - kernel @ b
    top = g[b < np.maximum(0, signs * costs)].max()
    assert top - g[b > np.minimum(0, signs * costs)].min() <= 1.01 * kernels.ROUGH_TOLERANCE
    monkeypatch.setattr(kernels, "MAX_STEPS", 70)
    b, intercept, steps = plain(kernel, signs, costs)
    assert steps == 70
    assert np.isfinite(intercept)
    assert abs(b.sum()) < 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 200), st.integers(0, 10**6))
def test_products_do_not_depend_on_how_columns_come(m, n, k, seed):
    rng = np.random.default_rng(seed)
    left, right = rng.normal(size=(k, m)), rng.normal(size=(k, n))
    once, often = np.zeros((m, n)), np.zeros((m, n))
    add_products(left, right, once)
    cuts = np.sort(rng.integers(0, k + 1, 3))
    for a, b in zip([0, *cuts], [*cuts, k], strict=True):
        add_products(left[a:b], right[a:b], often)
    np.testing.assert_array_equal(once, often)
    np.testing.assert_allclose(once, left.T @ right, rtol=0, atol=1e-12 * (1 + k))
