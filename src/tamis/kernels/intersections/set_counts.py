"""How many rows hold every item of a set, by AND of the bits of its columns."""

from __future__ import annotations

import numpy as np

from .._bits import count_ones, lowest_one
from .._jit import jit


@jit
def count_down(columns, at, bits, begin, m, first, last, floor, both):
    """Number of rows in the words first to last that hold all items of the set at[begin:begin + m].

    Stops as soon as no more than `floor` rows are left, and returns their number: further items
    could only lower it. `both` is scratch space for the words.
    """
    total = np.int64(0)
    new = True
    # after every item both[first:last] are the rows that hold all items so far
    for i in range(begin, begin + m):
        left = bits[i]
        while left != np.uint64(0):
            j = np.int64(at[i]) * 64 + np.int64(lowest_one(left))  # item: word at[i], lowest bit
            left &= left - np.uint64(1)  # clears that bit
            ones = np.uint64(0)
            if new:  # the first column is copied, for `both` holds the rows of another set
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
    """Whether in any class other than c more rows than its cap hold the set."""
    exceeded = False
    for k in range(len(caps)):
        if k != c and not exceeded:
            first, last = words[k], words[k + 1]
            # the cap as the floor: counting stops once it can no longer be exceeded
            held = count_down(columns, at, bits, begin, m, first, last, caps[k], both)
            exceeded = held > caps[k]
    return exceeded


@jit
def count_sets(columns, items, starts, words):
    """Number of rows of each class that hold each set, (S, C); no set is empty.

    The words of all classes in one pass, and ones only at the end: the cost is that of reading the
    columns.
    """
    n_sets, n_classes = len(starts) - 1, len(words) - 1
    counts = np.empty((n_sets, n_classes), dtype=np.int64)
    both = np.empty(words[-1], dtype=np.uint64)
    for s in range(n_sets):
        i = items[starts[s]]
        # two columns in the first pass; of a set of one item that item twice
        j = items[min(starts[s] + 1, starts[s + 1] - 1)]
        for v in range(len(both)):
            both[v] = columns[i, v] & columns[j, v]
        for k in range(starts[s] + 2, starts[s + 1]):
            j = items[k]
            for v in range(len(both)):
                both[v] &= columns[j, v]
        for c in range(n_classes):
            ones = np.uint64(0)
            # bits after the last row of a class are 0 in every column
            for v in range(words[c], words[c + 1]):
                ones += count_ones(both[v])
            counts[s, c] = np.int64(ones)
    return counts
