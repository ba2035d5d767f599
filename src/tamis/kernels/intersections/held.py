"""How many rows hold every item of a set."""

from __future__ import annotations

import numpy as np

from .._bits import count_ones, lowest_one
from .._jit import jit


@jit
def count_down(columns, at, bits, begin, m, first, last, floor, both):
    """Rows, among the words first to last, that hold all items of the set at[begin:begin + m].

    As soon as no more than `floor` do, that number: more items could only lower it. `both` has
    room for the words.
    """
    total = np.int64(0)
    new = True
    for i in range(begin, begin + m):
        left = bits[i]
        while left != np.uint64(0):
            j = np.int64(at[i]) * 64 + np.int64(lowest_one(left))
            left &= left - np.uint64(1)
            ones = np.uint64(0)
            if new:
                for v in range(first, last):
                    both[v] = columns[j, v]
                    ones += count_ones(both[v])
                new = False
            else:
                for v in range(first, last):
                    both[v] &= columns[j, v]
                    ones += count_ones(both[v])
            total = np.int64(ones)
            if total <= floor:
                return total
    return total


@jit
def any_exceeds(columns, at, bits, begin, m, words, c, caps, both):
    """Whether in a class other than c more rows than its cap hold the set."""
    for k in range(len(caps)):
        if k != c:
            first, last = words[k], words[k + 1]
            held = count_down(columns, at, bits, begin, m, first, last, caps[k], both)
            if held > caps[k]:
                return True
    return False


@jit
def count_sets(columns, at, bits, starts, words):
    """Rows of each class that hold each set (sets, C)."""
    n_classes = len(words) - 1
    counts = np.empty((len(starts) - 1, n_classes), dtype=np.int64)
    both = np.empty(words[-1], dtype=np.uint64)
    for s in range(len(starts) - 1):
        m = starts[s + 1] - starts[s]
        for k in range(n_classes):
            counts[s, k] = count_down(
                columns, at, bits, starts[s], m, words[k], words[k + 1], 0, both
            )
    return counts
