"""Ross's estimator against all pairwise distances."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import digamma

from common.examples import settings
from tamis.kernels.neighbours_information import neighbour_information
from tamis.kernels.orders import sort_columns


def plain(x, y, n_neighbors):
    """Ross (2014), eq. 2, by all pairwise distances of one column."""
    x, y = x[~np.isnan(x)], y[~np.isnan(x)]
    if not len(x):
        return np.nan
    counts = {c: int((y == c).sum()) for c in set(y.tolist())}
    kept = np.array([counts[c] > 1 for c in y.tolist()])
    x, y = x[kept], y[kept]
    if not len(x):
        return 0.0
    terms = []
    for i in range(len(x)):
        own = [abs(x[j] - x[i]) for j in range(len(x)) if y[j] == y[i] and j != i]
        k = min(n_neighbors, len(own))
        reach = np.nextafter(sorted(own)[k - 1], 0)
        m = sum(abs(x[j] - x[i]) <= reach for j in range(len(x)))
        terms.append(digamma(k) - digamma(len(own) + 1) - digamma(m))
    return max(0.0, digamma(len(x)) + np.mean(terms))


def kernel(X, y, n_classes, k):
    psi = digamma(np.arange(len(X) + 1.0))
    return neighbour_information(X, sort_columns(X), y, n_classes, k, psi)


@settings(max_examples=80, deadline=None)
@given(
    st.integers(1, 30),
    st.integers(1, 4),
    st.integers(1, 6),
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from([0.0, 0.2, 0.9]),
)
def test_equals_reference(n, n_classes, k, seed, ties, missing):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    X = rng.normal(size=(n, 3)) + 0.7 * y[:, None]
    if ties:  # quarters: equal values and equal distances, exactly
        X = np.round(X * 4) / 4
    X[rng.random(X.shape) < missing] = np.nan
    expected = [plain(column, y, k) for column in X.T]
    found = kernel(X, y, n_classes, k)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12)
    upside_down = (n - 1 - sort_columns(X[::-1])).astype(np.uint16)  # tied rows the other way round
    psi = digamma(np.arange(n + 1.0))
    again = neighbour_information(X, upside_down, y, n_classes, k, psi)
    np.testing.assert_array_equal(again, found)


def test_two_far_classes_reach_their_entropy():
    # with the classes apart m = k + 1 less the excluded k-th: psi(N) - psi(N/2), near ln 2
    x = np.concatenate([np.arange(50.0) ** 1.1, 1e6 + np.arange(50.0) ** 1.1])[:, None]
    score = kernel(x, np.repeat([0, 1], 50), 2, 3)[0]
    np.testing.assert_allclose(score, digamma(100) - digamma(50), rtol=1e-12)


def test_unchanged_by_scale_and_sign():
    rng = np.random.default_rng(2)
    X, y = np.round(rng.normal(size=(60, 5)), 3), rng.integers(0, 3, 60)
    np.testing.assert_array_equal(kernel(X * 4, y, 3, 3), kernel(X, y, 3, 3))
    np.testing.assert_allclose(kernel(-X, y, 3, 3), kernel(X, y, 3, 3), rtol=1e-12, atol=1e-12)


def test_more_neighbours_than_are_looked_at_without_a_branch():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 70)
    X = rng.normal(size=(70, 4)) + y[:, None]
    X[:, 1] = np.round(X[:, 1])  # runs of equal values, longer than those steps
    for k in (1, 9, 20, 100):
        expected = [plain(column, y, k) for column in X.T]
        np.testing.assert_allclose(kernel(X, y, 2, k), expected, rtol=1e-11, atol=1e-12)
