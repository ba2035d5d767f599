"""Powers of two that stand in for the units of columns."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.kernels.units import (
    APART,
    column_magnitudes,
    column_units,
    in_units,
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
    assert near[0, 3] / APART == pytest.approx(1, rel=1)
    assert near[0, 4] * APART == pytest.approx(1, rel=1)
    assert np.isfinite(near**4).all()
