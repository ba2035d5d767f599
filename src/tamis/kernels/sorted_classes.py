"""Values of a column in increasing order, each with the code of its row, for columns side by side.

A value and a code are packed into one number: the value's bits move up, and the code takes the
lowest bits, where a column's exponents leave room (a column without room is marked, and has to be
sorted by itself). Such keys are sorted by merge exchange (Batcher; Knuth 1998, "The Art of Computer
Programming" 3, 5.2.2, algorithm M), whose comparisons are the same for all columns: each is a
minimum and a maximum of two rows of a block that stays in the second-level cache, without a branch.

With codes that say which training sets a row belongs to, one such sort serves several parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ._jit import jit

MOST_CODES = 16  # 4 bits of 11 that exponents have: values from 1e-19 to 1e19, and 0
MOST_ROWS = 1 << 14  # of which 8 columns of keys take 1 MB
MISSING_CODE = 63  # the code of a missing value, in no class of any part
# the key of a missing value: the bits of +inf. It sorts last, and unlike NaN it can be compared
MISSING_KEY = np.int64(0x7FF0000000000000)
MAGNITUDE_BITS, SIGN_BIT = np.int64(0x7FFFFFFFFFFFFFFF), np.int64(-0x8000000000000000)


class PartGroup(NamedTuple):
    """Training sets for which few codes say of every row which of them have it, and its class.

    Attributes
    ----------
    first : int
        Number of the first of these parts, which are consecutive.
    rows : ndarray of shape (m,)
        Rows that are in any of them.
    codes : ndarray of shape (m,)
        Codes 0, 1, ... of these rows; rows of one code are of one class, and in the same parts.
    members : ndarray of shape (k, C), int64
        A set of codes for each part and class: bit b is set where rows of code b belong to both.
    """

    first: int
    rows: np.ndarray
    codes: np.ndarray
    members: np.ndarray


def part_groups(parts_mask: np.ndarray, y: np.ndarray, n_classes: int) -> Iterator[PartGroup]:
    """All parts (n_parts, n) in groups, each of as many as `MOST_CODES` codes distinguish."""
    first = 0
    while first < len(parts_mask):
        # codes[i] distinguishes rows by class and membership in the parts first..end - 1
        codes, end = y, first
        while end < len(parts_mask):
            finer = 2 * codes + parts_mask[end]
            inside = parts_mask[first : end + 1].any(axis=0)
            if end > first and len(np.unique(finer[inside])) > MOST_CODES:
                break
            codes = np.unique(finer, return_inverse=True)[1]  # 0, 1, ... again: they stay small
            end += 1
        rows = np.flatnonzero(parts_mask[first:end].any(axis=0))
        # codes of rows in no part of the group are dropped; `at` is a row of each code that is left
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
    """Do all groups of parts by `in_lanes`; returns the columns that could not be done so.

    `in_lanes` takes a group and the slice of its parts, and returns the columns without room for
    codes (p, bool).
    """
    if n_classes > MOST_CODES or len(X) > MOST_ROWS:
        return np.arange(X.shape[1])
    lost = np.zeros(X.shape[1], dtype=bool)
    for group in part_groups(parts_mask, y, n_classes):
        lost |= in_lanes(group, slice(group.first, group.first + len(group.members)))
    return np.flatnonzero(lost)


def empty_lanes(m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Arrays for `values`, `keys`, `flat` and `kinds` of `sort_lanes`, for columns of m rows."""
    # keys of 1 MB at most, so that the block stays in the second-level cache: 8 to 64 columns
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
        Number of the first of these columns.
    rows, codes : (m,) int64
        Those of a `PartGroup`.
    values : (m, w) float64
        Filled, one lane a column, in increasing order; missing values come last, as 0.
    keys, flat : (m, w) int64 and (m w,) float64
        The same memory as `values`.
    kinds : (m, w) int64
        Filled with codes, `MISSING_CODE` for a missing value and for lanes past the last column.
    lost : (w,) float64
        Filled: above 0 where the values have no room for codes; the lane is then meaningless.
    """
    m, w = values.shape
    bits = 1  # of a code
    for code in codes:
        while 1 << bits <= code:
            bits += 1
    # of the 11 bits of the exponent 11 - bits are left, for fields below 2^(11 - bits). The scale
    # moves values near 1, whose field is 1023, to the middle of these
    power = 1023 - (1 << (10 - bits))
    down, up = 2.0**-power, 2.0**power
    for j in range(w):
        lost[j] = 0.0
    _put_rows(X, start, rows, codes, bits, down, up, values, keys, lost)
    _merge_exchange(flat, m, w)
    _take_codes(keys, values, bits, up, kinds)


@jit
def _put_rows(X, start, rows, codes, bits, down, up, values, keys, lost):
    """Fill the keys: values times a power of two, moved up, with the codes in the lowest bits.

    Keys are doubles that compare as the values do. Lanes in which that loses digits are marked in
    `lost`.
    """
    # every loop over j does the same to all lanes, without a branch, so that it becomes vectors
    width = min(values.shape[1], X.shape[1] - start)
    room = MISSING_KEY >> bits  # a magnitude below this stays below that of +inf when moved up
    for i in range(len(rows)):
        row, code = X[rows[i], start : start + width], codes[i]
        for j in range(width):
            values[i, j] = row[j]
        for j in range(width, values.shape[1]):  # lanes past the last column have no values
            values[i, j] = np.nan
        for j in range(values.shape[1]):
            x = values[i, j]
            values[i, j] = x * down  # exact, unless the result is subnormal and digits are cut off
            lost[j] += 1.0 if (x == x) & (x * down * up != x) else 0.0
        for j in range(keys.shape[1]):
            key = keys[i, j]
            magnitude = key & MAGNITUDE_BITS
            known = magnitude <= MISSING_KEY  # the bits of NaN are above those of inf
            lost[j] += 1.0 if known & (magnitude >= room) else 0.0
            # a code moves a value away from 0: negative ties come in falling order of their codes
            coded = (key & SIGN_BIT) | (magnitude << bits) | code
            keys[i, j] = coded if known else MISSING_KEY


@jit
def _take_codes(keys, values, bits, up, kinds):
    """Turn sorted keys back into values, and write their codes to `kinds`."""
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
    """Sort the columns of a block of m rows of w numbers, which is `flat`."""
    # Knuth's variables p, q, r, d are half, step, offset and apart. His rows i with i & p = r are
    # runs of p rows, every 2 p from r on; a run is one piece of memory, exchanged with that
    # `apart` rows further in one loop. With m no power of two the last run ends early.
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
    """The smaller of each two numbers goes to `low`, the larger to `high`."""
    for j in range(len(low)):
        a, b = low[j], high[j]
        low[j] = min(a, b)
        high[j] = max(a, b)
