"""The huberised SVM's path against plain arithmetic, generic solvers and its own dual."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar
from scipy.sparse import csc_array

from common.examples import settings
from tamis.kernels.huberized_svm import columns as columns_kernel
from tamis.kernels.huberized_svm import search, systems
from tamis.kernels.huberized_svm.certificate import dual_value
from tamis.kernels.huberized_svm.path import (
    dual_pull,
    first_pulls,
    huberized_loss,
    intercept_only,
    solve_path,
)

DELTAS, LAMBDA2 = [0.01, 0.1, 0.5, 1.0, 2.0], [0.0, 1e-6, 1e-2, 1.0, 10.0]


class Case(NamedTuple):
    """One problem; `columns` is (p, n)."""

    columns: np.ndarray
    y: np.ndarray
    v: np.ndarray
    l2: float
    delta: float
    intercept: bool

    def walk(self, lambdas, **options):
        return solve_path(*self, np.asarray(lambdas, float), **options)

    def problem(self):
        return systems.Problem(self.y, self.v, self.v.sum(), self.l2, self.delta, self.intercept)

    def first(self):
        """Intercept and lambda_max of the empty model."""
        u = first_pulls(self.y, self.v, self.delta, self.intercept)
        positive = self.y > 0
        masses = self.v[positive].sum(), self.v[~positive].sum()
        b0 = intercept_only(*masses, self.delta) if self.intercept else 0.0
        return b0, np.abs(self.columns @ u).max()

    def objective(self, l1, b0, b):
        """F by the formula, row by row."""
        total = l1 * np.abs(b).sum() + self.l2 / 2 * (b**2).sum()
        for row, sign, weight in zip(self.columns.T, self.y, self.v, strict=True):
            total += weight * plain_loss(sign * (b0 + row @ b), self.delta)
        return total

    def violation(self, l1, b0, b):
        """Largest violation of the optimality conditions / l1, by the formulas."""
        u = self.v * self.y * dual_pull(self.y * (b0 + b @ self.columns), self.delta)
        z = self.columns @ u
        found = np.where(b == 0, np.abs(z) - l1, np.abs(z - self.l2 * b - l1 * np.sign(b)))
        return max(found.max(), abs(u.sum()) if self.intercept else 0.0, 0.0) / l1


def plain_loss(t, delta):
    if t > 1:
        return 0.0
    return (1 - t) ** 2 / (2 * delta) if t > 1 - delta else 1 - t - delta / 2


def row_of(found, k, p):
    """Coefficients at the k-th lambda, written out."""
    b = np.zeros(p)
    part = slice(found.starts[k], found.starts[k + 1])
    b[found.indices[part]] = found.values[part]
    return b


@st.composite
def cases(draw, intercept=None):
    n, p = draw(st.integers(4, 25)), draw(st.integers(1, 30))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, p)) if draw(st.booleans()) else rng.integers(-1, 2, (n, p)) * 1.0
    if p > 3:
        X[:, 1], X[:, 2] = X[:, 0], 0.0  # a duplicate and a constant column
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    v = rng.choice([0.5, 1.0, 2.0], n) / n
    l2, delta = draw(st.sampled_from(LAMBDA2)), draw(st.sampled_from(DELTAS))
    with_b0 = draw(st.booleans()) if intercept is None else intercept
    return Case(np.ascontiguousarray(X.T), y, v, l2, delta, with_b0)


def table_of(X, kind):
    """The kernel's table of X (n, p): dense, or sparse and centred implicitly."""
    if kind == "dense":
        return columns_kernel.dense_table(np.ascontiguousarray((X - X.mean(axis=0)).T))
    sparse = csc_array(X)
    arrays = sparse.data, sparse.indices.astype(np.int64), sparse.indptr.astype(np.int64)
    means, _, factor = columns_kernel.standardise_sparse(*arrays, np.ones(len(X)), True, False)
    return columns_kernel.ColumnTable(np.empty((0, len(X))), *arrays, means, factor)


# The loss, its dual, and the empty model


@pytest.mark.parametrize("delta", DELTAS)
def test_loss_and_slope(delta):
    t = np.concatenate([np.linspace(-3, 3, 301), [1.0, 1 - delta]])
    np.testing.assert_allclose(
        huberized_loss(t, delta), [plain_loss(x, delta) for x in t], atol=1e-15
    )
    step = 1e-7
    slope = (huberized_loss(t + step, delta) - huberized_loss(t - step, delta)) / (2 * step)
    np.testing.assert_allclose(dual_pull(t, delta), -slope, atol=2 * step / delta)


@pytest.mark.parametrize("delta", DELTAS)
def test_conjugate(delta):
    """phi*(-a) = sup_t (-a t - phi(t)) = -a + delta a^2 / 2 on [0, 1]."""
    t = np.linspace(-10, 10, 2_000_001)
    for a in (0.0, 0.3, 0.9, 1.0):
        supremum = (-a * t - huberized_loss(t, delta)).max()
        assert supremum == pytest.approx(-a + delta * a * a / 2, abs=1e-8)


@settings(max_examples=60)
@given(st.floats(0.01, 1), st.floats(0.01, 1), st.sampled_from([*DELTAS, 5.0]))
def test_intercept_only_is_the_minimum(positive, negative, delta):
    def value(b0):
        return positive * plain_loss(b0, delta) + negative * plain_loss(-b0, delta)

    b0 = intercept_only(positive, negative, delta)
    width = 1 + delta
    found = minimize_scalar(value, bounds=(-width, width), method="bounded")
    assert value(b0) <= found.fun + 1e-12
    slope = negative * dual_pull(np.array(-b0), delta) - positive * dual_pull(np.array(b0), delta)
    assert abs(slope) < 1e-12 / delta


@settings(max_examples=60)
@given(cases(), st.integers(0, 10**6), st.floats(0.01, 1), st.booleans())
def test_weak_duality(case, seed, ratio, close):
    """Any dual point is below any primal one: the gap can never flatter."""
    rng = np.random.default_rng(seed)
    p, n = case.columns.shape
    l1 = max(case.first()[1], 1e-3) * ratio
    b = rng.normal(size=p) * (rng.random(p) < 0.5)
    b0 = rng.normal() if case.intercept else 0.0
    table = columns_kernel.dense_table(case.columns)
    screen = columns_kernel.open_screen(table, n)
    a = rng.random(n)
    u = case.v * case.y * a
    columns_kernel.look_at_columns(table, screen, u, l1)
    if close:  # somewhere near the point at which the columns were looked at
        a = np.clip(a + 1e-3 * rng.normal(size=n), 0, 1)
    nothing = np.empty(0, np.int64)
    part = case.columns[:0]
    dual = dual_value(case.problem(), part, nothing, l1, a, u, np.empty(0), table, screen)
    assert dual <= case.objective(l1, b0, b) + 1e-12
    assert dual == pytest.approx(plain_dual(case, l1, a), rel=1e-10, abs=1e-12)


def plain_dual(case, l1, a):
    """The dual at `a` balanced between the classes, shrunk until feasible if that is better."""
    columns, y, v, l2, delta, intercept = case
    if intercept:
        up, down = (v * a)[y > 0].sum(), (v * a)[y < 0].sum()
        if up != down:
            a = np.where(y == (1 if up > down else -1), a * min(up, down) / max(up, down), a)
    z = np.abs(columns @ (v * y * a))
    shrunk = a * min(1.0, l1 / z.max()) if z.max() > 0 else a
    value = v @ (shrunk - delta / 2 * shrunk**2)
    if l2 > 0:
        excess = np.maximum(z - l1, 0)
        value = max(value, v @ (a - delta / 2 * a**2) - excess @ excess / (2 * l2))
    return value


# The path


@settings(max_examples=100)
@given(cases(), st.sampled_from([0.5, 0.1, 0.01]))
def test_every_lambda_is_certified(case, ratio):
    _, most = case.first()
    assume(most > 1e-12)
    grid = most * ratio ** np.linspace(0, 1, 8)
    found = case.walk(grid)
    assert found.done == len(grid) == len(found.starts) - 1
    assert found.kkt.max() <= 1e-8
    assert found.gap.max() <= 1e-10
    for k, l1 in enumerate(grid):
        b = row_of(found, k, len(case.columns))
        value = case.objective(l1, found.intercepts[k], b)
        assert found.objective[k] == pytest.approx(value, rel=1e-12)
        # the same by the formulas; sums in another order differ by rounding, 1/delta times
        # magnified
        plain = case.violation(l1, found.intercepts[k], b)
        assert plain == pytest.approx(found.kkt[k], abs=1e-12 / (case.delta * l1))
        assert (np.diff(found.indices[found.starts[k] : found.starts[k + 1]]) > 0).all()
    if not case.intercept:
        assert not found.intercepts.any()


@settings(max_examples=30)
@given(cases(), st.sampled_from([0.9, 0.3, 0.05, 0.01]))
def test_not_above_a_generic_solver(case, ratio):
    _, most = case.first()
    assume(most > 1e-12)
    l1, p = ratio * most, len(case.columns)
    found = case.walk([l1])
    b0, b = found.intercepts[0], row_of(found, 0, p)

    def split(u):  # b = plus - minus, both at least 0: smooth, with bounds
        b0, b = u[0], u[1 : p + 1] - u[p + 1 :]
        margins = case.y * (b0 + b @ case.columns)
        pulls = case.v * case.y * dual_pull(margins, case.delta)
        g = case.l2 * b - case.columns @ pulls
        value = case.v @ huberized_loss(margins, case.delta) + l1 * u[1:].sum()
        g0 = -pulls.sum() if case.intercept else 0.0
        return value + case.l2 / 2 * (b @ b), np.concatenate([[g0], g + l1, l1 - g])

    bounds = [(None, None)] + [(0, None)] * (2 * p)
    options = {"maxiter": 1000, "maxfun": 2000, "ftol": 1e-15, "gtol": 1e-10}
    start = np.zeros(2 * p + 1)
    peer = minimize(split, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    value = case.objective(l1, b0, b)
    assert value <= peer.fun * (1 + 1e-9)
    # F is convex, so the peer is above the minimum by no more than what its own gradient allows
    u = np.concatenate([[b0], np.maximum(b, 0), np.maximum(-b, 0)])
    slope = split(peer.x)[1]
    slope[1:][(peer.x[1:] == 0) & (slope[1:] > 0)] = 0.0
    assert peer.fun - value <= np.abs(slope) @ np.abs(peer.x - u) + 1e-9 * value


def simple(seed=5, n=40, p=8, l2=0.1, delta=2.0):
    rng = np.random.default_rng(seed)
    columns, y = rng.normal(size=(p, n)), np.where(rng.random(n) < 0.4, 1.0, -1.0)
    return Case(columns, y, np.full(n, 1 / n), l2, delta, True)


def test_proximal_gradient_agrees():
    case, l1 = simple(), 0.02
    found = case.walk([0.1, 0.05, l1])
    step = 1 / (np.linalg.eigvalsh(case.columns @ case.columns.T)[-1] / 80 + 1.0)
    c0, c = 0.0, np.zeros(8)
    for _ in range(20000):
        pulls = case.y * dual_pull(case.y * (c0 + c @ case.columns), 2.0) / 40
        moved = c - step * (0.1 * c - case.columns @ pulls)
        c0, c = c0 + step * pulls.sum(), np.sign(moved) * np.maximum(np.abs(moved) - step * l1, 0)
    b = row_of(found, 2, 8)
    np.testing.assert_allclose(b, c, atol=1e-10)
    assert found.intercepts[2] == pytest.approx(c0, abs=1e-10)
    np.testing.assert_array_equal(b != 0, c != 0)


@pytest.mark.parametrize("l2", LAMBDA2)
def test_a_late_start_ends_at_the_same_place(l2):
    """The objective at one lambda does not depend on the path that led there."""
    case = simple(seed=2, n=30, p=80, l2=l2)
    grid = case.first()[1] * 0.02 ** np.linspace(0, 1, 40)
    whole, alone = case.walk(grid), case.walk(grid[-1:])
    assert alone.objective[0] == pytest.approx(whole.objective[-1], rel=1e-10)


@pytest.mark.parametrize("most", [0, 1, 5, 12, 1000])
def test_stops_before_too_many_were_ever_active(most):
    case = simple(seed=3, n=30, p=50, l2=0.01)
    grid = case.first()[1] * 0.05 ** np.linspace(0, 1, 30)
    whole, cut = case.walk(grid), case.walk(grid, most=most)
    ever = [len(np.unique(whole.indices[:end])) for end in whole.starts[1:]]
    assert cut.done == sum(e <= most for e in ever)
    end = whole.starts[cut.done]
    np.testing.assert_array_equal(cut.indices, whole.indices[:end])
    np.testing.assert_array_equal(cut.values, whole.values[:end])
    np.testing.assert_array_equal(cut.intercepts, whole.intercepts[: cut.done])


def test_without_certificate_the_solutions_are_the_same():
    case = simple(seed=4, n=25, p=60, l2=0.5, delta=0.1)
    grid = case.first()[1] * 0.05 ** np.linspace(0, 1, 20)
    told, bare = case.walk(grid), case.walk(grid, certified=False)
    np.testing.assert_array_equal(told.starts, bare.starts)
    np.testing.assert_array_equal(told.indices, bare.indices)
    np.testing.assert_allclose(told.values, bare.values, rtol=1e-9, atol=1e-13)
    assert np.isnan([bare.kkt, bare.gap, bare.objective]).all()


def test_threads_change_nothing():
    all_cases = [simple(seed, n=40, p=200, l2=0.1) for seed in range(8)]
    grids = [c.first()[1] * 0.05 ** np.linspace(0, 1, 20) for c in all_cases]
    one = [c.walk(g) for c, g in zip(all_cases, grids, strict=True)]
    with ThreadPoolExecutor(4) as pool:
        many = list(pool.map(lambda cg: cg[0].walk(cg[1]), zip(all_cases, grids, strict=True)))
    for a, b in zip(one, many, strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x, y)


# Its parts


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from(["dense", "sparse"]), st.floats(1e-6, 1))
def test_bounds_hold_and_the_listed_are_exact(seed, kind, step):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(3, 40)), int(rng.integers(1, 300))
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.4) + (rng.random(p) < 0.1) * 50
    table, centred = table_of(X, kind), (X - X.mean(axis=0)).T
    screen = columns_kernel.open_screen(table, n)
    u = rng.normal(size=n) / n
    l1 = np.quantile(np.abs(centred @ u), 0.9)
    looked = []
    for _ in range(6):
        count = columns_kernel.look_at_columns(table, screen, u, l1)
        exact = np.abs(centred @ u)
        rounding = 1e-12 * (1 + np.abs(X).max()) * n
        assert (screen.upper >= exact - rounding).all()
        listed = screen.listed[:count]
        np.testing.assert_allclose(screen.upper[listed], exact[listed], atol=rounding)
        others = np.setdiff1d(np.arange(p), listed)
        assert (exact[others] <= l1 + rounding).all()
        looked.append(count)
        u = u * rng.uniform(0.9, 1.1) + step * rng.normal(size=n) / n
    assert len(looked) == 6


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_standardised_dense_and_sparse(seed, centre, divide):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(3, 20)), int(rng.integers(1, 12))
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.5)
    X[:, 0] = rng.choice([0.0, 3.7])
    weights = rng.choice([0.5, 1.0, 2.0], n)
    mean = np.average(X, axis=0, weights=weights)
    mean[0] = X[0, 0]
    scale = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weights)) if divide else np.ones(p)
    scale[scale == 0] = 1.0
    expected = ((X - mean if centre else X) / scale).T
    columns = columns_kernel.transposed_copy(np.ascontiguousarray(X))
    np.testing.assert_array_equal(columns, X.T)
    means, scales = columns_kernel.standardise_columns(columns, weights, centre, divide)
    np.testing.assert_allclose(columns, expected, atol=1e-13)
    np.testing.assert_allclose(means, mean * centre, atol=1e-13)
    np.testing.assert_allclose(scales, scale, rtol=1e-12)
    if centre:
        assert not columns[0].any()
    sparse = csc_array(X)
    arrays = sparse.data, sparse.indices.astype(np.int64), sparse.indptr.astype(np.int64)
    found = columns_kernel.standardise_sparse(*arrays, weights, centre, divide)
    np.testing.assert_allclose(found[0], means, atol=1e-13)
    np.testing.assert_allclose(found[1], scales, rtol=1e-12)
    table = columns_kernel.ColumnTable(np.empty((0, n)), *arrays, found[0], found[2])
    out, u = np.empty(n), rng.normal(size=n)
    for j in range(p):
        columns_kernel.write_column(table, j, out)
        np.testing.assert_allclose(out, expected[j], atol=1e-12)
        assert columns_kernel.column_product(table, j, u, u.sum()) == pytest.approx(
            expected[j] @ u, abs=1e-11
        )


@settings(max_examples=60)
@given(cases(), st.integers(0, 10**6))
def test_line_search_finds_the_minimum(case, seed):
    rng = np.random.default_rng(seed)
    p = len(case.columns)
    b, d = rng.normal(size=(2, p)) * (rng.random((2, p)) < 0.7)
    d[rng.random(p) < 0.2] = 0.0
    b0, d0 = rng.normal(size=2)
    f, moves = b0 + b @ case.columns, d0 + d @ case.columns
    l1 = rng.uniform(0.01, 1)
    t = search.line_search(case.problem(), l1, f, moves, b, d)

    def value(t):
        return case.objective(l1, b0 + t * d0, b + t * d)

    assert t >= 0
    here = value(t)
    for other in [0.0, *(t * np.array([0.5, 0.99, 1.01, 2])), t + 1e-3, t + 1]:
        assert here <= value(other) + 1e-12 * (1 + abs(value(other)))


@settings(max_examples=60)
@given(cases(intercept=True), st.integers(0, 10**6), st.booleans())
def test_newton_directions_by_columns_and_by_rows(case, seed, lasso):
    """Both forms of the system solve (R + Z' B Z) d = -g."""
    rng = np.random.default_rng(seed)
    case = case._replace(l2=0.0 if lasso else 0.3)
    p, n = case.columns.shape
    chosen = np.flatnonzero(rng.random(p) < 0.8)
    elbow = np.flatnonzero(rng.random(n) < 0.6)
    assume(len(chosen) > 0 and len(elbow) > 1)
    slope, g0, names = rng.normal(size=p), rng.normal(), np.arange(p)
    curvature = np.tile((case.columns**2) @ case.v / case.delta, (2, 1))
    assume(not lasso or np.linalg.matrix_rank(case.columns[chosen][:, elbow]) == len(chosen))
    Z = np.vstack([np.ones(len(elbow)), case.columns[chosen][:, elbow]])
    system = Z * (case.v[elbow] / case.delta) @ Z.T
    system[1:, 1:] += case.l2 * np.eye(len(chosen))
    table = columns_kernel.dense_table(case.columns)
    for rows in (0, n):
        gram = systems.Gram(
            np.zeros((rows, rows)), np.zeros(p, bool), np.zeros(p, np.int64), np.zeros(2, np.int64)
        )
        factor = systems.factorise_system(
            case.problem(), case.columns, names, curvature, chosen, elbow, gram, table
        )
        assert factor.by_rows == (rows > 0 and len(chosen) > len(elbow) and not lasso)
        d = np.empty(p)
        d0 = systems.newton_step(case.problem(), case.columns, chosen, factor, g0, slope, d)
        found = np.concatenate([[d0], d[chosen]])
        left = system @ found + np.concatenate([[g0], slope[chosen]])
        condition = np.linalg.cond(system)
        assume(condition < 1e9)
        assert np.abs(left).max() <= 1e-9 * np.abs(system).max() * np.abs(found).max()
        assert not np.delete(d, chosen).any()


def test_kept_products_equal_those_built_anew():
    rng = np.random.default_rng(0)
    p, n = 60, 12
    X = rng.normal(size=(p, n))
    table, names = columns_kernel.dense_table(X), np.arange(p)
    gram = systems.Gram(
        np.zeros((n, n)), np.zeros(p, bool), np.zeros(p, np.int64), np.zeros(2, np.int64)
    )
    chosen = np.flatnonzero(rng.random(p) < 0.5)
    rebuilt = 0
    for _ in range(40):
        systems.update_gram(gram, X, names, chosen, table)
        lower = np.tril(X[chosen].T @ X[chosen])
        np.testing.assert_allclose(gram.matrix, lower, atol=1e-12)
        assert gram.state[0] == len(chosen)
        rebuilt += gram.state[1] == len(chosen)
        turned = rng.choice(p, 3, replace=False)
        chosen = np.setxor1d(chosen, turned)
    assert 1 <= rebuilt < 10


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 20))
def test_cholesky(seed, size):
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(size, size + 3))
    matrix, right = half @ half.T, rng.normal(size=size)
    lower, x = np.tril(matrix), right.copy()
    systems.cholesky_factor(lower)
    np.testing.assert_allclose(lower, np.linalg.cholesky(matrix), rtol=1e-8, atol=1e-10)
    systems.back_solve(lower, x)
    np.testing.assert_allclose(matrix @ x, right, rtol=1e-6, atol=1e-8)


def test_a_lost_pivot_stops_its_row():
    lower = np.tril(np.ones((2, 2)))
    systems.cholesky_factor(lower)
    x = np.array([1.0, 1.0])
    systems.back_solve(lower, x)
    assert np.isfinite(lower).all()
    assert np.isfinite(x).all()


@settings(max_examples=30)
@given(cases(), st.sampled_from([0.5, 0.05]))
def test_descent_never_rises(case, ratio):
    b0, most = case.first()
    l1, (p, n) = ratio * max(most, 1e-3), case.columns.shape
    b, f, u = np.zeros(p), np.empty(n), np.empty(n)
    curvature = np.tile((case.columns**2) @ case.v / case.delta, (2, 1))
    value = case.objective(l1, b0, b)
    for _ in range(5):
        b0 = search.descend_coordinates(case.problem(), case.columns, curvature, l1, b0, b, f, u, 2)
        now = case.objective(l1, b0, b)
        assert now <= value + 1e-13
        np.testing.assert_allclose(f, b0 + b @ case.columns, atol=1e-12)
        value = now


def test_descent_alone_reaches_the_same_minimum():
    """What takes over where Newton is stuck needs no Newton step."""
    case = simple(seed=1, n=30, p=6, l2=0.5, delta=1.0)
    found = case.walk([0.05])
    b0, b, f, u = 0.0, np.zeros(6), np.empty(30), np.empty(30)
    curvature = np.tile((case.columns**2) @ case.v / case.delta, (2, 1))
    b0 = search.descend_coordinates(
        case.problem(), case.columns, curvature, 0.05, b0, b, f, u, 2000
    )
    np.testing.assert_allclose(b, row_of(found, 0, 6), atol=1e-10)
    assert np.count_nonzero(b) > 1
    assert b0 == pytest.approx(found.intercepts[0], abs=1e-10)
