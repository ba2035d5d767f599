"""Sets met so far, each once: a hash table that grows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from .draws import mix


class Found(NamedTuple):
    """Sets in the order in which they were met.

    A set is m places and, for each of them, `per` words: of packed rows, which words are not
    zero, and these; of intervals, which features, and both ends of each.
    """

    at: np.ndarray  # int32, places of all sets, one set after the other
    bits: np.ndarray  # uint64, their words
    starts: np.ndarray  # int64, where each set begins in `at`
    numbers: np.ndarray  # (sets, 3) int64: TREES, LEAVES, LATEST
    hashes: np.ndarray  # (sets,) uint64
    slots: np.ndarray  # int64, a power of two of them; -1 is empty
    n: np.ndarray  # (1,) int64


TREES, LEAVES, LATEST = range(3)  # trees and leaves that came to it; the latest tree


@jit
def nothing_found():
    """An empty table."""
    return Found(
        np.empty(1024, dtype=np.int32),
        np.empty(1024, dtype=np.uint64),
        np.zeros(257, dtype=np.int64),
        np.empty((256, 3), dtype=np.int64),
        np.empty(256, dtype=np.uint64),
        np.full(1024, -1, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@jit
def look_up(found, at, bits, first, m, per):
    """The hash of the set at[first:first + m], its slot, and its number (-1: it is new)."""
    value = np.uint64(m)
    for i in range(first, first + m):
        value = mix(value ^ np.uint64(at[i]))
        for k in range(per * i, per * (i + 1)):
            value = mix(value ^ bits[k])
    last = len(found.slots) - 1
    slot = np.int64(value & np.uint64(last))
    s = found.slots[slot]
    while s >= 0 and not (found.hashes[s] == value and same_set(found, s, at, bits, first, m, per)):
        slot = (slot + 1) & last
        s = found.slots[slot]
    return value, slot, s


@jit
def same_set(found, s, at, bits, first, m, per):
    """Whether set number s is this one."""
    own = found.starts[s]
    same = found.starts[s + 1] - own == m
    i = 0
    while same and i < m:
        same = found.at[own + i] == at[first + i]
        for k in range(per):
            same = same and found.bits[per * (own + i) + k] == bits[per * (first + i) + k]
        i += 1
    return same


@jit
def met_again(found, s, tree):
    """Count a leaf."""
    found.numbers[s, LEAVES] += 1
    if found.numbers[s, LATEST] != tree:
        found.numbers[s, TREES] += 1
        found.numbers[s, LATEST] = tree


@jit
def add_set(found, value, slot, at, bits, first, m, per, tree):
    """The table with one more, for which `look_up` gave hash and slot."""
    s = found.n[0]
    found = with_room(found, s, m, per)
    if found.slots[slot] >= 0 or len(found.slots) < 4 * (s + 1):
        found, slot = with_slots(found, s, value)
    own = found.starts[s]
    found.at[own : own + m] = at[first : first + m]
    found.bits[per * own : per * (own + m)] = bits[per * first : per * (first + m)]
    found.starts[s + 1] = own + m
    found.hashes[s], found.slots[slot] = value, s
    found.numbers[s] = 1
    found.numbers[s, LATEST] = tree
    found.n[0] = s + 1
    return found


@jit
def with_room(found, s, m, per):
    """The same with room for set number s of m places."""
    at, bits, starts, numbers, hashes = (
        found.at, found.bits, found.starts, found.numbers, found.hashes
    )  # fmt: skip
    while found.starts[s] + m > len(at):
        at = np.concatenate((at, np.empty_like(at)))
    while per * (found.starts[s] + m) > len(bits):
        bits = np.concatenate((bits, np.empty_like(bits)))
    if s == len(hashes):
        starts = np.concatenate((starts, np.empty_like(starts)))
        numbers = np.concatenate((numbers, np.empty_like(numbers)))
        hashes = np.concatenate((hashes, np.empty_like(hashes)))
    return Found(at, bits, starts, numbers, hashes, found.slots, found.n)


@jit
def with_slots(found, s, value):
    """Twice the slots, and the one for this hash."""
    slots = np.full(2 * len(found.slots), -1, dtype=np.int64)
    last = len(slots) - 1
    for other in range(s):
        slot = np.int64(found.hashes[other] & np.uint64(last))
        while slots[slot] >= 0:
            slot = (slot + 1) & last
        slots[slot] = other
    slot = np.int64(value & np.uint64(last))
    while slots[slot] >= 0:
        slot = (slot + 1) & last
    grown = Found(
        found.at, found.bits, found.starts, found.numbers, found.hashes, slots, found.n
    )  # fmt: skip
    return grown, slot


@jit
def merge_found(found, other, per, most_sets):
    """The table with the sets of another, met by other trees; and how many leaves had no room."""
    left = 0
    for s in range(other.n[0]):
        first, m = other.starts[s], other.starts[s + 1] - other.starts[s]
        value, slot, same = look_up(found, other.at, other.bits, first, m, per)
        trees, leaves = other.numbers[s, TREES], other.numbers[s, LEAVES]
        if same < 0 and found.n[0] == most_sets:
            left += leaves
            continue
        if same < 0:
            found = add_set(found, value, slot, other.at, other.bits, first, m, per, 0)
            same = found.n[0] - 1
            found.numbers[same, TREES] = found.numbers[same, LEAVES] = 0
        found.numbers[same, TREES] += trees
        found.numbers[same, LEAVES] += leaves
    return found, left
