"""HSIC against n x n matrices by the definitions, and against Pearson."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.kernels.hilbert_schmidt import gaussian_hsic, median_distance, pair_weights
from tamis.selection import FilterSelector, hsic, pearson


def matrices(x, y, kernel, bandwidth, label_kernel):
    """K and L in full."""
    z = (x - x.mean()) / x.std()
    gaps = np.abs(z[:, None] - z[None])
    if bandwidth == "median":
        distances = gaps[np.triu_indices(len(z), 1)]
        middle = np.median(distances)
        bandwidth = middle if middle > 0 else np.median(distances[distances > 0])
    K = np.outer(z, z) if kernel == "linear" else np.exp(-(gaps**2) / (2 * bandwidth**2))
    L = (y[:, None] == y[None]).astype(float)
    if label_kernel == "balanced":
        L /= np.array([(y == label).mean() for label in y])
    return K, L


def reference(x, y, kernel, unbiased, bandwidth, label_kernel):
    if x.min() == x.max():
        return 0.0
    n = len(y)
    K, L = matrices(x, y, kernel, bandwidth, label_kernel)
    if not unbiased:
        H = np.eye(n) - np.ones((n, n)) / n
        return np.trace(K @ H @ L @ H) / (n - 1) ** 2
    np.fill_diagonal(K, 0)
    np.fill_diagonal(L, 0)
    one = np.ones(n)
    value = np.trace(K @ L) + (one @ K @ one) * (one @ L @ one) / ((n - 1) * (n - 2))
    return (value - 2 * (one @ K @ L @ one) / (n - 2)) / (n * (n - 3))


def table(seed, n_classes):
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 12, n_classes)
    y = rng.permutation(np.repeat(np.arange(n_classes), counts))
    X = rng.normal(size=(len(y), 6)) * 10.0 ** rng.integers(-3, 4, 6) + 5
    X[:, 1] = np.round(X[:, 1])
    X[:, 2] = np.arange(len(y)) < 2  # most distances are 0
    X[:, 3] = 0.1
    X[:, 4] += y * X[:, 4].std()
    return X, y


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 4),
    st.sampled_from(["linear", "gaussian"]),
    st.booleans(),
    st.sampled_from(["median", 0.5, 3]),
    st.sampled_from(["balanced", "delta"]),
)
def test_equals_the_definition(seed, n_classes, kernel, unbiased, bandwidth, label_kernel):
    X, y = table(seed, n_classes)
    scores = hsic(
        X, y, kernel=kernel, unbiased=unbiased, bandwidth=bandwidth, label_kernel=label_kernel
    )
    expected = [reference(x, y, kernel, unbiased, bandwidth, label_kernel) for x in X.T]
    np.testing.assert_allclose(scores, expected, rtol=1e-8, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_biased_linear_is_pearson(seed, n_classes):
    X, y = table(seed, n_classes)
    n, r = len(y), pearson(X, y)[0]
    np.testing.assert_allclose(hsic(X, y), (n * r / (n - 1)) ** 2, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("period", [2, 3])
def test_biased_linear_ranks_as_pearson_and_unbiased_only_with_equal_classes(period):
    rng = np.random.default_rng(0)
    X, y = rng.exponential(size=(30, 400)) ** 2, (np.arange(30) % period == 0).astype(int)
    ranks = {s: FilterSelector(s).fit(X, y).ranking_ for s in ("pearson", "hsic", "hsic_unbiased")}
    assert np.array_equal(ranks["hsic"], ranks["pearson"])
    assert np.array_equal(ranks["hsic_unbiased"], ranks["pearson"]) == (period == 2)


def test_two_classes_balanced_is_the_linear_kernel_of_the_standardised_label():
    X, y = table(3, 2)
    n, w = len(y), (y - y.mean()) / y.std()
    H = np.eye(n) - np.ones((n, n)) / n
    for j in (0, 4, 5):
        K, _ = matrices(X[:, j], y, "gaussian", "median", "delta")
        expected = np.trace(K @ H @ np.outer(w, w) @ H) / (n - 1) ** 2
        np.testing.assert_allclose(hsic(X, y, kernel="gaussian")[j], expected, rtol=1e-10)


def test_unbiased_averages_to_nothing_where_nothing_is():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(24, 4000)), np.arange(24) % 2
    for kernel in ("linear", "gaussian"):
        scores = hsic(X, y, kernel=kernel, unbiased=True)
        assert abs(scores.mean()) < 4 * scores.std() / np.sqrt(4000)
        assert hsic(X, y, kernel=kernel).mean() > 10 * abs(scores.mean())


def test_the_gaussian_kernel_sees_what_means_do_not():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(80, 30)), np.arange(80) % 2
    X[:, 7] *= np.where(y == 1, 6, 0.5)
    X[:, 7] -= np.where(y == 1, X[y == 1, 7].mean(), X[y == 0, 7].mean())
    assert hsic(X, y, kernel="gaussian").argmax() == 7
    assert hsic(X, y)[7] < 1e-12


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 30), st.integers(0, 10**6), st.booleans())
def test_median_distance(n, seed, ties):
    rng = np.random.default_rng(seed)
    x = np.append(rng.integers(0, 2, n - 1) if ties else rng.normal(size=n - 1), 7.0)
    gaps = (x[:, None] - x[None])[np.triu_indices(n, 1)]
    away = np.abs(gaps[gaps != 0])
    expected = np.median(np.abs(gaps)) or np.median(away)
    assert median_distance(gaps**2) == pytest.approx(expected, rel=1e-14)


def test_a_column_has_the_same_bits_among_others():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 90)), np.arange(60) % 3
    weights = pair_weights(y, np.ones(3), False)
    together = gaussian_hsic(X, *weights, 0.0)
    alone = [gaussian_hsic(X[:, [j]], *weights, 0.0)[0] for j in range(90)]
    assert np.array_equal(together, alone)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kernel": "gausian"}, "did you mean 'gaussian'"),
        ({"label_kernel": "balance"}, "did you mean 'balanced'"),
        ({"bandwidth": 0}, "bandwidth=0: give 'median' or a number above 0"),
        ({"bandwidth": "mean"}, "bandwidth='mean'"),
        ({"unbiased": True}, "at least 4 samples, not 3"),
        ({"unbiased": True, "kernel": "gaussian"}, "at least 4 samples, not 3"),
    ],
)
def test_bad_parameters_are_named(options, words):
    with pytest.raises(PlanError, match=words):
        hsic(np.arange(6.0).reshape(3, 2), [0, 1, 1], **options)


def test_missing_values_are_refused():
    X = np.array([[np.nan], [1.0], [2.0]])
    for kernel in ("linear", "gaussian"):
        with pytest.raises(ValueError, match="NaN"):
            hsic(X, [0, 1, 1], kernel=kernel)
