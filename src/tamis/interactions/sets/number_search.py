"""Trees of every class over a table of numbers: intervals, or neighbourhoods of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..._core.arrays import taken_lists
from ..._core.interfaces import Seeds
from .intersection_search import SHARE_TOLERANCE, Thresholds, TreeSettings, grow_in_chunks
from .intersections import prevalence_differences

ITEMS_PER_FEATURE = 100  # items looked at in a tree, for each feature


@dataclass(frozen=True, eq=False)
class NumberClasses:
    """A table of numbers by class, and how far rows may be apart.

    Attributes
    ----------
    X : ndarray of shape (n, p)
        NaN is missing. Of relRIT scaled to 0..1.
    members : sequence of ndarray
        Rows of each class.
    categorical : ndarray of shape (p,) of bool
        Columns of codes, below 64.
    epsilon : float
    radius : float
        Of relRIT; 0: covRIT.
    """

    X: np.ndarray
    members: Sequence[np.ndarray]
    categorical: np.ndarray
    epsilon: float
    radius: float = 0.0

    def __post_init__(self) -> None:
        # kernels compare ends of intervals by their bits, and -0.0 + 0.0 is 0.0
        object.__setattr__(self, "X", self.X + 0.0)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Rows of each class."""
        return np.array([len(rows) for rows in self.members], dtype=np.int64)

    def scale_of(self, c: int):
        """What the kernel needs of class c; columns that say nothing are left out."""
        from ...kernels.intersections import Scale

        rows = np.concatenate(self.members)
        low, high = column_ends(self.X[rows])
        kinds = self.categorical
        n_levels = int(np.nanmax(high[kinds], initial=0)) + 1
        spans = np.where(kinds, np.maximum(high, 0), high - low)
        limits = self.epsilon * spans + kinds  # of categories, how many
        mine = self.X[self.members[c]]
        known = np.maximum((~np.isnan(mine)).sum(axis=0), 1)
        means = variances = np.zeros(len(kinds))
        if self.radius:  # intervals need none, and squares of large numbers are infinite
            means = np.nansum(mine, axis=0) / known
            variances = np.nansum((mine - means) ** 2, axis=0) / known
        shares = np.zeros((len(kinds), n_levels))
        for j in np.flatnonzero(kinds):
            codes = mine[~np.isnan(mine[:, j]), j].astype(np.int64)
            shares[j] = np.bincount(codes, minlength=n_levels) / known[j]
        return Scale(
            self.radius > 0,
            kinds,
            high > low,
            limits,
            means,
            variances,
            shares,
            self.epsilon,
            self.radius,
        )

    def grow(
        self,
        c: int,
        thresholds: Thresholds,
        settings: TreeSettings,
        stream: Seeds,
        n_jobs: int | None = 1,
    ) -> NumberSets:
        """Sets that are held by as much of class c as requested, and no more by the others."""
        from ...kernels.intersections import (
            LEAVES_COLUMN,
            TREES_COLUMN,
            Limits,
            grow_number_trees,
            sum_numbers,
        )

        sizes, scale = self.sizes, self.scale_of(c)
        limits = Limits(
            settings.depth,
            float(settings.branch),
            settings.min_size,
            ITEMS_PER_FEATURE * self.X.shape[1],
            settings.most_sets,
        )
        keys = stream.generate_state(settings.n_trees, np.uint64)
        members = np.concatenate(self.members).astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        caps = np.array(thresholds.most) * sizes + SHARE_TOLERANCE
        least = float(thresholds.least[c] * sizes[c])

        def grown_number_trees(first: int):
            chunk = keys[first : first + settings.chunk]
            return grow_number_trees(self.X, members, starts, c, caps, least, scale, chunk, limits)

        per = 1 if scale.relaxed else 2
        found, cut, left = grow_in_chunks(grown_number_trees, settings, n_jobs, per)
        n = int(found.n[0])
        firsts = found.starts[: n + 1].copy()
        at = found.at[: firsts[-1]].astype(np.int64)
        values = found.bits[: per * firsts[-1]].view(np.float64)
        held = sum_numbers(self.X, members, starts, at, values, firsts, scale)
        numbers = found.numbers[:n]
        return NumberSets(
            at,
            values.reshape(len(at), per),
            firsts,
            held,
            np.full(n, c),
            numbers[:, TREES_COLUMN].copy(),
            numbers[:, LEAVES_COLUMN].copy(),
            cut,
            left,
        )


@dataclass(frozen=True, eq=False)
class NumberSets:
    """Sets of items of numbers.

    Attributes
    ----------
    at : ndarray of int64
        Features of all sets, one set after the other, rising within each.
    values : ndarray of shape (len(at), 2) or (len(at), 1)
        Both ends of an interval, or categories as bits and 0; or the value that rows are near.
    starts : ndarray of shape (S + 1,)
    counts : ndarray of shape (S, C)
        How much the rows of each class hold each set, summed.
    origin : ndarray of shape (S,)
    trees, leaves : ndarray of shape (S,)
    cut, left : int
        Trees made thinner; leaves without room.
    """

    at: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    counts: np.ndarray
    origin: np.ndarray
    trees: np.ndarray
    leaves: np.ndarray
    cut: int = 0
    left: int = 0

    def __len__(self) -> int:
        return len(self.origin)

    def features_of(self, s: int) -> tuple[int, ...]:
        """Features of set number s, rising."""
        return tuple(self.at[self.starts[s] : self.starts[s + 1]].tolist())

    def take(self, chosen: np.ndarray) -> NumberSets:
        """Some of the sets, in this order."""
        places, starts = taken_lists(self.starts, chosen)
        return replace(
            self,
            at=self.at[places],
            values=self.values[places],
            starts=starts,
            counts=self.counts[chosen],
            origin=self.origin[chosen],
            trees=self.trees[chosen],
            leaves=self.leaves[chosen],
        )


def best_of_each(one: NumberSets, sizes: np.ndarray, n_features: int, most: int) -> NumberSets:
    """Of sets of one class, one for each set of features, maximal in these; the best `most`.

    The best is the one that stands out most: intervals differ from tree to tree, and what they
    say together differs little.
    """
    from ...kernels.intersections import maximal_sets

    gap = np.round(prevalence_differences(one.counts, sizes, one.origin), 12)
    first: dict[tuple[int, ...], int] = {}
    for s in np.argsort(-gap, kind="stable").tolist():
        first.setdefault(one.features_of(s), s)
    kept = one.take(np.array(list(first.values()), dtype=np.int64))
    maximal = np.flatnonzero(maximal_sets(kept.at, kept.starts, n_features))
    return kept.take(maximal[:most])  # they stand in the order of what they say


def column_ends(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest value of each column; of one without any 0 and 0."""
    known = ~np.isnan(X)
    low = np.where(known, X, np.inf).min(axis=0)
    high = np.where(known, X, -np.inf).max(axis=0)
    return np.where(known.any(axis=0), low, 0.0), np.where(known.any(axis=0), high, 0.0)
