"""Best cuts by looking entropies up: few classes, weights 1, nothing missing.

This is the usual case of Monte Carlo feature selection. The class counts n_c left of a cut are
encoded as one number, a place in a table of entropies: sum_c n_c stride_c, where stride_c is the
product of N_k + 1 over the classes k > c and N_k the number of the tree's rows in class k. Each cut
then takes one addition and one look-up.
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import jit
from .splits import ONE_BIT, VALUE_TOLERANCE, least_side

NO_KEY = np.int64(2**63 - 1)  # above every key, so the first one replaces it
INFINITY_BITS = np.int64(0x7FF0000000000000)  # bits of an infinite double
# largest number of table entries, relative to the look-ups at the root of the tree
MAX_FILLING_RATIO = 8


@jit
def begin_lookup(tree, y, rows, n_features, counting):
    """Make the table for a tree; False if it would be too large or not pay off."""
    room = min(len(counting.half), MAX_FILLING_RATIO * n_features * len(rows))
    # mixed radix: digit c counts 0..N_c, the last class runs fastest
    entries = 1
    for c in range(len(counting.stride) - 1, -1, -1):
        counting.stride[c] = entries
        entries *= int(tree.counts[0, c]) + 1
        if entries > room:  # checked after each class, before the product can overflow
            return False
    fill_half(tree, counting)
    # what moving a row to the left of the cut adds to the place
    for i in range(len(rows)):
        counting.step[rows[i]] = counting.stride[y[rows[i]]]
    return True


@jit
def fill_half(tree, counting):
    """Entropies of one side of a cut for all possible class counts; kept from tree to tree.

    half[sum_c n_c stride_c] = f(n) - sum_c f(n_c), f(x) = x log2 x: n times the entropy in bits.
    """
    half, half_of, xlog, left = counting.half, counting.half_of, counting.xlog, counting.left
    same, last = True, len(half_of) - 1
    for c in range(last + 1):
        same &= half_of[c] == int(tree.counts[0, c])
        half_of[c], left[c] = int(tree.counts[0, c]), 0
    if same:  # samples drawn by class have the same counts in every tree
        return
    place, more = 0, True
    while more:  # `place` is that of the counts `left`, with none of the last class
        total, inner = 0, 0.0
        for c in range(last):
            total += left[c]
            inner += xlog[left[c]]
        # the last class has stride 1, so its counts stand side by side
        for k in range(half_of[last] + 1):
            half[place + k] = xlog[total + k] - (inner + xlog[k])
        place += half_of[last] + 1
        more = next_counts(left, half_of)


@jit
def next_counts(left, most):
    """Count up, like an odometer, all classes but the last, c up to most[c]; False at the end."""
    c = len(left) - 2
    while c >= 0 and left[c] == most[c]:
        left[c] = 0
        c -= 1
    if c >= 0:
        left[c] += 1
    return c >= 0


@jit
def fill_cuts(counts, low, counting):
    """Entropies of both sides together, for all cuts of a node with these class counts (C,).

    They are stored as integers: the bit patterns of non-negative doubles have the order of the
    doubles. Their `low` bits are cleared to hold the place of a cut. Places that no cut of the
    node can reach are filled too, which is quicker than leaving them out. Returns the entropy of
    all rows of the node.
    """
    half, both, keys, stride = counting.half, counting.both, counting.keys, counting.stride
    place = 0
    for c in range(len(counts)):
        place += int(counts[c]) * stride[c]
    end = np.uint64(place)  # the place with all rows on the left
    for i in range(end + ONE_BIT):
        # places are linear in the counts, so the right side stands at end - i
        both[i] = half[i] + half[end - i]
    for i in range(end + ONE_BIT):
        keys[i] &= ~low  # the same memory as both[i]
    return half[end]


@jit
def lookup_splits(features, order, table, start, stop, counts, min_leaf, counting, found):
    """Best cut of every plain feature at a node with these class counts (C,).

    The loop over cuts has no branches: they would depend on the data and be mispredicted, which
    costs more than everything else. Each row moves the place in the table, and the least key holds
    both the entropy and the position of the best cut. There is no cut between equal values.
    """
    step, keys, log, xlog = counting.step, counting.keys, counting.log, counting.xlog
    values, bits, mask, plain = counting.values, counting.bits, table.mask, table.plain
    gains, ratios, below, above = found.gain, found.ratio, found.below, found.above
    total, low = stop - start, np.int64(mask)
    least = math.ceil(least_side(float(total), len(counts), min_leaf) - VALUE_TOLERANCE)
    # Cut i has the first least + i rows on its left. No slices here, as they count references, and
    # no signed indices, as they are checked for being negative.
    size = max(total - 2 * least + 1, 0)
    begin, first, end = np.uint64(start), np.uint64(start + least - 1), np.uint64(size)
    slack = VALUE_TOLERANCE * total  # entropies here are sums over the rows
    base = fill_cuts(counts, low, counting) if size > 0 else 0.0
    for j in range(len(features)):
        if not plain[features[j]]:
            continue
        gains[j] = -1.0
        if size == 0:
            continue
        # the first least - 1 rows are on the left of every cut
        before = np.uint64(0)
        for i in range(begin, first):
            before += step[order[j, i] & mask]
        at, best, second, tied = before, NO_KEY, NO_KEY, np.int64(0)
        # at the top: `at` encodes the class counts of the first least + i - 1 rows; `best` and
        # `second` are the two least keys so far
        for i in range(end):
            entry = order[j, first + i]
            at += step[entry & mask]
            # 1 if the ranks, the bits above the mask, agree with those of the next row
            same = np.int64((entry ^ order[j, first + i + ONE_BIT]) <= mask)
            tied += same
            # between equal values the exponent becomes that of infinity: never below a real cut
            key = keys[at] | np.int64(i) | (-same & INFINITY_BITS)
            second = min(second, max(best, key))
            best = min(best, key)
        # bits and values share their memory: the two least entropies as doubles again
        bits[0], bits[1] = best & ~low, second & ~low
        lowest, cut = values[0], np.int64(best & low)
        if not lowest < base - slack:  # also where all values are equal: infinity or NaN
            continue
        # two cuts within rounding of each other: which wins must not depend on the last bits
        if values[1] <= lowest + slack:
            lowest, cut = nearly_tied(
                order[j, start + least - 1 : stop], step, counting, mask, size, before, base, slack
            )
        # Quinlan 1996: the choice among size - tied admissible cuts costs log2 of their number
        gain = (base - lowest - log[size - tied]) / total
        if gain < VALUE_TOLERANCE:
            continue
        left = least + cut
        gains[j] = gain
        # split information times total: f(total) - f(left) - f(right)
        ratios[j] = gain * total / (xlog[total] - xlog[left] - xlog[total - left])
        below[j], above[j] = order[j, left + start - 1] & mask, order[j, left + start] & mask


@jit
def nearly_tied(entries, step, counting, mask, size, at, base, slack):
    """Entropy and index of the cut, if each cut must beat the best one before it by the slack.

    `at` is the place in the table of the rows before the entries.
    """
    bar, lowest, cut = base - slack, base, np.int64(0)
    # the first of tied cuts wins, as in `cut_weights` and `best_cut`
    for i in range(size):
        at += step[entries[i] & mask]
        if (entries[i] ^ entries[i + 1]) > mask and counting.both[at] < bar:
            lowest, cut = counting.both[at], np.int64(i)
            bar = lowest - slack
    return lowest, cut
