"""Rules out of many trees: every leaf says one, and those of one pattern are put together.

Thresholds differ a little from tree to tree. A pattern is a set of (column, op) pairs, with the
category where op is "=", and a class; its limits are the medians over its leaves, moved between
two values of the column.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from ...kernels.hypergeometric import tail_probability
from .conditions import Conditions, in_words, meets_all, shorten_limits
from .rule import VALUE_TOLERANCE, Rule

MOST_LEAVES = 100  # of a tree, the heaviest; bounds the memory
MOST_PATTERNS = 2000  # that are counted, those of most trees
CONDITION_LEVEL = 0.01  # of the test that each condition must pass
MIN_SHARED_RULES = 20  # rules of two trees or more, for the others to be left out

Pattern = tuple[tuple[int, str, int], ...]  # column, op, category or -1; rising
Key = tuple[Pattern, int]  # with the class


@dataclass
class _Seen:
    """What leaves of one pattern and class have added up to."""

    limits: list[array]  # of each condition, one value a leaf
    trees: int = 0
    last: int = -1  # the tree that was counted last
    test_support: int = 0
    test_correct: int = 0


@dataclass
class TreeRules:
    """Collects the rules of trees on one table.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        NaN is missing; categories are codes. The most important columns come first, as rules
        name their features in this order.
    y : ndarray of shape (n,)
        Class codes.
    """

    X: np.ndarray
    y: np.ndarray
    n_trees: int = 0
    seen: dict[Key, _Seen] = field(default_factory=dict)

    def add(self, tree: Any, n_nodes: int, levels: np.ndarray, test: np.ndarray) -> None:
        """Add the leaves of a tree.

        Parameters
        ----------
        tree : kernels.c45.Tree
        n_nodes : int
        levels : ndarray of shape (p,)
            Categories of each column, 0 = numeric.
        test : ndarray of shape (k,)
            Rows that it did not train on.
        """
        leaves = sorted(self._leaves(tree, n_nodes, levels, test), key=lambda leaf: -leaf[0])
        for _, limits, label, reached in leaves[:MOST_LEAVES]:
            pattern = tuple(sorted(limits))
            seen = self.seen.get((pattern, label))
            if seen is None:
                seen = self.seen[pattern, label] = _Seen([array("d") for _ in pattern])
            for values, condition in zip(seen.limits, pattern, strict=True):
                if condition[1] != "=":
                    values.append(limits[condition])
            seen.trees += seen.last != self.n_trees
            seen.last = self.n_trees
            seen.test_support += len(reached)
            seen.test_correct += int((self.y[reached] == label).sum())
        self.n_trees += 1

    def _leaves(
        self, tree: Any, n_nodes: int, levels: np.ndarray, test: np.ndarray
    ) -> Iterator[tuple[float, dict[tuple[int, str, int], float], int, np.ndarray]]:
        """Weight, limits, class and test rows of every leaf with samples, but for a bare root."""
        limits: list[dict] = [{}] * n_nodes
        rows = [test] * n_nodes
        for v in range(n_nodes):  # a parent stands before its children
            if tree.n_children[v] == 0:
                counts = tree.counts[v]
                if limits[v] and tree.weight[v] >= VALUE_TOLERANCE:
                    label = int(np.flatnonzero(counts > counts.max() - VALUE_TOLERANCE)[0])
                    yield float(tree.weight[v]), limits[v], label, rows[v]
                continue
            j, first = int(tree.feature[v]), int(tree.first_child[v])
            column = self.X[rows[v], j]
            for b in range(int(tree.n_children[v])):
                if levels[j] > 0:
                    condition, limit, met = (j, "=", b), float(b), column == b
                else:
                    limit = float(tree.threshold[v])
                    condition = (j, "<=" if b == 0 else ">", -1)
                    met = column <= limit if b == 0 else column > limit
                limits[first + b] = {**limits[v], condition: limit}  # further down they are tighter
                rows[first + b] = rows[v][met]

    def rules(
        self, names: Sequence[str], categories: Mapping[int, Sequence[Any]], labels: Sequence[Any]
    ) -> list[Rule]:
        """The rules, best first: by trees * coverage * accuracy.

        Those of two trees or more, or of one if there are fewer than 20. Left out are rules with
        a condition that does not make them more accurate (`_productive_rules`), and rules no more
        accurate than another of their class with some of their conditions.
        """
        often = [item for item in self.seen.items() if item[1].trees > 1]
        chosen = often if len(often) >= MIN_SHARED_RULES else list(self.seen.items())
        chosen.sort(key=lambda item: (-item[1].trees, -item[1].test_correct, item[0]))
        sizes = np.bincount(self.y, minlength=len(labels))
        everyone = np.arange(len(self.y))
        found: dict[Key, Rule] = {}
        coded: dict[Key, Conditions] = {}
        for (pattern, label), seen in chosen[:MOST_PATTERNS]:
            conditions = shorten_limits(self.X, _pattern_conditions(pattern, seen))
            met = meets_all(self.X, everyone, conditions)
            if not met.any():
                continue
            coded[pattern, label] = conditions
            found[pattern, label] = Rule(
                in_words(conditions, names, categories),
                labels[label],
                float(met.sum()),
                float((self.y[met] == label).sum()),
                float(len(self.y)),
                float(sizes[label]),
                seen.trees,
                float(seen.test_support),
                float(seen.test_correct),
            )
        productive = _productive_rules(coded, self.X, self.y)
        kept = [
            (key, rule)
            for key, rule in found.items()
            if key in productive and not _is_redundant(key, rule, found)
        ]
        kept.sort(key=lambda item: (-item[1].trees * item[1].coverage * item[1].accuracy, item[0]))
        return [rule for _, rule in kept]


def _pattern_conditions(pattern: Pattern, seen: _Seen) -> Conditions:
    return tuple(
        (j, op, float(code) if op == "=" else float(np.median(values)))
        for (j, op, code), values in zip(pattern, seen.limits, strict=True)
    )


def _productive_rules(rules: Mapping[Key, Conditions], X: np.ndarray, y: np.ndarray) -> set[Key]:
    """Rules each of whose conditions makes them more accurate, by Fisher's one-sided test.

    Of the samples that meet the other conditions, those that meet this one too would have so
    many of the class by chance with at most 1 % (Webb 2007, Mach. Learn. 68, 1-33). The limits
    were fitted to the same samples, so the test is lenient.
    """
    everyone, kept = np.arange(len(y)), set(rules)
    for key, conditions in rules.items():
        met = np.array([meets_all(X, everyone, (condition,)) for condition in conditions])
        all_met, of_class = met.all(axis=0), y == key[1]
        for k in range(len(met)):
            others = np.delete(met, k, axis=0).all(axis=0)
            counts = (others, others & of_class, all_met, all_met & of_class)
            if tail_probability(*(int(samples.sum()) for samples in counts)) > CONDITION_LEVEL:
                kept.discard(key)
    return kept


def _is_redundant(key: Key, rule: Rule, found: Mapping[Key, Rule]) -> bool:
    """Whether some of its conditions make another rule of its class that is as accurate."""
    pattern, label = key
    return any(
        (part, label) in found and found[part, label].accuracy >= rule.accuracy
        for k in range(1, len(pattern))
        for part in combinations(pattern, k)
    )
