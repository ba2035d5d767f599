"""Rank sums against scipy's ranks; parts against single runs, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from common.examples import settings
from kernels.hostile_tables import hostile_tables
from tamis.kernels.orders import sort_columns
from tamis.kernels.rank_sums import _walk_columns, rank_sum_parts


def reference(X, y, n_classes):
    """Doubled rank sums, counts and tie terms, column by column from scipy's mid-ranks."""
    doubled, counts, ties = [], [], []
    for column in X.T:
        seen = ~np.isnan(column)
        x, labels = column[seen], y[seen]
        ranks = rankdata(x)
        doubled.append([int(2 * ranks[labels == c].sum()) for c in range(n_classes)])
        counts.append([int((labels == c).sum()) for c in range(n_classes)])
        sizes = np.unique(x, return_counts=True)[1]
        ties.append(int((sizes**3 - sizes).sum()))
    return np.array(doubled), np.array(counts), np.array(ties)


@st.composite
def tables(draw):
    n, p, n_classes = draw(st.integers(1, 25)), draw(st.integers(1, 70)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, p))
    if draw(st.booleans()):
        X = np.round(X)
    X[rng.random((n, p)) < draw(st.sampled_from([0.0, 0.2, 0.9]))] = np.nan
    return X, rng.integers(0, n_classes, n), n_classes, rng


@settings(max_examples=60, deadline=None)
@given(tables())
def test_each_part_equals_scipys_ranks_of_its_own_matrix(table):
    X, y, n_classes, rng = table
    mask = rng.random((4, len(X))) < 0.7
    mask[0] = True
    found = rank_sum_parts(X, y, mask, n_classes)
    for part, rows in enumerate(mask):
        for ours, expected in zip(found, reference(X[rows], y[rows], n_classes), strict=True):
            assert np.array_equal(ours[part], expected)


def test_rank_sums_add_up():
    rng = np.random.default_rng(0)
    X, y = np.round(rng.normal(size=(40, 90)), 1), rng.integers(0, 3, 40)
    doubled, counts, ties = rank_sum_parts(X, y, np.ones((1, 40), bool), 3)
    assert (doubled.sum(axis=-1) == 40 * 41).all()
    assert (counts == np.bincount(y)).all()
    assert (ties > 0).all()


def test_zeros_of_both_signs_are_tied():
    X, y = np.array([[0.0], [-0.0], [1.0]]), np.array([0, 1, 1])
    doubled, _, ties = rank_sum_parts(X, y, np.ones((1, 3), bool), 2)
    assert doubled[0, 0].tolist() == [3, 9]
    assert ties[0, 0] == 6


@settings(max_examples=60, deadline=None)
@given(hostile_tables())
def test_lanes_equal_columns_by_themselves(table):
    X, y, n_classes, mask = table
    alone = _walk_columns(X, sort_columns(X), y, mask.view(np.uint8), n_classes)
    for ours, expected in zip(rank_sum_parts(X, y, mask, n_classes), alone, strict=True):
        assert np.array_equal(ours, expected)


def test_values_that_differ_in_the_last_bit_are_no_ties():
    x = np.array([1.0, np.nextafter(1, 2), np.nextafter(1, 0), -1.0, np.nextafter(-1, -2), -1.0])
    y = np.array([0, 1, 0, 1, 0, 1])
    doubled, _, ties = rank_sum_parts(x[:, None], y, np.ones((1, 6), bool), 2)
    assert doubled[0, 0].tolist() == [20, 22]
    assert ties[0, 0] == 6


@pytest.mark.parametrize("n", [1, 2, 3000, 17_000])
def test_blocks_of_any_width(n):
    rng = np.random.default_rng(n)
    X, y = np.round(rng.normal(size=(n, 9)), 2), rng.integers(0, 2, n)
    found = rank_sum_parts(X, y, np.ones((1, n), bool), 2)
    for ours, expected in zip(found, reference(X, y, 2), strict=True):
        assert np.array_equal(ours[0], expected)
