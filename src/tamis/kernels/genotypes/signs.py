"""Random signs that are never stored: bit k of the stream of a column is its sign for output k.

Each column has its own stream (splitmix64; Steele, Lea and Flood 2014), which starts at a word of
the stream of the key. A sign therefore depends on key, column and output alone, and blocks of
variants may be made in any order. A bit of 1 is +1, of 0 -1.
"""

from __future__ import annotations

import numpy as np

from .._bits import WORD_BITS, count_ones
from .._jit import jit
from .draws import mixed_bits

SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)  # by which splitmix64 advances its state
LANE_WORDS = 8  # words side by side, on which the same operation is done at once: 512 bits


@jit
def start_of(key, column):
    """State at which the stream of a column begins."""
    # splitmix64 is a counter that is mixed: word b of a stream is known without those before it
    return mixed_bits(key + np.uint64(column) * SPLITMIX_STEP)


@jit
def transpose_lanes(block):
    """Transpose eight blocks of 64 words side by side (64, 8), as `_bits.transpose_block` does one.

    Warren, Hacker's Delight, section 7-3.
    """
    half, mask = 32, np.uint64(0x00000000FFFFFFFF)
    while half > 0:
        # in every square of 2 half words and bits, the high bits of the first half of the words and
        # the low bits of the second change places; `mask` has the low half of every 2 half bits
        shift = np.uint64(half)
        for k in range(0, 64, 2 * half):
            for i in range(k, k + half):
                for t in range(LANE_WORDS):  # the innermost loop, a vector
                    swap = ((block[i, t] >> shift) ^ block[i + half, t]) & mask
                    block[i, t] ^= swap << shift
                    block[i + half, t] ^= swap
        half >>= 1
        mask ^= mask << np.uint64(half)  # 0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF, ...


@jit
def fill_signs(key, first, signs):
    """Signs (m, n_outputs) of the columns from `first` on, as numbers +1 and -1."""
    n_columns, n_outputs = signs.shape
    for j in range(n_columns):
        start = start_of(key, first + j)
        for b in range((n_outputs + WORD_BITS - 1) // WORD_BITS):
            word = mixed_bits(start + np.uint64(b) * SPLITMIX_STEP)
            for k in range(WORD_BITS * b, min(WORD_BITS * b + WORD_BITS, n_outputs)):
                signs[j, k] = 1.0 if (word >> np.uint64(k & 63)) & np.uint64(1) else -1.0


@jit
def fill_panels(key, first, m, group, panels, ones):
    """Signs of m variants for the 512 outputs of a group, packed as words of 64 variants.

    No two groups write to the same output, so that each may be a task of its own.

    Parameters
    ----------
    key : uint64
    first : int
        Number of the first of the variants.
    m, group : int
    panels : ndarray of shape (P, words, K, outputs) of uint64
        Filled. A variant has K columns, one for each kind c of indicator; bit i of word w of kind c
        is the sign of column K (first + 64 w + i) + c, and 0 from variant m on.
    ones : ndarray of shape (P * outputs,) of int64
        The number of +1 is added to that of each output.
    """
    n_panels, n_words, kinds, wide = panels.shape
    block = np.empty((WORD_BITS, LANE_WORDS), dtype=np.uint64)
    base = group * LANE_WORDS * WORD_BITS  # the first output of the group; the last may have fewer
    end = min(n_panels * wide, base + LANE_WORDS * WORD_BITS)
    for w in range(n_words):
        for c in range(kinds):
            # row i, word t: the signs of variant i for the outputs base + 64 t + 0..63. Transposed,
            # row k and word t have output base + 64 t + k, a bit a variant
            for i in range(WORD_BITS):
                start = start_of(key, kinds * (first + WORD_BITS * w + i) + c)
                for t in range(LANE_WORDS):
                    block[i, t] = mixed_bits(
                        start + np.uint64(group * LANE_WORDS + t) * SPLITMIX_STEP
                    )
                if WORD_BITS * w + i >= m:  # zeros, or `ones` would count signs of no variant
                    block[i, :] = np.uint64(0)
            transpose_lanes(block)
            for k in range(base, end):
                word = block[k & 63, (k - base) >> 6]
                panels[k // wide, w, c, k % wide] = word
                ones[k] += np.int64(count_ones(word))
