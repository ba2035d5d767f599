"""Sorted lanes against a plain sort of pairs, and groups of parts against the masks behind them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from kernels.hostile_tables import hostile_tables
from tamis.kernels.sorted_classes import (
    MISSING_CODE,
    MOST_CODES,
    empty_lanes,
    part_groups,
    sort_lanes,
)


@settings(max_examples=60, deadline=None)
@given(hostile_tables())
def test_groups_tell_the_rows_and_classes_of_every_part(table):
    _, y, n_classes, mask = table
    done = 0
    for group in part_groups(mask, y, n_classes):
        assert group.first == done
        assert len(group.members) == 1 or group.codes.max(initial=0) < MOST_CODES
        for part, members in zip(mask[done:], group.members, strict=False):
            told = [[(1 << c) & int(label) != 0 for c in group.codes] for label in members]
            for label, rows in enumerate(told):
                assert np.array_equal(group.rows[rows], np.flatnonzero(part & (y == label)))
        done += len(group.members)
    assert done == len(mask)


@settings(max_examples=60, deadline=None)
@given(hostile_tables(), st.integers(1, MOST_CODES))
def test_equals_a_sort_of_pairs(table, n_codes):
    X = table[0]
    n, w = len(X), 64
    codes = np.random.default_rng(n).integers(0, n_codes, n)
    lanes, lost = empty_lanes(n), np.empty(w)
    values, _, _, kinds = lanes
    sort_lanes(X, 0, np.arange(n), codes, *lanes, lost)
    for j in range(min(w, X.shape[1])):
        if lost[j] == 0:
            pairs = sorted((x, c) for x, c in zip(X[:, j], codes, strict=True) if x == x)
            known = kinds[:, j] != MISSING_CODE
            assert known.tolist() == [True] * len(pairs) + [False] * (n - len(pairs))
            ours = sorted(zip(values[known, j], kinds[known, j], strict=True))
            assert [x for x, _ in ours] == values[known, j].tolist()
            assert ours == pairs
    assert (kinds[:, X.shape[1] :] == MISSING_CODE).all()


def test_values_without_room_are_told():
    X = np.array([[0.0, 1.0, 1e-20, 1e20, np.inf, np.nan, 5e-324], [1.0] * 7])
    lanes, lost = empty_lanes(2), np.empty(64)
    sort_lanes(X, 0, np.arange(2), np.array([0, 15]), *lanes, lost)
    assert (lost[:7] > 0).tolist() == [False, False, True, True, True, False, True]
    sort_lanes(X, 0, np.arange(2), np.array([0, 1]), *lanes, lost)
    assert (lost[:7] > 0).tolist() == [False, False, False, False, True, False, True]
