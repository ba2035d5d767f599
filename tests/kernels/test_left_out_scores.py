"""Scores of rows on the components of the others: beside a decomposition without each, and beside
those of rows drawn anew."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.left_out_scores import left_out_scores


def decomposed(X):
    """Left vectors, eigenvalues and loadings of the centred table."""
    Z = X - X.mean(axis=0)
    vectors, sizes, loadings = np.linalg.svd(Z, full_matrices=False)
    there = sizes > 1e-10 * sizes[0]
    return vectors[:, there], sizes[there] ** 2, loadings[there].T


def slow_scores(X, k, groups):
    """By a decomposition of the rows that are left."""
    loadings, found = decomposed(X)[2][:, :k], np.empty((len(X), k))
    for group in np.unique(groups):
        rest, out = X[groups != group], groups == group
        _, _, own = np.linalg.svd(rest - rest.mean(axis=0), full_matrices=False)
        left, _, right = np.linalg.svd(own[:k] @ loadings)
        found[out] = (X[out] - rest.mean(axis=0)) @ own[:k].T @ left @ right
    return found


@pytest.mark.parametrize(("n", "p"), [(40, 200), (60, 12)])
@pytest.mark.parametrize("size", [1, 3, 10])
def test_beside_a_decomposition_without_each(n, p, size):
    g = np.random.default_rng([n, size])
    X = g.normal(size=(n, 3)) @ g.normal(size=(3, p)) + g.normal(size=(n, p)) + 5
    groups = g.permutation(n) // size
    vectors, values, _ = decomposed(X)
    found = left_out_scores(vectors, values, 4, groups)
    np.testing.assert_allclose(found, slow_scores(X, 4, groups), atol=1e-8)
    if size == 1:
        np.testing.assert_array_equal(found, left_out_scores(vectors, values, 4))


@given(st.integers(0, 10_000), st.integers(6, 14), st.integers(2, 30), st.floats(-150, 150))
@settings(max_examples=100, deadline=None)
def test_any_table_of_any_unit(seed, n, p, exponent):
    g = np.random.default_rng(seed)
    X = g.normal(size=(n, p)) * g.choice([1.0, 1.0, 0.3], p)
    X[g.integers(0, n)] *= g.choice([1.0, 4.0])
    vectors, values, _ = decomposed(X)
    k = min(2, len(values))
    groups = g.integers(0, n // 2, n)
    found = left_out_scores(vectors, values * 10.0**exponent, k, groups)
    expected = left_out_scores(vectors, values, k, groups) * 10 ** (exponent / 2)
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max(), rtol=1e-6)


@pytest.mark.parametrize("size", [1, 2, pytest.param(4, marks=pytest.mark.longer)])
def test_as_spread_as_those_of_new_rows(size):
    """Rows of a group are nearly the same; a new group has its scores by all of these rows."""
    ratios, plain = [], []
    for seed in range(6):
        g = np.random.default_rng(seed)
        axes = g.normal(size=(2, 3000)) * 0.25

        def draw(n, g=g, axes=axes):
            base = g.normal(size=(n, 2)) @ axes + g.normal(size=(n, 3000))
            return base.repeat(size, axis=0) + 0.1 * g.normal(size=(n * size, 3000))

        X, new = draw(48), draw(200)
        vectors, values, loadings = decomposed(X)
        theirs = ((new - X.mean(axis=0)) @ loadings[:, :2]).std(axis=0)
        found = left_out_scores(vectors, values, 2, np.arange(len(X)) // size)
        ratios.append(found.std(axis=0) / theirs)
        plain.append(np.sqrt(values[:2] / len(X)) / theirs)
    assert (np.abs(np.mean(ratios, axis=0) - 1) < 0.15).all()
    assert (np.mean(plain, axis=0) > 1.15).all()


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_group_that_leaves_too_few_rows_is_taken_apart(left):
    g = np.random.default_rng(0)
    X = g.normal(size=(7, 20))
    vectors, values, _ = decomposed(X)
    together = left_out_scores(vectors, values, 2, np.maximum(np.arange(7) - 6 + left, 0))
    np.testing.assert_array_equal(together, left_out_scores(vectors, values, 2))


def test_three_rows():
    """Of two rows that are left there is one component."""
    vectors, values, _ = decomposed(np.random.default_rng(0).normal(size=(3, 20)))
    assert np.isfinite(left_out_scores(vectors, values, 2)).all()


def test_many_groups_are_left_out_some_at_a_time(monkeypatch):
    from tamis.kernels import left_out_scores as module

    g = np.random.default_rng(1)
    X = g.normal(size=(60, 2)) @ g.normal(size=(2, 100)) + g.normal(size=(60, 100))
    vectors, values, _ = decomposed(X)
    groups = np.arange(60) // 2
    whole = left_out_scores(vectors, values, 2, groups)
    monkeypatch.setattr(module, "SETS_WORK", 600)
    fewer = left_out_scores(vectors, values, 2, groups)
    np.testing.assert_allclose(fewer, slow_scores(X, 2, groups % 10), atol=1e-8)
    assert np.corrcoef(whole[:, 0], fewer[:, 0])[0, 1] > 0.99
