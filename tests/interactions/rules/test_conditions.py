"""Limits of rules: short, and parting the same samples."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tamis.interactions.rules.conditions import meets_all, shorten_limits, shortest_between
from tamis.interactions.rules.rule import limit_text

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(NUMBERS, min_size=2, max_size=2, unique=True))
def test_the_shortest_number_between_two(ends):
    low, high = sorted(ends)
    found = shortest_between(low, high)
    assert low <= found < high
    if low < found:
        digits = next(d for d in range(1, 18) if float(f"{found:.{d}g}") == found)
        quarters = low * 0.75 + high * 0.25, low * 0.25 + high * 0.75
        shorter = {float(f"{low / 2 + high / 2:.{d}g}") for d in range(1, digits)}
        assert not any(quarters[0] < value < quarters[1] for value in shorter)


@given(st.lists(NUMBERS, min_size=1, max_size=8), st.sampled_from(["<=", ">"]), st.data())
def test_shortened_limits_part_the_same_samples(values, op, data):
    X = np.array([*values, np.nan])[:, None]
    limit = data.draw(st.sampled_from(values) | NUMBERS)
    rows = np.arange(len(X))
    ((j, kept, moved),) = shorten_limits(X, ((0, op, limit),))
    assert (j, kept) == (0, op)
    np.testing.assert_array_equal(
        meets_all(X, rows, ((0, op, moved),)), meets_all(X, rows, ((0, op, limit),))
    )
    assert float(limit_text(moved)) == moved  # as it is read off


def test_a_limit_read_off_means_the_same_in_another_precision():
    X = np.float32([0.1, 0.3, 0.85, 0.86, 7.25]).astype(float)[:, None]
    for value in X[:-1, 0]:
        ((_, _, moved),) = shorten_limits(X, ((0, "<=", float(value)),))
        assert len(limit_text(moved)) <= 5
        expected = X[:, 0] <= value
        np.testing.assert_array_equal(X[:, 0].astype(np.float32) <= np.float32(moved), expected)


def test_categories_and_limits_beyond_the_data_stay():
    X = np.array([[1.0, 2.0], [2.0, 3.0]])
    conditions = ((0, "=", 1.0), (1, "<=", 9.125), (1, ">", 0.125))
    assert shorten_limits(X, conditions) == conditions
