"""Class distributions of rows, from a C4.5 tree."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .splits import VALUE_TOLERANCE


@jit
def predict_columns(tree, columns, levels, rows, out, laplace):
    """Write the class distributions of `rows` (k,) of the columns (p, n) into `out` (k, C).

    A row without the value that a node asks for goes down every branch, weighted by the branch's
    share of the node's training weight.
    """
    counts, weight, n_children = tree.counts, tree.weight, tree.n_children
    feature, threshold, first_child = tree.feature, tree.threshold, tree.first_child
    for i in range(len(rows)):
        v = find_stop(feature, threshold, first_child, n_children, columns, levels, rows[i], 0)
        # the general way: Laplace's correction, a node whose value the row lacks (n_children > 0),
        # or a leaf that no training row reached
        if laplace or n_children[v] > 0 or weight[v] < VALUE_TOLERANCE:
            write_distribution(tree, columns, levels, rows[i], v, out[i], laplace)
        else:
            for c in range(out.shape[1]):
                out[i, c] = counts[v, c] / weight[v]  # p_c = n_c / n


@jit
def predict_complete_rows(tree, columns, rows, out):
    """`predict_columns` for numeric columns without missing values, without `laplace`."""
    counts, weight, n_children = tree.counts, tree.weight, tree.n_children
    feature, threshold, first_child = tree.feature, tree.threshold, tree.first_child
    for i in range(len(rows)):
        v = 0
        while n_children[v] > 0:
            # the two children stand side by side: the comparison itself is the branch
            v = first_child[v] + int(columns[feature[v], rows[i]] > threshold[v])
        # each side of a numeric cut has training rows, so that no leaf has weight 0
        for c in range(out.shape[1]):
            out[i, c] = counts[v, c] / weight[v]


@jit
def find_stop(feature, threshold, first_child, n_children, columns, levels, row, v):
    """The node below v where a row stops: a leaf, or one that asks for a value it lacks."""
    while n_children[v] > 0:
        value = columns[feature[v], row]
        if np.isnan(value):
            break
        # the code of a category is the number of its branch
        b = int(value) if levels[feature[v]] > 0 else int(value > threshold[v])
        v = first_child[v] + b
    return v


@jit
def add_leaf(tree, v, share, laplace, out):
    """Add `share` times a leaf's class distribution to `out` (C,).

    A leaf without training rows has the distribution of its parent.
    """
    # weight 0: the branch of a category that none of the parent's training rows has, for example
    while tree.weight[v] < VALUE_TOLERANCE and tree.parent[v] >= 0:
        v = tree.parent[v]
    n_classes = tree.counts.shape[1]
    if laplace:  # (n_c + 1) / (n + C)
        for c in range(n_classes):
            out[c] += share * (tree.counts[v, c] + 1) / (tree.weight[v] + n_classes)
    else:
        for c in range(n_classes):
            out[c] += share * tree.counts[v, c] / tree.weight[v]


@jit
def write_distribution(tree, columns, levels, row, v, out, laplace):
    """Write the class distribution of a row that stops at v into `out` (C,)."""
    out[:] = 0.0
    if tree.n_children[v] == 0:
        add_leaf(tree, v, 1.0, laplace, out)
        return
    # nodes to visit and the row's shares there: a stack, since a row may go down several branches
    size = 64
    pending, share = np.empty(size, dtype=np.int64), np.empty(size)
    pending[0], share[0] = v, 1.0
    waiting = 1
    # invariant: the shares on the stack and those already added to `out` sum to 1, but for the
    # branches below that are left out
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
        if waiting + n_children > size:  # no room for all branches: a larger stack
            size = 2 * (waiting + n_children)
            more, wider = np.empty(size, dtype=np.int64), np.empty(size)
            for i in range(waiting):
                more[i], wider[i] = pending[i], share[i]
            pending, share = more, wider
        for child in range(first, first + n_children):
            if tree.weight[child] >= VALUE_TOLERANCE:  # a branch without rows has the share 0
                pending[waiting] = child
                share[waiting] = part * tree.weight[child] / tree.weight[v]
                waiting += 1
