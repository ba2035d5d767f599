"""Orders of values against NumPy's stable sort, and numba's sort where values are equal."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.orders import order_of_values, sort_columns


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.sampled_from([0, 1, 9]), st.floats(0, 1), st.integers(0, 10**6))
def test_equals_a_stable_sort(n, digits, missing, seed):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 7)), digits)
    X[rng.random(X.shape) < missing] = np.nan
    X[rng.random(X.shape) < 0.1] = -0.0
    order = sort_columns(X)
    assert order.dtype == np.uint16
    assert np.array_equal(order, np.argsort(X.T, axis=1, kind="stable"))


def test_several_blocks_of_columns():
    X = np.round(np.random.default_rng(4).normal(size=(50, 600)), 1)
    assert np.array_equal(sort_columns(X), np.argsort(X.T, axis=1, kind="stable"))


def test_more_rows_than_16_bits():
    X = np.round(np.random.default_rng(5).normal(size=(70_000, 1)), 2)
    order = sort_columns(X)
    assert order.dtype == np.int32
    assert np.array_equal(order, np.argsort(X.T, axis=1, kind="stable"))


@numba.njit
def numbas(values):
    return np.argsort(values)


@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 40, 300])
@pytest.mark.parametrize("kinds", [2, 5, 1000])
def test_values_of_every_length_rise_with_nan_last(n, kinds):
    """Lengths at which stretches are sorted by insertion, and parted once or more."""
    rng = np.random.default_rng(n + kinds)
    values = rng.integers(0, kinds, n).astype(float)
    values[rng.random(n) < 0.2] = np.nan
    places = order_of_values(values)
    assert sorted(places.tolist()) == list(range(n))
    np.testing.assert_array_equal(values[places], np.sort(values))


@pytest.mark.longer
@given(st.lists(st.one_of(st.floats(), st.sampled_from([0.0, 1.0, 2.0])), max_size=200))
def test_values_rise_with_nan_last_and_equal_ones_as_numba_has_them(values):
    """Trees sum weights in this order, so their bytes depend on it."""
    values = np.array(values)
    places = order_of_values(values)
    np.testing.assert_array_equal(values[places], np.sort(values))
    assert places.tolist() == numbas(values).tolist()
