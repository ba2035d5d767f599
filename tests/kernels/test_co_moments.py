"""part_co_moments against NumPy, part by part; constant columns are exactly without spread."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.co_moments import part_co_moments
from tamis.kernels.moments import BLOCK_COLUMNS


def plain_co_moments(X, y, parts):
    """One part and one column at a time."""
    squares, products = np.zeros((2, len(parts), X.shape[1]))
    own = np.zeros(len(parts))
    for k, rows in enumerate(parts):
        if not len(rows):
            continue
        dy = y[rows] - y[rows].mean()
        own[k] = dy @ dy
        for j in range(X.shape[1]):
            dx = X[rows, j] - X[rows, j].mean()
            squares[k, j], products[k, j] = dx @ dx, dx @ dy
    return squares, products, own


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 30),
    st.sampled_from([1, 7, BLOCK_COLUMNS - 1, BLOCK_COLUMNS + 1]),
    st.integers(1, 6),
    st.integers(0, 10**6),
)
def test_equals_the_plain_reference(n, p, n_parts, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-3, 4, size=p) + rng.normal(size=p)
    y = rng.normal(size=n) + 100
    parts = [np.flatnonzero(rng.random(n) < rng.uniform(0.2, 1)) for _ in range(n_parts)]
    found, slow = part_co_moments(X, y, parts), plain_co_moments(X, y, parts)
    size = np.abs(X).max(axis=0)
    assert (np.abs(found[0] - slow[0]) <= 1e-12 * n * size**2).all()
    assert (np.abs(found[1] - slow[1]) <= 1e-12 * n * size * 100).all()
    np.testing.assert_allclose(found[2], slow[2], atol=1e-9)


def test_nested_parts_are_the_same_one_by_one():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 2 * BLOCK_COLUMNS + 5)), rng.normal(size=40)
    every = np.arange(36)  # the last rows are held out
    parts = [every, *(np.setdiff1d(every, every[k::5]) for k in range(5))]
    together = part_co_moments(X, y, parts)
    alone = [part_co_moments(X, y, [rows]) for rows in parts]
    for one in range(3):
        np.testing.assert_allclose(
            together[one], np.concatenate([own[one] for own in alone]), rtol=1e-12, atol=1e-12
        )


def test_a_constant_column_has_no_spread_whatever_its_value():
    X = np.column_stack([np.full(9, 0.1), np.full(9, 1e7 + 0.3), np.arange(9.0)])
    squares, products, _ = part_co_moments(X, np.arange(9.0) ** 2, [np.arange(9), np.arange(3, 9)])
    assert (squares[:, :2] == 0).all()
    assert (products[:, :2] == 0).all()
    assert (squares[:, 2] > 0).all()
