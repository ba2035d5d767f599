"""Counts of pairs and their scores, against sums over rows and products."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from kernels.aode_reference import Reference
from tamis.kernels.aode import (
    add_rows,
    drop_subsumed,
    log_scores,
    log_tables,
    no_counts,
    subsumed_values,
    table_bytes,
)


def counted(codes, y, levels, n_classes, weights=None):
    counts = no_counts(levels, n_classes)
    given = np.ones(len(y)) if weights is None else weights
    add_rows(counts, codes.astype(np.int32), y, given)
    return counts


def scores(counts, codes, min_support=1.0, m=None, support=None):
    """log P(y, x), as the classifier puts the parts together."""
    tables, codes = log_tables(counts, min_support, m), codes.astype(np.int32)
    if support is None:
        return log_scores(tables, codes)
    return log_scores(
        tables, drop_subsumed(counts, codes, *subsumed_values(counts, support)), codes
    )


@st.composite
def tables(draw):
    """Codes with gaps, columns that copy or follow from others, classes, weights."""
    n, p, C = draw(st.integers(1, 25)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    levels = np.array(draw(st.lists(st.integers(1, 4), min_size=p, max_size=p)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = rng.integers(0, levels + draw(st.booleans()), size=(n, p))
    for j in range(1, p):
        if rng.random() < 0.3:
            levels[j], codes[:, j] = levels[j - 1], codes[:, j - 1]
    weights = draw(st.sampled_from([None, "whole", "quarters"]))
    if weights is not None:
        weights = rng.integers(1, 9, n) / (1 if weights == "whole" else 4)
    return codes, rng.integers(0, C, n), levels, C, weights


@given(
    tables(),
    st.sampled_from([0.25, 1, 3, 9, 1000]),
    st.sampled_from([None, 0.01, 1, 3]),
    st.sampled_from([None, 0, 2, 5]),
)
@settings(max_examples=150, deadline=None)
def test_scores_are_those_of_sums_over_rows(table, min_support, m, support):
    codes, y, levels, C, weights = table
    rows = [[None if v == k else int(v) for v, k in zip(row, levels, strict=True)] for row in codes]
    plain = Reference(rows, y, np.ones(len(y)) if weights is None else weights, levels, C)
    found = scores(counted(codes, y, levels, C, weights), codes, min_support, m, support)
    expected = [plain.joint(row, min_support, m, support) for row in rows]
    np.testing.assert_allclose(np.exp(found), expected, rtol=1e-11, atol=0)


@given(tables(), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_the_order_of_rows_and_their_parts_change_no_bit(table, seed):
    codes, y, levels, C, weights = table
    whole = counted(codes, y, levels, C, weights)
    order = np.random.default_rng(seed).permutation(len(y))
    parts = no_counts(levels, C)
    given = np.ones(len(y)) if weights is None else weights
    for rows in np.array_split(order, 3):
        add_rows(parts, codes[rows].astype(np.int32), y[rows], given[rows])
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one, other)


@given(tables())
@settings(max_examples=60, deadline=None)
def test_one_row_at_a_time_is_the_batch_to_the_bit(table):
    codes, y, levels, C, weights = table
    counts = counted(codes, y, levels, C, weights)
    batch = scores(counts, codes, 2, None, 1)
    for row, expected in zip(codes, batch, strict=True):
        np.testing.assert_array_equal(scores(counts, row[None], 2, None, 1)[0], expected)


@given(tables())
@settings(max_examples=60, deadline=None)
def test_a_missing_value_is_a_column_left_out(table):
    codes, y, levels, C, weights = table
    if len(levels) < 2:
        return
    row = codes[:1].copy()
    row[0, -1] = levels[-1]
    one = scores(counted(codes, y, levels, C, weights), row)
    other = scores(counted(codes[:, :-1], y, levels[:-1], C, weights), row[:, :-1])
    np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("C", [2, 3])
def test_under_subsumption_a_copy_of_a_column_changes_nothing(C):
    rng = np.random.default_rng(C)
    codes, y = rng.integers(0, 3, size=(200, 5)), rng.integers(0, C, 200)
    levels = np.full(5, 3)
    twice, wider = np.column_stack([codes, codes[:, 1]]), np.full(6, 3)
    once = scores(counted(codes, y, levels, C), codes, 30, None, 20)
    copied = scores(counted(twice, y, wider, C), twice, 30, None, 20)
    np.testing.assert_allclose(copied, once, rtol=1e-12)
    plain = scores(counted(twice, y, wider, C), twice, 30)
    assert np.abs(plain - once).max() > 0.1


def test_five_hundred_columns_do_not_underflow():
    """The product is below the least float; sums of logarithms need not care."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    codes = np.where(rng.random((300, 500)) < 0.1, y[:, None], rng.integers(0, 6, (300, 500)))
    levels = np.full(500, 6)
    found = scores(counted(codes, y, levels, 2), codes, 30)
    assert np.isfinite(found).all()
    assert found.max() < np.log(np.finfo(float).tiny)
    assert (found.argmax(axis=1) == y).mean() > 0.95


def test_a_class_that_is_out_of_question_has_a_score_all_the_same():
    """Its terms are below the least float beside those of the other class."""
    y = np.repeat([0, 1], 300)
    codes = np.vstack([np.zeros((300, 300), dtype=int), 1 - np.eye(300, dtype=int)])
    found = scores(counted(codes, y, np.full(300, 2), 2), codes[:1], m=1e-6)
    assert np.isfinite(found).all()
    assert found[0, 0] - found[0, 1] > 4000


def test_how_much_memory_is_needed():
    levels = np.array([1, 4, 2, 7])
    counts = no_counts(levels, 3)
    tables = log_tables(counts, 1, None)
    assert table_bytes(levels, 3) == counts.pairs.nbytes + tables.child.nbytes
