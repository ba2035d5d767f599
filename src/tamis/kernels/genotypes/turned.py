"""Packed calls turned: from rows of a variant to words of a sample."""

from __future__ import annotations

from .._jit import jit
from .signs import LANE_WORDS, transpose_lanes
from .words import CALLS_PER_WORD, last_word, load_word

CHUNK_SAMPLES = LANE_WORDS * CALLS_PER_WORD  # samples that are turned at once


@jit
def turn_calls(flat, n_bytes, first, there, at, block):
    """Calls of up to 64 variants of the 256 samples from `at` on.

    Parameters
    ----------
    flat : ndarray of uint8
        Rows of `n_bytes` each, one behind the other.
    n_bytes, first, there, at : int
        The row of the first variant; how many variants; the first sample, a multiple of four.
    block : ndarray of shape (64, LANES) of uint64
        Is filled: sample s from `at` on has the lower bits of its calls in block[i, t], the upper
        ones in block[i + 1, t], t = s // 32 and i = 2 (s % 32); zeros behind the variants there.
    """
    for i in range(there):
        row = (first + i) * n_bytes
        for t in range(LANE_WORDS):
            byte = (at >> 2) + 8 * t
            if byte + 8 <= n_bytes:
                block[i, t] = load_word(flat, row + byte)
            else:
                block[i, t] = last_word(flat, row + byte, max(n_bytes - byte, 0))
    for i in range(there, 64):
        block[i, :] = 0
    transpose_lanes(block)
