"""Class distributions of rows, from a C4.5 tree."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .splits import VALUE_TOLERANCE


@jit
def predict_columns(tree, columns, levels, rows, out, laplace):
    """Class distributions of rows of the columns (p, n), into `out` (k, C).

    A row without the value that a node asks for goes down every branch, with the share of the
    node's weight there.
    """
    counts, weight, n_children = tree.counts, tree.weight, tree.n_children
    feature, threshold, first_child = tree.feature, tree.threshold, tree.first_child
    for i in range(len(rows)):
        v = find_stop(feature, threshold, first_child, n_children, columns, levels, rows[i], 0)
        if laplace or n_children[v] > 0 or weight[v] < VALUE_TOLERANCE:
            write_distribution(tree, columns, levels, rows[i], v, out[i], laplace)
        else:
            for c in range(out.shape[1]):
                out[i, c] = counts[v, c] / weight[v]


@jit
def predict_complete_rows(tree, columns, rows, out):
    """`predict_columns` of numbers of which none is missing, without `laplace`."""
    counts, weight, n_children = tree.counts, tree.weight, tree.n_children
    feature, threshold, first_child = tree.feature, tree.threshold, tree.first_child
    for i in range(len(rows)):
        v = 0
        while n_children[v] > 0:
            v = first_child[v] + int(columns[feature[v], rows[i]] > threshold[v])
        for c in range(out.shape[1]):
            out[i, c] = counts[v, c] / weight[v]


@jit
def find_stop(feature, threshold, first_child, n_children, columns, levels, row, v):
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
    while tree.weight[v] < VALUE_TOLERANCE and tree.parent[v] >= 0:
        v = tree.parent[v]
    n_classes = tree.counts.shape[1]
    if laplace:
        for c in range(n_classes):
            out[c] += share * (tree.counts[v, c] + 1) / (tree.weight[v] + n_classes)
    else:
        for c in range(n_classes):
            out[c] += share * tree.counts[v, c] / tree.weight[v]


@jit
def write_distribution(tree, columns, levels, row, v, out, laplace):
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
        v = find_stop(
            tree.feature,
            tree.threshold,
            tree.first_child,
            tree.n_children,
            columns,
            levels,
            row,
            pending[waiting],
        )
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
            if tree.weight[child] >= VALUE_TOLERANCE:  # a branch without rows has no say
                pending[waiting] = child
                share[waiting] = part * tree.weight[child] / tree.weight[v]
                waiting += 1
