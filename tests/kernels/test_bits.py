"""Packed rows and columns against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels import _bits
from tamis.kernels._jit import jit

WIDTHS = [1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200]  # around bytes and words
seeds = st.integers(0, 2**32 - 1)


@jit
def ones_and_lowest(word):
    return _bits.count_ones(word), _bits.lowest_one(word)


def random_table(seed, n, p):
    rng = np.random.default_rng(seed)
    return rng.random((n, p)) < rng.choice([0.0, 0.1, 0.5, 1.0])


def unpacked(words, p):
    """The bits of each row, by Python's own whole numbers."""
    return np.array([[(int(row[j // 64]) >> (j % 64)) & 1 for j in range(p)] for row in words])


@given(st.integers(1, 2**64 - 1))
def test_ones_of_a_word(word):
    ones, lowest = ones_and_lowest(np.uint64(word))
    assert ones == word.bit_count()
    assert 2 ** int(lowest) == word & -word


def test_every_single_bit_and_the_empty_word():
    for place in range(64):
        assert ones_and_lowest(np.uint64(1 << place)) == (1, place)
    assert ones_and_lowest(np.uint64(0))[0] == 0
    assert [_bits.words_for(n) for n in (0, 1, 64, 65, 128)] == [0, 1, 1, 2, 2]


@pytest.mark.parametrize("p", WIDTHS)
@pytest.mark.parametrize("kind", [bool, np.uint8])
def test_packing(p, kind):
    X = random_table(p, 5, p)
    words = _bits.pack_rows(X.astype(kind))
    assert words.shape == (5, _bits.words_for(p))
    assert words.dtype == np.uint64
    np.testing.assert_array_equal(unpacked(words, 64 * words.shape[1])[:, :p], X)
    assert not unpacked(words, 64 * words.shape[1])[:, p:].any()
    packed = np.packbits(X, axis=1, bitorder="little")
    np.testing.assert_array_equal(_bits.words_of_bytes(packed, p), words)


@pytest.mark.parametrize("p", WIDTHS)
def test_packing_of_places_in_any_order(p):
    X = random_table(p + 1, 6, p)
    X[2] = False
    rng = np.random.default_rng(p)
    places = [rng.permutation(np.flatnonzero(row)) for row in X]
    starts = np.cumsum([0, *map(len, places)])
    words = _bits.pack_places(np.concatenate(places), starts, p)
    np.testing.assert_array_equal(words, _bits.pack_rows(X))


@settings(max_examples=30)
@given(seeds)
def test_a_block_turned_is_the_matrix_transposed(seed):
    block = np.random.default_rng(seed).integers(0, 2**64, 64, dtype=np.uint64)
    turned = block.copy()
    _bits.transpose_block(turned)
    np.testing.assert_array_equal(unpacked(turned[:, None], 64), unpacked(block[:, None], 64).T)
    _bits.transpose_block(turned)
    np.testing.assert_array_equal(turned, block)


@settings(max_examples=60)
@given(
    seeds,
    st.sampled_from(WIDTHS),
    st.lists(st.sampled_from([1, 2, 63, 64, 65, 130]), min_size=1, max_size=4),
)
def test_columns_of_classes(seed, p, sizes):
    """Rows may be left out or count twice, as in a bootstrap sample."""
    rng = np.random.default_rng(seed)
    X = random_table(seed, 40, p)
    members = rng.integers(0, 40, sum(sizes))
    starts = np.cumsum([0, *sizes])
    words = np.cumsum([0, *(_bits.words_for(n) for n in sizes)])
    columns = _bits.columns_of_rows(_bits.pack_rows(X), members, starts, words)
    assert columns.shape == (64 * _bits.words_for(p), words[-1])
    assert not columns[p:].any()
    counts = _bits.count_columns(columns, words)
    for c in range(len(sizes)):
        mine = X[members[starts[c] : starts[c + 1]]].T
        np.testing.assert_array_equal(columns[:p, words[c] : words[c + 1]], _bits.pack_rows(mine))
        np.testing.assert_array_equal(counts[c, :p], mine.sum(axis=1))
