"""Columns of categories that a part has, against the table with its levels taken away."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tamis.study.protocol.observed_levels import observed_level_columns


def spread(codes, levels):
    """One column for two levels, else one each; NaN where a code is -1."""
    shown = levels[1:] if len(levels) == 2 else levels
    return np.array([[np.nan if c < 0 else float(c == level) for level in shown] for c in codes])


@given(st.lists(st.integers(-1, 4), min_size=4, max_size=12), st.data())
def test_a_part_sees_what_a_table_of_its_levels_would_show(codes, data):
    codes = np.array(codes)
    numbers = st.integers(0, len(codes) - 1)
    rows = np.array(sorted(data.draw(st.sets(numbers, min_size=1))))
    X = spread(codes, [0, 1, 2, 3, 4])
    known = sorted(set(codes[rows].tolist()) - {-1})
    kept = observed_level_columns(X, rows, np.zeros(5, dtype=int))
    expected = spread(codes[rows], known) if known else X[rows][:, :1]
    np.testing.assert_array_equal(X[rows][:, kept], expected)


def test_numbers_and_categories_of_one_column_stay():
    X = np.array([[0.0, 0, 1, 0, 5], [0, 0, 0, 1, 5], [0, 1, 0, 0, 5]])
    kept = observed_level_columns(X, np.array([0, 1]), np.array([-1, 3, 3, 3, 7]))
    assert kept.tolist() == [True, False, False, True, True]


@given(st.lists(st.integers(1, 5).filter(lambda k: k != 2), max_size=5), st.integers(0, 10**6))
def test_features_beside_each_other_are_looked_at_one_by_one(widths, seed):
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(len(widths)), widths)
    X = np.where(rng.random((6, len(owner))) < 0.25, 1.0, 0.0)
    rows = np.flatnonzero(rng.random(6) < 0.6)
    alone = [
        observed_level_columns(X[:, owner == k], rows, owner[owner == k])
        for k in range(len(widths))
    ]
    np.testing.assert_array_equal(
        observed_level_columns(X, rows, owner), np.concatenate([np.zeros(0, dtype=bool), *alone])
    )
