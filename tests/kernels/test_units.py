"""Powers of two that stand in for the units of columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.kernels.units import (
    ANY_ROWS,
    MAX_COLUMN_RATIO,
    MAX_MAGNITUDE,
    MIN_MAGNITUDE,
    column_magnitudes,
    column_units,
    in_units,
    is_ordinary,
    magnified_columns,
    magnitudes_of_rows,
    rows_by_size,
    shared_units,
    steady_rows,
    table_units,
    widest_unit,
)

EVERY = [column_units, table_units, widest_unit]


@pytest.mark.parametrize("units", EVERY)
@pytest.mark.parametrize("size", [1e-4, 1.0, 1e19])
def test_ordinary_columns_keep_their_units(units, size):
    X = size * np.random.default_rng(0).uniform(0.5, 1, (6, 4))
    X[:, 1], X[2, 2] = 0.0, np.nan
    assert (units(X) == 1).all()
    assert in_units(X, units(X)) is X


@pytest.mark.parametrize("units", EVERY)
@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-200, 1e200, 1.7e308])
def test_far_off_ones_come_near_one_and_back_exactly(units, size):
    X = np.array([[-1.0, 0.0, np.nan], [0.5, 0.0, np.nan]]) * size
    found = units(X)
    assert (np.frexp(found)[0] == 0.5).all()  # powers of two
    near = in_units(X, found)
    assert 1 <= column_magnitudes(near)[0] < 2
    np.testing.assert_array_equal(near * found, X)


def test_a_table_has_one_unit_but_for_what_is_too_far_from_it():
    X = np.array([[1e-200, 3e-200, 1e-190, 1e200, 1e-300, 0.0]])
    units = table_units(X)
    assert len({units[0], units[1], units[2], units[5]}) == 1
    near = X / units
    assert near[0, 3] / MAX_COLUMN_RATIO == pytest.approx(1, rel=1)
    assert near[0, 4] * MAX_COLUMN_RATIO == pytest.approx(1, rel=1)
    assert np.isfinite(near**4).all()


VALUES = st.sampled_from(
    [0.0, 1.0, -3.5, 1e-5, 2e4, 1e-30, 1e25, -1e70, 1e-70, 1e300, 5e-324, np.nan]
)


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=2, max_size=9), st.data())
def test_columns_near_each_other_are_so_in_any_rows(rows, data):
    """Where a table is not far apart its parts differ by one unit for all columns; where they lack
    few rows, by none."""
    X = np.array(rows)
    some = np.array(sorted(data.draw(st.sets(st.integers(0, len(X) - 1), min_size=1))))
    size = magnitudes_of_rows(X, np.repeat(some, 40))
    np.testing.assert_array_equal(size, column_magnitudes(X[some]))
    steady = steady_rows(rows_by_size(X))
    if steady is not None:
        units = set(shared_units(size))
        assert len(units) == 1
        assert units == {1.0} or len(X) - len(some) > steady


def test_rows_that_a_table_may_lack():
    X = np.array([[1.0, 0.0, 2.0], [3.0, 1e-9, 0.0], [5.0, 1e-9, 0.0], [0.0, 0.0, np.nan]])
    found = [steady_rows(rows_by_size(some)) for some in (X, X[:, 1:], X[:, 1:2])]
    assert found == [0, 0, -1]
    for some in (X[:, [0, 2]], X[:, :0]):  # no row has anything small
        assert steady_rows(rows_by_size(some)) > 1e9
    for far in (1e25, 1e-60):
        assert steady_rows(rows_by_size(np.vstack([X, [far, 0.0, 0.0]]))) is None


@given(
    st.lists(
        st.sampled_from([0.0, 1.0, -3e5, 1e-6, -1e25, np.nan, 2.0**-16, -(2.0**64)]),
        min_size=1,
        max_size=12,
    )
)
def test_a_table_of_ordinary_values_may_lack_any_row(values):
    X = np.array(values)[:, None]
    assert is_ordinary(X) == (steady_rows(rows_by_size(X)) == ANY_ROWS)


def test_rows_of_other_units_stay_numbers():
    near = in_units(np.array([[1e-200, 1e200, -1e200, np.nan]]), np.full(4, 2.0**-600))
    assert np.isfinite(near[0, :3]).all()
    assert near[0, 1] == -near[0, 2] > 1e300
    assert np.isnan(near[0, 3])


def test_close_values_are_brought_to_about_a_million_and_back_exactly():
    """Columns without close values, and those of categories, stay as they are."""
    rng = np.random.default_rng(0)
    far, close = rng.permutation(12).astype(float), rng.permutation(12) * 1e-6 + 3e-7
    signed = np.append(-1e-4 - close[:6], close[6:])
    X = np.column_stack([far, close, signed, close, close + 1e7, close])
    X[3, 5] = np.nan
    larger, exponents = magnified_columns(X, np.array([0, 0, 0, 2, 0, 0]))
    assert (exponents[[0, 3]] == 0).all()
    np.testing.assert_array_equal(np.ldexp(larger, -exponents), X)
    sizes = np.nanmax(np.abs(larger), axis=0)[[1, 2, 5]]
    assert ((sizes >= 2**19) & (sizes < 2**20)).all()
    assert exponents[4] == 0  # larger already


def test_rows_are_counted_by_the_size_of_their_values():
    """At a border, just below it, far off, 0 and missing."""
    far = MAX_MAGNITUDE / MAX_COLUMN_RATIO / 2
    column = [MIN_MAGNITUDE, np.nextafter(MIN_MAGNITUDE, 0), MAX_MAGNITUDE, 2 * MAX_MAGNITUDE, far]
    X = np.array([*column, -MIN_MAGNITUDE, 0.0, np.nan])[:, None]
    assert rows_by_size(X)[:, 0].tolist() == [4, 2, 2]
