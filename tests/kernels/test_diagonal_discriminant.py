"""Diagonal discriminant analysis against its formula, and every size of a ranking at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.diagonal_discriminant import diagonal_discriminant, diagonal_discriminants


def plain_probabilities(X, y, rows, priors):
    """prior_c prod_j exp(-(x_j - m_cj)^2 / 2 s_j^2), s_j^2 pooled with n - C."""
    (n, p), n_classes = X.shape, len(priors)
    own = [[i for i in range(n) if y[i] == c] for c in range(n_classes)]
    means = [
        [sum(X[i, j] for i in own[c]) / len(own[c]) for j in range(p)] for c in range(n_classes)
    ]
    s2 = [
        sum((X[i, j] - means[y[i]][j]) ** 2 for i in range(n)) / (n - n_classes) for j in range(p)
    ]
    logs = np.array(
        [
            [
                np.log(priors[c]) - sum((x[j] - means[c][j]) ** 2 / s2[j] for j in range(p)) / 2
                for c in range(n_classes)
            ]
            for x in rows
        ]
    )
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def probabilities(scores):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def samples(seed, n_classes, n, k):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n)]))
    unit, origin = np.exp(rng.normal(size=k)), rng.normal(size=k)
    X = (rng.normal(size=(len(y), k)) + rng.normal(size=(n_classes, k))[y]) * unit + origin
    return X, y, rng.normal(size=(9, k)) * unit + origin


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 5), st.integers(2, 30), st.integers(1, 20), st.integers(0, 10**6))
def test_equals_the_formula_at_every_size(n_classes, n, k, seed):
    X, y, rows = samples(seed, n_classes, n, k)
    priors = np.random.default_rng(seed).dirichlet(np.ones(n_classes) * 5)
    coefficients, intercepts = diagonal_discriminant(X, y, n_classes, priors)
    found = probabilities(rows @ coefficients.T + intercepts)
    np.testing.assert_allclose(found, plain_probabilities(X, y, rows, priors), atol=1e-10)
    sizes = sorted({1, (k + 1) // 2, k})
    scores = diagonal_discriminants(X, y, rows, sizes, priors)
    for size, of_size in zip(sizes, scores, strict=True):
        slow = plain_probabilities(X[:, :size], y, rows[:, :size], priors)
        np.testing.assert_allclose(probabilities(of_size), slow, atol=1e-10)


def test_a_small_example_by_hand():
    """Means (0, 2, 0) and (5/3, 2, 6), variances 8/9, 8/3 and 4."""
    X = np.array(
        [
            [1, 4, 0],
            [-1, 0, 0],
            [2, 2, 4],
            [2, 2, 8],
            [0, 0, 4],
            [2, 2, 4],
            [2, 4, 8],
            [2, 2, 8],
        ],
        dtype=float,
    )
    y = np.array([0, 0, 1, 1, 1, 1, 1, 1])
    coefficients, intercepts = diagonal_discriminant(X, y, 2, np.array([1 / 4, 3 / 4]))
    np.testing.assert_allclose(np.diff(coefficients, axis=0), [[15 / 8, 0, 3 / 2]], atol=1e-14)
    np.testing.assert_allclose(np.diff(intercepts), [np.log(3) - 97 / 16], rtol=1e-13)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_columns_without_spread(n_classes):
    rng = np.random.default_rng(0)
    y = np.arange(12) % n_classes
    priors = np.full(n_classes, 1 / n_classes)
    perfect = np.array([0.1, 0.7, 0.3])[y][:, None]
    noise, constant = rng.normal(size=(12, 1)), np.full((12, 1), 0.1)
    for columns in ([perfect], [noise, perfect], [perfect, constant], [constant, noise, perfect]):
        X = np.hstack(columns)
        coefficients, intercepts = diagonal_discriminant(X, y, n_classes, priors)
        assert np.isfinite(coefficients).all()
        assert ((X @ coefficients.T + intercepts).argmax(axis=1) == y).all()
        if columns[-1] is constant:
            assert (coefficients[:, 1] == 0).all()


def test_one_sample_a_class_is_the_nearest_sample():
    X, y = np.random.default_rng(1).normal(size=(3, 20)), np.array([1, 2, 0])
    coefficients, intercepts = diagonal_discriminant(X, y, 3, np.full(3, 1 / 3))
    assert ((X @ coefficients.T + intercepts).argmax(axis=1) == y).all()


def test_the_unit_of_a_column_does_not_matter():
    X, y, rows = samples(5, 3, 30, 6)
    X[:, 3] = y  # perfect
    priors, units = np.array([0.5, 0.3, 0.2]), 10.0 ** np.arange(-3, 3)
    scores = diagonal_discriminants(X, y, rows, [2, 6], priors)
    other = diagonal_discriminants(X * units, y, rows * units, [2, 6], priors)
    np.testing.assert_allclose(other, scores, rtol=1e-10, atol=1e-10)
