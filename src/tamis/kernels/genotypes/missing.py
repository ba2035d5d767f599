"""Missing calls of each sample, over many variants, straight from packed bytes.

Fields of a word count side by side: two bits hold counts of three variants, four bits of fifteen, a
byte of 255. Words of a row are independent, so that every loop over them becomes vector code.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .words import CALLS_PER_WORD, LOW_BITS, last_word, load_word

PAIR_MASK = np.uint64(0x3333333333333333)  # every other field of two bits
NIBBLE_MASK = np.uint64(0x0F0F0F0F0F0F0F0F)  # every other field of four bits
# steps of three variants that fill four bits (15), and folds of those that fill a byte (255)
NIBBLE_STEPS, BYTE_FOLDS = 5, 17
# which of the four samples of a byte each row of `wide` counts: even samples, then odd ones
SAMPLE_PLACES = np.array([0, 2, 1, 3])


def count_missing(packed: np.ndarray, n: int) -> np.ndarray:
    """Missing calls of each sample (n,) int64.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
        Rows of calls.
    n : int
        Samples of a row.

    Examples
    --------
    >>> from tamis.kernels.genotypes.words import pack_calls
    >>> count_missing(pack_calls(np.array([[0, 1, 2, 3, 1], [1, 1, 0, 0, 0]])), 5).tolist()
    [1, 2, 0, 0, 1]
    """
    words = -(-packed.shape[1] // 8)
    counts = np.zeros((words * CALLS_PER_WORD // 4, 4), dtype=np.int64)
    _count_samples(packed.reshape(-1), packed.shape[1], len(packed), counts)
    ordered = np.empty_like(counts)
    ordered[:, SAMPLE_PLACES] = counts
    return ordered.reshape(-1)[:n]  # bits after sample n may be anything


@jit
def _count_samples(flat, n_bytes, m, counts):
    full_words, rest = n_bytes // 8, n_bytes % 8
    words = full_words + (rest > 0)
    even, odd = np.zeros(words, dtype=np.uint64), np.zeros(words, dtype=np.uint64)
    wide = np.zeros((4, words), dtype=np.uint64)
    # steps held in fields of four bits, folds in bytes; variants before j have been read
    steps, folds = 0, 0
    j = 0
    while j < m:
        first = j * n_bytes
        if j + 3 <= m:
            second, third = first + n_bytes, first + 2 * n_bytes
            # three rows at once: at most 3 a field, and one pass over `even` and `odd` for all
            for w in range(full_words):
                three = (
                    _missing_bits(load_word(flat, first + 8 * w))
                    + _missing_bits(load_word(flat, second + 8 * w))
                    + _missing_bits(load_word(flat, third + 8 * w))
                )
                even[w] += three & PAIR_MASK
                odd[w] += (three >> np.uint64(2)) & PAIR_MASK
            if rest:  # eight bytes from here would reach into the next row, or beyond the last
                three = np.uint64(0)
                for k in range(3):
                    three += _missing_bits(
                        last_word(flat, first + k * n_bytes + 8 * full_words, rest)
                    )
                even[full_words] += three & PAIR_MASK
                odd[full_words] += (three >> np.uint64(2)) & PAIR_MASK
            j += 3
        else:  # one or two rows are left
            for w in range(words):
                if w < full_words:
                    one = _missing_bits(load_word(flat, first + 8 * w))
                else:
                    one = _missing_bits(last_word(flat, first + 8 * full_words, rest))
                even[w] += one & PAIR_MASK
                odd[w] += (one >> np.uint64(2)) & PAIR_MASK
            j += 1
        steps += 1
        # fields of four bits are full (15) or the rows at an end: add them to bytes
        if steps == NIBBLE_STEPS or j >= m:
            for w in range(words):
                wide[0, w] += even[w] & NIBBLE_MASK
                wide[1, w] += (even[w] >> np.uint64(4)) & NIBBLE_MASK
                wide[2, w] += odd[w] & NIBBLE_MASK
                wide[3, w] += (odd[w] >> np.uint64(4)) & NIBBLE_MASK
                even[w], odd[w] = np.uint64(0), np.uint64(0)
            steps = 0
            folds += 1
        # bytes are full (255) or the rows at an end: add them to the counts
        if folds == BYTE_FOLDS or j >= m:
            for s in range(4):
                for w in range(words):
                    word = wide[s, w]
                    for t in range(8):
                        counts[8 * w + t, s] += np.int64(word & np.uint64(255))
                        word >>= np.uint64(8)
                    wide[s, w] = np.uint64(0)
            folds = 0


@jit
def _missing_bits(word):
    """Ones in the lower bits of the calls that are missing, which have the code 01."""
    return word & ~(word >> np.uint64(1)) & LOW_BITS
