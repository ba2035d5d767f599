"""Orders of values, by column or of one array, with NaN last."""

from __future__ import annotations

import numpy as np

from ._jit import jit

MAX_INSERTION_LENGTH = 15  # stretches up to this length are sorted by insertion
STACK_LENGTH = 64  # the larger part waits, so at most log2(n) do


def sort_columns(X: np.ndarray, stable: bool = True) -> np.ndarray:
    """Row indices in increasing order of each column's values, (p, n), uint16 or int32.

    Ties keep the order of the rows if `stable`; NaN sorts last.
    """
    n, p = X.shape
    order = np.empty((p, n), dtype=np.uint16 if n <= 1 << 16 else np.int32)
    for start in range(0, p, 512):  # blocks, so that the transposed copy stays small
        columns = np.ascontiguousarray(X[:, start : start + 512].T)
        # the default sort is vectorised by NumPy, a stable one is not; ties are put right after
        order[start : start + 512] = np.argsort(columns, axis=1)
        if stable:
            _by_row_among_equals(columns, order[start : start + 512])
    return order


@jit
def _by_row_among_equals(columns, order):
    """Put the rows of equal values in increasing order, in each column's order (p, n).

    This takes time proportional to n: rows are dealt out, in increasing order, to the stretch of
    their value.
    """
    p, n = columns.shape
    group = np.empty(n, dtype=np.int64)  # of each row: where the values equal to its own begin
    filled = np.empty(n, dtype=np.int64)  # by begin: rows already placed there
    for j in range(p):
        begin, tied = 0, False
        for i in range(n):
            x, before = columns[j, order[j, i]], columns[j, order[j, max(i - 1, 0)]]
            # equal, or both NaN
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
    """Whether a is sorted before b: a < b, or only b is NaN."""
    return a < b or (np.isnan(b) and not np.isnan(a))


@jit
def order_of_values(values):
    """Indices (n,) int64 that sort the values (n,), NaN last.

    A quicksort with the median of three. Equal values come out in the same order as from numba's
    `np.argsort`, which takes three times as long to compile.
    """
    places = np.empty(len(values), dtype=np.int64)
    for i in range(len(values)):
        places[i] = i
    lows, highs = np.empty(STACK_LENGTH, dtype=np.int64), np.empty(STACK_LENGTH, dtype=np.int64)
    lows[0], highs[0], waiting = 0, len(values) - 1, 1
    # the stretches [lows, highs] that wait, and the one in hand, are all that is not yet sorted
    while waiting > 0:
        waiting -= 1
        low, high = lows[waiting], highs[waiting]
        while high - low >= MAX_INSERTION_LENGTH:
            # places[at] is final: no larger value before it, no smaller one after
            at = part_places(values, places, low, high)
            # go on with the smaller part
            if high - at > at - low:
                lows[waiting], highs[waiting], high = at + 1, high, at - 1
            else:
                lows[waiting], highs[waiting], low = low, at - 1, at + 1
            waiting += 1
        # insertion sort: places[low:i] are sorted
        for i in range(low + 1, high + 1):
            place = places[i]
            while i > low and stands_before(values[place], values[places[i - 1]]):
                places[i] = places[i - 1]
                i -= 1
            places[i] = place
    return places


@jit
def part_places(values, places, low, high):
    """Put smaller values before a pivot and larger ones after it; returns the pivot's index."""
    middle = (low + high) >> 1
    # sorts the three, so that their median is in the middle
    for a, b in ((low, middle), (middle, high), (low, middle)):
        if stands_before(values[places[b]], values[places[a]]):
            places[a], places[b] = places[b], places[a]
    pivot = values[places[middle]]
    # the pivot waits at the end until its index is known
    places[high], places[middle] = places[middle], places[high]
    i, j = low, high - 1
    # nothing before i is larger than the pivot, nothing in j + 1..high - 1 smaller; both scans stop
    # at equal values, which balances the parts where many are equal
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
