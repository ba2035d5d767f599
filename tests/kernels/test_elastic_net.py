"""The elastic net's path against plain arithmetic, a generic solver and its own symmetries."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from kernels.elastic_net_reference import (
    log_shares,
    objective,
    objectives,
    plain_solution,
    standardised,
    violation,
    written_out,
)
from tamis.kernels.elastic_net import likelihood, systems
from tamis.kernels.elastic_net.descent import best_shift
from tamis.kernels.elastic_net.path import solve_path
from tamis.kernels.elastic_net.walk import walk_lambdas
from tamis.kernels.huberized_svm.columns import dense_table

ALPHAS = [0.0, 1e-3, 0.1, 0.5, 0.9, 1.0]


class Case(NamedTuple):
    """One problem."""

    X: np.ndarray
    codes: np.ndarray
    n_classes: int
    alpha: float
    factors: np.ndarray

    def solve(self, lambdas=None, **options):
        X, codes, n_classes, alpha, factors = self
        grid = None if lambdas is None else np.asarray(lambdas, float)
        return solve_path(X, codes, n_classes, grid, alpha, factors, **options)

    def values(self, path):
        return objectives(self.X, self.codes, path, self.alpha, self.factors)


@st.composite
def cases(draw, free=True):
    n_classes = draw(st.integers(2, 4))
    n, p = draw(st.integers(2 * n_classes, 25)), draw(st.integers(1, 30))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, p)) if draw(st.booleans()) else rng.integers(-1, 2, (n, p)) * 1.0
    others = rng.integers(0, n_classes, n - 2 * n_classes)
    codes = rng.permutation(np.concatenate([np.repeat(np.arange(n_classes), 2), others]))
    if p > 3:
        X[:, 1], X[:, 2] = X[:, 0], 3.7  # a duplicate and a constant column
    factors = np.ones(p)
    if draw(st.booleans()):
        factors = rng.choice([0.5, 1.0, 2.0], p)
        if free and p > 8 and n > 4 * n_classes:
            factors[5] = 0.0
    return Case(X, codes, n_classes, draw(st.sampled_from(ALPHAS)), factors)


def planted(seed=0, n=40, p=80, n_classes=3, alpha=0.5, shift=1.0):
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % n_classes
    X = rng.normal(size=(n, p)) * rng.uniform(0.5, 2, p) + rng.normal(size=p)
    for k in range(n_classes):
        X[codes == k, 2 * k : 2 * k + 2] += shift
    return Case(X, codes, n_classes, alpha, np.ones(p))


# Every lambda


@settings(max_examples=60)
@given(cases(), st.sampled_from([0.3, 0.02]))
def test_every_lambda_is_certified(case, ratio):
    path = case.solve(n_lambdas=8, min_ratio=ratio)
    Z, scale = standardised(case.X)
    coefs = written_out(path, case.X.shape[1]) * scale
    assert path.kkt.max(initial=0) <= 1e-9
    assert (np.diff(path.lambdas) < 0).all()
    for k, (lam, b) in enumerate(zip(path.lambdas, coefs, strict=True)):
        b0 = path.intercepts[k] + coefs[k] / scale @ case.X.mean(axis=0)
        plain = violation(Z, case.codes, lam, case.alpha, case.factors, b0, b)
        assert plain == pytest.approx(path.kkt[k], abs=1e-13 / lam + 1e-10)
        loss = -log_shares(Z @ b.T + b0)[np.arange(len(Z)), case.codes].mean()
        assert path.loss[k] == pytest.approx(loss, rel=1e-9, abs=1e-13)
        columns = path.coefs[k][0]
        assert (np.diff(columns) > 0).all()
        assert np.isin(np.flatnonzero(case.factors == 0), columns).all()
        if case.n_classes > 2:
            assert abs(path.intercepts[k].sum()) <= 1e-10 * (1 + np.abs(path.intercepts[k]).max())


@settings(max_examples=25)
@given(cases(), st.sampled_from([0.5, 0.1, 0.03]))
def test_not_above_a_generic_solver(case, ratio):
    most = case.solve(n_lambdas=1).lambdas
    if not most.size:
        return
    lam = most[0] * ratio
    Z, _ = standardised(case.X)
    peer = plain_solution(Z, case.codes, case.n_classes, lam, case.alpha, case.factors)
    value = case.values(case.solve([lam]))[0]
    assert value <= peer + 1e-10
    assert value == pytest.approx(peer, rel=1e-2, abs=1e-8)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_proximal_gradient_agrees(n_classes, alpha):
    case = planted(n=30, p=8, n_classes=n_classes, alpha=alpha)
    lam = 0.3 * case.solve(n_lambdas=1).lambdas[0]
    path = case.solve([lam])
    Z, scale = standardised(case.X)
    K, n = (1 if n_classes == 2 else n_classes), len(Z)
    own = (case.codes[:, None] == np.arange(n_classes)).astype(float)
    step = 1 / (np.linalg.eigvalsh(Z.T @ Z)[-1] / n + 1)
    b0, b = np.zeros(K), np.zeros((K, 8))
    for _ in range(20000):
        short = own - np.exp(log_shares(Z @ b.T + b0))
        short = short[:, 1:] if K == 1 else short
        moved = b + step * (short.T @ Z / n - lam * (1 - alpha) * b)
        b0 = b0 + step * short.mean(axis=0)
        b = np.sign(moved) * np.maximum(np.abs(moved) - step * lam * alpha, 0)
    found = written_out(path, 8)[0] * scale
    np.testing.assert_allclose(found, b, atol=1e-9)
    np.testing.assert_array_equal(found != 0, b != 0)
    centred = path.intercepts[0] + found / scale @ case.X.mean(axis=0)
    np.testing.assert_allclose(centred - centred.mean(), b0 - b0.mean(), atol=1e-9)


@pytest.mark.longer
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_late_start_ends_at_the_same_place(n_classes, alpha):
    case = planted(seed=2, n=40, p=90, n_classes=n_classes, alpha=alpha)
    whole = case.solve(n_lambdas=30)
    alone = case.solve(whole.lambdas[-1:])
    assert case.values(alone)[0] == pytest.approx(case.values(whole)[-1], abs=1e-11)


# Its symmetries


@settings(max_examples=30)
@given(cases(free=False), st.integers(0, 10**6))
def test_order_of_rows_and_columns(case, seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(case.X)), rng.permutation(case.X.shape[1])
    turned = case._replace(
        X=np.ascontiguousarray(case.X[rows][:, columns]),
        codes=case.codes[rows],
        factors=case.factors[columns],
    )
    path = case.solve(n_lambdas=5, min_ratio=0.1)
    other = turned.solve(path.lambdas)
    np.testing.assert_allclose(turned.values(other), case.values(path), atol=1e-10)


@settings(max_examples=30)
@given(cases(), st.integers(0, 10**6))
def test_order_of_classes(case, seed):
    turn = np.random.default_rng(seed).permutation(case.n_classes)
    path = case.solve(n_lambdas=5, min_ratio=0.1)
    turned = case._replace(codes=turn[case.codes])
    np.testing.assert_allclose(
        turned.values(turned.solve(path.lambdas)), case.values(path), atol=1e-10
    )


@settings(max_examples=30)
@given(cases(), st.integers(0, 10**6))
def test_units_of_columns_do_not_matter(case, seed):
    rng = np.random.default_rng(seed)
    units = 2.0 ** rng.integers(-20, 20, case.X.shape[1])
    path, other = case.solve(n_lambdas=5), case._replace(X=case.X * units).solve(n_lambdas=5)
    np.testing.assert_array_equal(path.lambdas, other.lambdas)
    p = case.X.shape[1]
    np.testing.assert_array_equal(written_out(path, p), written_out(other, p) * units)


@pytest.mark.longer
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("alpha", [0.2, 1.0])
def test_a_factor_of_all_is_a_lambda(n_classes, alpha):
    case = planted(n_classes=n_classes, alpha=alpha)
    path = case.solve(n_lambdas=10)
    twice = case._replace(factors=case.factors * 2).solve(path.lambdas / 2)
    for (a, b), (c, d) in zip(path.coefs, twice.coefs, strict=True):
        np.testing.assert_array_equal(a, c)
        np.testing.assert_allclose(b, d, atol=1e-8)


@settings(max_examples=30)
@given(cases(free=False), st.sampled_from([0.5, 0.1]))
def test_two_classes_as_a_multinomial(case, ratio):
    """(-b/2, b/2) has the same loss and l1 norm, and half the square."""
    codes, n = np.minimum(case.codes, 1), len(case.X)
    case = case._replace(codes=codes, n_classes=2, factors=np.ones(case.X.shape[1]))
    most = case.solve(n_lambdas=1).lambdas
    if not most.size or case.alpha == 0:
        return
    l1 = ratio * most[0] * case.alpha
    l2 = ratio * most[0] * (1 - case.alpha)
    Z, _ = standardised(case.X)
    problem = likelihood.Problem(codes, np.full(n, 1 / n), np.ones((1, n)), 2)
    lam = l1 + 2 * l2
    starts, indices, values, bases, told = walk_lambdas(
        problem,
        dense_table(np.ascontiguousarray(Z.T)),
        np.ones(Z.shape[1]),
        np.zeros((2, 1)),
        np.array([lam]),
        l1 / lam,
        -1.0,
        -1.0,
    )
    b = np.zeros((2, Z.shape[1]))
    b[:, indices[: starts[1]]] = values.T
    assert told[0, 0] <= 1e-9
    value = objective(Z, codes, lam, l1 / lam, case.factors, bases[0, :, 0], b)
    assert value == pytest.approx(case.values(case.solve([ratio * most[0]]))[0], abs=1e-10)


def test_weights_are_repeated_rows():
    case = planted(n=30, p=50)
    counts = np.random.default_rng(0).integers(1, 4, 30)
    rows = np.repeat(np.arange(30), counts)
    many = case._replace(X=case.X[rows], codes=case.codes[rows]).solve(n_lambdas=10, min_ratio=0.1)
    path = case.solve(many.lambdas, row_weights=counts * 30 / counts.sum())
    np.testing.assert_allclose(written_out(path, 50), written_out(many, 50), atol=1e-7)
    np.testing.assert_allclose(path.loss, many.loss, rtol=1e-9)


@pytest.mark.longer
def test_threads_change_nothing():
    every = [planted(seed, n_classes=2 + seed % 3, alpha=ALPHAS[seed % 6]) for seed in range(8)]
    one = [case.solve(n_lambdas=15) for case in every]
    with ThreadPoolExecutor(4) as pool:
        many = list(pool.map(lambda case: case.solve(n_lambdas=15), every))
    for a, b in zip(one, many, strict=True):
        np.testing.assert_array_equal(a.intercepts, b.intercepts)
        np.testing.assert_array_equal(a.kkt, b.kkt)
        for x, y in zip(a.coefs, b.coefs, strict=True):
            np.testing.assert_array_equal(x[0], y[0])
            np.testing.assert_array_equal(x[1], y[1])


# Hard places


@pytest.mark.longer
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_separable_classes_at_tiny_lambdas(n_classes, alpha):
    """Probabilities all but 0 and 1: every lambda asked for is solved."""
    case = planted(n=30, p=60, n_classes=n_classes, alpha=alpha, shift=6.0)
    grid = case.solve(n_lambdas=1).lambdas[0] * 0.1 ** np.arange(0, 7.5, 0.5)
    path = case.solve(grid)
    assert len(path.lambdas) == len(grid)
    assert path.loss[-1] < 1e-3
    assert path.kkt.max() <= 1e-9


def test_a_path_ends_by_itself_and_lambdas_asked_for_do_not():
    case = planted(n=30, p=60, n_classes=2, alpha=1.0, shift=6.0)
    path = case.solve(min_ratio=1e-5)
    assert len(path.lambdas) < 100
    assert 1 - path.loss[-1] / path.null_loss > 0.99
    grid = path.lambdas[0] * 1e-5 ** (np.arange(100) / 99)
    np.testing.assert_allclose(grid[: len(path.lambdas)], path.lambdas, rtol=1e-12)
    assert len(case.solve(grid).lambdas) == 100


def test_a_path_ends_where_the_deviance_explained_has_settled():
    """The first lambda, from the sixth on, that adds less than 1e-5 of what is explained."""
    case = planted(n=40, p=3, n_classes=2, alpha=1.0, shift=0.3)
    path = case.solve()
    whole = case.solve(path.lambdas[0] * (path.lambdas[1] / path.lambdas[0]) ** np.arange(100))
    explained = 1 - whole.loss / whole.null_loss
    settled = np.diff(explained) < 1e-5 * explained[1:]
    assert 6 < len(path.lambdas) == 6 + settled[4:].argmax() < 100


def test_a_path_of_hardly_any_change_has_six_lambdas():
    case = planted(n=30, p=10, n_classes=2, alpha=0.0)
    assert len(case.solve(n_lambdas=20, min_ratio=1 - 1e-5).lambdas) == 6


def test_a_lambda_is_solved_to_1e_12_unless_steps_stall():
    path = planted(n=60, p=8, n_classes=3, shift=0.5).solve(n_lambdas=10)
    assert 0 < path.kkt.max() <= 1e-12


@pytest.mark.longer
def test_more_rows_than_columns_to_a_ten_thousandth():
    case = planted(n=200, p=12, n_classes=3, alpha=0.5)
    path = case.solve()
    assert path.lambdas[-1] < 1e-2 * path.lambdas[0]
    assert path.kkt.max() <= 1e-9


@pytest.mark.parametrize("alpha", ALPHAS)
def test_lambda_max(alpha):
    """Nothing is active there; just below something is (unless alpha's is glmnet's stand-in)."""
    case = planted(alpha=alpha, n_classes=3)
    most = case.solve(n_lambdas=1).lambdas[0]
    if alpha < 1e-3:
        assert most == planted(alpha=1e-3).solve(n_lambdas=1).lambdas[0]
        return
    above, below = case.solve([most * 1.0001, most * 0.999]).coefs
    assert above[0].size == 0
    assert below[0].size >= 1


def test_free_columns_are_fitted_as_if_alone():
    """At lambda_max they have the coefficients of an unpenalised fit."""
    case = planted(n=60, p=30, n_classes=3, alpha=1.0)
    case.factors[[3, 20]] = 0.0
    most = case.solve(n_lambdas=1)
    columns, values = most.coefs[0]
    assert columns.tolist() == [3, 20]
    alone = Case(case.X[:, [3, 20]], case.codes, 3, 0.0, np.ones(2)).solve([1e-12])
    np.testing.assert_allclose(values, alone.coefs[0][1] - alone.coefs[0][1].mean(0), atol=1e-8)
    np.testing.assert_allclose(values.sum(axis=0), 0, atol=1e-12)


def test_free_columns_that_separate_or_repeat_are_survived():
    case = planted(n=30, p=20, n_classes=2)
    case.X[:, 0] = case.codes
    case.X[:, 1], case.X[:, 2], case.X[:, 3] = case.X[:, 5], case.X[:, 5], 1.0
    case.factors[:4] = 0.0
    path = case.solve([0.1, 0.01])
    for _, values in path.coefs:
        assert np.isfinite(values).all()
    assert np.isfinite(path.kkt).all()
    assert path.loss[-1] < 1e-6


def test_only_free_columns_or_none_that_varies():
    case = planted(n=40, p=3, n_classes=2)
    free = case._replace(factors=np.zeros(3))
    assert len(free.solve().lambdas) == 0
    assert free.solve([0.1]).coefs[0][0].tolist() == [0, 1, 2]
    flat = case._replace(X=np.ones((40, 3)))
    assert len(flat.solve().lambdas) == 0
    assert flat.solve([0.1]).coefs[0][0].size == 0


def test_columns_as_they_are():
    """Without standardisation the penalty acts on the coefficients given back."""
    case = planted(n=40, p=20, n_classes=2, alpha=0.7)
    lam = 0.1
    path = case.solve([lam], standardize=False)
    b = written_out(path, 20)[0]
    found = violation(case.X, case.codes, lam, 0.7, case.factors, path.intercepts[0], b)
    assert found <= 1e-9


# Its parts


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 4), st.sampled_from([1.0, 30.0]))
def test_slopes_and_bends(seed, classes, spread):
    rng = np.random.default_rng(seed)
    n, eta = 7, rng.normal(size=(classes if classes > 2 else 1, 7)) * spread
    codes = rng.integers(0, max(2, len(eta)), n)
    problem = likelihood.Problem(codes, rng.uniform(0.5, 2, n), np.ones((1, n)), len(eta))
    shares, pulls, bends = np.empty((3, *eta.shape))
    value = likelihood.slopes_at(problem, eta, shares, pulls, bends)
    assert value == pytest.approx(likelihood.loss_at(problem, eta), rel=1e-14)
    plain = -problem.v @ log_shares(eta.T)[np.arange(n), codes]
    assert value == pytest.approx(plain, rel=1e-10, abs=1e-14)
    logs = np.exp(log_shares(eta.T)).T
    np.testing.assert_allclose(shares, logs[1:] if len(eta) == 1 else logs, rtol=1e-12)
    own = codes == (np.ones((1, 1)) if len(eta) == 1 else np.arange(len(eta))[:, None])
    np.testing.assert_allclose(pulls, problem.v * (own - shares), atol=1e-15 * 30)
    np.testing.assert_allclose(bends, problem.v * shares * (1 - shares), atol=1e-15 * 30)


@pytest.mark.parametrize("classes", [1, 3])
def test_digits_of_a_class_that_is_all_but_certain(classes):
    """Loss, pull and bend of a row 40 log-odds from being wrong are e^-40, to all digits."""
    eta, codes = np.zeros((classes, 2)), np.array([0, 1])
    eta[0] = [-40.0, 40.0]
    if classes == 3:
        eta = np.array([[40.0, -3.0], [0.0, 37.0], [-700.0, -700.0]])
    problem = likelihood.Problem(codes, np.ones(2), np.ones((1, 2)), classes)
    shares, pulls, bends = np.empty((3, *eta.shape))
    value = likelihood.slopes_at(problem, eta, shares, pulls, bends)
    assert value == pytest.approx(2 * np.exp(-40), rel=1e-14)
    assert likelihood.loss_at(problem, eta) == pytest.approx(2 * np.exp(-40), rel=1e-14)
    for k in range(min(classes, 2)):
        np.testing.assert_allclose(np.abs(pulls[k]), np.exp(-40), rtol=1e-14)
        np.testing.assert_allclose(bends[k], np.exp(-40), rtol=1e-14)


@pytest.mark.longer
@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 3), st.booleans())
def test_newton_systems_by_columns_and_by_rows(seed, classes, together):
    """Both forms solve (Z D Z' + R) x = r, and together the coupled one."""
    rng = np.random.default_rng(seed)
    n, p, q, l2 = 12, 30, 2, 0.3
    X, free = rng.normal(size=(p, n)), np.vstack([np.ones(n), rng.normal(size=(q - 1, n))])
    ridge, table, names = rng.uniform(0.5, 2, p), dense_table(X), np.arange(p)
    eta, v = rng.normal(size=(classes, n)), rng.uniform(0.5, 2, n) / n
    shares = np.exp(log_shares(eta.T)).T.copy()
    problem = likelihood.Problem(np.zeros(n, np.int64), v, free, classes)
    chosen = [np.flatnonzero(rng.random(p) < 0.7) for _ in range(classes)]
    starts = np.cumsum([0, *(q + len(c) for c in chosen)])
    Zs = [np.vstack([free, X[c]]) for c in chosen]
    whole = np.zeros((starts[-1], starts[-1]))
    for k, Z in enumerate(Zs):
        for h, Y in enumerate(Zs):
            bend = v * shares[k] * ((k == h) - shares[h])
            whole[starts[k] : starts[k + 1], starts[h] : starts[h + 1]] = (Z * bend) @ Y.T
        own = np.concatenate([np.zeros(q), l2 * ridge[chosen[k]]])
        whole[starts[k] : starts[k + 1], starts[k] : starts[k + 1]] += np.diag(own)
    right = whole @ rng.normal(size=len(whole))
    for rows in (0, n):
        blocks = []
        for k in range(classes):
            gram = systems.open_gram(rows, p)
            bends = v * shares[k] * (1 - shares[k])
            blocks.append(
                systems.factorise_block(
                    free, X[chosen[k]], X, names, ridge, ridge, chosen[k], l2, bends, gram, table
                )
            )
            assert blocks[-1].by_rows == (rows > 0 and len(chosen[k]) > systems.TALL_RATIO * n)
        x = np.empty(len(right))
        if together:
            systems.solve_together(problem, tuple(blocks), starts, shares, right, x)
            left, limit = whole @ x - right, 1e-2
        else:
            part = slice(starts[0], starts[1])
            systems.solve_block(free, blocks[0], right[part], x[part])
            left, limit = whole[part, part] @ x[part] - right[part], 1e-7
        assert np.abs(left).max() <= limit * np.abs(right).max()
    x, bends = np.empty(len(right)), v * shares * (1 - shares)
    Zs = tuple(X[c] for c in chosen)
    systems.solve_directly(problem, Zs, ridge, tuple(chosen), starts, l2, shares, bends, right, x)
    assert np.abs(whole @ x - right).max() <= 1e-7 * np.abs(right).max()


def test_kept_products_equal_those_built_anew():
    rng = np.random.default_rng(0)
    p, n = 60, 12
    X, ridge = rng.normal(size=(p, n)), rng.uniform(0.5, 2, p)
    gram, table, names = systems.open_gram(n, p), dense_table(X), np.arange(p)
    chosen = np.flatnonzero(rng.random(p) < 0.5)
    for _ in range(200):
        systems.update_gram(gram, X, names, ridge, ridge, chosen, table)
        plain = (X[chosen].T / ridge[chosen]) @ X[chosen]
        np.testing.assert_allclose(gram.matrix, np.tril(plain), atol=1e-11)
        assert gram.state[0] == len(chosen)
        chosen = np.setxor1d(chosen, rng.choice(p, 3, replace=False))


@pytest.mark.every
@pytest.mark.parametrize(
    ("c", "l1", "l2"),
    [
        ([-10.0, -10.0, -9.0, -1.0], 1.0, 1.0),  # two equal ones
        ([-2.0, -2.0, -1.0, 5.0], 1.0, 0.0),
        ([3.0, 3.0, 3.0], 1.0, 0.5),
        ([0.0, 0.0, -4.0, 4.0], 0.3, 1.0),
        ([-3.0, -1.0, 2.0, 7.0], 0.7, 0.4),
    ],
)
def test_the_shift_of_least_penalty(c, l1, l2):
    """Against a fine grid; of several the nearest 0."""
    c = np.array(c)
    grid = np.linspace(c.min(), c.max(), 20_001)
    apart = c[:, None] - grid
    values = l1 * np.abs(apart).sum(axis=0) + l2 / 2 * (apart**2).sum(axis=0)
    best = grid[values <= values.min() + 1e-9]
    found = best_shift(c, l1, l2)
    assert found == pytest.approx(best[np.abs(best).argmin()], abs=2e-3)
