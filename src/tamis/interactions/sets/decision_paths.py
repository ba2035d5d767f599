"""Paths to the leaves of a forest, packed: what random intersection trees of a forest grow on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from .intersection_search import ClassSets, PackedClasses
from .weighted_forest import WeightedForest, systematic_draws

MOST_BYTES = 256 * 2**20  # of packed paths
MOST_DRAWS = 2_000_000  # places that paths are drawn from

Signed = tuple[int, ...]  # of feature j: 2 j + 1 is high (or either), 2 j low; rising


@dataclass(frozen=True)
class LeafPaths:
    """The leaves of a forest: what their paths ask, how many samples they hold, what they say.

    Attributes
    ----------
    rows : ndarray of shape (m, W) of uint64
        Of `kernels.decision_paths`; its features are places in `features`.
    weights : ndarray of shape (m,) of int64
        Samples in each leaf, of those that its tree was grown on.
    labels : ndarray of shape (m,) of int64
        The class of most of them, ties to the first.
    features : ndarray of int64
        Those that the forest splits on, rising.
    signed : bool
    n_leaves : int
        Of the forest; with more than m, as many were drawn by weight, to save memory.
    """

    rows: np.ndarray
    weights: np.ndarray
    labels: np.ndarray
    features: np.ndarray
    signed: bool
    n_leaves: int

    def sizes(self, n_classes: int) -> np.ndarray:
        """Samples in the leaves of each class (C,)."""
        return self._by_class(np.ones(len(self.weights), dtype=bool), n_classes)

    def counts(self, sets: Iterable[Signed], n_classes: int) -> np.ndarray:
        """Samples in the leaves of each class whose path holds each set (S, C)."""
        counts = [self._by_class(self._holds(one), n_classes) for one in sets]
        return np.array(counts, dtype=np.int64).reshape(-1, n_classes)

    def signed_sets(self, found: ClassSets) -> list[Signed]:
        """The sets of trees on these paths, in terms of the table."""
        half = self._half
        items, ends = found.sets.items, found.sets.starts.tolist()
        numbers = 2 * self.features[items % half] + (items < half)
        return [tuple(sorted(numbers[a:b].tolist())) for a, b in pairwise(ends)]

    @property
    def _half(self) -> int:
        """Items before those of low values."""
        return 64 * self.rows.shape[1] // (2 if self.signed else 1)

    def _holds(self, one: Signed) -> np.ndarray:
        mask: dict[int, np.uint64] = {}
        for number in one:
            j = int(np.searchsorted(self.features, number // 2))
            if j == len(self.features) or self.features[j] != number // 2:
                return np.zeros(len(self.rows), dtype=bool)
            item = j if number % 2 else self._half + j
            mask[item >> 6] = mask.get(item >> 6, np.uint64(0)) | np.uint64(1 << (item & 63))
        held = np.ones(len(self.rows), dtype=bool)
        for w, word in mask.items():
            held &= (self.rows[:, w] & word) == word
        return held

    def _by_class(self, rows: np.ndarray, n_classes: int) -> np.ndarray:
        totals = np.bincount(self.labels[rows], self.weights[rows], minlength=n_classes)
        return totals.astype(np.int64)


class PathClasses(PackedClasses):
    """Paths by class, for searches that leave out nothing: no rows are counted, so none are turned.

    With a floor of -1 every set is above it, and with caps of 0 no set is above them.
    """

    @cached_property
    def words(self) -> np.ndarray:
        """No words in a column."""
        return np.zeros(len(self.members) + 1, dtype=np.int64)

    @cached_property
    def columns(self) -> np.ndarray:
        """Columns without words."""
        return np.zeros((64 * self.rows.shape[1], 0), dtype=np.uint64)


def leaf_paths(
    fitted: WeightedForest, signed: bool, rng: np.random.Generator, most_bytes: int = MOST_BYTES
) -> LeafPaths:
    """The leaves of a forest.

    With signs a feature is high or low as the split on it that is nearest to the root has it.
    """
    from ...kernels._bits import words_for
    from ...kernels.decision_paths import climb_paths

    inner, leaves = fitted.inner, np.flatnonzero(fitted.feature < 0)
    child = fitted.child[inner]
    parent = np.full(len(fitted.feature), -1, dtype=np.int64)
    high = np.zeros(len(parent), dtype=bool)
    parent[child] = parent[child + 1] = inner
    high[child + 1] = True
    features = np.unique(fitted.feature[inner])
    feature = np.searchsorted(features, fitted.feature)  # of a leaf not read
    weights = fitted.counts[leaves].sum(axis=1)
    labels = fitted.counts[leaves].argmax(axis=1)
    n_words, n_leaves = max(words_for(len(features)), 1), len(leaves)
    most = max(most_bytes // (8 * n_words * (1 + signed)), 1)
    if n_leaves > most:
        kept, weights = np.unique(systematic_draws(weights, most, rng), return_counts=True)
        leaves, labels = leaves[kept], labels[kept]
    rows = climb_paths(leaves, parent, feature, high, n_words, bool(signed))
    return LeafPaths(rows, weights, labels, features, bool(signed), n_leaves)


def path_classes(
    paths: LeafPaths, n_classes: int, rng: np.random.Generator, most: int = MOST_DRAWS
) -> PathClasses:
    """Leaves by class, each as often as it has samples."""
    members = []
    for c in range(n_classes):
        of_class = np.flatnonzero(paths.labels == c)
        weights = paths.weights[of_class]
        if weights.sum() > most:
            members.append(of_class[systematic_draws(weights, most, rng)])
        else:
            members.append(np.repeat(of_class, weights))
    return PathClasses(paths.rows, members, 64 * paths.rows.shape[1])
