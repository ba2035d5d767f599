"""Sets as lists of items: read from words of bits, and the maximal ones among them."""

from __future__ import annotations

import numpy as np

from .._bits import count_ones, lowest_one
from .._jit import jit


@jit
def items_of_words(at, bits, starts):
    """Items of all sets, rising within each: (total,) int64, and where each set begins (S + 1,).

    Set s has the items 64 at[i] + b for the ones b of bits[i], i from starts[s] to
    starts[s + 1] - 1.
    """
    n_sets = len(starts) - 1
    ends = np.zeros(n_sets + 1, dtype=np.int64)
    for s in range(n_sets):
        size = np.uint64(0)
        for i in range(starts[s], starts[s + 1]):
            size += count_ones(bits[i])
        ends[s + 1] = ends[s] + np.int64(size)
    # counted first, so that the items need no growing array
    items = np.empty(ends[-1], dtype=np.int64)
    k = 0
    for i in range(starts[-1]):
        left = bits[i]
        while left != np.uint64(0):
            items[k] = np.int64(at[i]) * 64 + np.int64(lowest_one(left))
            left &= left - np.uint64(1)  # clears the lowest one
            k += 1
    return items, ends


@jit
def order_by(values, order):
    """The places `order` sorted by values[place], integers from 0: a counting sort, so stable."""
    first = np.zeros(values.max() + 2 if len(values) else 1, dtype=np.int64)
    for value in values:
        first[value + 1] += 1
    # first[value]: where places with this value begin, then where the next of them goes
    for value in range(len(first) - 1):
        first[value + 1] += first[value]
    sorted_ = np.empty_like(order)
    for place in order:
        sorted_[first[values[place]]] = place
        first[values[place]] += 1
    return sorted_


@jit
def maximal_sets(items, starts, n_items):
    """Which sets are not part of a larger one, (S,) bool. Items rise within a set, sets differ.

    A set can only be part of those that hold its rarest item: only these are compared.
    """
    n_sets = len(starts) - 1
    sizes = starts[1:] - starts[:-1]
    by_size = order_by(sizes.max() - sizes if n_sets else sizes, np.arange(n_sets))
    # holders[first[j]:first[j + 1]]: the sets that hold item j, the largest first
    first = np.zeros(n_items + 1, dtype=np.int64)
    for j in items:
        first[j + 1] += 1
    for j in range(n_items):
        first[j + 1] += first[j]
    holders = np.empty(len(items), dtype=np.int64)
    filled = first[:-1].copy()
    for s in by_size:
        for i in range(starts[s], starts[s + 1]):
            holders[filled[items[i]]] = s
            filled[items[i]] += 1
    maximal = np.ones(n_sets, dtype=np.bool_)
    for s in range(n_sets):
        if sizes[s] == 0:
            maximal[s] = n_sets == 1  # the empty set is part of all others
            continue
        rarest = items[starts[s]]
        for i in range(starts[s], starts[s + 1]):
            if first[items[i] + 1] - first[items[i]] < first[rarest + 1] - first[rarest]:
                rarest = items[i]
        for k in range(first[rarest], first[rarest + 1]):
            other = holders[k]
            if sizes[other] <= sizes[s]:  # nor are the rest larger: none can hold s
                break
            if is_part(items, starts, s, other):
                maximal[s] = False
                break
    return maximal


@jit
def is_part(items, starts, s, other):
    """Whether every item of set s is in the other, by merging them: items of both rise."""
    i, end = starts[other], starts[other + 1]
    for k in range(starts[s], starts[s + 1]):
        # at the top: all earlier items of s were found before place i of the other
        while i < end and items[i] < items[k]:
            i += 1
        if i == end or items[i] != items[k]:
            return False
        i += 1
    return True
