"""Simulated calls: each follows from its variant's key and the place of its sample alone."""

from __future__ import annotations

import numpy as np

from .._jit import jit

PER_WORD = 4  # draws of 16 bits from a word
KEY_SPREAD = 1 << 16  # probabilities times this are compared with draws


@jit
def mixed_bits(word):
    """A word of evenly spread bits (splitmix64; Steele, Lea and Flood 2014)."""
    # uint64 throughout: sums and products wrap at 2^64; with an int64 numba would take float64
    word += np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@jit
def draw_calls(keys, two, one, lost, lost_one, groups, packed):
    """Fill rows of packed calls (m, n_bytes).

    keys : (m,) uint64, one a variant
    two, one : (m, G) up to 65536: draws below `two` of the sample's group give two copies of
        allele 1, other draws below `one` give one
    lost, lost_one : (m, G) : second draws below `lost` make a call missing, those below `lost_one`
        if it has one copy
    groups : (n,) int64, of each sample
    """
    n = len(groups)
    for j in range(len(keys)):
        start = mixed_bits(keys[j])
        for at in range(packed.shape[1]):
            packed[j, at] = 0
        for i in range(n):
            # of each four samples one word decides the genotypes, the next which are missing
            if i % PER_WORD == 0:
                place = np.uint64(2 * (i // PER_WORD))
                word, other = mixed_bits(start + place), mixed_bits(start + place + np.uint64(1))
            shift = np.uint64(16 * (i % PER_WORD))
            draw = np.int64((word >> shift) & np.uint64(0xFFFF))
            fate = np.int64((other >> shift) & np.uint64(0xFFFF))
            g = groups[i]
            # codes of PLINK: 0 two copies, 1 missing, 2 one, 3 none
            code = 0 if draw < two[j, g] else (2 if draw < one[j, g] else 3)
            if fate < (lost_one[j, g] if code == 2 else lost[j, g]):
                code = 1
            # four calls a byte, the first in its lowest bits
            packed[j, i >> 2] |= np.uint8(code << (2 * (i & 3)))
