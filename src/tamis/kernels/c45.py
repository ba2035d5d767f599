"""C4.5 decision trees: growth, pruning and class distributions of rows.

The rules are those of Weka's J48, which follows Quinlan's release 8: gain ratio among splits
of at least average gain, numeric splits paying for the number of their cuts, nominal splits with
a branch for every level, missing values as fractions of a row. Weights count as repeated rows
do, everywhere.

A table is prepared once and a workspace made for each thread; `grow` and `predict_columns` then
allocate next to nothing and may be called from other compiled code. Weights of 1 and columns
without missing values are counted in whole numbers, which is quick; the rest goes the general
way, with the same result.

Source: Quinlan (1993), C4.5: Programs for Machine Learning.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .c45_grow import grow_tree
from .c45_prune import close_gaps, collapse, prune_leaves, prune_raising
from .c45_splits import SMALL
from .c45_tree import Options, Table, Tree, Workspace, options, prepare, workspace

__all__ = [
    "Options",
    "Table",
    "Tree",
    "Workspace",
    "grow",
    "options",
    "predict_columns",
    "prepare",
    "workspace",
]


@jit
def grow(table, y, rows, weights, features, options, work):
    """Grow and prune a tree; it is left in `work.tree`.

    Parameters
    ----------
    table : Table
        From `prepare`.
    y : (n,) int64
        Class codes, below the number that the workspace was made for.
    rows : (k,) int64
        Different rows of the table; the rest of it is not looked at.
    weights : (n,) float64
        Above 0 in `rows`.
    features : (m,) int64
        Columns to split on. Of equal splits the first in this order wins.
    options : Options
    work : Workspace
        From `workspace`.

    Returns
    -------
    n_nodes : int
        Nodes of the tree, the first of the arrays of `work.tree`; -1 if there was no room
        (`workspace` says when).
    """
    n_nodes = grow_tree(table, y, rows, weights, features, options, work)
    if n_nodes <= 1:
        return n_nodes
    if options.collapse:
        collapse(n_nodes, work.tree, work.nodes)
    if options.prune and options.raising:
        prune_raising(table, y, rows, weights, options, work)
    elif options.prune:
        prune_leaves(n_nodes, options, work.tree, work.nodes)
    if options.collapse or options.prune:
        n_nodes = close_gaps(n_nodes, work.tree, work.nodes.pending)
    return n_nodes


@jit
def predict_columns(tree, columns, levels, rows, out, laplace):
    """Class distributions of rows of the columns (p, n), into `out` (k, C).

    A row without the value that a node asks for goes down every branch, with the share of the
    node's weight there.
    """
    counts, weight, n_children = tree.counts, tree.weight, tree.n_children
    feature, threshold, first_child = tree.feature, tree.threshold, tree.first_child
    for i in range(len(rows)):
        v = descend(feature, threshold, first_child, n_children, columns, levels, rows[i], 0)
        if laplace or n_children[v] > 0 or weight[v] < SMALL:
            write(tree, columns, levels, rows[i], v, out[i], laplace)
        else:
            for c in range(out.shape[1]):
                out[i, c] = counts[v, c] / weight[v]


@jit
def descend(feature, threshold, first_child, n_children, columns, levels, row, v):
    """The node below v where a row stops: a leaf, or one that asks for a value it lacks."""
    while n_children[v] > 0:
        value = columns[feature[v], row]
        if np.isnan(value):
            break
        b = int(value) if levels[feature[v]] > 0 else int(value > threshold[v])
        v = first_child[v] + b
    return v


@jit
def add_leaf(tree, v, share, laplace, out):
    """Add a leaf's class distribution; a leaf without rows has its parent's."""
    while tree.weight[v] < SMALL and tree.parent[v] >= 0:
        v = tree.parent[v]
    n_classes = tree.counts.shape[1]
    if laplace:
        for c in range(n_classes):
            out[c] += share * (tree.counts[v, c] + 1) / (tree.weight[v] + n_classes)
    else:
        for c in range(n_classes):
            out[c] += share * tree.counts[v, c] / tree.weight[v]


@jit
def write(tree, columns, levels, row, v, out, laplace):
    """The distribution of a row that stops at v."""
    out[:] = 0.0
    if tree.n_children[v] == 0:
        add_leaf(tree, v, 1.0, laplace, out)
        return
    size = 64
    pending, share = np.empty(size, dtype=np.int64), np.empty(size)
    pending[0], share[0] = v, 1.0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        part = share[waiting]
        v = descend(
            tree.feature, tree.threshold, tree.first_child, tree.n_children, columns, levels, row,
            pending[waiting],
        )  # fmt: skip
        first, n_children = tree.first_child[v], tree.n_children[v]
        if n_children == 0:
            add_leaf(tree, v, part, laplace, out)
            continue
        if waiting + n_children > size:
            size = 2 * (waiting + n_children)
            more, wider = np.empty(size, dtype=np.int64), np.empty(size)
            for i in range(waiting):
                more[i], wider[i] = pending[i], share[i]
            pending, share = more, wider
        for child in range(first, first + n_children):
            if tree.weight[child] >= SMALL:  # a branch without rows has no say
                pending[waiting] = child
                share[waiting] = part * tree.weight[child] / tree.weight[v]
                waiting += 1
