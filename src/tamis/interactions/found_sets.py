"""A whole search: trees of every class, then the maximal of the sets between the thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._core.arrays import taken_lists
from .._core.interfaces import Seeds
from .intersection_search import ClassSets, PackedClasses, Thresholds, TreeSettings
from .intersections import differences

LOOKED_AT = 4  # items that put equals in order
NONE = (-1,) * LOOKED_AT


@dataclass(frozen=True)
class FoundSets:
    """Maximal sets of all classes, those that stand out most first.

    Attributes
    ----------
    sets : sequence of tuple of int
        Items, rising.
    origin, trees : ndarray of shape (S,)
        Class; trees of it that came to the set.
    counts : ndarray of shape (S, C)
    cut, left : int
        Trees made thinner; leaves without room.
    """

    sets: Sequence[tuple[int, ...]]
    origin: np.ndarray
    counts: np.ndarray
    trees: np.ndarray
    difference: np.ndarray
    cut: int = 0
    left: int = 0

    @property
    def keys(self) -> list[tuple[int, tuple[int, ...]]]:
        """What makes a set the same: its class and its items."""
        return [(int(c), items) for c, items in zip(self.origin, self.sets, strict=True)]


def find_sets(
    packed: PackedClasses, thresholds: Thresholds, settings: TreeSettings, streams: Sequence[Seeds],
    n_jobs: int | None = 1,
) -> FoundSets:  # fmt: skip
    """One search, with one random stream a class."""
    found = [
        packed.grow(c, thresholds, settings, streams[c], n_jobs) for c in range(len(packed.sizes))
    ]
    return put_together(packed, found, thresholds.caps(packed.sizes))


def put_together(packed: PackedClasses, found: Sequence[ClassSets], caps: np.ndarray) -> FoundSets:
    """Of every class the maximal sets within the caps. Of equals the longer is first, then the one
    with the lower items, as far as the first few tell."""
    sizes = packed.sizes
    kept = [_maximal_within(one, c, caps, packed.n_items) for c, one in enumerate(found)]
    sets = [items for one, few in zip(found, kept, strict=True) for items in one.sets_of(few)]
    origin = np.repeat(np.arange(len(found)), [len(few) for few in kept])
    counts = np.concatenate([one.counts[few] for one, few in zip(found, kept, strict=True)])
    trees = np.concatenate([one.trees[few] for one, few in zip(found, kept, strict=True)])
    gap = differences(counts, sizes, origin)
    lengths = np.array([len(items) for items in sets], dtype=np.int64)
    first = np.array([(items + NONE)[:LOOKED_AT] for items in sets]).reshape(-1, LOOKED_AT)
    order = np.lexsort((*first.T[::-1], -lengths, -np.round(gap, 12)))
    return FoundSets(
        [sets[s] for s in order.tolist()], origin[order], counts[order], trees[order], gap[order],
        sum(one.cut for one in found), sum(one.left for one in found),
    )  # fmt: skip


def _maximal_within(one: ClassSets, c: int, caps: np.ndarray, n_items: int) -> np.ndarray:
    from ..kernels.intersections import maximal_sets

    others = np.arange(len(caps)) != c
    kept = np.flatnonzero((one.counts[:, others] <= caps[others]).all(axis=1))
    places, starts = taken_lists(one.starts, kept)
    return kept[maximal_sets(one.items[places], starts, n_items)]
