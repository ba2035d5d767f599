"""Calls of a BCF's records straight from their bytes.

A record states its length, and has no calls if anything in it points beyond that. Texts are made
readable in place: the ALT alleles of a record are joined by commas.
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

# types of values in BCF2; 0 is "missing"
INT8_TYPE, INT16_TYPE, INT32_TYPE, FLOAT_TYPE, CHAR_TYPE = 1, 2, 3, 5, 7
# bytes of a record's shared part before its texts: contig, position, length on the reference and
# QUAL of four bytes each, 16-bit numbers of INFO fields and alleles, 24 bits of the number of
# samples, 8 of that of FORMAT fields
FIXED_BYTES = 24
LENGTH_BYTES = 8  # bytes before a record: lengths of its shared part and of that of the samples
COMMA_BYTE = 44
IMPOSSIBLE_SIZE = 1 << 33  # a size above that of any record, which no check of bounds passes


@jit
def count_records(flat, last, most):
    """Count the records that are complete before `last`, up to `most`.

    Returns their number, where the next record begins, and the bytes it has, if known.
    """
    at, m = 0, 0
    while m < most and at + LENGTH_BYTES <= last:
        size = LENGTH_BYTES + _unsigned_integer(flat, at) + _unsigned_integer(flat, at + 4)
        if size > last - at:
            return m, at, size
        at += size
        m += 1
    return m, at, LENGTH_BYTES


@jit
def parse_records(flat, m, n, gt_key, dot, rows, spans, position, contig, state):
    """Read m complete records from the first byte on; 8 more bytes must follow them.

    Filled for each record: rows (m, bytes), spans (m, 3, 2) of id, REF and ALT, positions (m,),
    contigs (m,) and states (m,). `dot` is the place of a dot, which stands for missing texts.
    """
    at = 0
    for j in range(m):
        shared, own = _unsigned_integer(flat, at), _unsigned_integer(flat, at + 4)
        first = at + LENGTH_BYTES
        at = first + shared + own
        state[j] = RECORD_BROKEN  # until all of it has been read
        if shared >= FIXED_BYTES and _read_texts(flat, first, first + shared, dot, spans[j]):
            # a BCF counts positions from 0, a VCF from 1
            contig[j], position[j] = (
                _signed_integer(flat, first, 4),
                _signed_integer(flat, first + 4, 4) + 1,
            )
            alleles = np.int64(flat[first + 18]) | np.int64(flat[first + 19]) << 8
            samples = _unsigned_integer(flat, first + 20)
            if (samples & 0xFFFFFF) == n and position[j] >= 0 and alleles > 0:
                state[j] = _read_calls(flat, first + shared, at, samples >> 24, n, gt_key, rows[j])
                # codes of two bits have room for one ALT
                if alleles > 2 and state[j] == RECORD_CALLED:
                    state[j] = RECORD_MULTIALLELIC
        if state[j] != RECORD_CALLED:
            fill_missing(rows[j], n)
        if state[j] == RECORD_BROKEN:
            spans[j, :, 1] = 0
            position[j], contig[j] = 0, -1


@jit
def _read_texts(flat, first, end, dot, spans):
    """Fill the spans of id, REF and ALT; returns whether all of them lie inside the record."""
    alleles = np.int64(flat[first + 18]) | np.int64(flat[first + 19]) << 8
    at, last = first + FIXED_BYTES, 0
    for k in range(alleles + 1):  # 0 is the id, 1 REF, from 2 on ALTs, which become one text
        kind, size, at = _describe_typed(flat, at, end)
        if kind not in (0, CHAR_TYPE) or size > end - at:
            return False
        if kind == 0:
            size = 0
        if k <= 2:
            spans[k, 0], spans[k, 1], last = at, size, at + size
        # a further ALT moves down to the one before: its description takes at least a byte, so
        # that the comma fits between them and nothing is overwritten before it is read
        else:
            flat[last] = COMMA_BYTE
            for i in range(size):
                flat[last + 1 + i] = flat[at + i]
            last += 1 + size
            spans[2, 1] += 1 + size
        at += size
    if alleles < 2:  # no ALT
        spans[2, 0], spans[2, 1] = dot, 1
    for k in range(3):
        if spans[k, 1] == 0:
            spans[k, 0], spans[k, 1] = dot, 1
    return True


@jit
def _read_calls(flat, at, end, fields, n, gt_key, row):
    """Write the codes of the field GT, if there is one, to `row`; returns the record's state."""
    for _ in range(fields):
        # a field is a key, one whole number, then the type of its values and `size` of them for
        # each sample
        kind, size, at = _describe_typed(flat, at, end)
        width = _byte_width(kind)
        if size != 1 or width == 0 or width > end - at:
            return RECORD_BROKEN
        key = _signed_integer(flat, at, width)
        at += width
        kind, size, at = _describe_typed(flat, at, end)
        width = 1 if kind in (0, CHAR_TYPE) else 4 if kind == FLOAT_TYPE else _byte_width(kind)
        if width == 0 or size * width * n > end - at:
            return RECORD_BROKEN
        if key == gt_key:
            if kind not in (INT8_TYPE, INT16_TYPE, INT32_TYPE):
                return RECORD_BROKEN
            _code_calls(flat, at, size, width, n, row)
            return RECORD_CALLED
        at += size * width * n
    return RECORD_WITHOUT_GT


@jit
def _code_calls(flat, at, size, width, n, row):
    """Write the codes of n samples of `size` whole numbers each, four codes a byte."""
    absent = -(1 << (8 * width - 1)) + 1  # BCF's "end of vector", where a sample has fewer copies
    byte, shift = 0, 0
    for i in range(n):
        copies, ones, good = 0, 0, True
        for _ in range(size):
            value = _signed_integer(flat, at, width)
            at += width
            if value == absent:
                continue
            # BCF has 2 (allele + 1), and 1 more if phased; 0 or 1 is a missing allele
            allele = (value >> 1) - 1
            good &= allele == 0 or allele == 1
            copies += 1
            ones += allele
        # the first of four samples has the lowest two bits
        byte |= (code_of(copies, ones) if good else NO_CALL) << shift
        shift += 2
        if shift == 8:
            row[i >> 2] = byte
            byte, shift = 0, 0
    if shift:
        row[n >> 2] = byte


@jit
def _describe_typed(flat, at, end):
    """Type and number of the values described at `at`, and where they begin.

    The number is IMPOSSIBLE_SIZE if the description is not valid or does not end before `end`.
    """
    if at >= end:
        return 0, IMPOSSIBLE_SIZE, at
    kind, size = np.int64(flat[at]) & 15, np.int64(flat[at] >> 4)
    at += 1
    if size == 15:  # the number follows, as one whole number with a description of its own
        if at >= end:
            return 0, IMPOSSIBLE_SIZE, at
        width = _byte_width(np.int64(flat[at]) & 15)
        if width == 0 or flat[at] >> 4 != 1 or width > end - at - 1:
            return 0, IMPOSSIBLE_SIZE, at
        size = _signed_integer(flat, at + 1, width)
        at += 1 + width
        if size < 0:
            return 0, IMPOSSIBLE_SIZE, at
    return kind, size, at


@jit
def _byte_width(kind):
    return 1 if kind == INT8_TYPE else 2 if kind == INT16_TYPE else 4 if kind == INT32_TYPE else 0


@jit
def _signed_integer(flat, at, width):
    """A signed whole number of 1, 2 or 4 bytes, the lowest first."""
    found = np.int64(0)
    for k in range(width):
        found |= np.int64(flat[at + k]) << (8 * k)
    sign = 1 << (8 * width - 1)
    return (found ^ sign) - sign  # extends the sign to 64 bits


@jit
def _unsigned_integer(flat, at):
    return _signed_integer(flat, at, 4) & 0xFFFFFFFF
