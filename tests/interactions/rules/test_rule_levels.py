"""The level at which a condition makes a rule more accurate (Webb 2007): one in a hundred, by the
hypergeometric distribution."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from tamis.interactions.rules.tree_rules import _productive_rules


@pytest.mark.parametrize(("n", "kept"), [(22, True), (21, False)])
def test_a_condition_is_kept_at_a_level_of_one_in_a_hundred(n, kept):
    """It is met by five samples, all of the ten of a class, of 22 or of 21: .0096 and .0124."""
    p = comb(10, 5) / comb(n, 5)
    assert p == pytest.approx(0.01, rel=0.25)
    assert (p <= 0.01) == kept
    X, y = (np.arange(n) < 5).astype(float)[:, None], (np.arange(n) < 10).astype(int)
    key = (((0, ">", -1),), 1)
    found = _productive_rules({key: ((0, ">", 0.5),)}, X, y)
    assert found == ({key} if kept else set())
    # a second condition that all of these meet says nothing more
    more = (((0, ">", -1), (1, ">", -1)), 1)
    both = np.column_stack([X, np.ones(n)])
    assert not _productive_rules({more: ((0, ">", 0.5), (1, ">", 0.5))}, both, y)
