"""Sets as two arrays read like a tuple of tuples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.interactions.sets.flat_sets import FlatSets

many = st.lists(st.lists(st.integers(0, 9), max_size=4).map(tuple), max_size=6).map(tuple)


@given(many, st.slices(6))
def test_read_like_a_tuple_of_tuples(sets, some):
    flat = FlatSets.of(sets)
    assert flat == sets
    assert sets == flat
    assert flat == FlatSets.of(flat)
    assert flat != (*sets, ())
    assert (tuple(flat), len(flat), repr(flat), hash(flat)) == (
        sets,
        len(sets),
        repr(sets),
        hash(sets),
    )
    assert flat[some] == sets[some]
    assert [flat[s] for s in range(-len(sets), len(sets))] == [*sets, *sets]
    assert all(one in flat for one in sets)
    assert FlatSets.of(flat) is flat
    with pytest.raises(IndexError):
        flat[len(sets)]


@given(many, many)
def test_some_of_them_and_several_together(sets, others):
    flat = FlatSets.of(sets)
    backwards = np.arange(len(sets))[::-1]
    assert flat.take(backwards) == sets[::-1]
    assert FlatSets.joined([flat, FlatSets.of(others)]) == sets + others
    assert flat.sizes.tolist() == [len(one) for one in sets]
    assert flat.holders.tolist() == [s for s, one in enumerate(sets) for _ in one]
