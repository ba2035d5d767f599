"""part_moments against NumPy's mean and sum of squares, part by part and class by class."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.moments import BLOCK_COLUMNS, part_moments


def plain_moments(X, y, parts, n_classes):
    """One part, one class, one column at a time; classes without rows stay zero."""
    counts = np.zeros((len(parts), n_classes), dtype=int)
    means = np.zeros((len(parts), n_classes, X.shape[1]))
    squares = np.zeros_like(means)
    for k, rows in enumerate(parts):
        for c in range(n_classes):
            mine = X[[i for i in rows if y[i] == c]]
            counts[k, c] = len(mine)
            for j in range(X.shape[1] if len(mine) else 0):
                means[k, c, j] = np.mean(mine[:, j])
                squares[k, c, j] = np.var(mine[:, j]) * len(mine)
    return counts, means, squares


def overlapping(rng, n, n_parts):
    """Random sets of rows, some of them empty of some class."""
    return [np.flatnonzero(rng.random(n) < rng.uniform(0.2, 1)) for _ in range(n_parts)]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 30),
    st.sampled_from([0, 1, 7, BLOCK_COLUMNS - 1, BLOCK_COLUMNS, BLOCK_COLUMNS + 1]),
    st.integers(1, 6),
    st.integers(1, 4),
    st.integers(0, 10**6),
)
def test_equals_the_plain_reference(n, p, n_parts, n_classes, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-3, 4, size=p)
    y = rng.integers(0, n_classes, n)
    parts = overlapping(rng, n, n_parts)
    counts, means, squares = part_moments(X, y, parts, n_classes)
    slow = plain_moments(X, y, parts, n_classes)
    assert np.array_equal(counts, slow[0])
    size = np.abs(X).max(axis=0, initial=0)
    np.testing.assert_allclose(means - slow[1], 0, atol=1e-14 * n * size.max(initial=0))
    assert (np.abs(means - slow[1]) <= 1e-14 * n * size).all()
    np.testing.assert_allclose(squares, slow[2], rtol=1e-10)


def test_nested_protocol_on_several_blocks_of_columns():
    rng = np.random.default_rng(1)
    n, p = 40, 3 * BLOCK_COLUMNS + 5
    X, y = rng.normal(size=(n, p)), np.arange(n) % 3
    outer = np.setdiff1d(np.arange(n), np.arange(0, n, 10))
    parts = [outer] + [np.setdiff1d(outer, outer[k::5]) for k in range(5)]
    counts, means, squares = part_moments(X, y, parts, 3)
    slow = plain_moments(X, y, parts, 3)
    assert np.array_equal(counts, slow[0])
    np.testing.assert_allclose(means, slow[1], rtol=0, atol=1e-14)
    np.testing.assert_allclose(squares, slow[2], rtol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([0.0, 1.0, -1e6, 1e9]), st.floats(1e-3, 1e3), st.integers(0, 10**6))
def test_huge_offsets_lose_nothing(offset, scale, seed):
    rng = np.random.default_rng(seed)
    X = offset + scale * rng.normal(size=(24, 6))
    y = rng.integers(0, 2, 24)
    parts = overlapping(rng, 24, 4)
    _, means, squares = part_moments(X, y, parts, 2)
    for k, rows in enumerate(parts):
        for c in range(2):
            mine = [[Fraction(v) for v in column] for column in X[rows][y[rows] == c].T]
            for j, column in enumerate(mine):
                if not column:
                    continue
                mean = sum(column) / len(column)
                square = sum((v - mean) ** 2 for v in column)
                # rtol of a mean that cancels is that of the values
                top = float(max(abs(v) for v in column))
                assert abs(means[k, c, j] - float(mean)) <= 1e-14 * top
                np.testing.assert_allclose(squares[k, c, j], float(square), rtol=1e-12)


@pytest.mark.parametrize("value", [0.0, 0.1, -1 / 3, 1e9 + 0.3, 1e-200])
def test_constant_columns_are_exact(value):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 50)
    X = np.full((50, 3), value)
    X[:, 1] = np.array([0.1, 0.7, 1.3])[y]  # constant within each class
    parts = overlapping(rng, 50, 5)
    counts, means, squares = part_moments(X, y, parts, 3)
    assert (counts > 0).all()
    assert (squares == 0).all()
    assert (means[:, :, [0, 2]] == value).all()
    assert (means[:, :, 1] == [0.1, 0.7, 1.3]).all()


@pytest.mark.parametrize("wild", [1e300, -1e150, np.nan, np.inf])
def test_rows_outside_a_part_do_not_change_one_bit_of_it(wild):
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(30, BLOCK_COLUMNS + 3)), rng.integers(0, 2, 30)
    parts = overlapping(rng, 30, 4)
    before = part_moments(X, y, parts, 2)
    for k, rows in enumerate(parts):
        changed = np.full_like(X, wild)
        changed[rows] = X[rows]
        after = part_moments(changed, y, parts, 2)
        for old, new in zip(before, after, strict=True):
            assert np.array_equal(old[k], new[k])


def test_labels_of_rows_outside_a_part_do_not_change_one_bit_of_it():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(30, 9)), rng.integers(0, 2, 30)
    parts = overlapping(rng, 30, 4)
    before = part_moments(X, y, parts, 2)
    for k, rows in enumerate(parts):
        changed = 1 - y
        changed[rows] = y[rows]
        after = part_moments(X, changed, parts, 2)
        for old, new in zip(before, after, strict=True):
            assert np.array_equal(old[k], new[k])


def test_parts_that_do_not_cut_a_part_leave_its_bits_others_change_it_by_rounding_only():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(40, 20)), rng.integers(0, 2, 40)
    part = np.arange(5, 30)
    alone = part_moments(X, y, [part], 2)
    around = [np.arange(40), part, np.arange(30, 40), np.arange(0, 5), part[::-1]]
    beside = part_moments(X, y, around, 2)
    for old, new in zip(alone, beside, strict=True):
        assert np.array_equal(old[0], new[1])
        assert np.array_equal(old[0], new[4])  # the order of the rows plays no part either
    cut = part_moments(X, y, [part, *(part[k::3] for k in range(3))], 2)
    assert np.array_equal(alone[0][0], cut[0][0])
    np.testing.assert_allclose(cut[1][0], alone[1][0], rtol=0, atol=1e-15 * 40)
    np.testing.assert_allclose(cut[2][0], alone[2][0], rtol=1e-13)


def test_classes_and_parts_without_rows_are_zero():
    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 0, 2, 2])
    counts, means, squares = part_moments(X, y, [np.arange(4), np.arange(0)], 4)
    assert counts.tolist() == [[2, 0, 2, 0], [0, 0, 0, 0]]
    assert means[0].tolist() == [[1, 2], [0, 0], [5, 6], [0, 0]]
    assert squares[0].tolist() == [[2, 2], [0, 0], [2, 2], [0, 0]]
    assert not means[1].any()
    assert not squares[1].any()


def test_input_is_left_alone():
    X, y = np.random.default_rng(7).normal(size=(10, 4)), np.arange(10) % 2
    before = X.copy()
    part_moments(X, y, [np.arange(7)], 2)
    assert np.array_equal(X, before)
