"""Random forests of classification trees by the Gini impurity, fully grown.

Each tree is grown on a bootstrap sample, each split tries some columns drawn at random. Rows of a
column are sorted once for all trees: a large node finds its own by a walk over all of them, a small
one sorts them. Which split is best follows from whole numbers, and of equal ones it is the first
that was tried.

Source: Breiman (2001), Random forests, Machine Learning 45, 5-32; missing values as in
scikit-learn's trees, which try them on either side of a split.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._jit import jit
from ._split_mix import draw_below

# rows of all that a node walks over for each of its own, where it could sort these
MAX_WALKED_RATIO = 32


class Nodes(NamedTuple):
    """Nodes of trees, which stand one tree after the other, the root first."""

    feature: np.ndarray  # (nodes,) int64, -1 at a leaf
    threshold: np.ndarray  # float64; infinite where all known values go to the first child
    child: np.ndarray  # int64, the first, counted from the root; the second stands behind it
    missing_first: np.ndarray  # bool: as is best where values are missing, else where more are
    counts: np.ndarray  # (nodes, C) int64, samples of each class


class Work(NamedTuple):
    """Room for the tree in hand."""

    state: np.ndarray  # (1,) uint64, of its random numbers
    columns: np.ndarray  # (k,) int64, what is offered, as drawn so far
    looked: np.ndarray  # (p,) int64, the last node that looked at a feature
    weight: np.ndarray  # (n,) int64, how often the tree has a sample
    node_of: np.ndarray  # (n,) int64, where it is
    members: np.ndarray  # (n,) uint32, samples of the nodes in hand, stretch by stretch
    starts: np.ndarray  # (nodes,) int64, stretches of the nodes that wait
    stops: np.ndarray
    pending: np.ndarray  # (nodes,) int64, the nodes that wait
    at: np.ndarray  # (n,) uint32, samples of a node by a feature
    x: np.ndarray  # (n,) float32, their values
    left: np.ndarray  # (C,) int64, of each class
    right: np.ndarray


def grow_trees(
    values: np.ndarray,
    order: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    rows: np.ndarray,
    bootstrap: bool,
    offered: np.ndarray,
    n_tried: int,
    keys: np.ndarray,
) -> tuple[np.ndarray, Nodes]:
    """One tree for each key, from which all its random numbers follow.

    Parameters
    ----------
    values : ndarray of shape (p, n) of float32
        Features in rows; NaN is missing.
    order : ndarray of shape (p, n) of uint32
        Samples by the values of each feature, rising, those without a value last.
    y : ndarray of shape (n,) of uint32
        Class codes.
    n_classes : int
    rows : ndarray of shape (m,) of int64
        Samples, as often as they count.
    bootstrap : bool
        Whether a tree sees as many random ones of them as there are, with replacement.
    offered : ndarray of shape (k,) of int64
        Features, each as often as its weight says.
    n_tried : int
        How many of these a split draws, and more as long as no feature drawn can be split on.
    keys : ndarray of shape (n_trees,) of uint64

    Returns
    -------
    n_nodes : ndarray of shape (n_trees,) of int64
        Of each tree.
    nodes : Nodes
    """

    def whole_array(*shape: int) -> np.ndarray:
        return np.empty(shape, dtype=np.int64)

    p, n = values.shape
    most = 2 * min(n, len(rows)) - 1
    size = len(keys) * most
    nodes = Nodes(
        whole_array(size),
        np.zeros(size),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=bool),
        whole_array(size, n_classes),  # a leaf has neither threshold nor child
    )
    work = Work(
        np.empty(1, dtype=np.uint64),
        whole_array(len(offered)),
        np.full(p, -1),
        whole_array(n),
        whole_array(n),
        np.empty(n, dtype=np.uint32),
        whole_array(most),
        whole_array(most),
        whole_array(most),
        np.empty(n, dtype=np.uint32),
        np.empty(n, dtype=np.float32),
        whole_array(n_classes),
        whole_array(n_classes),
    )
    n_nodes = whole_array(len(keys))
    end = fill_trees(
        values, order, y, rows, bootstrap, offered, n_tried, keys, *nodes, *work, n_nodes
    )
    return n_nodes, Nodes(*(one[:end].copy() for one in nodes))


@jit
def fill_trees(
    values,
    order,
    y,
    rows,
    bootstrap,
    offered,
    n_tried,
    keys,
    feature,
    threshold,
    child,
    missing_first,
    counts,
    state,
    columns,
    looked,
    weight,
    node_of,
    members,
    starts,
    stops,
    pending,
    at,
    x,
    left,
    right,
    n_nodes,
):
    """`grow_trees` into arrays that have room; returns the number of nodes."""
    n, n_classes = values.shape[1], counts.shape[1]
    first = 0  # root of the tree
    for tree in range(len(keys)):
        state[0] = keys[tree]
        for i in range(len(offered)):
            columns[i] = offered[i]
        for i in range(n):
            weight[i], node_of[i] = 0, -1
        for i in range(len(rows)):
            weight[rows[draw_below(state, len(rows)) if bootstrap else i]] += 1
        for c in range(n_classes):
            counts[first, c] = 0
        m = 0
        for i in range(n):
            if weight[i] > 0:
                members[m], node_of[i] = i, first
                counts[first, y[i]] += weight[i]
                m += 1
        end, waiting = first + 1, 0
        feature[first] = -1
        if is_mixed(counts, first):
            starts[0], stops[0], pending[0], waiting = 0, m, first, 1
        while waiting > 0:
            waiting -= 1
            v, start, stop = pending[waiting], starts[waiting], stops[waiting]
            j, cut, to_first = best_split(
                values,
                order,
                y,
                counts,
                v,
                start,
                stop,
                weight,
                node_of,
                members,
                state,
                columns,
                n_tried,
                looked,
                at,
                x,
                left,
                right,
            )
            if j < 0:
                continue
            feature[v], threshold[v], child[v], missing_first[v] = j, cut, end - first, to_first
            middle = part_rows(
                values, j, cut, to_first, y, weight, start, stop, members, node_of, counts, v, end
            )
            for side in range(2):
                feature[end] = -1
                if is_mixed(counts, end):
                    starts[waiting] = middle if side else start
                    stops[waiting] = stop if side else middle
                    pending[waiting] = end
                    waiting += 1
                end += 1
        n_nodes[tree] = end - first
        first = end
    return first


@jit
def is_mixed(counts, v):
    """Whether a node has samples of two classes or more."""
    some = 0
    for c in range(counts.shape[1]):
        some += counts[v, c] > 0
    return some > 1


@jit
def best_split(
    values,
    order,
    y,
    counts,
    v,
    start,
    stop,
    weight,
    node_of,
    members,
    state,
    columns,
    n_tried,
    looked,
    at,
    x,
    left,
    right,
):
    """Feature (-1 if there is none), threshold, and whether missing values go to the first child.

    Draws without replacement; a feature that comes again is not looked at again.
    """
    best, feature, threshold, to_first = -1.0, -1, np.inf, False
    n_classes, m, n_drawn = counts.shape[1], stop - start, 0
    while n_drawn < len(columns) and (n_drawn < n_tried or feature < 0):
        i = n_drawn + draw_below(state, len(columns) - n_drawn)
        j = columns[i]
        columns[i], columns[n_drawn] = columns[n_drawn], j
        n_drawn += 1
        if looked[j] == v:
            continue
        looked[j] = v
        known = sort_rows(values, order, j, v, start, stop, node_of, members, at, x)
        if known == 0 or (known == m and x[0] == x[m - 1]):
            continue
        for side in range(1 if known == m else 2):  # on which missing values are: right, then left
            for c in range(n_classes):
                left[c], right[c] = 0, counts[v, c]
            if side == 1:
                for i in range(known, m):
                    left[y[at[i]]] += weight[at[i]]
                    right[y[at[i]]] -= weight[at[i]]
            last = known if known < m and side == 0 else known - 1
            score, cut, more_left = scan_cuts(at, x, known, last, y, weight, left, right)
            if score > best:
                best, feature = score, j
                to_first = side == 1 if known < m else more_left
                threshold = np.inf
                if cut + 1 < known:
                    threshold = np.float64(x[cut]) / 2 + np.float64(x[cut + 1]) / 2
    return feature, threshold, to_first


@jit
def sort_rows(values, order, j, v, start, stop, node_of, members, at, x):
    """Samples of a node and their values, rising, missing ones last; how many are known."""
    n, m, k = order.shape[1], stop - start, 0
    walk = n <= MAX_WALKED_RATIO * m
    if walk:
        for i in range(n - 1):  # no branch: the sample of another node is overwritten
            at[k] = order[j, i]
            k += node_of[at[k]] == v
        if k < m:
            at[k] = order[j, n - 1]
        k = 0
        while k < m and not np.isnan(values[j, at[k]]):
            x[k] = values[j, at[k]]
            k += 1
        return k
    missing = m
    for i in range(start, stop):
        value = values[j, members[i]]
        if np.isnan(value):
            missing -= 1
            at[missing] = members[i]
        else:
            at[k], x[k] = members[i], value
            k += 1
    gap = 1
    while gap < k // 3:
        gap = 3 * gap + 1
    while gap > 0:  # Shell's sort
        for i in range(gap, k):
            row, value, place = at[i], x[i], i
            while place >= gap and x[place - gap] > value:
                at[place], x[place] = at[place - gap], x[place - gap]
                place -= gap
            at[place], x[place] = row, value
        gap //= 3
    return k


@jit
def scan_cuts(at, x, known, last, y, weight, left, right):
    """The best cut among the first `last` places: its score, place, and if the left has more.

    `left` and `right` (C,) are the counts before the first sample, and change. The score is what
    the Gini impurities of both sides, weighed by samples, lack of the number of samples.
    """
    n_left, n_right, own_left, own_right = 0, 0, 0, 0
    for c in range(len(left)):
        n_left += left[c]
        n_right += right[c]
        own_left += left[c] * left[c]
        own_right += right[c] * right[c]
    best, cut, more_left = -1.0, -1, False
    for i in range(last):
        c, w = y[at[i]], weight[at[i]]
        own_left += w * (2 * left[c] + w)
        own_right -= w * (2 * right[c] - w)
        left[c] += w
        right[c] -= w
        n_left += w
        n_right -= w
        if i + 1 == known or x[i] < x[i + 1]:
            score = own_left / n_left + own_right / n_right
            if score > best:
                best, cut, more_left = score, i, n_left > n_right
    return best, cut, more_left


@jit
def part_rows(values, j, cut, to_first, y, weight, start, stop, members, node_of, counts, v, child):
    """Put the samples of the first child before those of the second; where the second begins."""
    for c in range(counts.shape[1]):
        counts[child, c], counts[child + 1, c] = 0, counts[v, c]
    i, end = start, stop
    while i < end:
        row = members[i]
        value = values[j, row]
        if to_first if np.isnan(value) else value <= cut:
            counts[child, y[row]] += weight[row]
            counts[child + 1, y[row]] -= weight[row]
            node_of[row] = child
            i += 1
        else:
            end -= 1
            members[i], members[end] = members[end], row
            node_of[row] = child + 1
    return end
