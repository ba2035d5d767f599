"""Where the variants of a BGEN lie: a walk from head to head, which reads no genotype.

Every length is checked against the end of the file before it is used.

A variant (layout 2 of BGEN, little-endian): id, rs id and chromosome, each as a length of two bytes
and the text; position (4 bytes); number of alleles (2); each allele, as a length of four bytes and
the text; number of bytes that follow (4); if compressed, the number once decompressed (4); data.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit

WALK_COMPLETE, WALK_CUT, WALK_BAD_LENGTH = (
    0,
    1,
    2,
)  # how a walk ends: all variants found, the file too short, an impossible length
# columns of `places`: first byte of the head, first byte of the data, bytes of the data in the
# file, bytes once decompressed, number of alleles
N_PLACES = 5
N_TEXTS = 5  # texts of a variant: id, rs id, chromosome, first allele, second allele
DATA_HEAD = 10  # bytes of a variant's data that do not depend on the number of samples
MOST_A_SAMPLE = 253  # bytes of a sample with two alleles: one of ploidy, 63 numbers of 32 bits


@jit
def walk_variants(flat, at, n, ratio, places):
    """Fill `places` (m, 5) int64 with the next m variants of n samples, from byte `at` on.

    A compressed byte becomes `ratio` bytes at most; 0: nothing is compressed. Returns how many
    variants were found, where the next one begins, and how the walk ended.
    """
    end = len(flat)
    for j in range(len(places)):
        head = at  # where an error is reported, and `read_heads` begins
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
        if size > end - at:  # `after` below is within the file
            return j, head, WALK_CUT
        raw, data, after = size, at, at + size
        if ratio:
            if size < 4:
                return j, head, WALK_BAD_LENGTH
            raw, data, size = _four_byte_number(flat, at), at + 4, size - 4
            if raw > ratio * size:  # a damaged length must not ask for gigabytes of memory
                return j, head, WALK_BAD_LENGTH
        # one byte of ploidy a sample at least; an upper bound is known for two alleles only
        if raw < DATA_HEAD + n or (alleles == 2 and raw > DATA_HEAD + MOST_A_SAMPLE * n):
            return j, head, WALK_BAD_LENGTH
        places[j, 0], places[j, 1], places[j, 2] = head, data, size
        places[j, 3], places[j, 4] = raw, alleles
        at = after
    return len(places), at, WALK_COMPLETE


@jit
def read_heads(flat, places, spans, position):
    """Fill `spans` (m, 5, 2), first byte and length of each text, and `position` (m,).

    `places` are those of a walk, which has checked all lengths. A variant with fewer than two
    alleles leaves the spans of those it lacks as they are.
    """
    for j in range(len(places)):
        at = places[j, 0]
        for k in range(3):
            spans[j, k, 0], spans[j, k, 1] = at + 2, _two_byte_number(flat, at)
            at += 2 + _two_byte_number(flat, at)
        position[j] = _four_byte_number(flat, at)
        at += 6  # the position, and the number of alleles, which `places` holds
        for k in range(min(places[j, 4], 2)):
            spans[j, 3 + k, 0], spans[j, 3 + k, 1] = at + 4, _four_byte_number(flat, at)
            at += 4 + _four_byte_number(flat, at)


@jit
def _two_byte_number(flat, at):
    return np.int64(flat[at]) | np.int64(flat[at + 1]) << 8


@jit
def _four_byte_number(flat, at):
    return _two_byte_number(flat, at) | _two_byte_number(flat, at + 2) << 16
