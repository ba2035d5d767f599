"""W1 kernel against scipy and a plain reference; parts against single runs, bit for bit."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from common.examples import settings
from kernels.hostile_tables import hostile_tables
from tamis.kernels.orders import sort_columns
from tamis.kernels.wasserstein import _walk_columns, wasserstein_parts


def reference(X, y, n_classes, mean=False):
    """Column by column, pair by pair, from scipy."""
    scores = []
    for column in X.T:
        seen = ~np.isnan(column)
        x, labels = column[seen], y[seen]
        present = [c for c in range(n_classes) if (labels == c).any()]
        if len(present) < 2:
            scores.append(np.nan)
        elif x.min() == x.max():
            scores.append(0.0)
        else:
            z = (x - x.mean()) / x.std()
            pairs = [
                wasserstein_distance(z[labels == a], z[labels == b])
                for a, b in combinations(present, 2)
            ]
            scores.append(np.mean(pairs) if mean else max(pairs))
    return np.array(scores)


def single(X, y, n_classes, mean=False):
    everyone = np.ones((1, len(X)), dtype=bool)
    return wasserstein_parts(X, y, everyone, n_classes, mean)[0]


@st.composite
def tables(draw):
    """Small tables with ties, missing values and up to four classes."""
    n, p, n_classes = draw(st.integers(2, 25)), draw(st.integers(1, 70)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, p)) * draw(st.sampled_from([1e-3, 1.0, 1e4]))
    if draw(st.booleans()):
        X = np.round(X, 1)
    X[rng.random((n, p)) < draw(st.sampled_from([0.0, 0.2, 0.9]))] = np.nan
    return X, rng.integers(0, n_classes, n), n_classes, rng


@settings(max_examples=60, deadline=None)
@given(tables(), st.booleans())
def test_equals_scipy(table, mean):
    X, y, n_classes, _ = table
    np.testing.assert_allclose(
        single(X, y, n_classes, mean), reference(X, y, n_classes, mean), rtol=1e-9, atol=1e-12
    )


@settings(max_examples=60, deadline=None)
@given(tables(), st.booleans())
def test_parts_have_the_bits_of_their_own_matrix(table, mean):
    X, y, n_classes, rng = table
    mask = rng.random((5, len(X))) < 0.7
    mask[:, 0] = True
    together = wasserstein_parts(X, y, mask, n_classes, mean)
    for part, rows in enumerate(mask):
        alone = wasserstein_parts(X, y, mask[part : part + 1], n_classes, mean)
        assert np.array_equal(together[part], alone[0], equal_nan=True)
        own = single(X[rows], y[rows], n_classes, mean)
        assert np.array_equal(together[part], own, equal_nan=True)


def test_part_does_not_see_other_rows():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 9)), np.arange(30) % 2
    mask = np.zeros((1, 30), dtype=bool)
    mask[0, :20] = True
    before = wasserstein_parts(X, y, mask, 2)
    X[20:], y[20:] = rng.normal(size=(10, 9)) * 50, 1 - y[20:]
    assert np.array_equal(before, wasserstein_parts(X, y, mask, 2))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.1, 50), st.floats(-100, 100))
def test_unchanged_by_shift_scale_and_swapped_classes(seed, factor, shift):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(15, 4)), rng.integers(0, 2, 15)
    y[:2] = 0, 1
    score = single(X, y, 2)
    np.testing.assert_allclose(single(X * factor + shift, y, 2), score, rtol=1e-9)
    np.testing.assert_allclose(single(-X, y, 2), score, rtol=1e-9)
    assert np.array_equal(single(X, 1 - y, 2), score)


def test_bounded_by_largest_difference_of_means():
    # for two classes apart, W1 is the difference of means in standard deviations
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.random(12), 5 + rng.random(8)])
    y = np.repeat([0, 1], [12, 8])
    gap = (x[12:].mean() - x[:12].mean()) / x.std()
    assert single(x[:, None], y, 2)[0] == pytest.approx(gap, rel=1e-12)


def test_constant_and_unobserved_columns():
    X = np.array(
        [
            [3.1, np.nan, 1.0, np.nan],
            [3.1, np.nan, 2.0, 7.0],
            [3.1, np.nan, np.nan, 7.0],
            [3.1, np.nan, np.nan, 7.0],
        ]
    )
    score = single(X, np.array([0, 0, 1, 1]), 2)
    assert score[0] == 0
    assert np.isnan(score[1])
    assert np.isnan(score[2])
    assert score[3] == 0


def test_more_rows_than_fit_in_lanes():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(70_000, 1)), np.arange(70_000) % 2
    np.testing.assert_allclose(single(X, y, 2), reference(X, y, 2), rtol=1e-9)


@settings(max_examples=60, deadline=None)
@given(hostile_tables(), st.booleans())
def test_lanes_have_the_bits_of_columns_by_themselves(table, mean):
    X, y, n_classes, mask = table
    found = wasserstein_parts(X, y, mask, n_classes, mean)
    alone = _walk_columns(X, sort_columns(X), y, mask.view(np.uint8), n_classes, mean)
    assert np.array_equal(found, alone, equal_nan=True)
