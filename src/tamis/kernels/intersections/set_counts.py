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
    exceeded = False
    for k in range(len(caps)):
        if k != c and not exceeded:
            first, last = words[k], words[k + 1]
            held = count_down(columns, at, bits, begin, m, first, last, caps[k], both)
            exceeded = held > caps[k]
    return exceeded


@jit
def count_sets(columns, items, starts, words):
    """Rows of each class that hold each set (S, C); none is empty.

    Words of all classes in one go, and ones only at the end: that is bound by reading columns.
    """
    n_sets, n_classes = len(starts) - 1, len(words) - 1
    counts = np.empty((n_sets, n_classes), dtype=np.int64)
    both = np.empty(words[-1], dtype=np.uint64)
    for s in range(n_sets):
        i = items[starts[s]]
        j = items[min(starts[s] + 1, starts[s + 1] - 1)]
        for v in range(len(both)):
            both[v] = columns[i, v] & columns[j, v]
        for k in range(starts[s] + 2, starts[s + 1]):
            j = items[k]
            for v in range(len(both)):
                both[v] &= columns[j, v]
        for c in range(n_classes):
            ones = np.uint64(0)
            for v in range(words[c], words[c + 1]):
                ones += count_ones(both[v])
            counts[s, c] = np.int64(ones)
    return counts
