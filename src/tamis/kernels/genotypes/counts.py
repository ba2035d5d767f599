"""Genotypes of each variant counted by groups of samples, straight from packed bytes.

Three counts of ones say all of a group: of the lower bits (missing or no copy of allele 1), of the
upper ones (one copy or none), and of both (none).
"""

from __future__ import annotations

import numpy as np

from .._bits import count_ones
from .._jit import jit
from .words import last_word, load_word

TWO, ONE, NONE, MISSING = 0, 1, 2, 3  # copies of allele 1, as counts stand


def count_groups(
    packed: np.ndarray, masks: np.ndarray, counts: np.ndarray | None = None
) -> np.ndarray:
    """Counts (m, G, 4) int32: two copies of allele 1, one, none, missing.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
        Rows of calls; they may lie apart, their bytes side by side.
    masks : ndarray of shape (G, words) of uint64
        As `masks_of` makes them; of groups that share no sample, or do.
    counts : ndarray of shape (m, G, 4) of int32, or None
        To be filled.
    """
    if counts is None:
        counts = np.empty((len(packed), len(masks), 4), dtype=np.int32)
    sizes = np.unpackbits(masks.view(np.uint8), axis=1).sum(axis=1, dtype=np.int32)
    _count_rows(packed.reshape(-1), packed.shape[1], masks, sizes, counts)
    return counts


@jit
def _count_rows(flat, n_bytes, masks, sizes, counts):
    whole, rest = n_bytes // 8, n_bytes % 8
    for j in range(len(counts)):
        first = j * n_bytes
        tail = last_word(flat, first + 8 * whole, rest)
        for g in range(len(masks)):
            mask = masks[g]
            low, high, both = np.uint64(0), np.uint64(0), np.uint64(0)
            for w in range(whole):
                word = load_word(flat, first + 8 * w)
                lower, upper = word & mask[w], (word >> np.uint64(1)) & mask[w]
                low += count_ones(lower)
                high += count_ones(upper)
                both += count_ones(lower & upper)
            if rest:
                lower, upper = tail & mask[whole], (tail >> np.uint64(1)) & mask[whole]
                low += count_ones(lower)
                high += count_ones(upper)
                both += count_ones(lower & upper)
            counts[j, g, 0] = sizes[g] - np.int32(low + high - both)
            counts[j, g, 1] = np.int32(high - both)
            counts[j, g, 2] = np.int32(both)
            counts[j, g, 3] = np.int32(low - both)
