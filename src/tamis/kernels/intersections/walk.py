"""Random intersection trees on packed rows.

The root of a tree is one random row of the class, and each node intersects its parent's items
with one more. A set is kept as its words that are not zero, so that a node costs what the set
still spans. Which row a node draws follows from its place in the tree alone: to cut one branch
off moves no other.

Source: Shah & Meinshausen (2014), Random intersection trees, JMLR 15, 629-654, algorithm 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._bits import count_ones
from .._jit import jit
from .draws import child_key, children_of, children_within, draw_below, nodes_below
from .found import add_set, look_up, met_again, nothing_found, same_set
from .held import any_exceeds, count_down

FEW = 8  # words
CUT, LEFT = 0, 1  # trees made thinner; leaves left out, as there were sets enough


class Limits(NamedTuple):
    """What ends a branch."""

    depth: int  # rows intersected, less one
    branch: float
    min_size: int  # items
    most_work: int  # words or intervals looked at in a tree, which is else thinner
    most_sets: int  # kept
    alone: bool = True  # whether a root without a valid child is a leaf: what one row holds


class Masks(NamedTuple):
    """Items as words (W,), of the class whose trees are grown."""

    used: np.ndarray  # those that sets are made of
    free: np.ndarray  # held by no more rows than the cap in every other class
    full: np.ndarray  # held by all rows of the class


@jit
def grow_trees(rows, columns, members, words, c, caps, floor, masks, keys, limits):
    """Sets at the leaves of trees of class c, one tree for each key.

    Parameters
    ----------
    rows : (n, W) uint64
    columns : (64 W, V) uint64
        Of `_bits.columns_of_rows`.
    members : (m,) int64
        Rows of the class, as often as they count.
    words : (C + 1,) int64
        Where the words of each class begin in a column.
    c : int
    caps : (C,) int64
        A node that more rows of another class hold than its cap is dropped.
    floor : int
        A set stays if more rows of the class than this hold it.
    masks : Masks
    keys : (n_trees,) uint64
    limits : Limits

    Returns
    -------
    Found, and (2,) int64: CUT and LEFT.
    """
    used, free, full = masks.used, masks.free, masks.full
    depth, branch, min_size = limits.depth, limits.branch, limits.min_size
    n_words, n_levels = rows.shape[1], depth + 1
    at = np.empty((n_levels, n_words), dtype=np.int32)
    bits = np.empty((n_levels, n_words), dtype=np.uint64)
    all_at, all_bits = at.ravel(), bits.ravel()  # calls take no slices: numba counts these
    n_at = np.zeros(n_levels, dtype=np.int64)
    size = np.zeros(n_levels, dtype=np.int64)
    key = np.zeros(n_levels, dtype=np.uint64)
    born = np.zeros(n_levels, dtype=np.int64)  # children so far
    most = np.ones(n_levels, dtype=np.int64)  # the root has one child
    room = np.zeros(n_levels, dtype=np.int64)  # for work below
    spared = np.zeros(n_levels, dtype=np.bool_)  # has room for all there can be
    below_of = nodes_below(branch, depth)
    fruitful = np.zeros(n_levels, dtype=np.bool_)  # has a valid child
    both = np.empty(words[-1], dtype=np.uint64)
    found, missed = nothing_found(), np.zeros(2, dtype=np.int64)
    before = -1  # the set met last
    for tree in range(len(keys)):
        row = members[draw_below(keys[tree], len(members))]
        m, ones = 0, np.uint64(0)
        for w in range(n_words):
            word = rows[row, w] & used[w]
            at[0, m], bits[0, m] = w, word
            m += word != np.uint64(0)
            ones += count_ones(word)
        if np.int64(ones) < min_size:
            continue
        if any_exceeds(columns, all_at, all_bits, 0, m, words, c, caps, both):
            continue
        n_at[0], size[0], key[0], born[0], fruitful[0] = m, np.int64(ones), keys[tree], 0, False
        room[0], spared[0], level, thinned = limits.most_work, False, 0, False
        while level >= 0:
            if born[level] < most[level]:
                below = level + 1
                child = child_key(key[level], born[level])
                born[level] += 1
                row = members[draw_below(child, len(members))]
                m, ones, known, beyond = 0, np.uint64(0), np.uint64(0), np.uint64(0)
                for i in range(n_at[level]):
                    w = at[level, i]
                    word = bits[level, i] & rows[row, w]
                    at[below, m], bits[below, m] = w, word
                    m += word != np.uint64(0)
                    ones += count_ones(word)
                    known |= word & free[w]
                    beyond |= word & ~full[w]
                n_at[below], size[below] = m, np.int64(ones)
                if size[below] < min_size:
                    continue
                if (
                    known == np.uint64(0)  # an item that is rare elsewhere says it all
                    and size[below] < size[level]
                    and any_exceeds(
                        columns, all_at, all_bits, below * n_words, m, words, c, caps, both
                    )
                ):
                    continue
                fruitful[level] = True
                if below < depth and size[below] > min_size and beyond != np.uint64(0):
                    level = below
                    key[level], born[level], fruitful[level] = child, 0, False
                    most[level] = children_of(child, branch)
                    spared[level] = spared[level - 1]
                    if not spared[level]:
                        room[level] = room[level - 1] // most[level - 1] - n_at[level]
                        spared[level] = n_at[level] * below_of[level] <= room[level]
                        few = children_within(
                            child, branch, room[level], n_at[level] * (depth - level)
                        )
                        thinned = thinned or few < most[level]
                        most[level] = few
                    continue
                leaf = below
            else:
                leaf = level
                level -= 1
                if fruitful[leaf] or (leaf == 0 and not limits.alone):
                    continue
            m, begin = n_at[leaf], leaf * n_words
            if before >= 0 and same_set(found, before, all_at, all_bits, begin, m, 1):
                met_again(found, before, tree)  # as most children of a frequent set
                continue
            held = np.int64(-1)
            if m > FEW:  # cheaper than its hash: the count is below the floor after some items
                held = count_down(
                    columns, all_at, all_bits, begin, m, words[c], words[c + 1], floor, both
                )
                if held <= floor:
                    continue
            value, slot, s = look_up(found, all_at, all_bits, begin, m, 1)
            if s >= 0:
                met_again(found, s, tree)
                before = s
                continue
            if held < 0:
                held = count_down(
                    columns, all_at, all_bits, begin, m, words[c], words[c + 1], floor, both
                )
            if held <= floor:
                continue
            if found.n[0] == limits.most_sets:
                missed[LEFT] += 1
                continue
            found = add_set(found, value, slot, all_at, all_bits, begin, m, 1, tree)
            before = found.n[0] - 1
        missed[CUT] += thinned
    return found, missed
