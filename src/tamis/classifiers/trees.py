"""A decision tree, and a forest of them, as arrays of nodes.

Missing values are taken as they are. scikit-learn's trees have no splits on categories, so these
are spread over 0/1 columns, of the categories that training rows have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._core.arrays import checked_distributions, checked_integers, fitting_arrays, unfit_part_error
from .._core.interfaces import Arrays, Beliefs, Classifier, Predictor, Regressor
from .base.constant_predictor import ONE_NUMBER
from .base.natural_scale import natural_scale
from .base.scaling import equal_prior, stored_weights, weights_of_prior
from .base.seen_levels import SeenLevels

WEIGHTS_KEY = "class_weights"
MAX_DOUBLE = float(np.finfo(np.float64).max)
MAX_SINGLE = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class TreesPredictor:
    """The mean of some trees, whose nodes stand one tree after the other.

    Attributes
    ----------
    starts : ndarray of shape (n_trees + 1,)
        First node of each tree, which is its root; then the number of nodes.
    children : ndarray of shape (n_nodes, 2)
        Node that a row goes to if its value is at most the threshold, or above; -1 at a leaf.
    feature : ndarray of shape (n_nodes,)
    threshold : ndarray of shape (n_nodes,)
    missing_left : ndarray of shape (n_nodes,) of 0 or 1
        Whether a row without the value goes to the first of them: where the split had such rows
        in training, as fitted; else where more rows went.
    shares : ndarray of shape (n_nodes, C)
        Of the training rows that came to a node, as they were weighted; of a number their
        mean, with C = 1.
    class_weights : ndarray of shape (C,) or None
        What each class counted more, if balanced: probabilities are of the rows themselves, and
        the margins those that the weights tell.
    """

    starts: np.ndarray
    children: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    missing_left: np.ndarray
    shares: np.ndarray
    class_weights: np.ndarray | None = None

    @classmethod
    def of(cls, trees: Sequence[Any], class_weights: np.ndarray | None = None) -> TreesPredictor:
        """From scikit-learn's fitted trees."""
        counts = [tree.node_count for tree in trees]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        children = [
            np.column_stack([tree.children_left, tree.children_right]).astype(np.int64)
            for tree in trees
        ]
        children = [np.where(c < 0, -1, c + s) for c, s in zip(children, starts, strict=False)]
        return cls(
            starts,
            np.concatenate(children),
            np.concatenate([np.maximum(tree.feature, 0) for tree in trees]).astype(np.int64),
            # infinite where a split sends the missing to the right, and all others to the left
            np.concatenate([np.minimum(tree.threshold, MAX_DOUBLE) for tree in trees]),
            np.concatenate([tree.missing_go_to_left for tree in trees]).astype(np.int64),
            np.concatenate([tree.value[:, 0, :] for tree in trees]),
            class_weights,
        )

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k), which scikit-learn's trees see in single precision."""
        X = np.clip(X, -MAX_SINGLE, MAX_SINGLE).astype(np.float32)
        holes = np.isnan(X)
        some = bool(holes.any())
        every = np.arange(len(X))
        total = np.zeros((len(X), self.shares.shape[1]))
        own = None if self.class_weights is None else natural_scale(self.shares, self.class_weights)
        natural = total.copy()
        for root in self.starts[:-1]:
            node = np.full(len(X), root)
            inside = every
            while len(inside):
                inside = inside[self.children[node[inside], 0] >= 0]
                at = node[inside]
                right = X[inside, self.feature[at]] > self.threshold[at]
                if some:
                    right |= holes[inside, self.feature[at]] & (self.missing_left[at] == 0)
                node[inside] = self.children[at, right.astype(np.int64)]
            total += self.shares[node]
            if own is not None:
                natural += own[node]
        mean = total / (len(self.starts) - 1)
        if mean.shape[1] == ONE_NUMBER:
            return Beliefs.of_values(mean[:, 0])
        if own is None:
            return Beliefs(mean)
        return Beliefs(natural / (len(self.starts) - 1), Beliefs(mean).scores)

    def among(self, places: np.ndarray) -> TreesPredictor:
        """The same where its columns stand at these places among others."""
        return replace(self, feature=places[self.feature])

    def of_undivided(self, units: np.ndarray) -> TreesPredictor:
        """The same for columns that are not divided by these powers of two (k,)."""
        return replace(self, threshold=self.threshold * units[self.feature])

    def to_arrays(self) -> Arrays:
        """The nodes."""
        names = ["starts", "children", "feature", "threshold", "missing_left", "shares"]
        names += [] if self.class_weights is None else [WEIGHTS_KEY]
        return {name: np.asarray(getattr(self, name), dtype=np.float64) for name in names}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> TreesPredictor:
        """From the nodes, whose links must lead onward and end in their own tree."""
        weights = stored_weights(arrays, WEIGHTS_KEY, n_classes) if WEIGHTS_KEY in arrays else None
        starts, children, feature, threshold, left, shares = fitting_arrays(
            arrays,
            starts=(None,),
            children=(None, 2),
            feature=(None,),
            threshold=(None,),
            missing_left=(None,),
            shares=(None, n_classes),
        )
        n = len(children)
        if any(len(a) != n for a in (feature, threshold, left, shares)) or len(starts) < 2:
            raise unfit_part_error("feature")
        missing_left = checked_integers(left, 0, 2, "missing_left")
        starts = checked_integers(starts, 0, n + 1, "starts")
        if starts[0] != 0 or starts[-1] != n or (np.diff(starts) < 1).any():
            raise unfit_part_error("starts")
        children = checked_integers(children, -1, n, "children")
        feature = checked_integers(feature, 0, n_columns, "feature")
        leaf = (children == -1).all(axis=1)
        ends = np.repeat(starts[1:], np.diff(starts))[:, None]  # of each node's tree
        onward = ((children > np.arange(n)[:, None]) & (children < ends)).all(axis=1)
        if not (leaf | onward).all():
            raise unfit_part_error("children")
        if n_classes != ONE_NUMBER:
            checked_distributions(shares, "shares")
        return cls(starts, children, feature, threshold, missing_left, shares, weights)


@dataclass(frozen=True)
class SpreadPredictor:
    """Trees on a table whose categories are spread."""

    seen: SeenLevels
    trees: TreesPredictor

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k), categories as codes."""
        return self.trees.beliefs(self.seen.spread(X))

    def to_arrays(self) -> Arrays:
        """The categories and the nodes."""
        return {**self.seen.to_arrays(), **self.trees.to_arrays()}


@dataclass(frozen=True)
class DecisionTree(Classifier):
    """scikit-learn's."""

    max_depth: int | None = None
    min_samples_leaf: int = 1
    class_weight: str | None = None

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
        weights: np.ndarray | None = None,
    ) -> Predictor:
        """On a table as it is."""
        seen = SeenLevels.of(X, levels or {})
        shown = np.clip(seen.spread(X), -MAX_SINGLE, MAX_SINGLE)  # as in `TreesPredictor.beliefs`
        found = TreesPredictor.of(self._grown(shown, y, seed, weights), self._weights(y, n_classes))
        return SpreadPredictor(seen, found) if seen else found

    def _grown(
        self, X: np.ndarray, y: np.ndarray, seed: int, weights: np.ndarray | None
    ) -> list[Any]:
        """One tree."""
        from sklearn.tree import DecisionTreeClassifier

        found = DecisionTreeClassifier(
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            class_weight=self.class_weight,
            random_state=seed,
        )
        return [found.fit(X, y, weights).tree_]

    def _weights(self, y: np.ndarray, n_classes: int) -> np.ndarray | None:
        """Of balanced classes, 1 of one without samples (C,)."""
        if self.class_weight != "balanced":
            return None
        counts = np.bincount(y, minlength=n_classes)
        return weights_of_prior(equal_prior(counts), counts)

    def with_shares(self) -> DecisionTree:
        """Without balanced weights."""
        return replace(self, class_weight=None)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """As of the predictor."""
        seen = SeenLevels.from_arrays(arrays, n_columns)
        found = TreesPredictor.from_arrays(arrays, seen.width, n_classes)
        return SpreadPredictor(seen, found) if seen else found


@dataclass(frozen=True)
class RandomForest(DecisionTree):
    """scikit-learn's, of 200 trees."""

    n_estimators: int = 200

    def _grown(
        self, X: np.ndarray, y: np.ndarray, seed: int, weights: np.ndarray | None
    ) -> list[Any]:
        """Trees on bootstrap samples."""
        from sklearn.ensemble import RandomForestClassifier

        found = RandomForestClassifier(
            self.n_estimators,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            class_weight=self.class_weight,
            random_state=seed,
        )
        return [tree.tree_ for tree in found.fit(X, y, weights).estimators_]


@dataclass(frozen=True)
class RegressionForest(RandomForest, Regressor):
    """The same of a number; a third of the features, drawn anew, may divide a node (Breiman
    2001)."""

    draws = True

    def _grown(
        self, X: np.ndarray, y: np.ndarray, seed: int, weights: np.ndarray | None
    ) -> list[Any]:
        """Trees on bootstrap samples."""
        from sklearn.ensemble import RandomForestRegressor

        found = RandomForestRegressor(
            self.n_estimators,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            max_features=1 / 3,
            random_state=seed,
        )
        return [tree.tree_ for tree in found.fit(X, y, weights).estimators_]
