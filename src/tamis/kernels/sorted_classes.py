"""Values of a column in increasing order, each with the code of its row, for columns side by side.

A value and a code are one number: the value's bits move up, and the code stands behind them, where
a column's exponents leave room (a column without room is told, and has to be sorted by itself).
Such keys are sorted by merge exchange (Batcher; Knuth 1998, "The Art of Computer Programming" 3,
5.2.2, algorithm M), whose comparisons are the same for all columns: each is a minimum and a maximum
of two rows of a block that stays in the second-level cache, without a branch.

With codes that say to which training sets a row belongs, one such sort serves several parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ._jit import jit

MOST_CODES = 16  # 4 bits of 11 that exponents have: values from 1e-19 to 1e19, and 0
MOST_ROWS = 1 << 14  # 8 columns of keys in 1 MB
MISSING_CODE = 63  # the code of a missing value, in no class of any part
MISSING_KEY = np.int64(0x7FF0000000000000)  # the key of a missing value
MAGNITUDE_BITS, SIGN_BIT = np.int64(0x7FFFFFFFFFFFFFFF), np.int64(-0x8000000000000000)


class PartGroup(NamedTuple):
    """Training sets whose rows are told apart by few codes.

    Attributes
    ----------
    first : int
        The first of these parts, which follow each other.
    rows : ndarray of shape (m,)
        The rows of any of them.
    codes : ndarray of shape (m,)
        0, 1, ... of each; rows of one code are of one class, and in the same parts.
    members : ndarray of shape (k, C), int64
        Bit c is set where rows of code c are of this part and class.
    """

    first: int
    rows: np.ndarray
    codes: np.ndarray
    members: np.ndarray


def part_groups(parts_mask: np.ndarray, y: np.ndarray, n_classes: int) -> Iterator[PartGroup]:
    """All parts (n_parts, n), as many in a group as `MOST_CODES` codes tell apart."""
    first = 0
    while first < len(parts_mask):
        codes, end = y, first
        while end < len(parts_mask):
            finer = 2 * codes + parts_mask[end]
            inside = parts_mask[first : end + 1].any(axis=0)
            if end > first and len(np.unique(finer[inside])) > MOST_CODES:
                break
            codes = np.unique(finer, return_inverse=True)[1]
            end += 1
        rows = np.flatnonzero(parts_mask[first:end].any(axis=0))
        _, at, codes = np.unique(codes[rows], return_index=True, return_inverse=True)
        members = np.zeros((end - first, n_classes), dtype=np.int64)
        for code, row in enumerate(rows[at]):
            members[:, y[row]] |= parts_mask[first:end, row].astype(np.int64) << code
        yield PartGroup(first, rows, codes, members)
        first = end


def lost_columns(
    X: np.ndarray,
    y: np.ndarray,
    parts_mask: np.ndarray,
    n_classes: int,
    in_lanes: Callable[[PartGroup, slice], np.ndarray],
) -> np.ndarray:
    """Have all groups of parts done in lanes; columns that could not be (p, bool)."""
    if n_classes > MOST_CODES or len(X) > MOST_ROWS:
        return np.arange(X.shape[1])
    lost = np.zeros(X.shape[1], dtype=bool)
    for group in part_groups(parts_mask, y, n_classes):
        lost |= in_lanes(group, slice(group.first, group.first + len(group.members)))
    return np.flatnonzero(lost)


def empty_lanes(m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Room for the values, keys and codes of some columns of m rows, as `sort_lanes` takes it."""
    w = max(8, min(64, (1 << 17) // max(m, 1)))
    values = np.empty((m, w))
    return values, values.view(np.int64), values.reshape(-1), np.empty((m, w), dtype=np.int64)


@jit
def sort_lanes(X, start, rows, codes, values, keys, flat, kinds, lost):
    """Fill lanes with the sorted values of some columns and the codes of their rows.

    Parameters
    ----------
    X : (n, p) float64, C order
    start : int
        The first of these columns.
    rows, codes : (m,) int64
        Of a `PartGroup`.
    values : (m, w) float64
        Filled, a column a lane, in increasing order; what is missing comes last, as 0.
    keys, flat : (m, w) int64 and (m w,) float64
        The same memory.
    kinds : (m, w) int64
        Filled with codes, `MISSING_CODE` for a missing value and for lanes past the last column.
    lost : (w,) float64
        Filled: above 0 where the values have no room for codes, and the lane means nothing.
    """
    m, w = values.shape
    bits = 1
    for code in codes:
        while 1 << bits <= code:
            bits += 1
    power = 1023 - (1 << (10 - bits))  # down to exponents of the least magnitude there is
    down, up = 2.0**-power, 2.0**power
    for j in range(w):
        lost[j] = 0.0
    _put_rows(X, start, rows, codes, bits, down, up, values, keys, lost)
    _merge_exchange(flat, m, w)
    _take_codes(keys, values, bits, up, kinds)


@jit
def _put_rows(X, start, rows, codes, bits, down, up, values, keys, lost):
    """Values times a power of two, and codes behind them: keys are doubles that compare as the
    values do. Where that loses digits is noted."""
    width = min(values.shape[1], X.shape[1] - start)
    room = MISSING_KEY >> bits
    for i in range(len(rows)):
        row, code = X[rows[i], start : start + width], codes[i]
        for j in range(width):
            values[i, j] = row[j]
        for j in range(width, values.shape[1]):
            values[i, j] = np.nan
        for j in range(values.shape[1]):
            x = values[i, j]
            values[i, j] = x * down
            lost[j] += 1.0 if (x == x) & (x * down * up != x) else 0.0
        for j in range(keys.shape[1]):
            key = keys[i, j]
            magnitude = key & MAGNITUDE_BITS
            known = magnitude <= MISSING_KEY
            lost[j] += 1.0 if known & (magnitude >= room) else 0.0
            coded = (key & SIGN_BIT) | (magnitude << bits) | code
            keys[i, j] = coded if known else MISSING_KEY


@jit
def _take_codes(keys, values, bits, up, kinds):
    """Sorted keys back to values, and their codes (`kinds`)."""
    ones = (np.int64(1) << bits) - 1
    for i in range(keys.shape[0]):
        for j in range(keys.shape[1]):
            key = keys[i, j]
            known = key != MISSING_KEY
            kinds[i, j] = key & ones if known else MISSING_CODE
            value = (key & SIGN_BIT) | ((key & MAGNITUDE_BITS) >> bits)
            keys[i, j] = value if known else 0
        for j in range(keys.shape[1]):
            values[i, j] *= up


@jit
def _merge_exchange(flat, m, w):
    """Sort the columns of a block of m rows of w numbers."""
    top = 1
    while top < m:
        top *= 2
    half = top // 2
    while half > 0:
        step, offset, apart = top // 2, 0, half
        while True:
            for i in range(offset, m - apart, 2 * half):
                low, high = i * w, min(i + half, m - apart) * w
                _exchange_lanes(flat[low:high], flat[low + apart * w : high + apart * w])
            if step == half:
                break
            apart = step - half
            step //= 2
            offset = half
        half //= 2


@jit
def _exchange_lanes(low, high):
    for j in range(len(low)):
        a, b = low[j], high[j]
        low[j] = min(a, b)
        high[j] = max(a, b)
