"""A whole search: trees of every class, then the maximal of the sets between the thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._core.interfaces import Seeds
from .intersection_search import ClassSets, PackedClasses, Thresholds, TreeSettings
from .intersections import differences


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
    """Of every class the maximal sets within the caps."""
    sizes = packed.sizes
    sets: list[tuple[int, ...]] = []
    origin, counts, trees = [], [np.zeros((0, len(sizes)), dtype=np.int64)], []
    for c, one in enumerate(found):
        kept = _maximal_within(one, c, caps, packed.n_items)
        sets += [one.set_of(s) for s in kept]
        origin += [c] * len(kept)
        counts.append(one.counts[kept])
        trees += one.trees[kept].tolist()
    of_sets, of_class = np.concatenate(counts), np.array(origin, dtype=np.int64)
    gap = differences(of_sets, sizes, of_class)
    order = sorted(range(len(sets)), key=lambda s: (-round(gap[s], 12), -len(sets[s]), sets[s]))
    return FoundSets(
        [sets[s] for s in order], of_class[order], of_sets[order],
        np.array(trees, dtype=np.int64)[order], gap[order],
        sum(one.cut for one in found), sum(one.left for one in found),
    )  # fmt: skip


def _maximal_within(one: ClassSets, c: int, caps: np.ndarray, n_items: int) -> np.ndarray:
    from ..kernels.intersections import maximal_sets

    others = np.arange(len(caps)) != c
    kept = np.flatnonzero((one.counts[:, others] <= caps[others]).all(axis=1))
    sizes = np.diff(one.starts)[kept]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.repeat(one.starts[:-1][kept] - starts[:-1], sizes) + np.arange(starts[-1])
    return kept[maximal_sets(one.items[places], starts, n_items)]
