"""PAM kernels against plain loops and against scikit-learn's centroids."""

from __future__ import annotations

from math import exp, fsum, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import NearestCentroid

from common.examples import settings
from tamis.kernels.falling_order import falling_order
from tamis.kernels.shrunken_centroids import (
    class_centroids,
    log_priors,
    shrunken_beliefs,
    shrunken_path,
    soft_threshold,
    vanishing_thresholds,
)


def plain_centroids(X, y, n_classes):
    """d, s + s0, overall and class centroids, m: the formulas of the paper, number by number."""
    n, p = X.shape
    rows = [[i for i in range(n) if y[i] == k] for k in range(n_classes)]
    overall = [sum(X[i, j] for i in range(n)) / n for j in range(p)]
    means = [[sum(X[i, j] for i in own) / len(own) for j in range(p)] for own in rows]
    s = [
        sqrt(sum((X[i, j] - means[y[i]][j]) ** 2 for i in range(n)) / (n - n_classes))
        for j in range(p)
    ]
    scale = [s_j + float(np.median(s)) for s_j in s]
    m = [sqrt(1 / len(own) - 1 / n) for own in rows]
    d = [
        [(means[k][j] - overall[j]) / (m[k] * scale[j]) for j in range(p)] for k in range(n_classes)
    ]
    return d, scale, overall, means, m


def plain_probabilities(X, y, tests, threshold, n_classes, priors):
    """Probabilities and shrunken centroids at one threshold."""
    d, scale, overall, _, m = plain_centroids(X, y, n_classes)
    p = X.shape[1]
    shrunken = [[0.0] * p for _ in range(n_classes)]
    for k in range(n_classes):
        for j in range(p):
            left = max(abs(d[k][j]) - threshold, 0) * (1 if d[k][j] > 0 else -1)
            shrunken[k][j] = overall[j] + m[k] * scale[j] * left
    out = []
    for x in tests:
        delta = [
            0.5 * sum(((x[j] - shrunken[k][j]) / scale[j]) ** 2 for j in range(p)) - log(priors[k])
            for k in range(n_classes)
        ]
        weights = [exp(min(delta) - v) for v in delta]
        out.append([w / sum(weights) for w in weights])
    return np.array(out), np.array(shrunken)


@st.composite
def problems(draw):
    n_classes = draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    y = np.concatenate([np.arange(n_classes).repeat(2), rng.integers(0, n_classes, 12)])
    X = rng.normal(size=(len(y), draw(st.integers(1, 12)))) + 3 * rng.random()
    X[:, 0] += y
    return X, y, rng.normal(size=(5, X.shape[1])), n_classes


@settings(max_examples=40, deadline=None)
@given(problems(), st.booleans())
def test_equals_plain_loops(problem, equal):
    X, y, tests, n_classes = problem
    found = class_centroids(X, y, n_classes)
    d, scale, overall, means, m = plain_centroids(X, y, n_classes)
    for ours, plain in (
        (found.d, d),
        (found.scale, scale),
        (found.overall, overall),
        (found.means, means),
        (found.m, m),
    ):
        np.testing.assert_allclose(ours, plain, rtol=1e-12, atol=1e-12)

    thresholds = np.linspace(0, np.abs(d).max(), 5)
    shares = np.bincount(y) / len(y)
    priors = np.full(n_classes, 1 / n_classes) if equal else shares
    given_priors = np.ones(n_classes) if equal else None
    P, survivors = shrunken_path(X, y, tests, thresholds, n_classes, given_priors)
    assert P.shape == (5, len(tests), n_classes)
    for t, threshold in enumerate(thresholds[:-1]):
        expected, shrunken = plain_probabilities(X, y, tests, threshold, n_classes, priors)
        np.testing.assert_allclose(P[t], expected, rtol=0, atol=1e-12)
        # at threshold 0 a difference that is only rounding may or may not survive
        alive = np.flatnonzero((np.abs(shrunken - overall) > 1e-12).any(axis=0))
        assert set(alive) <= set(survivors[t])
    # at max |d| nothing is left but the priors, up to the rounding of the grid
    np.testing.assert_allclose(P[-1], np.tile(priors, (len(tests), 1)), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(problems())
def test_survivors_are_nested_and_ordered(problem):
    X, y, tests, n_classes = problem
    X[:, -1] = X[:, 0]  # a tie
    reach = vanishing_thresholds(class_centroids(X, y, n_classes).d)
    thresholds = np.array([0.5, 0.0, reach.max(), 1.0])  # in any order
    P, survivors = shrunken_path(X, y, tests, thresholds, n_classes)
    for t, threshold in enumerate(thresholds):
        expected = [j for j in np.lexsort((np.arange(len(reach)), -reach)) if reach[j] > threshold]
        assert survivors[t].tolist() == expected
        alone, _ = shrunken_path(X, y, tests, thresholds[t : t + 1], n_classes)
        np.testing.assert_allclose(alone[0], P[t], rtol=0, atol=1e-13)
    assert len(survivors[2]) == 0


def plain_margins(X, d, m, overall, scale, log_prior, thresholds):
    """Every threshold summed by itself, as exactly as `math.fsum` can."""
    out = np.empty((len(thresholds), len(X), len(m)))
    Z = (X - overall) / scale
    for t, threshold in enumerate(thresholds):
        a = m[:, None] * soft_threshold(d, threshold)
        for i, z in enumerate(Z):
            out[t, i] = [
                fsum([*(z * a_k), *(-a_k * a_k / 2), p])
                for a_k, p in zip(a, log_prior, strict=True)
            ]
    return out - out.max(axis=2, keepdims=True)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(2, 4),
    st.integers(1, 400),
    st.sampled_from(["grid", "drawn", "one", "same"]),
    st.floats(-3, 3),
    st.integers(0, 10**6),
)
def test_thresholds_in_one_pass_are_each_summed_alone(n_classes, p, which, exponent, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(30) % n_classes)
    X = rng.normal(size=(36, p)) * 10.0**exponent
    X[:30] += 10.0**exponent * rng.normal(size=(n_classes, p))[y]
    found = class_centroids(X[:30], y, n_classes)
    top = vanishing_thresholds(found.d).max()
    thresholds = {
        "grid": np.linspace(0, top, 30)[::-1].copy(),
        "drawn": rng.uniform(0, 1.2 * top, 7),
        "one": np.array([top / 3]),
        "same": np.array([0.5, 0.5, 0.0, 0.5]),
    }[which]
    made_of = found.d, found.m, found.overall, found.scale, log_priors(found.counts)
    proba, margins = shrunken_beliefs(X[30:], *made_of, thresholds)
    expected = plain_margins(X[30:], *made_of, thresholds)
    largest = max(np.abs(expected).max(), 1.0)
    np.testing.assert_allclose(margins, expected, rtol=0, atol=2e-12 * largest)
    shares = np.exp(expected)
    np.testing.assert_allclose(proba, shares / shares.sum(axis=2, keepdims=True), atol=1e-11)


@given(st.lists(st.integers(0, 30) | st.floats(0, 30), max_size=40))
def test_falling_order_goes_by_place_where_values_tie(values):
    expected = sorted(range(len(values)), key=lambda j: (-values[j], j))
    assert falling_order(np.array(values, dtype=float)).tolist() == expected


def test_rows_one_at_a_time_have_the_bits_of_the_batch():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 3
    X, tests = rng.normal(size=(40, 500)) + 0.3 * y[:, None], rng.normal(size=(17, 500))
    found = class_centroids(X, y, 3)
    thresholds = np.linspace(0, vanishing_thresholds(found.d).max(), 30)
    made_of = found.d, found.m, found.overall, found.scale, log_priors(found.counts)
    batch, margins = shrunken_beliefs(tests, *made_of, thresholds)
    for i in range(len(tests)):
        alone, margin = shrunken_beliefs(tests[i : i + 1], *made_of, thresholds)
        assert np.array_equal(alone[:, 0], batch[:, i])
        assert np.array_equal(margin[:, 0], margins[:, i])
    np.testing.assert_allclose(batch.sum(axis=2), 1, rtol=1e-14)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_centroids_of_scikit_learn(n_classes):
    rng = np.random.default_rng(n_classes)
    y = np.arange(50) % n_classes
    X = rng.normal(size=(50, 30)) + rng.normal(size=(n_classes, 30))[y] + 5
    for threshold in (0.3, 1.0, 2.5):
        peer = NearestCentroid(shrink_threshold=threshold).fit(X, y)
        found = class_centroids(X, y, n_classes)
        offsets = found.m[:, None] * soft_threshold(found.d, threshold)
        np.testing.assert_allclose(
            found.overall + found.scale * offsets, peer.centroids_, rtol=1e-12
        )


def test_constant_features_divide_nothing_by_zero():
    X = np.full((10, 4), 0.1)
    y = np.repeat([0, 1], 5)
    found = class_centroids(X, y, 2)
    assert (found.d == 0).all()
    P, survivors = shrunken_path(X, y, X, np.zeros(1), 2)
    assert (P == 0.5).all()
    assert len(survivors[0]) == 0


def test_marker_that_is_constant_within_classes_stays_finite():
    # s + s0 = 0 for the marker and most others: neither 0/0 nor an infinite threshold grid
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 7)
    X = np.full((14, 5), 0.3)
    X[:, 1] = np.where(y == 1, 0.7, 0.1)
    X[:, 4] = rng.normal(size=14)
    found = class_centroids(X, y, 2)
    assert np.isfinite(found.d).all()
    assert found.s[1] == 0
    assert found.s0 == 0
    assert found.scale[1] == found.s[4]
    assert vanishing_thresholds(found.d)[1] > 1
    assert (found.d[:, [0, 2, 3]] == 0).all()


def test_class_without_rows_is_never_predicted():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 6)), np.arange(20) % 2 * 2  # classes 0 and 2 of three
    P, _ = shrunken_path(X, y, X, np.array([0.0, 0.5]), 3)
    assert (P[:, :, 1] == 0).all()
    two, _ = shrunken_path(X, y // 2, X, np.array([0.0, 0.5]), 2)
    np.testing.assert_allclose(P[:, :, [0, 2]], two, rtol=1e-13)


def test_large_offsets_lose_no_digits():
    rng = np.random.default_rng(2)
    X, y = np.round(rng.normal(size=(30, 8)), 4), np.arange(30) % 2
    shift = float(2**30)
    near, far = class_centroids(X, y, 2), class_centroids(X + shift, y, 2)
    np.testing.assert_allclose(far.d, near.d, rtol=1e-4, atol=1e-5)
