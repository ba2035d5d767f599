"""Packed calls transposed: from rows by variant to words by sample."""

from __future__ import annotations

from .._jit import jit
from .signs import LANE_WORDS, transpose_lanes
from .words import CALLS_PER_WORD, last_word, load_word

CHUNK_SAMPLES = LANE_WORDS * CALLS_PER_WORD  # samples that are transposed at once


@jit
def turn_calls(flat, n_bytes, first, there, at, block):
    """Transpose the calls of up to 64 variants and the 256 samples from `at` on.

    Parameters
    ----------
    flat : ndarray of uint8
        Rows of `n_bytes` each, one after the other.
    n_bytes, first, there, at : int
        The row of the first variant; how many variants; the first sample, a multiple of four.
    block : ndarray of shape (64, LANE_WORDS) of uint64
        Is filled: sample at + s has the lower bits of its calls in block[i, t], the upper bits in
        block[i + 1, t], with t = s // 32 and i = 2 (s % 32); zeros where there is no variant.
    """
    for i in range(there):
        row = (first + i) * n_bytes
        for t in range(LANE_WORDS):
            byte = (at >> 2) + 8 * t  # four calls a byte, 32 a word
            if byte + 8 <= n_bytes:
                block[i, t] = load_word(flat, row + byte)
            else:  # eight bytes would reach into the next row, or beyond the last
                block[i, t] = last_word(flat, row + byte, max(n_bytes - byte, 0))
    for i in range(there, 64):
        block[i, :] = 0
    transpose_lanes(block)
