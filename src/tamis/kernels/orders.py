"""Orders of values: by sorting, and of some rows from that of all rows."""

from __future__ import annotations

import numpy as np

from ._jit import jit

MAX_INSERTION_LENGTH = 15  # values that are sorted by insertion
STACK_LENGTH = 64  # the larger half waits, so there are never more than log2(n)


def sort_columns(X: np.ndarray, stable: bool = True) -> np.ndarray:
    """Row indices in increasing order of each column's values, (p, n), uint16 or int32.

    Ties keep the order of the rows if `stable`; NaN sorts last.
    """
    n, p = X.shape
    order = np.empty((p, n), dtype=np.uint16 if n <= 1 << 16 else np.int32)
    for start in range(0, p, 512):
        columns = np.ascontiguousarray(X[:, start : start + 512].T)
        # vectorised by NumPy, where a stable sort is not
        order[start : start + 512] = np.argsort(columns, axis=1)
        if stable:
            _by_row_among_equals(columns, order[start : start + 512])
    return order


@jit
def _by_row_among_equals(columns, order):
    """Put the rows of equal values in increasing order, in each column's order (p, n)."""
    p, n = columns.shape
    group = np.empty(n, dtype=np.int64)  # of each row: where the values equal to its own begin
    filled = np.empty(n, dtype=np.int64)
    for j in range(p):
        begin, tied = 0, False
        for i in range(n):
            x, before = columns[j, order[j, i]], columns[j, order[j, max(i - 1, 0)]]
            if x == before or (x != x and before != before):
                tied |= i > 0
            else:
                begin = i
            group[order[j, i]] = begin
        if tied:
            filled[:] = 0
            for row in range(n):
                begin = group[row]
                order[j, begin + filled[begin]] = row
                filled[begin] += 1


@jit
def stands_before(a, b):
    """Whether a stands before b; NaN is last."""
    return a < b or (np.isnan(b) and not np.isnan(a))


@jit
def order_of_values(values):
    """Places of the values, rising, NaN last.

    A quicksort with the median of three, the order of numba's `np.argsort`, equal values included,
    which takes three times as long to compile.
    """
    places = np.empty(len(values), dtype=np.int64)
    for i in range(len(values)):
        places[i] = i
    lows, highs = np.empty(STACK_LENGTH, dtype=np.int64), np.empty(STACK_LENGTH, dtype=np.int64)
    lows[0], highs[0], waiting = 0, len(values) - 1, 1
    while waiting > 0:
        waiting -= 1
        low, high = lows[waiting], highs[waiting]
        while high - low >= MAX_INSERTION_LENGTH:
            at = part_places(values, places, low, high)
            if high - at > at - low:
                lows[waiting], highs[waiting], high = at + 1, high, at - 1
            else:
                lows[waiting], highs[waiting], low = low, at - 1, at + 1
            waiting += 1
        for i in range(low + 1, high + 1):
            place = places[i]
            while i > low and stands_before(values[place], values[places[i - 1]]):
                places[i] = places[i - 1]
                i -= 1
            places[i] = place
    return places


@jit
def part_places(values, places, low, high):
    """Put smaller values before a pivot and larger ones behind it; returns its place."""
    middle = (low + high) >> 1
    for a, b in ((low, middle), (middle, high), (low, middle)):
        if stands_before(values[places[b]], values[places[a]]):
            places[a], places[b] = places[b], places[a]
    pivot = values[places[middle]]
    places[high], places[middle] = places[middle], places[high]
    i, j = low, high - 1
    while True:
        while i < high and stands_before(values[places[i]], pivot):
            i += 1
        while j >= low and stands_before(pivot, values[places[j]]):
            j -= 1
        if i >= j:
            break
        places[i], places[j] = places[j], places[i]
        i += 1
        j -= 1
    places[i], places[high] = places[high], places[i]
    return i
