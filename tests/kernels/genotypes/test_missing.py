"""Missing calls by sample against calls unpacked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.kernels.genotypes.missing import count_missing
from tamis.kernels.genotypes.words import bytes_for, unpack_calls


@given(
    seed=st.integers(0, 10**6),
    m=st.one_of(st.integers(1, 50), st.sampled_from([254, 255, 256, 257, 300])),
    n=st.one_of(st.integers(1, 70), st.sampled_from([128, 129, 255, 256])),
)
def test_equals_calls_unpacked(seed, m, n):
    rng = np.random.default_rng(seed)
    packed = rng.integers(0, 256, (m, bytes_for(n)), dtype=np.uint8)  # bits behind n are not zero
    wanted = (unpack_calls(packed, n) == 1).sum(axis=0)
    assert count_missing(packed, n).tolist() == wanted.tolist()


@pytest.mark.parametrize("m", [1, 14, 15, 16, 255, 256, 1000])
def test_no_field_runs_over(m):
    packed = np.full((m, 11), 0b01010101, dtype=np.uint8)
    assert count_missing(packed, 41).tolist() == [m] * 41


def test_each_call_is_counted_at_its_sample():
    for i in range(77):
        packed = np.zeros((5, 20), dtype=np.uint8)
        packed[2, i // 4] = 1 << 2 * (i % 4)
        assert np.flatnonzero(count_missing(packed, 77)).tolist() == [i]


def test_no_variants_miss_nothing():
    assert count_missing(np.empty((0, 3), dtype=np.uint8), 10).tolist() == [0] * 10
