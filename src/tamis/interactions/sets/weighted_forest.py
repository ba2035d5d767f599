"""Forests that choose among features by weight: each is offered as often as it counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.streams import generator, stream

# places that features with weights are offered: with fewer, shares are coarse
MIN_WEIGHTED_PLACES = 1000
MAX_TASK_NODES = 1 << 16  # that the trees of a task may have; fewer are not worth a thread


def systematic_draws(weights: np.ndarray, m: int, rng: np.random.Generator) -> np.ndarray:
    """m places, rising, each as often as its share of the weights says, up to less than one."""
    ends = np.cumsum(weights, dtype=np.float64)
    points = (rng.random() + np.arange(m)) / m * ends[-1]
    places = np.searchsorted(ends, points, side="right")
    return np.minimum(places, np.flatnonzero(weights)[-1])  # a point may be rounded up to the end


def offered_by_weight(weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Features that splits are drawn from, each as often as its share says, (m,), rising.

    Every feature once if they all have the same weight.
    """
    p = len(weights)
    if (weights == weights[0]).all():
        return np.arange(p)
    return systematic_draws(weights, max(p, MIN_WEIGHTED_PLACES), rng)


@dataclass(frozen=True)
class SortedTable:
    """What all forests of a fit are grown on.

    Attributes
    ----------
    values : ndarray of shape (p, n) of float32
        Features in rows.
    order : ndarray of shape (p, n) of uint32
        Samples by the values of each, those without one last.
    codes : ndarray of shape (n,) of uint32
    n_classes : int
    """

    values: np.ndarray
    order: np.ndarray
    codes: np.ndarray
    n_classes: int

    @classmethod
    def of(cls, X: np.ndarray, codes: np.ndarray) -> SortedTable:
        """Of a table (n, p) and the classes of its rows, each of which is there."""
        values = np.ascontiguousarray(X.T, dtype=np.float32)
        order = np.empty(values.shape, dtype=np.uint32)
        for j in range(len(values)):
            order[j] = np.argsort(values[j], kind="stable")
        codes = np.ascontiguousarray(codes, dtype=np.uint32)
        return cls(values, order, codes, int(codes.max()) + 1)


@dataclass(frozen=True)
class WeightedForest:
    """A fitted forest, whose nodes stand one tree after the other.

    Attributes
    ----------
    starts : ndarray of shape (n_trees + 1,)
        The root of each tree, then the number of nodes.
    feature : ndarray of shape (nodes,)
        What a node splits on; -1 at a leaf.
    threshold : ndarray of shape (nodes,)
        Larger values go to the second child.
    child : ndarray of shape (nodes,)
        The first child; the second stands behind it. Of a leaf it says nothing.
    missing_first : ndarray of shape (nodes,) of bool
        Whether a missing value goes to the first child.
    counts : ndarray of shape (nodes, C)
        Samples of each class, of those that the tree was grown on.
    """

    starts: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    child: np.ndarray
    missing_first: np.ndarray
    counts: np.ndarray

    @property
    def inner(self) -> np.ndarray:
        """Nodes that are split, rising."""
        return np.flatnonzero(self.feature >= 0)

    def importances(self, n_features: int) -> np.ndarray:
        """Mean decrease in impurity (p,), of sum 1 unless nothing is split.

        Every tree counts the same.
        """
        inner, n_trees = self.inner, len(self.starts) - 1
        own = self.counts.astype(np.float64)
        samples = own.sum(axis=1)
        impure = samples - (own**2).sum(axis=1) / samples  # by samples
        child = self.child[inner]
        less = np.maximum(impure[inner] - impure[child] - impure[child + 1], 0)
        tree = np.searchsorted(self.starts, inner, side="right") - 1
        of_tree = np.bincount(tree, less, minlength=n_trees)[tree]
        shares = np.divide(less, of_tree, out=np.zeros(len(less)), where=of_tree > 0)
        found = np.bincount(self.feature[inner], shares, minlength=n_features)
        total = found.sum()
        return found / total if total > 0 else found

    def shares(self, X: np.ndarray) -> np.ndarray:
        """Of the rows of X (m, p) in single precision: the mean shares of the classes (m, C)."""
        every, n_trees = np.arange(len(X)), len(self.starts) - 1
        total = np.zeros((len(X), self.counts.shape[1]))
        for root in self.starts[:-1]:
            node, inside = np.full(len(X), root), every
            while len(inside := inside[self.feature[node[inside]] >= 0]):
                at = node[inside]
                value = X[inside, self.feature[at]]
                second = (value > self.threshold[at]) | np.isnan(value) & ~self.missing_first[at]
                node[inside] = self.child[at] + second
            held = self.counts[node]
            total += held / held.sum(axis=1, keepdims=True)
        return total / n_trees


@dataclass(frozen=True)
class ForestSettings:
    """What every forest of a fit has in common; `tried` features at a split, of all p."""

    n_estimators: int
    tried: int
    n_jobs: int | None
    seed: int


def fit_forest(
    table: SortedTable,
    rows: np.ndarray,
    weights: np.ndarray,
    settings: ForestSettings,
    *key: object,
) -> WeightedForest:
    """A forest on some rows, each as often as it is named; `key` names its random numbers."""
    from joblib import delayed

    from ..._core.workers import joblib_parallel
    from ...kernels.random_forest import grow_trees

    offered = offered_by_weight(
        weights, generator(settings.seed, "iterative forest", "columns", *key)
    )
    if settings.tried >= len(weights):
        offered = np.unique(offered)
    keys = stream(settings.seed, "iterative forest", "trees", *key).generate_state(
        settings.n_estimators, np.uint64
    )
    step = max(MAX_TASK_NODES // (2 * len(rows)), 1)

    def grown_chunk(first: int):
        return grow_trees(
            table.values,
            table.order,
            table.codes,
            table.n_classes,
            rows,
            True,
            offered,
            settings.tried,
            keys[first : first + step],
        )

    tasks = range(0, len(keys), step)
    parallel = joblib_parallel(n_jobs=settings.n_jobs, n_tasks=len(tasks), backend="threading")
    parts = parallel(delayed(grown_chunk)(first) for first in tasks)
    n_nodes = np.concatenate([n for n, _ in parts])
    feature, threshold, child, missing_first, counts = map(
        np.concatenate, zip(*(nodes for _, nodes in parts), strict=True)
    )
    starts = np.concatenate([[0], np.cumsum(n_nodes)])
    return WeightedForest(
        starts, feature, threshold, child + np.repeat(starts[:-1], n_nodes), missing_first, counts
    )


def iterate_forests(
    table: SortedTable, settings: ForestSettings, n: int
) -> tuple[WeightedForest, np.ndarray]:
    """The last of n forests, each by the importances of the one before, and all weights (n, p).

    Where a forest finds nothing to split, the weights stay.
    """
    p, rows = len(table.values), np.arange(len(table.codes))
    weights = np.full((n, p), 1 / p)
    fitted = fit_forest(table, rows, weights[0], settings, 0)
    for k in range(1, n):
        found = fitted.importances(p)
        weights[k] = found if found.any() else weights[k - 1]
        fitted = fit_forest(table, rows, weights[k], settings, k)
    return fitted, weights
