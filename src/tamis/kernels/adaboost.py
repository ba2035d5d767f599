"""AdaBoost over C4.5 trees on one prepared table (SAMME; for two classes AdaBoost.M1).

Source: Freund & Schapire (1997), J. Computer and System Sciences 55, 119-139; Zhu, Zou, Rosset &
Hastie (2009), Statistics and Its Interface 2, 349-360.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._jit import jit
from .c45 import Tree, build_tree, make_workspace, predict_columns

MIN_ROW_WEIGHT = 1e-100  # C4.5 needs weights above 0
# a tree is no better than a guess if its error is within this of 1 - 1/C: sums of weights in
# another order differ by less
NO_BETTER = 1e-9


class Votes(NamedTuple):
    """Trees one after the other; indices of children count from the root of their own tree."""

    starts: np.ndarray  # (trees + 1,) int64, first node of each tree, then the number of nodes
    feature: np.ndarray  # (nodes,) int64, -1 = leaf
    threshold: np.ndarray  # (nodes,)
    first_child: np.ndarray  # (nodes,) int64
    n_children: np.ndarray  # (nodes,) int64
    parent: np.ndarray  # (nodes,) int64, -1 = root
    counts: np.ndarray  # (nodes, C)
    says: np.ndarray  # (trees,), weight of its vote


def boosted_trees(
    table: Any,
    y: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    n_classes: int,
    rounds: int,
    options: Any,
) -> Votes:
    """Boost at most `rounds` trees on some rows of a table.

    Parameters
    ----------
    table : kernels.c45.TreeTable
    y : ndarray of shape (n,) of int64
        Class codes.
    rows : ndarray of shape (k,) of int64
        Distinct rows; all others are ignored.
    weights : ndarray of shape (n,)
        Initial weights, above 0 in `rows`. Their sum is the same in every round, because C4.5
        counts weights as rows.
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
        room = 4 * len(work.tree.feature)  # no tree at all: one did not fit; begin again


@jit
def boost_trees(table, y, rows, weights, features, rounds, options, work):
    """The arrays of `Votes`; they hold no tree if the workspace had no room for one."""
    # rows of `integers`: feature, first_child, n_children, parent;
    # of `reals`: threshold, class counts
    size, n_classes = 1024, work.tree.counts.shape[1]
    integers, reals = np.empty((4, size), dtype=np.int64), np.empty((1 + n_classes, size))
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
        # e = sum_i w_i [h(x_i) != y_i] / sum_i w_i
        error = 0.0
        for i in range(len(rows)):
            wrong[i] = first_largest(beliefs[i]) != y[rows[i]]
            error += current[rows[i]] if wrong[i] else 0.0
        error /= total
        if error >= 1 - 1 / n_classes - NO_BETTER:  # no better than a guess
            if grown > 0:
                break
            # a first tree that guesses is kept alone, with the vote 1: there must be a model
            say, ended = 1.0, True
        else:
            ended = error <= 0  # no row is wrong, so no weight can grow
            # an error of 0 counts as half a row, so that the vote stays finite
            error = max(error, 0.5 / max(total, 2.0))
            # vote log((1 - e) / e) + log(C - 1) (Zhu et al. 2009, SAMME); for C = 2 the last
            # term is 0 and the vote that of AdaBoost.M1
            say = np.log((1 - error) / error) + np.log(n_classes - 1.0)
        begin = starts[grown]
        if begin + n_nodes > size:
            size = 2 * (begin + n_nodes)
            more, wider = np.empty((4, size), dtype=np.int64), np.empty((1 + n_classes, size))
            for i in range(begin):  # a slice assignment takes a second to compile
                for k in range(4):
                    more[k, i] = integers[k, i]
                for k in range(1 + n_classes):
                    wider[k, i] = reals[k, i]
            integers, reals = more, wider
        copy_nodes(work.tree, n_nodes, begin, integers, reals)
        starts[grown + 1], says[grown] = begin + n_nodes, say
        grown += 1
        # w_i <- w_i exp(vote [h(x_i) != y_i]), then scaled to the old sum
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
        integers[0, :end].copy(),
        reals[0, :end].copy(),
        integers[1, :end].copy(),
        integers[2, :end].copy(),
        integers[3, :end].copy(),
        reals[1:, :end].T.copy(),
        says[:grown],
    )


@jit
def first_largest(beliefs):
    """The most probable class, of equals the first."""
    best = 0
    for c in range(1, len(beliefs)):
        best = c if beliefs[c] > beliefs[best] else best
    return best


@jit
def copy_nodes(tree, n_nodes, begin, integers, reals):
    """Copy the nodes of a tree to the places from `begin` on of `integers` and `reals`."""
    for v in range(n_nodes):
        integers[0, begin + v], reals[0, begin + v] = tree.feature[v], tree.threshold[v]
        integers[1, begin + v], integers[2, begin + v] = tree.first_child[v], tree.n_children[v]
        integers[3, begin + v] = tree.parent[v]
        for c in range(tree.counts.shape[1]):
            reals[1 + c, begin + v] = tree.counts[v, c]


@jit
def staged_votes(votes, columns, levels, rows, stages, out):
    """Share of each class in the votes for some rows of columns (p, n), after some rounds.

    Written to `out` (stages, m, C). `stages` are numbers of rounds, rising; beyond the last tree
    shares no longer change.
    """
    n_trees, n_classes = len(votes.says), out.shape[2]
    beliefs, sums = np.empty((len(rows), n_classes)), np.zeros((len(rows), n_classes))
    none, done, total = np.zeros(0, dtype=np.int64), 0, 0.0
    # `sums` and `total` hold the votes of the first `done` trees: one pass serves all stages
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
                none,  # depth and level: no prediction reads them
                none,
                counts,
                counts.sum(axis=1),
                votes.says,  # gain_ratio: neither; any array of its type
            )
            predict_columns(tree, columns, levels, rows, beliefs, True)
            for i in range(len(rows)):
                sums[i, first_largest(beliefs[i])] += votes.says[done]
            total += votes.says[done]
            done += 1
        for i in range(len(rows)):
            for c in range(n_classes):
                out[s, i, c] = sums[i, c] / total
