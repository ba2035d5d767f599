"""Calls packed, unpacked and counted, beside plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.genotypes.counts import MISSING_CALL, NO_COPY, ONE_COPY, TWO_COPIES, count_groups
from tamis.kernels.genotypes.words import masks_of, pack_calls, unpack_calls

CODES = {TWO_COPIES: 0, ONE_COPY: 2, NO_COPY: 3, MISSING_CALL: 1}  # as .bed has them


def plain_counts(codes, groups, n_groups):
    return np.array(
        [
            [[(row[groups == g] == CODES[k]).sum() for k in range(4)] for g in range(n_groups)]
            for row in codes
        ]
    ).reshape(len(codes), n_groups, 4)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 140), st.integers(1, 9), st.integers(1, 4))
def test_counts_are_those_of_plain_loops(seed, n, m, n_groups):
    rng = np.random.default_rng(seed)
    codes, groups = rng.integers(0, 4, (m, n)), rng.integers(-1, n_groups, n)
    packed = pack_calls(codes)
    np.testing.assert_array_equal(unpack_calls(packed, n), codes)
    found = count_groups(packed, masks_of(groups, n_groups))
    np.testing.assert_array_equal(found, plain_counts(codes, groups, n_groups))


def test_bits_behind_the_last_sample_do_not_count():
    codes = np.random.default_rng(0).integers(0, 4, (5, 37))
    packed = pack_calls(codes)
    dirty = packed | np.array([0] * 9 + [0b11111100], dtype=np.uint8)
    masks = masks_of(np.zeros(37, dtype=int), 1)
    np.testing.assert_array_equal(count_groups(dirty, masks), count_groups(packed, masks))


def test_a_row_is_not_read_beyond_its_end():
    """The last row of a map ends where the file ends: bytes behind it may not exist."""
    codes = np.random.default_rng(1).integers(0, 4, (3, 29))
    packed = pack_calls(codes)
    room = np.full(packed.size + 64, 0xFF, dtype=np.uint8)
    room[: packed.size] = packed.ravel()
    inside = room[: packed.size].reshape(packed.shape)
    masks = masks_of(np.zeros(29, dtype=int), 1)
    np.testing.assert_array_equal(count_groups(inside, masks), count_groups(packed, masks))


def test_groups_may_share_samples():
    codes = np.random.default_rng(2).integers(0, 4, (4, 70))
    masks = np.concatenate([masks_of(np.zeros(70, int), 1), masks_of(np.arange(70) % 2, 2)])
    everyone, first, second = count_groups(pack_calls(codes), masks).transpose(1, 0, 2)
    np.testing.assert_array_equal(everyone, first + second)


def test_a_copy_of_a_bed_by_bed_reader_is_packed_alike():
    """The first sample has the lowest bits: 00 01 10 11 are 0, 1, 2, 3."""
    assert pack_calls(np.array([[3, 2, 1, 0], [0, 0, 0, 3]])).tolist() == [
        [0b00011011],
        [0b11000000],
    ]
