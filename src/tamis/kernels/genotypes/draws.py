"""Made-up calls: every one follows from its variant and sample alone, whatever else is drawn."""

from __future__ import annotations

import numpy as np

from .._jit import jit

PER_WORD = 4  # draws of 16 bits from a word
KEY_SPREAD = 1 << 16


@jit
def mixed_bits(word):
    """A word of evenly spread bits (splitmix64; Steele, Lea and Flood 2014)."""
    word += np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@jit
def draw_calls(keys, two, one, lost, lost_one, groups, packed):
    """Fill rows of packed calls (m, n_bytes).

    keys : (m,) uint64, one a variant
    two, one : (m, G) below 65536: of which draws of a group there are two copies, and one or two
    lost, lost_one : (m, G) : of which further draws a call is missing, and one of one copy
    groups : (n,) int64
    """
    n = len(groups)
    for j in range(len(keys)):
        start = mixed_bits(keys[j])
        for at in range(packed.shape[1]):
            packed[j, at] = 0
        for i in range(n):
            if i % PER_WORD == 0:
                place = np.uint64(2 * (i // PER_WORD))
                word, other = mixed_bits(start + place), mixed_bits(start + place + np.uint64(1))
            shift = np.uint64(16 * (i % PER_WORD))
            draw = np.int64((word >> shift) & np.uint64(0xFFFF))
            fate = np.int64((other >> shift) & np.uint64(0xFFFF))
            g = groups[i]
            code = 0 if draw < two[j, g] else (2 if draw < one[j, g] else 3)
            if fate < (lost_one[j, g] if code == 2 else lost[j, g]):
                code = 1
            packed[j, i >> 2] |= np.uint8(code << (2 * (i & 3)))
