"""Lists of numbers in a form that compresses: those of a cell of many samples.

Probabilities differ in their last digits, which no compression shortens. But of two classes one
gives the other, and the first bytes of neighbours are much alike: all first bytes stand together,
then all second ones, and so on (as in Parquet's BYTE_STREAM_SPLIT). What is read is to the bit what
was written.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Flat = tuple[np.ndarray, np.ndarray]  # the values of all lists, and where each begins and ends


def by_place_of_byte(values: np.ndarray) -> np.ndarray:
    """The bytes of all values (n,), the first ones first, as an array of the same type and length.

    Examples
    --------
    >>> by_place_of_byte(np.array([0x0102, 0x0304], dtype="<u2")).tobytes().hex()
    '02040103'
    """
    planes = values.view(np.uint8).reshape(len(values), values.itemsize)
    return np.ascontiguousarray(planes.T).reshape(-1).view(values.dtype)


def from_place_of_byte(stored: np.ndarray) -> np.ndarray:
    """The values of which `by_place_of_byte` made this.

    Examples
    --------
    >>> from_place_of_byte(by_place_of_byte(np.array([1.5, -2.0]))).tolist()
    [1.5, -2.0]
    """
    planes = stored.view(np.uint8).reshape(stored.itemsize, len(stored))
    return np.ascontiguousarray(planes.T).reshape(-1).view(stored.dtype)


def packed_beliefs(flat: Flat, pairs: bool) -> tuple[Flat, bool]:
    """Beliefs as they are stored, and whether of each pair only the last one is.

    `pairs`: they are probabilities of two classes, one beside the other.
    """
    values, ends = flat
    if pairs:
        firsts, lasts = values[::2], values[1::2]
        if (1.0 - lasts).tobytes() == firsts.tobytes():  # as classifiers of two classes have them
            return (by_place_of_byte(lasts.copy()), ends // 2), True
    return (by_place_of_byte(values), ends), False


def unpacked_beliefs(stored: Flat, halved: bool) -> Flat:
    """What `packed_beliefs` was given."""
    values, ends = from_place_of_byte(stored[0]), stored[1]
    if not halved:
        return values, ends
    return np.column_stack([1.0 - values, values]).reshape(-1), ends * 2


def packed_rows(tests: Sequence[np.ndarray]) -> np.ndarray:
    """Rows that parts predict, all parts together, as differences to the row before."""
    rows = np.concatenate([np.zeros(1, np.int64), *tests]).astype(np.int32)
    return by_place_of_byte(np.diff(rows))


def unpacked_rows(stored: np.ndarray, sizes: Sequence[int]) -> list[np.ndarray]:
    """The rows of each part, of these sizes.

    Examples
    --------
    >>> tests = [np.array([0, 4, 5]), np.array([2, 3])]
    >>> [rows.tolist() for rows in unpacked_rows(packed_rows(tests), [3, 2])]
    [[0, 4, 5], [2, 3]]
    """
    rows = np.cumsum(from_place_of_byte(stored), dtype=np.int64)
    if sum(sizes) != len(rows):
        raise ValueError("parts of other sizes than their rows")
    return np.split(rows, np.cumsum(sizes)[:-1])
