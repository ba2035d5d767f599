"""Calls of a VCF's lines straight from their text.

A line that is not as it must be loses its calls and is marked; the next begins behind its newline,
which every line has, so that no loop needs to look for the end of the bytes.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .gt_codes import BROKEN, CALLED, MANY, NO_CALL, NO_GT, code_of, fill_missing

TAB, NEWLINE, RETURN, COLON = 9, 10, 13, 58
ZERO, ONE, NINE, SLASH, BAR, COMMA = 48, 49, 57, 47, 124, 44
G, T = 71, 84
FIELDS = 9  # before the samples
MOST_DIGITS = 18


@jit
def parse_lines(flat, first, last, n, rows, spans, position, state):
    """Read the lines from `first` to `last`, behind whose last newline 8 bytes more are there.

    Filled in a record: rows (m, bytes), spans (m, 4, 2) of chromosome, id, REF and ALT, positions
    (m,) and states (m,). Returns how many records there are: empty lines are none.
    """
    j, at = 0, first
    while at < last:
        if flat[at] == NEWLINE or (flat[at] == RETURN and flat[at + 1] == NEWLINE):
            at += 1 if flat[at] == NEWLINE else 2
            continue
        row = rows[j]
        state[j], at = _parse_line(flat, at, n, row, spans[j], position, j)
        if state[j] != CALLED:
            fill_missing(row, n)
        if state[j] == BROKEN:
            spans[j, :, 1] = 0
            position[j] = 0
        while flat[at] != NEWLINE:
            at += 1
        at += 1
        j += 1
    return j


@jit
def _parse_line(flat, at, n, row, spans, position, j):
    """What became of a line, and where its reading stopped."""
    gt = -1
    for k in range(FIELDS):
        begin = at
        while flat[at] != TAB and flat[at] != NEWLINE:
            at += 1
        if flat[at] == NEWLINE or at == begin:
            return BROKEN, at
        if k == 0:
            spans[0, 0], spans[0, 1] = begin, at - begin
        elif k == 1:
            position[j] = _whole_number_at(flat, begin, at)
            if position[j] < 0:
                return BROKEN, at
        elif k <= 4:
            spans[k - 1, 0], spans[k - 1, 1] = begin, at - begin
        elif k == 8:
            gt = _find_gt(flat, begin, at)
        at += 1
    if gt < 0:
        return NO_GT, at
    for k in range(spans[3, 0], spans[3, 0] + spans[3, 1]):
        if flat[k] == COMMA:
            return MANY, at
    byte, shift = 0, 0
    for i in range(n):
        for _ in range(gt):
            while flat[at] != COLON and flat[at] != TAB and flat[at] != NEWLINE:
                at += 1
            if flat[at] == COLON:
                at += 1
        code, at = _read_gt(flat, at)
        while flat[at] != TAB and flat[at] != NEWLINE:
            at += 1
        if (flat[at] == NEWLINE) != (i == n - 1):
            return BROKEN, at
        if i < n - 1:
            at += 1
        byte |= code << shift
        shift += 2
        if shift == 8:
            row[i >> 2] = byte
            byte, shift = 0, 0
    if shift:
        row[n >> 2] = byte
    return CALLED, at


@jit
def _whole_number_at(flat, begin, end):
    """A whole number, -1 where there is none."""
    if end - begin > MOST_DIGITS:
        return -1
    found = 0
    for k in range(begin, end):
        if flat[k] < ZERO or flat[k] > NINE:
            return -1
        found = 10 * found + (flat[k] - ZERO)
    return found


@jit
def _find_gt(flat, begin, end):
    """Which of the parts between colons is GT, -1 where none is."""
    part, start = 0, begin
    for k in range(begin, end + 1):
        if k == end or flat[k] == COLON:
            if k - start == 2 and flat[start] == G and flat[start + 1] == T:
                return part
            part += 1
            start = k + 1
    return -1


@jit
def _ends_field(letter):
    return letter in (TAB, NEWLINE, COLON, RETURN)


@jit
def _read_gt(flat, at):
    """Code of what is written at `at`, and where its reading stopped."""
    left, middle, right = flat[at], flat[at + 1], flat[at + 2]
    plain = left in (ZERO, ONE) and middle in (BAR, SLASH)
    if plain and right in (ZERO, ONE) and _ends_field(flat[at + 3]):
        return code_of(2, np.int64(left & 1) + np.int64(right & 1)), at + 3
    copies, ones = 0, np.int64(0)
    if flat[at] == BAR or flat[at] == SLASH:  # VCF 4.4 may say how the first is phased
        at += 1
    while True:
        letter = flat[at]
        if letter in (ZERO, ONE) and not ZERO <= flat[at + 1] <= NINE:
            copies += 1
            ones += np.int64(letter & 1)
            at += 1
        else:
            return NO_CALL, at
        if _ends_field(flat[at]):
            return code_of(copies, ones), at
        if flat[at] != BAR and flat[at] != SLASH:
            return NO_CALL, at
        at += 1
