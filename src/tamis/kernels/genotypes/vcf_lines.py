"""Calls of a VCF's lines straight from their text.

A line that breaks the format loses its calls and is marked; the next begins after its newline. All
lines have one, so that no loop needs to check for the end of the bytes.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .gt_codes import (
    NO_CALL,
    RECORD_BROKEN,
    RECORD_CALLED,
    RECORD_MULTIALLELIC,
    RECORD_WITHOUT_GT,
    code_of,
    fill_missing,
)

TAB_BYTE, NEWLINE_BYTE, RETURN_BYTE, COLON_BYTE = 9, 10, 13, 58
ZERO_BYTE, ONE_BYTE, NINE_BYTE, SLASH_BYTE, BAR_BYTE, COMMA_BYTE = 48, 49, 57, 47, 124, 44
G_BYTE, T_BYTE = 71, 84
# before the samples: CHROM, POS, ID, REF, ALT, QUAL, FILTER, INFO, FORMAT
N_FIXED_FIELDS = 9
MOST_DIGITS = 18  # of a number that fits int64


@jit
def parse_lines(flat, first, last, n, rows, spans, position, state):
    """Read the lines from `first` to `last`; 8 more bytes must follow the last newline.

    Filled for each record: rows (m, bytes), spans (m, 4, 2) of chromosome, id, REF and ALT,
    positions (m,) and states (m,). Returns the number of records; empty lines do not count.
    """
    j, at = 0, first
    while at < last:
        if flat[at] == NEWLINE_BYTE or (flat[at] == RETURN_BYTE and flat[at + 1] == NEWLINE_BYTE):
            at += 1 if flat[at] == NEWLINE_BYTE else 2
            continue
        row = rows[j]
        state[j], at = _parse_line(flat, at, n, row, spans[j], position, j)
        if state[j] != RECORD_CALLED:
            fill_missing(row, n)
        if state[j] == RECORD_BROKEN:
            spans[j, :, 1] = 0
            position[j] = 0
        while flat[at] != NEWLINE_BYTE:  # what was not read of a line without calls
            at += 1
        at += 1
        j += 1
    return j


@jit
def _parse_line(flat, at, n, row, spans, position, j):
    """The state of a line's record, whose calls and spans are filled, and where reading stopped."""
    gt = -1
    for k in range(N_FIXED_FIELDS):
        begin = at
        while flat[at] != TAB_BYTE and flat[at] != NEWLINE_BYTE:
            at += 1
        if flat[at] == NEWLINE_BYTE or at == begin:  # too few fields, or an empty one
            return RECORD_BROKEN, at
        if k == 0:
            spans[0, 0], spans[0, 1] = begin, at - begin
        elif k == 1:
            position[j] = _integer_at(flat, begin, at)
            if position[j] < 0:
                return RECORD_BROKEN, at
        elif k <= 4:
            spans[k - 1, 0], spans[k - 1, 1] = begin, at - begin
        elif k == 8:
            gt = _find_gt(flat, begin, at)
        at += 1
    if gt < 0:
        return RECORD_WITHOUT_GT, at
    for k in range(spans[3, 0], spans[3, 0] + spans[3, 1]):  # codes have room for one ALT
        if flat[k] == COMMA_BYTE:
            return RECORD_MULTIALLELIC, at
    byte, shift = 0, 0
    for i in range(n):
        for _ in range(gt):  # skips the parts before GT; a sample may end early, without them
            while flat[at] != COLON_BYTE and flat[at] != TAB_BYTE and flat[at] != NEWLINE_BYTE:
                at += 1
            if flat[at] == COLON_BYTE:
                at += 1
        code, at = _read_gt(flat, at)
        while flat[at] != TAB_BYTE and flat[at] != NEWLINE_BYTE:
            at += 1
        # a line ends after its last sample, and not before
        if (flat[at] == NEWLINE_BYTE) != (i == n - 1):
            return RECORD_BROKEN, at
        if i < n - 1:
            at += 1
        byte |= code << shift  # the first of four samples has the lowest two bits
        shift += 2
        if shift == 8:
            row[i >> 2] = byte
            byte, shift = 0, 0
    if shift:
        row[n >> 2] = byte
    return RECORD_CALLED, at


@jit
def _integer_at(flat, begin, end):
    """The integer written from `begin` to `end`, -1 if it is none or too long."""
    if end - begin > MOST_DIGITS:
        return -1
    found = 0
    for k in range(begin, end):
        if flat[k] < ZERO_BYTE or flat[k] > NINE_BYTE:
            return -1
        found = 10 * found + (flat[k] - ZERO_BYTE)
    return found


@jit
def _find_gt(flat, begin, end):
    """Which of the parts between colons is GT, from 0 on; -1 if none is."""
    part, start = 0, begin
    for k in range(begin, end + 1):
        # the end of the field ends a part, as a colon does
        if k == end or flat[k] == COLON_BYTE:
            if k - start == 2 and flat[start] == G_BYTE and flat[start + 1] == T_BYTE:
                return part
            part += 1
            start = k + 1
    return -1


@jit
def _ends_field(letter):
    return letter in (TAB_BYTE, NEWLINE_BYTE, COLON_BYTE, RETURN_BYTE)


@jit
def _read_gt(flat, at):
    """Code of the genotype written at `at`, and where reading stopped."""
    # nearly all genotypes are two alleles 0 or 1, read without a loop. Up to two bytes beyond a
    # newline are read: of the next line, or of what follows the last.
    left, middle, right = flat[at], flat[at + 1], flat[at + 2]
    plain = left in (ZERO_BYTE, ONE_BYTE) and middle in (BAR_BYTE, SLASH_BYTE)
    if plain and right in (ZERO_BYTE, ONE_BYTE) and _ends_field(flat[at + 3]):
        # "0" is 48 and "1" 49: the lowest bit is the allele
        return code_of(2, np.int64(left & 1) + np.int64(right & 1)), at + 3
    copies, ones = 0, np.int64(0)
    if flat[at] == BAR_BYTE or flat[at] == SLASH_BYTE:  # VCF 4.4 may say how the first is phased
        at += 1
    while True:
        letter = flat[at]
        # any other allele ("10" is not 1), or a missing one, makes it no call
        if letter in (ZERO_BYTE, ONE_BYTE) and not ZERO_BYTE <= flat[at + 1] <= NINE_BYTE:
            copies += 1
            ones += np.int64(letter & 1)
            at += 1
        else:
            return NO_CALL, at
        if _ends_field(flat[at]):
            return code_of(copies, ones), at
        if flat[at] != BAR_BYTE and flat[at] != SLASH_BYTE:
            return NO_CALL, at
        at += 1
