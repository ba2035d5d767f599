"""Random intersection trees on packed rows.

The root of a tree is one random row of the class, and each node intersects its parent's items
with one more. Of a set only the words that are not zero are kept, so that the cost of a node is
the words its set still has. Which row a node draws follows from its place in the tree alone:
cutting off one branch changes no other.

Source: Shah & Meinshausen (2014), Random intersection trees, JMLR 15, 629-654, algorithm 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._bits import count_ones
from .._jit import jit
from .draws import child_key, children_of, children_within, draw_below, nodes_below
from .set_counts import any_exceeds, count_down
from .set_table import (
    SetTable,
    add_set,
    has_room,
    hash_set,
    look_up,
    met_again,
    nothing_found,
    same_set,
    with_room,
)

MAX_UNROLLED_WORDS = 8  # words of a set up to which its hash costs less than counting its rows
# places in `missed`: trees with fewer branches than drawn; leaves left out, `most_sets` being met
CUT_TREES, LEFT_OUT_LEAVES = 0, 1


class Limits(NamedTuple):
    """What ends a branch."""

    depth: int  # rows intersected, not counting that of the root
    branch: float  # children of a node, on average
    min_size: int  # items of a set
    most_work: int  # words or intervals read in a tree; if it needs more, it gets fewer branches
    most_sets: int  # sets in the table
    alone: bool = True  # whether a root without a valid child is a leaf: the set of a single row


class Masks(NamedTuple):
    """Items as words (W,), of the class whose trees are grown."""

    used: np.ndarray  # those that sets are made of
    free: np.ndarray  # held by no more rows than the cap in every other class
    full: np.ndarray  # held by all rows of the class


class Nodes(NamedTuple):
    """The nodes on the way from the root to the one in hand, by level, and the words of their sets.

    A level has W places of `at` and `bits`, and as many of `keys` and `rows` as a node may have
    children.
    """

    at: np.ndarray  # places of the words that are not zero
    bits: np.ndarray  # those words
    n_at: np.ndarray  # their number
    size: np.ndarray  # items
    most: np.ndarray  # children to be drawn
    promising: np.ndarray  # how many of them have enough items
    born: np.ndarray  # how many of the promising ones have been visited
    keys: np.ndarray  # keys of the promising children
    rows: np.ndarray  # rows that these draw
    fruitful: np.ndarray  # whether a child was valid
    room: np.ndarray  # words that may be read below the node
    spared: np.ndarray  # whether that is enough for the largest subtree there can be
    level: np.ndarray  # (1,), level of the node in hand; -1: no tree is begun
    thinned: np.ndarray  # (1,), whether some node of the tree got fewer children than it drew
    below_of: np.ndarray  # result of `nodes_below`


def grow_trees(
    rows: np.ndarray,
    columns: np.ndarray,
    members: np.ndarray,
    words: np.ndarray,
    c: int,
    caps: np.ndarray,
    floor: int,
    masks: Masks,
    keys: np.ndarray,
    limits: Limits,
) -> tuple[SetTable, np.ndarray]:
    """Sets at the leaves of trees of class c, one tree for each key.

    Parameters
    ----------
    rows : ndarray of shape (n, W) of uint64
    columns : ndarray of shape (64 W, V) of uint64
        Of `_bits.columns_of_rows`.
    members : ndarray of shape (m,) of int64
        Rows of the class; one that counts several times is repeated.
    words : ndarray of shape (C + 1,) of int64
        Where the words of each class begin in a column.
    c : int
    caps : ndarray of shape (C,) of int64
        A node that more rows of another class hold than its cap is dropped.
    floor : int
        A set stays if more rows of the class than this hold it.
    masks : Masks
    keys : ndarray of shape (n_trees,) of uint64
    limits : Limits

    Returns
    -------
    SetTable, and ndarray of shape (2,) of int64: numbers at CUT_TREES and LEFT_OUT_LEAVES.
    """
    nodes = nodes_of(limits, rows.shape[1])
    both = np.empty(words[-1], dtype=np.uint64)
    found, missed, tree = nothing_found(), np.zeros(2, dtype=np.int64), 0
    while True:
        tree = grow_on(
            rows,
            columns,
            members,
            words,
            c,
            caps,
            floor,
            masks,
            keys,
            limits,
            nodes,
            both,
            found,
            missed,
            tree,
        )
        if tree == len(keys):
            return found, missed
        found = with_room(found, 1, nodes.n_at[0], 1)  # no set below has more words than the root


def nodes_of(limits: Limits, n_words: int) -> Nodes:
    """Empty arrays for a path of nodes, no tree begun."""
    # a node gets no more children than words may be read in a tree
    n, widest = limits.depth + 1, int(min(np.ceil(limits.branch), max(limits.most_work, 1)))

    def int_zeros(size: int = n) -> np.ndarray:
        return np.zeros(size, dtype=np.int64)

    return Nodes(
        at=np.empty(n * n_words, dtype=np.int32),
        bits=np.empty(n * n_words, dtype=np.uint64),
        n_at=int_zeros(),
        size=int_zeros(),
        most=int_zeros(),
        promising=int_zeros(),
        born=int_zeros(),
        keys=np.empty(n * widest, dtype=np.uint64),
        rows=np.empty(n * widest, dtype=np.uint64),
        fruitful=np.zeros(n, dtype=bool),
        room=int_zeros(),
        spared=np.zeros(n, dtype=bool),
        level=np.full(1, -1),
        thinned=np.zeros(1, dtype=bool),
        below_of=nodes_below(limits.branch, limits.depth),
    )


@jit
def grow_on(
    rows,
    columns,
    members,
    words,
    c,
    caps,
    floor,
    masks,
    keys,
    limits,
    nodes,
    both,
    found,
    missed,
    tree,
):
    """Grow the trees from number `tree` on.

    Returns the first tree that is not done because the table has no room for one more set (its
    growth may have begun, and goes on from `nodes`), or the number of trees.
    """
    while tree < len(keys):
        if nodes.level[0] < 0 and not begin_tree(
            rows, columns, members, words, c, caps, masks.used, keys[tree], limits, nodes, both
        ):
            tree += 1
            continue
        widest_set = nodes.n_at[0]
        if not has_room(found, 1, widest_set, 1) or not grow_tree(
            rows,
            columns,
            members,
            words,
            c,
            caps,
            floor,
            masks,
            limits,
            nodes,
            both,
            found,
            missed,
            tree,
            widest_set,
        ):
            return tree
        missed[CUT_TREES] += nodes.thinned[0]
        tree += 1
    return tree


@jit
def begin_tree(rows, columns, members, words, c, caps, used, key, limits, nodes, both):
    """The root of a tree; False if it has too few items, or another class holds them too often."""
    row = members[draw_below(key, len(members))]
    m, ones = 0, np.uint64(0)
    for w in range(rows.shape[1]):
        word = rows[row, w] & used[w]
        # no branch: a word of zeros is overwritten by the next
        nodes.at[m], nodes.bits[m] = w, word
        m += word != np.uint64(0)
        ones += count_ones(word)
    if np.int64(ones) < limits.min_size:
        return False
    if any_exceeds(columns, nodes.at, nodes.bits, 0, m, words, c, caps, both):
        return False
    nodes.n_at[0], nodes.size[0], nodes.fruitful[0] = m, np.int64(ones), False
    # the root has one child
    nodes.room[0], nodes.spared[0], nodes.most[0] = limits.most_work, False, 1
    nodes.born[0], nodes.level[0], nodes.thinned[0] = 0, 0, False
    nodes.promising[0] = promising_children(
        rows,
        members,
        nodes.at,
        nodes.bits,
        0,
        m,
        key,
        1,
        limits.min_size,
        nodes.keys,
        nodes.rows,
        0,
    )
    return True


@jit
def grow_tree(
    rows,
    columns,
    members,
    words,
    c,
    caps,
    floor,
    masks,
    limits,
    nodes,
    both,
    found,
    missed,
    tree,
    widest_set,
):
    """Grow a tree until it is done (True), or the table has no room for one more set (False).

    Arrays are taken out of their tuples once and never rebound: so this loop counts no references.
    """
    free, full = masks.free, masks.full
    depth, branch, min_size = limits.depth, limits.branch, limits.min_size
    at, bits, n_at, size, most = nodes.at, nodes.bits, nodes.n_at, nodes.size, nodes.most
    born, promising, next_key, next_row = nodes.born, nodes.promising, nodes.keys, nodes.rows
    fruitful, room, spared = nodes.fruitful, nodes.room, nodes.spared
    n_words, widest = rows.shape[1], len(next_key) // (depth + 1)
    own_at, own_bits, starts = found.at, found.bits, found.starts
    below_of = nodes.below_of
    level, before = nodes.level[0], -1  # the set met last
    # depth first: levels 0 to `level` hold the path to the node in hand, the level below is scratch
    while level >= 0:
        if born[level] < promising[level]:
            nth, below, begin = level * widest + born[level], level + 1, (level + 1) * n_words
            child, row = next_key[nth], next_row[nth]
            born[level] += 1
            end, ones, known, beyond = np.uint64(begin), np.uint64(0), np.uint64(0), np.uint64(0)
            # unsigned places: those with a sign would be tested for being below zero
            for i in range(np.uint64(level * n_words), np.uint64(level * n_words + n_at[level])):
                w = np.uint64(at[i])
                word = bits[i] & rows[row, w]
                at[end], bits[end] = w, word
                end += np.uint64(word != np.uint64(0))
                ones += count_ones(word)
                known |= word & free[w]
                beyond |= word & ~full[w]
            m = np.int64(end) - begin
            n_at[below], size[below] = m, np.int64(ones)
            if (
                known == np.uint64(0)  # with an item that is rare elsewhere the set is rare, too
                # a set equal to its parent has passed already
                and size[below] < size[level]
                and any_exceeds(columns, at, bits, begin, m, words, c, caps, both)
            ):
                continue
            fruitful[level] = True
            # a set of items that all rows of the class hold can only come again: it is a leaf
            if below < depth and size[below] > min_size and beyond != np.uint64(0):
                level = below
                born[level], fruitful[level] = 0, False
                most[level] = children_of(child, branch)
                spared[level] = spared[level - 1]
                if not spared[level]:
                    # an even share of what the parent may read, less the words of this node
                    room[level] = room[level - 1] // most[level - 1] - n_at[level]
                    spared[level] = n_at[level] * below_of[level] <= room[level]
                    few = children_within(child, branch, room[level], n_at[level] * (depth - level))
                    nodes.thinned[0] = nodes.thinned[0] or few < most[level]
                    most[level] = few
                promising[level] = promising_children(
                    rows,
                    members,
                    at,
                    bits,
                    begin,
                    m,
                    child,
                    most[level],
                    min_size,
                    next_key,
                    next_row,
                    level * widest,
                )
                continue
            leaf = below
        else:
            leaf = level
            level -= 1
            if fruitful[leaf] or (leaf == 0 and not limits.alone):
                continue
        m, begin = n_at[leaf], leaf * n_words
        if before >= 0 and same_set(own_at, own_bits, starts, before, at, bits, begin, m, 1):
            met_again(found, before, tree)  # as most children of a frequent set
            continue
        held = np.int64(1 if floor < 1 else -1)  # the row of the root holds it; -1: not counted
        # with many words counting is cheaper than the hash: it ends at the floor after some items
        if held < 0 and m > MAX_UNROLLED_WORDS:
            held = count_down(columns, at, bits, begin, m, words[c], words[c + 1], floor, both)
            if held <= floor:
                continue
        value = hash_set(at, bits, begin, m, 1)
        slot, s = look_up(found, value, at, bits, begin, m, 1)
        if s >= 0:
            met_again(found, s, tree)
            before = s
            continue
        if held < 0:
            held = count_down(columns, at, bits, begin, m, words[c], words[c + 1], floor, both)
        if held <= floor:
            continue
        if found.n[0] == limits.most_sets:  # sets met before are still counted
            missed[LEFT_OUT_LEAVES] += 1
            continue
        before = found.n[0]
        add_set(found, value, slot, at, bits, begin, m, 1, tree)
        if level >= 0 and not has_room(found, 1, widest_set, 1):
            nodes.level[0] = level
            return False
    nodes.level[0] = -1
    return True


@jit
def promising_children(
    rows, members, at, bits, begin, m, key, n, min_size, next_key, next_row, first
):
    """How many of n children of the set at[begin:begin + m] have at least `min_size` items.

    Their keys and rows are written from `first` on. Most children have too few items; dropping them
    in one loop costs little, since the reads of all their rows overlap.
    """
    kept = first
    for nth in range(n):
        child = child_key(key, nth)
        row = np.uint64(members[draw_below(child, len(members))])
        ones = np.uint64(0)
        for i in range(np.uint64(begin), np.uint64(begin + m)):
            ones += count_ones(bits[i] & rows[row, np.uint64(at[i])])
        # no branch: a child with too few items is overwritten by the next
        next_key[kept], next_row[kept] = child, row
        kept += np.int64(ones) >= min_size
    return kept - first
