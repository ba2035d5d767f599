"""C4.5 trees in plans: categories as categories, missing values as missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Classifier
from ...kernels.units import magnified_columns
from ..base.seen_levels import SeenLevels
from .growth import C45Parameters, grown_tree, tree_shares

MIN_NODE_WEIGHT = 1e-6  # weight of a node that has children
WEIGHT_TOLERANCE = 1e-9  # of the weight of all rows, by which sums may be off


@dataclass(frozen=True)
class C45Predictor:
    """A tree as arrays; its nodes are those of `C45Classifier`.

    Attributes
    ----------
    seen : SeenLevels
    feature : ndarray of shape (n_nodes,)
        -1 = leaf.
    threshold : ndarray of shape (n_nodes,)
        0 in leaves and splits on categories.
    first_child, n_children : ndarray of shape (n_nodes,)
        Children stand side by side, behind their parent.
    counts : ndarray of shape (n_nodes, C)
        Weight of each class.
    laplace : bool
    """

    seen: SeenLevels
    feature: np.ndarray
    threshold: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    counts: np.ndarray
    laplace: bool

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k): a missing value, or a category that no training row has, goes
        down every branch with a share of the row."""
        from ...kernels.c45 import Tree

        nodes = len(self.feature)
        nothing = np.zeros(nodes, dtype=np.int64)
        parent = parents_of(self.first_child, self.n_children)
        weight = self.counts.sum(axis=1)
        tree = Tree(
            self.feature,
            self.threshold,
            self.first_child,
            self.n_children,
            parent,
            nothing,
            nothing,
            self.counts,
            weight,
            np.zeros(nodes),
        )
        return Beliefs(tree_shares(tree, self.seen.sizes, self.seen.coded(X), self.laplace))

    def to_arrays(self) -> Arrays:
        """The categories and the nodes."""
        names = ("feature", "threshold", "first_child", "n_children", "counts")
        return {**self.seen.to_arrays(), **{n: getattr(self, n).astype(float) for n in names}}

    @classmethod
    def from_arrays(
        cls, arrays: Arrays, n_columns: int, n_classes: int, laplace: bool
    ) -> C45Predictor:
        """From its arrays: every node but the first must be the child of one before it."""
        seen = SeenLevels.from_arrays(arrays, n_columns)
        feature, threshold, first, children, counts = fitting_arrays(
            arrays,
            feature=(None,),
            threshold=(None,),
            first_child=(None,),
            n_children=(None,),
            counts=(None, n_classes),
        )
        n = len(feature)
        if n == 0 or any(len(a) != n for a in (threshold, first, children, counts)):
            raise unfit_part_error("feature")
        splits = checked_integers(feature, -1, n_columns, "feature")
        first_child = checked_integers(first, 0, n + 1, "first_child")
        n_children = checked_integers(children, 0, n + 1, "n_children")
        inner = splits >= 0
        branches = np.zeros(n, dtype=np.int64)
        branches[inner] = np.maximum(seen.sizes[splits[inner]], 2)
        if (n_children != branches).any():
            raise unfit_part_error("n_children")
        if branches.sum() != n - 1:
            raise unfit_part_error("n_children")
        onward = first_child[inner] > np.flatnonzero(inner)
        if not onward.all() or not np.array_equal(
            np.sort(children_of(first_child, n_children)), np.arange(1, n)
        ):
            raise unfit_part_error("first_child")
        with np.errstate(over="ignore"):
            weight, below = counts.sum(axis=1), np.zeros_like(counts)
            np.add.at(below, parents_of(first_child, n_children)[1:], counts[1:])
        if (
            (counts < 0).any()
            or (weight[inner] < MIN_NODE_WEIGHT).any()
            or weight[0] < MIN_NODE_WEIGHT
        ):
            raise unfit_part_error("counts")
        off = np.abs(below - counts)[inner]  # a node has the rows of its branches
        if not np.isfinite(weight[0]) or (off > WEIGHT_TOLERANCE * weight[0]).any():
            raise unfit_part_error("counts")
        return cls(
            seen, splits, threshold, first_child, n_children, np.ascontiguousarray(counts), laplace
        )


def children_of(first_child: np.ndarray, n_children: np.ndarray) -> np.ndarray:
    """Of all nodes, those of the first before those of the next."""
    before = np.cumsum(n_children) - n_children
    return np.repeat(first_child - before, n_children) + np.arange(n_children.sum())


def parents_of(first_child: np.ndarray, n_children: np.ndarray) -> np.ndarray:
    """Of each node, -1 where it has none."""
    parent = np.full(len(n_children), -1)
    parent[children_of(first_child, n_children)] = np.repeat(np.arange(len(parent)), n_children)
    return parent


def limits_in_units(
    feature: np.ndarray, threshold: np.ndarray, exponents: np.ndarray
) -> np.ndarray:
    """Thresholds of columns magnified by powers of two, in the columns' own units; 0 for NaN."""
    numeric = ~np.isnan(threshold)
    limits = np.zeros(len(numeric))
    limits[numeric] = np.ldexp(threshold[numeric], -exponents[feature[numeric]])
    return limits


class C45(C45Parameters, Classifier):
    """`C45Classifier` in plans.

    Categories are those that training rows have. Columns with values nearer than 1e-5 are
    magnified, as in Monte Carlo feature selection, so that units do not matter.
    """

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
        weights: np.ndarray | None = None,
    ) -> C45Predictor:
        """One tree on a table as it is; nothing is random."""
        seen = SeenLevels.of(X, levels or {})
        sizes = seen.sizes
        larger, exponents = magnified_columns(seen.coded(X), sizes)
        given = np.ones(len(y)) if weights is None else weights
        tree = grown_tree(larger, sizes, y, given, n_classes, self)
        limits = limits_in_units(tree.feature, tree.threshold, exponents)
        return C45Predictor(
            seen,
            tree.feature,
            limits,
            tree.first_child,
            tree.n_children,
            tree.counts,
            bool(self.laplace),
        )

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> C45Predictor:
        """As of the predictor."""
        return C45Predictor.from_arrays(arrays, n_columns, n_classes, bool(self.laplace))
