"""MDL cuts of weighted rows: those of rows given as often as they weigh."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.cuts import mdl_cuts, x_log2_x
from tamis.kernels.weighted_mdl import weighted_mdl_cuts


@given(st.integers(1, 120), st.integers(1, 4), st.integers(0, 2**32 - 1), st.floats(0, 3))
@settings(max_examples=150, deadline=None)
def test_a_row_of_weight_two_is_a_row_given_twice(n, C, seed, shift):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, C, n)
    values = np.round(rng.normal(size=n) + shift * y, int(rng.integers(0, 3)))
    order = np.argsort(values, kind="stable")
    values, y, weights = values[order], y[order], rng.integers(1, 5, n)
    repeated = mdl_cuts(
        np.repeat(values, weights), np.repeat(y, weights), C, x_log2_x(int(weights.sum()))
    )
    np.testing.assert_array_equal(weighted_mdl_cuts(values, y, weights + 0.0, C), repeated)


def test_little_weight_makes_no_cut():
    """As few rows do; there is nothing to count below a weight of one."""
    values, y = np.arange(20.0), np.arange(20) // 10
    assert weighted_mdl_cuts(values, y, np.ones(20), 2).tolist() == [9.5]
    for weight in (0.3, 1e-3, 1e-300):
        assert len(weighted_mdl_cuts(values, y, np.full(20, weight), 2)) == (weight == 0.3)
