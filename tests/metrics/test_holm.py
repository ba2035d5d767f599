"""Holm's adjusted p-values against their definition."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.metrics.holm import holm_adjusted


def stepwise(p_values, level):
    """Which tests Holm's procedure rejects, as the paper has it."""
    order = np.argsort(p_values, kind="stable")
    rejected = np.zeros(len(p_values), dtype=bool)
    for step, at in enumerate(order):
        if p_values[at] > level / (len(p_values) - step):
            break
        rejected[at] = True
    return rejected


def test_it_rejects_what_the_procedure_rejects():
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 10):
        for _ in range(50):
            p = rng.random(n) ** 3
            for level in (0.01, 0.05, 0.2):
                np.testing.assert_array_equal(holm_adjusted(p) <= level, stepwise(p, level))


def test_untested_are_left_out():
    np.testing.assert_array_equal(holm_adjusted([0.02, np.nan, 0.5]), [0.04, np.nan, 0.5])
    assert np.isnan(holm_adjusted([np.nan])).all()
    assert holm_adjusted([]).shape == (0,)
    assert holm_adjusted([0.7, 0.9]).tolist() == [1.0, 1.0]


def test_what_is_no_p_value():
    with pytest.raises(DataError, match=r"numbers from 0 to 1, not 1\.5"):
        holm_adjusted([0.1, 1.5])
