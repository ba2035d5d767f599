"""Medians of what is there, as NumPy has them."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.kernels.medians import column_medians, impute_medians


@pytest.mark.parametrize("n", [1, 2, 7, 700])
def test_equal_to_numpy_to_the_bit(n):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 1100))
    X[:, ::3] = np.round(X[:, ::3])
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 5] = np.nan
    seen = ~np.isnan(X).all(axis=0)
    expected = np.zeros(1100)
    expected[seen] = np.nanmedian(X[:, seen], axis=0)
    np.testing.assert_array_equal(column_medians(X), expected)
    columns = np.arange(1, 1100)
    filled = X.copy()
    np.testing.assert_array_equal(impute_medians(filled, columns), expected[1:])
    np.testing.assert_array_equal(filled[:, 1:], np.where(np.isnan(X), expected, X)[:, 1:])
    np.testing.assert_array_equal(filled[:, 0], X[:, 0])
    other = X.copy()
    impute_medians(other, columns, expected[1:])
    np.testing.assert_array_equal(other, filled)


def test_no_row_and_no_column():
    assert column_medians(np.zeros((0, 3))).tolist() == [0.0, 0.0, 0.0]
    assert len(column_medians(np.zeros((4, 0)))) == 0
