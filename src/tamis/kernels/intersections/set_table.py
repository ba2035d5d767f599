"""The sets found so far, each once: a hash table that grows (open addressing)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from .._split_mix import mix_bits


class SetTable(NamedTuple):
    """Sets in the order in which they were found.

    A set is m places and `per` words for each of them. Packed rows: the indices of the words that
    are not zero, and these words. Intervals: the features, and both ends of each.
    """

    at: np.ndarray  # int32, places of all sets, one set after the other
    bits: np.ndarray  # uint64, their words
    starts: np.ndarray  # int64, where each set begins in `at`
    numbers: np.ndarray  # (sets, 3) int64: TREES_COLUMN, LEAVES_COLUMN, LATEST_TREE_COLUMN
    hashes: np.ndarray  # (sets,) uint64
    slots: np.ndarray  # int32, number of the set in each of 2^k slots; -1 is empty
    n: np.ndarray  # (1,) int64, number of sets


# columns of `numbers`: trees and leaves that came to a set; the latest of these trees
TREES_COLUMN, LEAVES_COLUMN, LATEST_TREE_COLUMN = range(3)


def nothing_found() -> SetTable:
    """An empty table."""
    return SetTable(
        np.empty(1024, dtype=np.int32),
        np.empty(1024, dtype=np.uint64),
        np.zeros(257, dtype=np.int64),
        np.empty((256, 3), dtype=np.int64),
        np.empty(256, dtype=np.uint64),
        np.full(1024, -1, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
    )


@jit
def hash_set(at, bits, first, m, per):
    """The hash of the set at[first:first + m] and its words."""
    # every step mixes in one number, so the hash depends on their order; places of a set rise, so
    # equal sets are equal sequences
    value = np.uint64(m)
    for i in range(first, first + m):
        value = mix_bits(value ^ np.uint64(at[i]))
        for k in range(per * i, per * (i + 1)):
            value = mix_bits(value ^ bits[k])
    return value


@jit
def look_up(found, value, at, bits, first, m, per):
    """The slot of the set at[first:first + m], and its number, or -1 if it is new.

    `value` is its hash. The slot of a new set is the empty one it belongs in.
    """
    slots, hashes, starts, own_at, own_bits = (
        found.slots,
        found.hashes,
        found.starts,
        found.at,
        found.bits,
    )
    last = len(slots) - 1
    slot = np.int64(value & np.uint64(last))  # the hash modulo the number of slots, a power of two
    # linear probing; no more than half of the slots are taken (`has_room`), so it ends. Full hashes
    # are compared first: sets themselves then almost only where they are the same
    s = np.int64(slots[slot])
    while s >= 0 and not (
        hashes[s] == value and same_set(own_at, own_bits, starts, s, at, bits, first, m, per)
    ):
        slot = (slot + 1) & last
        s = np.int64(slots[slot])
    return slot, s


@jit
def same_set(own_at, own_bits, starts, s, at, bits, first, m, per):
    """Whether set number s of the table equals the set at[first:first + m]."""
    own = starts[s]
    same = starts[s + 1] - own == m
    i = 0
    while same and i < m:
        same = own_at[own + i] == at[first + i]
        for k in range(per):
            same = same and own_bits[per * (own + i) + k] == bits[per * (first + i) + k]
        i += 1
    return same


@jit
def met_again(found, s, tree):
    """Count another leaf that came to set s, and its tree if it is new."""
    found.numbers[s, LEAVES_COLUMN] += 1
    # trees are grown one after the other, so only the latest need be known
    if found.numbers[s, LATEST_TREE_COLUMN] != tree:
        found.numbers[s, TREES_COLUMN] += 1
        found.numbers[s, LATEST_TREE_COLUMN] = tree


@jit
def add_set(found, value, slot, at, bits, first, m, per, tree):
    """Add a new set, for which there is room, with its hash and the slot that `look_up` gave."""
    s, own_at, own_bits = found.n[0], found.at, found.bits
    own = found.starts[s]
    for i in range(m):
        own_at[own + i] = at[first + i]
    for i in range(per * m):
        own_bits[per * own + i] = bits[per * first + i]
    found.starts[s + 1] = own + m
    found.hashes[s], found.slots[slot] = value, s
    found.numbers[s] = 1  # one tree, one leaf
    found.numbers[s, LATEST_TREE_COLUMN] = tree
    found.n[0] = s + 1


@jit
def has_room(found, n, places, per):
    """Whether n more sets fit in, of `places` places together."""
    n += found.n[0]
    places += found.starts[found.n[0]]
    return (
        (n <= len(found.hashes))
        & (2 * n <= len(found.slots))  # at most half full
        & (places <= len(found.at))
        & (per * places <= len(found.bits))
    )


def with_room(found: SetTable, n: int, places: int, per: int) -> SetTable:
    """The table with room for n more sets of `places` places together.

    Arrays that have no room at least double, so that all copies together stay proportional to the
    final size.
    """
    n_sets = int(found.n[0])
    n += n_sets
    places += int(found.starts[n_sets])
    at, bits, starts, numbers, hashes, slots, _ = found
    if places > len(at):
        at = np.concatenate([at, np.empty(places, dtype=np.int32)])
    if per * places > len(bits):
        bits = np.concatenate([bits, np.empty(per * places, dtype=np.uint64)])
    if n > len(hashes):
        starts = np.concatenate([starts, np.empty(n, dtype=np.int64)])
        numbers = np.concatenate([numbers, np.empty((n, 3), dtype=np.int64)])
        hashes = np.concatenate([hashes, np.empty(n, dtype=np.uint64)])
    if 2 * n > len(slots):
        # the least power of two from 4 n on; other bits of the hashes count, so all sets move
        slots = np.full(1 << (4 * n - 1).bit_length(), -1, dtype=np.int32)
        fill_slots(slots, hashes, n_sets)
    return SetTable(at, bits, starts, numbers, hashes, slots, found.n)


@jit
def fill_slots(slots, hashes, n):
    """Put the first n sets into slots, all of which are empty; their number is a power of two."""
    last = len(slots) - 1
    for s in range(n):  # the sets differ, so none need be compared
        slot = np.int64(hashes[s] & np.uint64(last))
        while slots[slot] >= 0:
            slot = (slot + 1) & last
        slots[slot] = s


def merge_found(found: SetTable, other: SetTable, per: int, most_sets: int) -> tuple[SetTable, int]:
    """The table with the sets of another, found by other trees; and how many leaves had no room."""
    n_more = int(other.n[0])
    found = with_room(found, n_more, int(other.starts[n_more]), per)
    return found, merge_into(found, other, per, most_sets)


@jit
def merge_into(found, other, per, most_sets):
    """Add the sets of `other`; returns the number of leaves beyond `most_sets` sets.

    `found` is never rebound in here, which spares numba the counting of references.
    """
    left = 0
    for s in range(other.n[0]):
        first, m, value = other.starts[s], other.starts[s + 1] - other.starts[s], other.hashes[s]
        slot, same = look_up(found, value, other.at, other.bits, first, m, per)
        trees, leaves = other.numbers[s, TREES_COLUMN], other.numbers[s, LEAVES_COLUMN]
        if same < 0 and found.n[0] == most_sets:
            left += leaves
            continue
        if same < 0:
            # LATEST_TREE_COLUMN is of no use any more: merged tables get no further leaves
            add_set(found, value, slot, other.at, other.bits, first, m, per, 0)
            same = found.n[0] - 1
            found.numbers[same, TREES_COLUMN] = found.numbers[same, LEAVES_COLUMN] = 0
        # no tree is in both tables, so trees add up
        found.numbers[same, TREES_COLUMN] += trees
        found.numbers[same, LEAVES_COLUMN] += leaves
    return left
