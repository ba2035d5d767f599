"""Sets met so far, each once: a hash table that grows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from .._split_mix import mix_bits


class SetTable(NamedTuple):
    """Sets in the order in which they were met.

    A set is m places and, for each of them, `per` words: of packed rows, which words are not
    zero, and these; of intervals, which features, and both ends of each.
    """

    at: np.ndarray  # int32, places of all sets, one set after the other
    bits: np.ndarray  # uint64, their words
    starts: np.ndarray  # int64, where each set begins in `at`
    numbers: np.ndarray  # (sets, 3) int64: TREES_COLUMN, LEAVES_COLUMN, LATEST_TREE_COLUMN
    hashes: np.ndarray  # (sets,) uint64
    slots: np.ndarray  # int32, a power of two of them; -1 is empty
    n: np.ndarray  # (1,) int64


# trees and leaves that came to it; the latest tree
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
    """The hash of the set at[first:first + m]."""
    value = np.uint64(m)
    for i in range(first, first + m):
        value = mix_bits(value ^ np.uint64(at[i]))
        for k in range(per * i, per * (i + 1)):
            value = mix_bits(value ^ bits[k])
    return value


@jit
def look_up(found, value, at, bits, first, m, per):
    """The slot of the set at[first:first + m], whose hash is given; its number, -1 if it is new."""
    slots, hashes, starts, own_at, own_bits = (
        found.slots,
        found.hashes,
        found.starts,
        found.at,
        found.bits,
    )
    last = len(slots) - 1
    slot = np.int64(value & np.uint64(last))
    s = np.int64(slots[slot])
    while s >= 0 and not (
        hashes[s] == value and same_set(own_at, own_bits, starts, s, at, bits, first, m, per)
    ):
        slot = (slot + 1) & last
        s = np.int64(slots[slot])
    return slot, s


@jit
def same_set(own_at, own_bits, starts, s, at, bits, first, m, per):
    """Whether set number s is this one."""
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
    """Count a leaf."""
    found.numbers[s, LEAVES_COLUMN] += 1
    if found.numbers[s, LATEST_TREE_COLUMN] != tree:
        found.numbers[s, TREES_COLUMN] += 1
        found.numbers[s, LATEST_TREE_COLUMN] = tree


@jit
def add_set(found, value, slot, at, bits, first, m, per, tree):
    """One more set, for which there is room, with its hash and the slot that `look_up` gave."""
    s, own_at, own_bits = found.n[0], found.at, found.bits
    own = found.starts[s]
    for i in range(m):
        own_at[own + i] = at[first + i]
    for i in range(per * m):
        own_bits[per * own + i] = bits[per * first + i]
    found.starts[s + 1] = own + m
    found.hashes[s], found.slots[slot] = value, s
    found.numbers[s] = 1
    found.numbers[s, LATEST_TREE_COLUMN] = tree
    found.n[0] = s + 1


@jit
def has_room(found, n, places, per):
    """Whether n more sets of so many places together fit in."""
    n += found.n[0]
    places += found.starts[found.n[0]]
    return (
        (n <= len(found.hashes))
        & (2 * n <= len(found.slots))
        & (places <= len(found.at))
        & (per * places <= len(found.bits))
    )


def with_room(found: SetTable, n: int, places: int, per: int) -> SetTable:
    """The table, larger where they do not. What grows at least doubles."""
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
        slots = np.full(1 << (4 * n - 1).bit_length(), -1, dtype=np.int32)
        fill_slots(slots, hashes, n_sets)
    return SetTable(at, bits, starts, numbers, hashes, slots, found.n)


@jit
def fill_slots(slots, hashes, n):
    """Put the first n sets into empty slots, a power of two of them."""
    last = len(slots) - 1
    for s in range(n):
        slot = np.int64(hashes[s] & np.uint64(last))
        while slots[slot] >= 0:
            slot = (slot + 1) & last
        slots[slot] = s


def merge_found(found: SetTable, other: SetTable, per: int, most_sets: int) -> tuple[SetTable, int]:
    """The table with the sets of another, met by other trees; and how many leaves had no room."""
    n_more = int(other.n[0])
    found = with_room(found, n_more, int(other.starts[n_more]), per)
    return found, merge_into(found, other, per, most_sets)


@jit
def merge_into(found, other, per, most_sets):
    """The leaves without room. A table that is never another needs no counting of references."""
    left = 0
    for s in range(other.n[0]):
        first, m, value = other.starts[s], other.starts[s + 1] - other.starts[s], other.hashes[s]
        slot, same = look_up(found, value, other.at, other.bits, first, m, per)
        trees, leaves = other.numbers[s, TREES_COLUMN], other.numbers[s, LEAVES_COLUMN]
        if same < 0 and found.n[0] == most_sets:
            left += leaves
            continue
        if same < 0:
            add_set(found, value, slot, other.at, other.bits, first, m, per, 0)
            same = found.n[0] - 1
            found.numbers[same, TREES_COLUMN] = found.numbers[same, LEAVES_COLUMN] = 0
        found.numbers[same, TREES_COLUMN] += trees
        found.numbers[same, LEAVES_COLUMN] += leaves
    return left
