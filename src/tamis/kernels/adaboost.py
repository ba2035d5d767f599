"""AdaBoost over C4.5 trees on one prepared table (SAMME; of two classes AdaBoost.M1).

Source: Freund & Schapire (1997), J. Computer and System Sciences 55, 119-139; Zhu, Zou, Rosset &
Hastie (2009), Statistics and Its Interface 2, 349-360.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._jit import jit
from .c45 import Tree, build_tree, make_workspace, predict_columns

MIN_ROW_WEIGHT = 1e-100  # of a row's weight
NO_BETTER = 1e-9  # than a guess, by so much error: sums in another order say the same


class Votes(NamedTuple):
    """Trees one after the other, children counted from each tree's own root."""

    starts: np.ndarray  # (trees + 1,) int64, first node of each, then the number of nodes
    feature: np.ndarray  # (nodes,) int64, -1 = leaf
    threshold: np.ndarray  # (nodes,)
    first_child: np.ndarray  # (nodes,) int64
    n_children: np.ndarray  # (nodes,) int64
    parent: np.ndarray  # (nodes,) int64, -1 = root
    counts: np.ndarray  # (nodes, C)
    says: np.ndarray  # (trees,), what its vote counts


def boosted_trees(
    table: Any,
    y: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    n_classes: int,
    rounds: int,
    options: Any,
) -> Votes:
    """At most so many trees on some rows of a table.

    Parameters
    ----------
    table : kernels.c45.TreeTable
    y : ndarray of shape (n,) of int64
        Class codes.
    rows : ndarray of shape (k,) of int64
        Different rows; no other plays a part.
    weights : ndarray of shape (n,)
        The start distribution, above 0 in `rows`. Their sum stays what it is, for C4.5 counts
        weights as it does rows.
    n_classes, rounds : int
    options : kernels.c45.Options
    """
    features = np.arange(len(table.columns))
    room = None
    while True:
        work = make_workspace(table, n_classes, len(features), room)
        found = boost_trees(table, y, rows, weights, features, rounds, options, work)
        if len(found[0]) > 1:
            return Votes(*found)
        room = 4 * len(work.tree.feature)


@jit
def boost_trees(table, y, rows, weights, features, rounds, options, work):
    """Arrays of `Votes`; no tree at all if one had no room."""
    size, n_classes = 1024, work.tree.counts.shape[1]
    whole, real = np.empty((4, size), dtype=np.int64), np.empty((1 + n_classes, size))
    starts, says = np.zeros(rounds + 1, dtype=np.int64), np.empty(rounds)
    current, beliefs = weights.copy(), np.empty((len(rows), n_classes))
    wrong = np.empty(len(rows), dtype=np.bool_)
    total, grown, ended = weights[rows].sum(), 0, False
    while grown < rounds and not ended:
        n_nodes = build_tree(table, y, rows, current, features, options, work)
        if n_nodes < 0:
            grown = 0
            break
        predict_columns(work.tree, table.columns, table.levels, rows, beliefs, True)
        error = 0.0
        for i in range(len(rows)):
            wrong[i] = first_largest(beliefs[i]) != y[rows[i]]
            error += current[rows[i]] if wrong[i] else 0.0
        error /= total
        if error >= 1 - 1 / n_classes - NO_BETTER:  # no better than a guess
            if grown > 0:
                break
            say, ended = 1.0, True
        else:
            ended = error <= 0  # nothing to put weight on
            error = max(error, 0.5 / max(total, 2.0))
            say = np.log((1 - error) / error) + np.log(n_classes - 1.0)
        begin = starts[grown]
        if begin + n_nodes > size:
            size = 2 * (begin + n_nodes)
            more, wider = np.empty((4, size), dtype=np.int64), np.empty((1 + n_classes, size))
            for i in range(begin):  # an assignment of a stretch takes a second to compile
                for k in range(4):
                    more[k, i] = whole[k, i]
                for k in range(1 + n_classes):
                    wider[k, i] = real[k, i]
            whole, real = more, wider
        copy_nodes(work.tree, n_nodes, begin, whole, real)
        starts[grown + 1], says[grown] = begin + n_nodes, say
        grown += 1
        sum_of = 0.0
        for i in range(len(rows)):
            if wrong[i]:
                current[rows[i]] *= np.exp(say)
            sum_of += current[rows[i]]
        for i in range(len(rows)):
            current[rows[i]] = max(current[rows[i]] * (total / sum_of), MIN_ROW_WEIGHT)
    end = starts[grown]
    return (
        starts[: grown + 1],
        whole[0, :end].copy(),
        real[0, :end].copy(),
        whole[1, :end].copy(),
        whole[2, :end].copy(),
        whole[3, :end].copy(),
        real[1:, :end].T.copy(),
        says[:grown],
    )


@jit
def first_largest(beliefs):
    """The most probable class, ties to the first."""
    best = 0
    for c in range(1, len(beliefs)):
        best = c if beliefs[c] > beliefs[best] else best
    return best


@jit
def copy_nodes(tree, n_nodes, begin, whole, real):
    """A tree's nodes behind those of the others."""
    for v in range(n_nodes):
        whole[0, begin + v], real[0, begin + v] = tree.feature[v], tree.threshold[v]
        whole[1, begin + v], whole[2, begin + v] = tree.first_child[v], tree.n_children[v]
        whole[3, begin + v] = tree.parent[v]
        for c in range(tree.counts.shape[1]):
            real[1 + c, begin + v] = tree.counts[v, c]


@jit
def staged_votes(votes, columns, levels, rows, stages, out):
    """Shares of the votes of each class (C) for rows of columns (p, n), after some rounds.

    `out` (stages, m, C); `stages` rise, and beyond the trees there are shares stay what they are.
    """
    n_trees, n_classes = len(votes.says), out.shape[2]
    beliefs, sums = np.empty((len(rows), n_classes)), np.zeros((len(rows), n_classes))
    none, done, total = np.zeros(0, dtype=np.int64), 0, 0.0
    for s in range(len(stages)):
        while done < min(stages[s], n_trees):
            first, end = votes.starts[done], votes.starts[done + 1]
            counts = votes.counts[first:end]
            tree = Tree(
                votes.feature[first:end],
                votes.threshold[first:end],
                votes.first_child[first:end],
                votes.n_children[first:end],
                votes.parent[first:end],
                none,
                none,
                counts,
                counts.sum(axis=1),
                votes.says,
            )
            predict_columns(tree, columns, levels, rows, beliefs, True)
            for i in range(len(rows)):
                sums[i, first_largest(beliefs[i])] += votes.says[done]
            total += votes.says[done]
            done += 1
        for i in range(len(rows)):
            for c in range(n_classes):
                out[s, i, c] = sums[i, c] / total
