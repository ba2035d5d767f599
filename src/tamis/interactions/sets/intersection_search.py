"""Trees of every class over a packed table: sets, with the rows of each class that hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import ceil, floor
from time import perf_counter
from typing import Any

import numpy as np

from ..._core.interfaces import Seeds
from .flat_sets import FlatSets

TASK_TREES = 8  # trees of a task: not a matter of threads, so that answers are none
LEAST_SECONDS = 0.1  # of all trees, below which threads cost more than they save
SHARE_TOLERANCE = 1e-9  # of a row: thresholds are shares, and rows are counted
MOST_WORK = 500_000  # words looked at in a tree


@dataclass(frozen=True)
class Thresholds:
    """What a set of class c must reach there, and must not exceed elsewhere; one a class."""

    least: tuple[float, ...]
    most: tuple[float, ...]

    def floor_of(self, c: int, sizes: np.ndarray) -> int:
        """More rows of the class than this hold a set."""
        return max(ceil(self.least[c] * sizes[c] - SHARE_TOLERANCE) - 1, 0)

    def caps(self, sizes: np.ndarray) -> np.ndarray:
        """No more rows of each class, where it is another, hold a set."""
        return np.array(
            [floor(share * n + SHARE_TOLERANCE) for share, n in zip(self.most, sizes, strict=True)],
            dtype=np.int64,
        )


@dataclass(frozen=True)
class TreeSettings:
    """How trees are grown; of every class as many.

    `alone`: whether what a root holds, which is one row, is a set if no child of it is valid.
    `chunk`: trees of a task.
    """

    n_trees: int
    depth: int
    branch: float
    min_size: int
    most_sets: int
    most_work: int = MOST_WORK
    alone: bool = True
    chunk: int = TASK_TREES


@dataclass(frozen=True)
class PackedClasses:
    """A table of items by class, as kernels want it.

    Attributes
    ----------
    rows : ndarray of shape (n, W) of uint64
    members : sequence of ndarray
        Rows of each class, as often as they count.
    n_items : int
    """

    rows: np.ndarray
    members: Sequence[np.ndarray]
    n_items: int

    @cached_property
    def sizes(self) -> np.ndarray:
        """Rows of each class."""
        return np.array([len(rows) for rows in self.members], dtype=np.int64)

    @cached_property
    def words(self) -> np.ndarray:
        """Where each class begins in a column."""
        return np.concatenate([[0], np.cumsum(-(-self.sizes // 64))]).astype(np.int64)

    @cached_property
    def columns(self) -> np.ndarray:
        """The table turned (64 W, V)."""
        from ...kernels._bits import columns_of_rows

        starts = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        return columns_of_rows(self.rows, np.concatenate(self.members), starts, self.words)

    @cached_property
    def counts(self) -> np.ndarray:
        """Rows of each class that hold each item (C, 64 W)."""
        from ...kernels._bits import count_columns

        return count_columns(self.columns, self.words)

    @cached_property
    def everywhere(self) -> np.ndarray:
        """Items of every row (64 W,): they tell nothing apart, and would be in every set."""
        return (self.counts == self.sizes[:, None]).all(axis=0)

    def grow(
        self,
        c: int,
        thresholds: Thresholds,
        settings: TreeSettings,
        stream: Seeds,
        n_jobs: int | None = 1,
    ) -> ClassSets:
        """Sets that as much of class c holds as requested, and no more of the others."""
        floor, caps = thresholds.floor_of(c, self.sizes), thresholds.caps(self.sizes)
        return sets_of_class(self, c, floor, caps, settings, stream, n_jobs)


@dataclass(frozen=True)
class ClassSets:
    """What trees of one class came to, in the order in which it was met.

    Attributes
    ----------
    sets : FlatSets
        Items, rising.
    counts : ndarray of shape (S, C)
        Rows of each class that hold the set.
    trees, leaves : ndarray of shape (S,)
        That came to it.
    cut : int
        Trees made thinner.
    left : int
        Leaves for which there was no room.
    """

    sets: FlatSets
    counts: np.ndarray
    trees: np.ndarray
    leaves: np.ndarray
    cut: int = 0
    left: int = 0

    def __len__(self) -> int:
        return len(self.trees)


def grow_in_chunks(
    grown: Callable, settings: TreeSettings, n_jobs: int | None, per: int = 1
) -> tuple[Any, int, int]:
    """What `grown` comes to from each chunk of trees, put together in their order; `per` words an
    item. With it trees made thinner, and leaves for which there was no room."""
    from joblib import delayed

    from ..._core.workers import joblib_parallel
    from ...kernels.intersections import CUT_TREES, LEFT_OUT_LEAVES, merge_found, nothing_found

    found, missed = nothing_found(), np.zeros(2, dtype=np.int64)
    began, tasks = perf_counter(), range(settings.chunk, settings.n_trees, settings.chunk)
    first = grown(0)
    if (perf_counter() - began) * len(tasks) < LEAST_SECONDS:
        others: Iterable[Any] = map(grown, tasks)
    else:
        parallel = joblib_parallel(
            n_jobs=n_jobs, n_tasks=len(tasks), backend="threading", return_as="generator"
        )
        others = parallel(delayed(grown)(k) for k in tasks)
    for more, also in chain([first], others):
        found, left = merge_found(found, more, per, settings.most_sets)
        missed += also
        missed[LEFT_OUT_LEAVES] += left
    return found, int(missed[CUT_TREES]), int(missed[LEFT_OUT_LEAVES])


def sets_of_class(
    packed: PackedClasses,
    c: int,
    floor: int,
    caps: np.ndarray,
    settings: TreeSettings,
    stream: Seeds,
    n_jobs: int | None = 1,
) -> ClassSets:
    """Sets that more than `floor` rows of class c hold, and of others k no more than caps[k].

    Items that no more than `floor` rows of the class have are in no such set: they are left out
    before trees are grown.
    """
    from ...kernels._bits import pack_rows
    from ...kernels.intersections import (
        LEAVES_COLUMN,
        TREES_COLUMN,
        Limits,
        Masks,
        count_sets,
        grow_trees,
        items_of_words,
    )

    others = np.arange(len(packed.sizes)) != c
    used = (packed.counts[c] > floor) & ~packed.everywhere
    free = (packed.counts[others] <= caps[others, None]).all(axis=0)
    full = packed.counts[c] == packed.sizes[c]
    masks = Masks(*(pack_rows(mask[None])[0] for mask in (used, free, full)))
    limits = Limits(
        settings.depth,
        float(settings.branch),
        settings.min_size,
        settings.most_work,
        settings.most_sets,
        settings.alone,
    )
    keys = stream.generate_state(settings.n_trees, np.uint64)
    members = np.ascontiguousarray(packed.members[c], dtype=np.int64)

    def grown_trees(first: int):
        return grow_trees(
            packed.rows,
            packed.columns,
            members,
            packed.words,
            c,
            caps,
            floor,
            masks,
            keys[first : first + settings.chunk],
            limits,
        )

    found, cut, left = grow_in_chunks(grown_trees, settings, n_jobs)
    n = int(found.n[0])
    starts = found.starts[: n + 1]
    items, ends = items_of_words(found.at[: starts[-1]], found.bits[: starts[-1]], starts)
    counts = count_sets(packed.columns, items, ends, packed.words)
    numbers = found.numbers[:n]
    return ClassSets(
        FlatSets(items, ends),
        counts,
        numbers[:, TREES_COLUMN].copy(),
        numbers[:, LEAVES_COLUMN].copy(),
        cut,
        left,
    )
