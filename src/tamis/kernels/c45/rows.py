"""Handing the rows of a node down to its children."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .splits import ONE_BIT, VALUE_TOLERANCE
from .tree import MISSING_CODE


@jit
def hand_down(column, nominal, threshold, n_children, entries, shares, start, stop, top, routing):
    """Part the rows [start, stop) of `entries` among the children of a node.

    Without missing values the rows are rearranged in place. Otherwise the rows of the children
    are written from `top` on; a row without a value goes into every child, its weight shared in
    proportion to the known weight there. `routing` records the child of each row and the slice
    of each child.

    Returns
    -------
    entries, shares, top
        Larger arrays if those given had no room; `top` has moved if a value was missing.
    """
    child, rows, copied = routing.child, routing.rows, routing.shares
    first, end, weight = routing.start, routing.stop, routing.weight
    size, missing, known = stop - start, 0, 0.0
    for b in range(n_children):
        end[b], weight[b] = 0, 0.0
    # copies, because the slice is overwritten below; end[b] counts the known rows of child b
    for i in range(size):
        row, share = entries[start + i], shares[start + i]
        rows[i], copied[i] = row, share
        value = column[row]
        if np.isnan(value):
            child[row] = MISSING_CODE
            missing += 1
            continue
        b = int(value) if nominal else int(value > threshold)
        child[row] = b
        end[b] += 1
        weight[b] += share
        known += share
    if missing == 0:
        # counting sort: end[b] is the next free place of child b, rows of a child keep their order
        place = start
        for b in range(n_children):
            first[b], place = place, place + end[b]
            end[b] = first[b]
        for i in range(size):
            b = child[rows[i]]
            entries[end[b]], shares[end[b]] = rows[i], copied[i]
            end[b] += 1
        return entries, shares, top

    # every known row once, and each without a value in every child; a bound, not the exact number
    needed = top + size + missing * n_children
    if needed > len(entries):
        more, wider = np.empty(2 * needed, dtype=np.uint32), np.empty(2 * needed)
        for i in range(top):
            more[i], wider[i] = entries[i], shares[i]
        entries, shares = more, wider
    for b in range(n_children):
        # w_b / sum of the known weights; equal shares where no row has a value, as may happen when
        # pruning tries the rows of a node in the subtree of one of its branches
        share = 1.0 / n_children if known < VALUE_TOLERANCE else weight[b] / known
        first[b] = top
        for i in range(size):
            if child[rows[i]] == b:
                entries[top], shares[top] = rows[i], copied[i]
                top += 1
            elif child[rows[i]] == MISSING_CODE and share > VALUE_TOLERANCE:
                # not into a child without known weight
                entries[top], shares[top] = rows[i], share * copied[i]
                top += 1
        end[b] = top
    return entries, shares, top


@jit
def hand_down_complete_rows(column, threshold, entries, start, stop, routing):
    """`hand_down` for a numeric column without missing values and rows of weight 1."""
    child, rows, first, end = routing.child, routing.rows, routing.start, routing.stop
    # stable partition: rows to the left move down in place, left <= i, and those to the right wait
    # in rows[:right]
    left, right = start, 0
    for i in range(start, stop):
        row = entries[i]
        goes_right = column[row] > threshold
        child[row] = goes_right  # for `part_orders`
        if goes_right:
            rows[right] = row
            right += 1
        else:
            entries[left] = row
            left += 1
    for i in range(right):
        entries[left + i] = rows[i]
    first[0], end[0], first[1], end[1] = start, left, left, stop


@jit
def part_orders(features, all_plain, levels, order, mask, start, stop, n_children, routing):
    """Rearrange the sorted rows [start, stop) of every numeric feature, child by child.

    Each child's rows stay sorted. Only slices of children with `routing.wanted` need be right.
    """
    spare, child, place = routing.rows, routing.child, routing.stop
    for j in range(len(features)):
        if not all_plain and levels[features[j]] > 0:
            continue
        if n_children == 2:
            # unsigned: numba checks signed indices for being negative
            left, right = np.uint64(start), np.uint64(0)
            for i in range(np.uint64(start), np.uint64(stop)):
                # no branch, which the data would make hard to predict: the entry is written to both
                # places, and the one it does not belong to is overwritten. left <= i, so nothing
                # unread is lost
                entry = order[j, i]
                goes_right = np.uint64(child[entry & mask])
                order[j, left], spare[right] = entry, entry
                left += ONE_BIT - goes_right
                right += goes_right
            if routing.wanted[1]:  # else nobody reads the right child's slice
                for i in range(right):
                    order[j, left + i] = spare[i]
        else:
            # a counting sort again; `place` is routing.stop, which the children have copied
            for b in range(n_children):
                place[b] = routing.start[b]
            for i in range(start, stop):
                spare[i - start] = order[j, i]
            for i in range(stop - start):
                b = child[spare[i] & mask]
                order[j, place[b]] = spare[i]
                place[b] += 1
