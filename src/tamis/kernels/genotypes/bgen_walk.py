"""Where the variants of a BGEN lie: a walk from head to head, which touches no genotype.

Every length is held against the end of the file before it is followed.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit

WALK_COMPLETE, WALK_CUT, WALK_BAD_LENGTH = (
    0,
    1,
    2,
)  # what a walk ends with: its variants, the file's end, an impossible length
N_PLACES = 5  # of a variant: its head, its data, bytes of these, bytes once decompressed, alleles
N_TEXTS = 5  # of a variant: id, rs id, chromosome, its first allele and its second
DATA_HEAD = 10  # bytes of a variant's data that are there without any sample
MOST_A_SAMPLE = 253  # bytes of a sample with two alleles: one of ploidy, 63 numbers of 32 bits


@jit
def walk_variants(flat, at, n, ratio, places):
    """Fill `places` (m, 5) of int64 with the next m variants of n samples, as far as it gets.

    A compressed byte becomes `ratio` bytes at most; 0: nothing is compressed. Returns how many
    were found, where the next begins and how it ended.
    """
    end = len(flat)
    for j in range(len(places)):
        head = at
        for _ in range(3):
            if at + 2 > end:
                return j, head, WALK_CUT
            at += 2 + _two_byte_number(flat, at)
        if at + 6 > end:
            return j, head, WALK_CUT
        alleles = _two_byte_number(flat, at + 4)
        at += 6
        for _ in range(alleles):
            if at + 4 > end:
                return j, head, WALK_CUT
            at += 4 + _four_byte_number(flat, at)
        if at + 4 > end:
            return j, head, WALK_CUT
        size = _four_byte_number(flat, at)
        at += 4
        if size > end - at:
            return j, head, WALK_CUT
        raw, data, after = size, at, at + size
        if ratio:
            if size < 4:
                return j, head, WALK_BAD_LENGTH
            raw, data, size = _four_byte_number(flat, at), at + 4, size - 4
            if raw > ratio * size:
                return j, head, WALK_BAD_LENGTH
        if raw < DATA_HEAD + n or (alleles == 2 and raw > DATA_HEAD + MOST_A_SAMPLE * n):
            return j, head, WALK_BAD_LENGTH
        places[j, 0], places[j, 1], places[j, 2] = head, data, size
        places[j, 3], places[j, 4] = raw, alleles
        at = after
    return len(places), at, WALK_COMPLETE


@jit
def read_heads(flat, places, spans, position):
    """Spans (m, 5, 2) of the texts of variants that a walk found, and positions (m,)."""
    for j in range(len(places)):
        at = places[j, 0]
        for k in range(3):
            spans[j, k, 0], spans[j, k, 1] = at + 2, _two_byte_number(flat, at)
            at += 2 + _two_byte_number(flat, at)
        position[j] = _four_byte_number(flat, at)
        at += 6
        for k in range(min(places[j, 4], 2)):
            spans[j, 3 + k, 0], spans[j, 3 + k, 1] = at + 4, _four_byte_number(flat, at)
            at += 4 + _four_byte_number(flat, at)


@jit
def _two_byte_number(flat, at):
    return np.int64(flat[at]) | np.int64(flat[at + 1]) << 8


@jit
def _four_byte_number(flat, at):
    return _two_byte_number(flat, at) | _two_byte_number(flat, at + 2) << 16
