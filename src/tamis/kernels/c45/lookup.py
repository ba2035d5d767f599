"""Best cuts by looking entropies up: few classes, weights 1, nothing missing.

The usual case of Monte Carlo feature selection. The class counts left of a cut are one number, a
place in a table of entropies: sum_c n_c stride_c, with stride_c the product of N_k + 1 over the
classes k > c, N_k the tree's rows of a class. Then a cut is an addition and a look-up.
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import jit
from .splits import ONE_BIT, VALUE_TOLERANCE, least_side

NO_KEY = np.int64(2**63 - 1)  # no key
INFINITY_BITS = np.int64(0x7FF0000000000000)  # bits of an infinite double
# entries of the table may be so many times what the tree looks up at its root
MAX_FILLING_RATIO = 8


@jit
def begin_lookup(tree, y, rows, n_features, counting):
    """Make the table of a tree; False if it would be too large, or not worth it."""
    room = min(len(counting.half), MAX_FILLING_RATIO * n_features * len(rows))
    entries = 1
    for c in range(len(counting.stride) - 1, -1, -1):
        counting.stride[c] = entries
        entries *= int(tree.counts[0, c]) + 1
        if entries > room:
            return False
    fill_half(tree, counting)
    for i in range(len(rows)):
        counting.step[rows[i]] = counting.stride[y[rows[i]]]
    return True


@jit
def fill_half(tree, counting):
    """Entropies of all class counts, a side of a cut; kept from tree to tree."""
    half, half_of, xlog, left = counting.half, counting.half_of, counting.xlog, counting.left
    same, last = True, len(half_of) - 1
    for c in range(last + 1):
        same &= half_of[c] == int(tree.counts[0, c])
        half_of[c], left[c] = int(tree.counts[0, c]), 0
    if same:
        return
    place, more = 0, True
    while more:
        total, inner = 0, 0.0
        for c in range(last):
            total += left[c]
            inner += xlog[left[c]]
        for k in range(half_of[last] + 1):
            half[place + k] = xlog[total + k] - (inner + xlog[k])
        place += half_of[last] + 1
        more = next_counts(left, half_of)


@jit
def next_counts(left, most):
    """The next counts of all classes but the last, each up to its most; False after the last."""
    c = len(left) - 2
    while c >= 0 and left[c] == most[c]:
        left[c] = 0
        c -= 1
    if c >= 0:
        left[c] += 1
    return c >= 0


@jit
def fill_cuts(counts, low, counting):
    """Entropies of both sides of the cuts of a node with these class counts (C,).

    As whole numbers: the bits of doubles that are not negative are in the doubles' order. The
    `low` bits are cleared, to hold the place of a cut. Places that no cut of the node has are
    filled too, which is quicker than to leave them out. Returns the entropy of all its rows.
    """
    half, both, keys, stride = counting.half, counting.both, counting.keys, counting.stride
    whole = 0
    for c in range(len(counts)):
        whole += int(counts[c]) * stride[c]
    end = np.uint64(whole)
    for i in range(end + ONE_BIT):
        both[i] = half[i] + half[end - i]
    for i in range(end + ONE_BIT):
        keys[i] &= ~low
    return half[end]


@jit
def lookup_splits(features, order, table, start, stop, counts, min_leaf, counting, found):
    """Best cut of every plain feature at a node with these class counts (C,).

    One loop without branches: they would depend on the values and cost more than all the rest. A
    row moves the place in the table, and the least key tells entropy and place of the best cut;
    equal neighbours have no cut between them.
    """
    step, keys, log, xlog = counting.step, counting.keys, counting.log, counting.xlog
    values, bits, mask, plain = counting.values, counting.bits, table.mask, table.plain
    gains, ratios, below, above = found.gain, found.ratio, found.below, found.above
    total, low = stop - start, np.int64(mask)
    least = math.ceil(least_side(float(total), len(counts), min_leaf) - VALUE_TOLERANCE)
    # a cut stands after a row. No slices here, which count references, nor signed places, which
    # are checked for being negative.
    size = max(total - 2 * least + 1, 0)
    begin, first, end = np.uint64(start), np.uint64(start + least - 1), np.uint64(size)
    slack = VALUE_TOLERANCE * total
    base = fill_cuts(counts, low, counting) if size > 0 else 0.0
    for j in range(len(features)):
        if not plain[features[j]]:
            continue
        gains[j] = -1.0
        if size == 0:
            continue
        before = np.uint64(0)
        for i in range(begin, first):
            before += step[order[j, i] & mask]
        at, best, second, tied = before, NO_KEY, NO_KEY, np.int64(0)
        for i in range(end):
            entry = order[j, first + i]
            at += step[entry & mask]
            same = np.int64((entry ^ order[j, first + i + ONE_BIT]) <= mask)
            tied += same
            key = keys[at] | np.int64(i) | (-same & INFINITY_BITS)
            second = min(second, max(best, key))
            best = min(best, key)
        bits[0], bits[1] = best & ~low, second & ~low
        lowest, cut = values[0], np.int64(best & low)
        if not lowest < base - slack:
            continue
        if values[1] <= lowest + slack:
            lowest, cut = nearly_tied(
                order[j, start + least - 1 : stop], step, counting, mask, size, before, base, slack
            )
        gain = (base - lowest - log[size - tied]) / total
        if gain < VALUE_TOLERANCE:
            continue
        left = least + cut
        gains[j] = gain
        ratios[j] = gain * total / (xlog[total] - xlog[left] - xlog[total - left])
        below[j], above[j] = order[j, left + start - 1] & mask, order[j, left + start] & mask


@jit
def nearly_tied(entries, step, counting, mask, size, at, base, slack):
    """Entropy and place of the cut when each must beat the best before it by the slack.

    `at` is the place of the rows before the entries.
    """
    bar, lowest, cut = base - slack, base, np.int64(0)
    for i in range(size):
        at += step[entries[i] & mask]
        if (entries[i] ^ entries[i + 1]) > mask and counting.both[at] < bar:
            lowest, cut = counting.both[at], np.int64(i)
            bar = lowest - slack
    return lowest, cut
