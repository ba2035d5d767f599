"""AdaBoost over C4.4 trees in plans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ..._core.arrays import fitting, unfit, whole_numbers
from ..._core.interfaces import Arrays, Beliefs
from ...kernels.units import magnified_columns
from .c45 import C45Predictor, limits_in_units, parents_of
from .scaling import StandardClassifier
from .seen_levels import SeenLevels

NODES = ("feature", "threshold", "first_child", "n_children", "counts")


@dataclass(frozen=True)
class VotesPredictor:
    """Trees that vote; they are those of `tamis.classifiers.AdaBoostC44Classifier`.

    Attributes
    ----------
    seen : SeenLevels
    starts : ndarray of shape (n_trees + 1,)
        First node of each tree, then the number of nodes.
    feature, threshold, first_child, n_children, counts : ndarray, (n_nodes, ...)
        As of `C45Predictor`, nodes counted from each tree's root.
    says : ndarray of shape (n_trees,)
        What each vote counts.
    sigmoid : ndarray of shape (1 or C, 2)
        a and b of 1 / (1 + exp(-(a f + b))).
    """

    seen: SeenLevels
    starts: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    counts: np.ndarray
    says: np.ndarray
    sigmoid: np.ndarray

    @cached_property
    def _votes(self) -> Any:
        from ...kernels.adaboost import Votes

        start = np.repeat(self.starts[:-1], np.diff(self.starts))
        parent = parents_of(self.first_child + start, self.n_children) - start
        return Votes(
            self.starts, self.feature, self.threshold, self.first_child, self.n_children,
            np.maximum(parent, -1), self.counts, self.says,
        )  # fmt: skip

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Shares of the vote as margins, and their sigmoid, of the rows of X (m, k)."""
        from ..adaboost import shares_after
        from ..decisions.platt import Platt

        rounds, levels = np.array([len(self.says)]), self.seen.sizes.astype(np.int64)
        shares = shares_after(self._votes, levels, self.seen.coded(X), rounds)[0]
        return Beliefs(Platt(self.sigmoid).recalibrated(Beliefs(shares, shares)), shares)

    def to_arrays(self) -> Arrays:
        """The categories, the nodes, the votes and the sigmoid."""
        own = {n: getattr(self, n).astype(float) for n in ("starts", *NODES, "says", "sigmoid")}
        return {**self.seen.to_arrays(), **own}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> VotesPredictor:
        """From its arrays, each tree held against what a tree must be."""
        starts, says, sigmoid, *nodes = fitting(
            arrays, starts=(None,), says=(None,), sigmoid=(1 if n_classes == 2 else n_classes, 2),
            feature=(None,), threshold=(None,), first_child=(None,), n_children=(None,),
            counts=(None, n_classes),
        )  # fmt: skip
        n = len(nodes[0])
        if any(len(a) != n for a in nodes):
            raise unfit("feature")
        starts = whole_numbers(starts, 0, n + 1, "starts")
        if len(starts) < 2 or starts[0] != 0 or starts[-1] != n or (np.diff(starts) < 1).any():
            raise unfit("starts")
        if len(says) != len(starts) - 1 or not (says > 0).all() or not np.isfinite(says.sum()):
            raise unfit("says")
        seen = SeenLevels.from_arrays(arrays, n_columns)
        levels = seen.to_arrays()
        trees = [
            C45Predictor.from_arrays(
                {**levels, **{k: a[i:j] for k, a in zip(NODES, nodes, strict=True)}},
                n_columns, n_classes, True,
            )
            for i, j in pairwise(starts)
        ]  # fmt: skip
        joined = {name: np.concatenate([getattr(tree, name) for tree in trees]) for name in NODES}
        return cls(seen, starts, **joined, says=says, sigmoid=sigmoid)


@dataclass(frozen=True)
class AdaBoost(StandardClassifier):
    """C4.4 trees that vote, as many as the error of inner folds asks for.

    Units do not matter, as in `C45`.
    """

    rounds: int | str = "cv"
    max_rounds: int = 1000
    min_samples_leaf: float = 2
    cv: int = 5

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int] | None = None, weights: np.ndarray | None = None,
    ) -> VotesPredictor:  # fmt: skip
        """On a table as it is; the seed deals the folds."""
        from ..adaboost import chosen_trees
        from ..folds import stratified_splits
        from ..rounds import rounds_to_try

        seen = SeenLevels.of(X, levels or {})
        sizes = seen.sizes.astype(np.int64)
        larger, exponents = magnified_columns(seen.coded(X), sizes)
        votes, _, sigmoid = chosen_trees(
            larger, y, np.ones(len(y)) if weights is None else weights, n_classes, sizes,
            rounds_to_try(self.rounds, self.max_rounds), stratified_splits(y, self.cv, seed),
            float(self.min_samples_leaf),
        )  # fmt: skip
        return VotesPredictor(
            seen, votes.starts, votes.feature,
            limits_in_units(votes.feature, votes.threshold, exponents), votes.first_child,
            votes.n_children, votes.counts, votes.says, sigmoid,
        )  # fmt: skip

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> VotesPredictor:
        """As of the predictor."""
        return VotesPredictor.from_arrays(arrays, n_columns, n_classes)
