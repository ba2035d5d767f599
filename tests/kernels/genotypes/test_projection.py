"""Sums of signs over packed calls, beside a matrix of signs written out in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels._bits import transpose_block
from tamis.kernels.genotypes.projection import PackedProjection
from tamis.kernels.genotypes.signs import LANE_WORDS, fill_signs, transpose_lanes
from tamis.kernels.genotypes.table_projection import project_table
from tamis.kernels.genotypes.turned import CHUNK_SAMPLES, turn_calls
from tamis.kernels.genotypes.words import bytes_for, pack_calls

ALL = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
COPIES = np.array([2, -1, 1, 0])


def splitmix(state, n):
    """The first n words of the generator begun at a state."""
    words = []
    for _ in range(n):
        state = (state + STEP) & ALL
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & ALL
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & ALL
        words.append(z ^ (z >> 31))
    return words


def plain_signs(key, n_columns, n_outputs):
    """(n_columns, n_outputs) of -1 and 1."""
    rows = []
    for start in splitmix(key, n_columns):
        words = splitmix(start, -(-n_outputs // 64))
        rows.append([1 if words[k // 64] >> (k % 64) & 1 else -1 for k in range(n_outputs)])
    return np.array(rows, dtype=np.int64).reshape(n_columns, n_outputs)


def plain_columns(codes, fill, by_genotype):
    """Columns (n, p) or (n, 3 p) of codes (p, n)."""
    copies = COPIES[codes]
    copies = np.where(copies < 0, fill[:, None], copies)
    if not by_genotype:
        return copies.T
    return np.stack([copies == 2, copies == 1, copies == 0], axis=1).reshape(-1, codes.shape[1]).T


def in_order(tasks):
    for task in tasks:
        task()


def backwards(tasks):
    for task in list(tasks)[::-1]:
        task()


def test_the_generator_is_splitmix64():
    # the first words from state 1234567, as they stand in many descriptions of it
    assert splitmix(1234567, 3) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@given(st.integers(0, ALL), st.integers(0, 10**9), st.integers(1, 5), st.integers(1, 200))
def test_signs_of_a_column_follow_from_its_number(key, first, m, n_outputs):
    found = np.empty((m, n_outputs))
    fill_signs(np.uint64(key), first, found)
    starts = [splitmix((key + (first + j) * STEP) & ALL, 1)[0] for j in range(m)]
    for row, start in zip(found, starts, strict=True):
        words = splitmix(start, -(-n_outputs // 64))
        bits = [words[k // 64] >> (k % 64) & 1 for k in range(n_outputs)]
        assert row.tolist() == [2 * bit - 1 for bit in bits]


def test_signs_are_even_and_know_nothing_of_each_other():
    signs = np.empty((4096, 1024))
    fill_signs(np.uint64(7), 0, signs)
    assert abs(signs.mean()) < 5 / 2048
    for side in (signs, signs.T):
        spread = side.mean(axis=1) * np.sqrt(side.shape[1])
        assert np.abs(spread).max() < 5.5
        assert spread.std() == pytest.approx(1, abs=0.1)
        near = (side[1:] * side[:-1]).mean(axis=1) * np.sqrt(side.shape[1])  # neighbours
        assert np.abs(near).max() < 5.5
    others = np.empty_like(signs)
    fill_signs(np.uint64(8), 0, others)
    assert abs((signs * others).mean()) < 5 / 2048


def test_lanes_are_turned_as_single_blocks():
    block = np.random.default_rng(0).integers(0, ALL, (64, 8), dtype=np.uint64, endpoint=True)
    single = block.copy()
    for t in range(8):
        column = single[:, t].copy()
        transpose_block(column)
        single[:, t] = column
    transpose_lanes(block)
    np.testing.assert_array_equal(block, single)


@pytest.mark.parametrize("n", [1, 5, 32, 33, 100, 257])
def test_words_beyond_the_last_byte_of_a_row_are_zero(n):
    """Rows of ones, one after the other: what is read beyond one's end is of the next."""
    packed = np.full((3, bytes_for(n)), 255, dtype=np.uint8)
    for at in range(0, n, CHUNK_SAMPLES):
        block = np.full((64, LANE_WORDS), 7, dtype=np.uint64)
        turn_calls(packed.ravel(), packed.shape[1], 1, 2, at, block)
        for s in range(CHUNK_SAMPLES):
            there = at + s < 4 * packed.shape[1]
            rows = block[2 * (s % 32) : 2 * (s % 32) + 2, s // 32]
            assert rows.tolist() == [3 if there else 0] * 2  # of two variants


@settings(max_examples=60)
@given(
    st.integers(0, 2**32),
    st.integers(1, 300),
    st.integers(1, 200),
    st.integers(1, 90),
    st.booleans(),
    st.integers(1, 200),
    st.sampled_from([0.0, 0.1, 1.0]),
    st.booleans(),
)
def test_sums_are_those_of_the_matrix(seed, n, p, n_outputs, by_genotype, width, missing, some):
    rng = np.random.default_rng(seed)
    codes = rng.choice([0, 2, 3], (p, n))
    codes[rng.random(codes.shape) < missing] = 1
    packed, fill = pack_calls(codes), rng.integers(0, 3, p).astype(np.int8)
    packed[:, -1] |= np.uint8(256 - (1 << (2 * ((n - 1) % 4 + 1))))  # bits behind the last sample
    rows = rng.permutation(n)[: rng.integers(1, n + 1)] if some else np.arange(n)
    place = np.full(n, -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    key = int(rng.integers(2**63)) * 2 + 1
    signs = plain_signs(key, (3 if by_genotype else 1) * p, n_outputs)
    expected = plain_columns(codes, fill, by_genotype)[rows] @ signs
    blocks = list(range(0, p, width))
    rng.shuffle(blocks)
    projection = PackedProjection(place, n_outputs, np.uint64(key), by_genotype)
    for first in blocks:
        own = slice(first, first + width)
        projection.add(packed[own], first, fill[own], backwards if seed % 2 else in_order)
    found = projection.sums()
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(projection.sums(7.0), expected / 7.0)


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(1, 40), st.sampled_from([1, 63, 511, 512, 513, 1100]))
def test_tables_get_the_same_signs(seed, n, p):
    rng = np.random.default_rng(seed)
    X, key = rng.integers(-9, 10, (n, p)), int(rng.integers(2**63))
    expected = X @ plain_signs(key, p, 20)
    found = project_table(X.astype(float), 20, np.uint64(key), in_order)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(
        project_table(X / 7.0, 20, np.uint64(key), backwards), expected / 7.0, atol=1e-10
    )
