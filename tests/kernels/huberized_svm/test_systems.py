"""Regions of Newton's steps: which systems are the same."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.kernels.huberized_svm.systems import Factor, no_factor, same_system

NAMES = np.array([7, 3, 9, 4])


@pytest.mark.parametrize(
    ("chosen", "elbow", "same"),
    [
        ([0, 2], [1, 5], True),
        ([0, 2], [1, 6], False),
        ([0, 2], [2, 5], False),
        ([0, 1], [1, 5], False),
        ([2, 0], [1, 5], False),
        ([0], [1, 5], False),
        ([0, 2], [1], False),
        ([0, 2, 3], [1, 5], False),
        ([0, 2], [1, 5, 6], False),
    ],
)
def test_a_system_is_that_of_its_columns_and_rows(chosen, elbow, same):
    factor = Factor(np.array([7, 9]), np.array([1, 5]), np.eye(3), np.empty(0), False)
    assert same_system(factor, NAMES, np.array(chosen), np.array(elbow)) == same
    assert not same_system(no_factor(), NAMES, np.array(chosen), np.array(elbow))
