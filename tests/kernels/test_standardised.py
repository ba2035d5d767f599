"""Columns in one walk, beside what scaling and units make of them; rows and columns picked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.classifiers.base.scaling import as_standardised, column_varies, standardised_with_scale
from tamis.kernels.gathered import gathered_submatrix
from tamis.kernels.standardised import standardised_rows
from tamis.kernels.units import column_units


def walked(X, test):
    """What the kernel fills and says."""
    columns, near = np.full(X.shape, np.nan), np.full(test.shape, np.nan)
    return columns, near, *standardised_rows(X, test, columns, near, np.empty((5, X.shape[1])))


@settings(max_examples=80, deadline=None)
@given(
    st.integers(1, 40),
    st.integers(0, 6),
    st.integers(1, 30),
    st.integers(0, 10**6),
    st.sampled_from(["plain", "large", "nearly constant", "constant", "whole"]),
)
def test_same_bits_as_scaling(n, m, k, seed, kind):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n + m, k)) * rng.uniform(0.1, 1e6, k) + rng.normal(0, 1e5, k)
    if kind == "large":
        X *= 1e12
    elif kind == "nearly constant":
        X[:, ::2] = 1e8 + 1e-8 * X[:, ::2]
    elif kind == "constant":
        X[:, ::3] = rng.normal()
    elif kind == "whole":
        X = rng.integers(0, 3, X.shape).astype(float)
    train, test = X[:n].copy(), X[n:].copy()
    columns, near, first, ordinary = walked(train, test)
    assert ordinary == bool((column_units(train) == 1).all())
    some = [j for j in range(k) if column_varies(train[:, j : j + 1])]
    assert first == (some[0] if some else k)
    if ordinary:
        expected, center, scale = standardised_with_scale(train)
        assert np.array_equal(columns, expected)
        assert np.array_equal(near, as_standardised(test, np.ones(k), center, scale))


@pytest.mark.parametrize("size", [1e-9, 1e30, 1e300, 5e-324])
def test_columns_of_far_magnitude_are_told(size):
    X = np.random.default_rng(0).normal(size=(9, 4))
    X[:, 2] *= size
    assert walked(X, X)[3] is False


def test_far_test_rows_are_clipped():
    near = walked(np.array([[0.0], [1.0]]), np.array([[1e300], [-1e300]]))[1]
    assert np.abs(near).max() == 1e100


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 10**6))
def test_gathered_is_what_numpy_picks(n, p, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    rows, columns = rng.integers(0, n, 12), rng.integers(0, p, 9)
    assert np.array_equal(gathered_submatrix(X, rows, columns), X[np.ix_(rows, columns)])
    assert gathered_submatrix(X, rows[:0], columns).shape == (0, 9)
