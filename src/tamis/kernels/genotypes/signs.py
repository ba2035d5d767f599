"""Random signs that are never stored: bit k of the stream of a column is its sign for output k.

Columns have streams of their own (splitmix64; Steele, Lea and Flood 2014), begun by words of a
stream of the key, so a sign follows from key, column and output alone. A one is +1, a zero -1.
"""

from __future__ import annotations

import numpy as np

from .._bits import WORD_BITS, count_ones
from .._jit import jit
from .draws import mixed_bits

SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)  # of splitmix64
LANE_WORDS = 8  # words that stand side by side


@jit
def start_of(key, column):
    """Where the stream of a column begins."""
    return mixed_bits(key + np.uint64(column) * SPLITMIX_STEP)


@jit
def transpose_lanes(block):
    """Eight blocks of 64 words side by side (64, 8), each turned as by `_bits.transpose_block`."""
    half, mask = 32, np.uint64(0x00000000FFFFFFFF)
    while half > 0:
        shift = np.uint64(half)
        for k in range(0, 64, 2 * half):
            for i in range(k, k + half):
                for t in range(LANE_WORDS):
                    swap = ((block[i, t] >> shift) ^ block[i + half, t]) & mask
                    block[i, t] ^= swap << shift
                    block[i + half, t] ^= swap
        half >>= 1
        mask ^= mask << np.uint64(half)


@jit
def fill_signs(key, first, signs):
    """Signs (m, n_outputs) of the columns from `first` on, as numbers."""
    n_columns, n_outputs = signs.shape
    for j in range(n_columns):
        start = start_of(key, first + j)
        for b in range((n_outputs + WORD_BITS - 1) // WORD_BITS):
            word = mixed_bits(start + np.uint64(b) * SPLITMIX_STEP)
            for k in range(WORD_BITS * b, min(WORD_BITS * b + WORD_BITS, n_outputs)):
                signs[j, k] = 1.0 if (word >> np.uint64(k & 63)) & np.uint64(1) else -1.0


@jit
def fill_panels(key, first, m, group, panels, ones):
    """Signs of m variants for the 512 outputs of a group, 64 variants a word.

    Parameters
    ----------
    key : uint64
    first : int
        Of the variants.
    m, group : int
    panels : ndarray of shape (P, words, K, outputs) of uint64
        Word w of kind c of an output has the columns K (first + 64 w + i) + c; zeros behind m.
    ones : ndarray of shape (P * outputs,) of int64
        Raised by the ones of each output.
    """
    n_panels, n_words, kinds, wide = panels.shape
    block = np.empty((WORD_BITS, LANE_WORDS), dtype=np.uint64)
    base = group * LANE_WORDS * WORD_BITS
    end = min(n_panels * wide, base + LANE_WORDS * WORD_BITS)
    for w in range(n_words):
        for c in range(kinds):
            for i in range(WORD_BITS):
                start = start_of(key, kinds * (first + WORD_BITS * w + i) + c)
                for t in range(LANE_WORDS):
                    block[i, t] = mixed_bits(
                        start + np.uint64(group * LANE_WORDS + t) * SPLITMIX_STEP
                    )
                if WORD_BITS * w + i >= m:
                    block[i, :] = np.uint64(0)
            transpose_lanes(block)
            for k in range(base, end):
                word = block[k & 63, (k - base) >> 6]
                panels[k // wide, w, c, k % wide] = word
                ones[k] += np.int64(count_ones(word))
