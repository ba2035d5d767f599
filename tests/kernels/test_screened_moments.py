"""screened_squares against part_moments: equal within the bound that it states, but for the columns
that it leaves alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.moments import grouped_rows, joined_groups
from tamis.kernels.screened_moments import relative_error, screened_squares


def nested(rng, n, n_classes, folds=3):
    """Class codes, and an outer training set with two draws of its inner ones."""
    y = rng.permutation(np.resize(np.arange(n_classes), n))
    train = np.sort(rng.permutation(n)[: n - 2])
    parts = [train]
    for _ in range(2):
        held = rng.permutation(train)
        parts += [np.sort(np.setdiff1d(train, own)) for own in np.array_split(held, folds)]
    return y, [rows for rows in parts if len(np.unique(y[rows])) == n_classes]


def exact_squares(X, groups):
    """Within and between classes, from means and sums about them."""
    counts, means, squares = groups.moments(X)
    weights = counts[:, :, None]
    grand = (weights * means).sum(axis=1) / counts.sum(axis=1)[:, None]
    return squares.sum(axis=1), (weights * (means - grand[:, None]) ** 2).sum(axis=1)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(12, 40),
    st.sampled_from([1, 7, 63, 64, 65, 700]),
    st.sampled_from([2, 3]),
    st.integers(0, 10**6),
)
def test_within_the_bound_of_the_exact_sums(n, p, n_classes, seed):
    rng = np.random.default_rng(seed)
    y, parts = nested(rng, n, n_classes)
    X = rng.standard_normal((n, p)) * 10.0 ** rng.uniform(-3, 3, p) + 10.0 ** rng.uniform(-3, 4, p)
    X[:, ::5] = np.round(X[:, ::5])
    X[:, ::7] = X[0, ::7]  # constant
    groups = grouped_rows(n, y, parts, n_classes)
    within, between, left = screened_squares(X, X.mean(axis=0), groups)
    exact, apart = exact_squares(X - X.mean(axis=0), groups)  # whose means keep their digits
    assert (left | (within == 0).all(axis=0))[::7].all()
    kept = ~left
    assert kept.any() or p < 8
    error = relative_error(n)
    assert (np.abs(within - exact)[:, kept] <= error * exact[:, kept]).all()
    assert (np.abs(between - apart)[:, kept] <= error * (exact + apart)[:, kept]).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_runs_together_are_those_of_each(n_classes):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((30, 90))
    runs = [nested(rng, 30, n_classes, folds) for folds in (2, 3, 5)]
    alone = [grouped_rows(30, y, parts, n_classes) for y, parts in runs]
    shift = X.mean(axis=0)
    together = screened_squares(X, shift, joined_groups(alone))
    by_run = [screened_squares(X, shift, groups) for groups in alone]
    for k in range(2):
        assert np.array_equal(together[k], np.concatenate([found[k] for found in by_run]))
    assert np.array_equal(together[2], np.logical_or.reduce([found[2] for found in by_run]))


def test_each_row_left_out_once():
    rng = np.random.default_rng(4)
    X, y = rng.standard_normal((14, 20)), np.resize([0, 1], 14)
    parts = [np.delete(np.arange(14), i) for i in range(14)]
    groups = grouped_rows(14, y, parts, 2)
    within, between, left = screened_squares(X, X.mean(axis=0), groups)
    exact, apart = exact_squares(X, groups)
    assert not left.any()
    np.testing.assert_allclose(within, exact, rtol=1e-12)
    np.testing.assert_allclose(between, apart, rtol=1e-9, atol=1e-13)


def test_columns_that_are_all_alike_are_left_alone():
    rng = np.random.default_rng(6)
    X, y = rng.standard_normal((20, 4)) + [0.0, 1e5, 1e7, 1e8], np.resize([0, 1], 20)
    X[:, 0] = 0.0
    _, _, left = screened_squares(X, X.mean(axis=0), grouped_rows(20, y, [np.arange(20)], 2))
    assert left.tolist() == [False, False, True, True]


def test_what_lies_outside_a_part_does_not_spoil_its_sums():
    rng = np.random.default_rng(5)
    X, y = rng.standard_normal((20, 6)), np.resize([0, 1], 20)
    X[3, 2] = 1e9  # beside it nothing else has digits left
    parts = [np.arange(20), np.delete(np.arange(20), [3, 4])]
    _, _, left = screened_squares(X, X.mean(axis=0), grouped_rows(20, y, parts, 2))
    assert left.tolist() == [False, False, True, False, False, False]
