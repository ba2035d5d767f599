"""A full search: trees of every class, then the maximal of the sets between the thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..._core.interfaces import Seeds
from .flat_sets import FlatSets
from .intersection_search import ClassSets, PackedClasses, Thresholds, TreeSettings
from .intersections import prevalence_differences

LOOKED_AT = 4  # items that put equals in order


@dataclass(frozen=True)
class MaximalSets:
    """Maximal sets of all classes, those that stand out most first.

    Attributes
    ----------
    sets : FlatSets
        Items, rising.
    origin, trees : ndarray of shape (S,)
        Class; trees of it that came to the set.
    counts : ndarray of shape (S, C)
    cut, left : int
        Trees made thinner; leaves without room.
    """

    sets: FlatSets
    origin: np.ndarray
    counts: np.ndarray
    trees: np.ndarray
    difference: np.ndarray
    cut: int = 0
    left: int = 0

    @property
    def keys(self) -> list[tuple[int, bytes]]:
        """What makes a set the same: its class and its items."""
        items, ends = self.sets.items.tobytes(), (8 * self.sets.starts).tolist()
        return [
            (c, items[a:b]) for c, (a, b) in zip(self.origin.tolist(), pairwise(ends), strict=True)
        ]


def find_sets(
    packed: PackedClasses,
    thresholds: Thresholds,
    settings: TreeSettings,
    streams: Sequence[Seeds],
    n_jobs: int | None = 1,
) -> MaximalSets:
    """One search, with one random stream a class."""
    found = [
        packed.grow(c, thresholds, settings, streams[c], n_jobs) for c in range(len(packed.sizes))
    ]
    return put_together(packed, found, thresholds.caps(packed.sizes))


def put_together(
    packed: PackedClasses, found: Sequence[ClassSets], caps: np.ndarray
) -> MaximalSets:
    """Of every class the maximal sets within the caps. Of equals the longer is first, then the one
    with the lower items, as far as the first few tell."""
    from ...kernels.intersections import order_by

    kept = [_maximal_within(one, c, caps, packed.n_items) for c, one in enumerate(found)]
    origin = np.repeat(np.arange(len(found)), [len(few) for few in kept])
    counts = np.concatenate([one.counts[few] for one, few in zip(found, kept, strict=True)])
    trees = np.concatenate([one.trees[few] for one, few in zip(found, kept, strict=True)])
    gap = prevalence_differences(counts, packed.sizes, origin)
    sets = FlatSets.joined([one.sets for one in found])
    before = np.cumsum([0, *map(len, found)])
    chosen = np.concatenate([few + first for few, first in zip(kept, before, strict=False)])
    sizes, starts = sets.sizes[chosen], sets.starts[chosen]
    order = np.arange(len(chosen))
    for k in reversed(range(LOOKED_AT)):
        item = np.zeros(len(chosen), dtype=np.int64)  # where there is none
        item[sizes > k] = sets.items[starts[sizes > k] + k] + 1
        order = order_by(item, order)
    order = order_by(sizes.max(initial=0) - sizes, order)
    order = order_by(np.unique(-np.round(gap, 12), return_inverse=True)[1], order)
    return MaximalSets(
        sets.take(chosen[order]),
        origin[order],
        counts[order],
        trees[order],
        gap[order],
        sum(one.cut for one in found),
        sum(one.left for one in found),
    )


def _maximal_within(one: ClassSets, c: int, caps: np.ndarray, n_items: int) -> np.ndarray:
    from ...kernels.intersections import maximal_sets

    others = np.arange(len(caps)) != c
    kept = np.flatnonzero((one.counts.T[others] <= caps[others, None]).all(axis=0))
    sets = one.sets.take(kept)
    return kept[maximal_sets(sets.items, sets.starts, n_items)]
