"""Random forests of classification trees by the Gini impurity, fully grown.

Each tree is grown on a bootstrap sample, each split tries some columns drawn at random. Rows of a
column are sorted once for all trees: a large node finds its own rows by a walk over all of them, a
small one sorts its own. Scores of splits are computed from whole numbers, and of equal splits the
first that was tried is taken.

Source: Breiman (2001), Random forests, Machine Learning 45, 5-32; missing values as in
scikit-learn's trees, which try them on either side of a split.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._jit import jit
from ._split_mix import draw_below

# a node walks over the sorted rows of the table if there are at most this many for each of its own,
# which it could sort instead
MAX_WALKED_RATIO = 32


class Nodes(NamedTuple):
    """Nodes of trees, one tree after the other, the root of each first."""

    feature: np.ndarray  # (nodes,) int64, -1 at a leaf
    threshold: np.ndarray  # float64; infinite where all known values go to the first child
    child: np.ndarray  # int64, the first, counted from the root; the second comes next
    # bool, whether missing values go to the first child: the better side if the node had any in
    # training, else that of more samples
    missing_first: np.ndarray
    counts: np.ndarray  # (nodes, C) int64, samples of each class


class Work(NamedTuple):
    """Work arrays of the current tree."""

    state: np.ndarray  # (1,) uint64, of its random numbers
    columns: np.ndarray  # (k,) int64, the features offered, in the order of the draws so far
    looked: np.ndarray  # (p,) int64, the last node that tried a feature, by its place in `Nodes`
    weight: np.ndarray  # (n,) int64, how often the tree has a sample
    node_of: np.ndarray  # (n,) int64, the node a sample is in, -1 if the tree does not have it
    members: np.ndarray  # (n,) uint32, samples of the tree; a node has a stretch of them
    starts: np.ndarray  # (nodes,) int64, stretches of the nodes yet to be split
    stops: np.ndarray
    pending: np.ndarray  # (nodes,) int64, a stack of the nodes yet to be split
    at: np.ndarray  # (n,) uint32, samples of a node in the order of a feature
    x: np.ndarray  # (n,) float32, their values
    left: np.ndarray  # (C,) int64, samples of each class left of a cut
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

    A tree does not depend on the others: keys may be shared out among threads.

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
        Samples, each as often as it counts.
    bootstrap : bool
        Whether a tree is grown on m random draws from `rows`, with replacement, or on all of them.
    offered : ndarray of shape (k,) of int64
        Features, each as often as its weight says.
    n_tried : int
        How many of these are drawn for a split; more are drawn as long as none can be split on.
    keys : ndarray of shape (n_trees,) of uint64

    Returns
    -------
    n_nodes : ndarray of shape (n_trees,) of int64
        Number of nodes of each tree.
    nodes : Nodes
    """

    def int_array(*shape: int) -> np.ndarray:
        return np.empty(shape, dtype=np.int64)

    p, n = values.shape
    most = 2 * min(n, len(rows)) - 1  # nodes of a binary tree with one sample in each leaf
    size = len(keys) * most
    nodes = Nodes(
        int_array(size),
        np.zeros(size),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=bool),
        int_array(size, n_classes),  # a leaf has neither threshold nor child
    )
    work = Work(
        np.empty(1, dtype=np.uint64),
        int_array(len(offered)),
        np.full(p, -1),  # once for all trees, whose nodes have different numbers
        int_array(n),
        int_array(n),
        np.empty(n, dtype=np.uint32),
        int_array(most),
        int_array(most),
        int_array(most),
        np.empty(n, dtype=np.uint32),
        np.empty(n, dtype=np.float32),
        int_array(n_classes),
        int_array(n_classes),
    )
    n_nodes = int_array(len(keys))
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
    """`grow_trees` into arrays of sufficient length; returns the number of nodes of all trees."""
    n, n_classes = values.shape[1], counts.shape[1]
    first = 0  # root of the tree
    for tree in range(len(keys)):
        state[0] = keys[tree]
        for i in range(len(offered)):  # the order that the tree before left must not matter
            columns[i] = offered[i]
        for i in range(n):
            weight[i], node_of[i] = 0, -1
        for i in range(len(rows)):
            weight[rows[draw_below(state, len(rows)) if bootstrap else i]] += 1
        for c in range(n_classes):
            counts[first, c] = 0
        m = 0  # different samples: a repeated one is a weight, not a row more
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
            # stretches members[start:stop] of waiting nodes are disjoint; pure nodes do not wait
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
            if j < 0:  # a mixed leaf, whose samples agree in all features offered
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

    Features are drawn without replacement from those offered; one offered more than once is tried
    the first time only.
    """
    best, feature, threshold, to_first = -1.0, -1, np.inf, False
    n_classes, m, n_drawn = counts.shape[1], stop - start, 0
    while n_drawn < len(columns) and (n_drawn < n_tried or feature < 0):
        # Fisher and Yates: columns[:n_drawn] are drawn. Whatever order the node before left, the
        # draws from it are uniform
        i = n_drawn + draw_below(state, len(columns) - n_drawn)
        j = columns[i]
        columns[i], columns[n_drawn] = columns[n_drawn], j
        n_drawn += 1
        if looked[j] == v:
            continue
        looked[j] = v
        known = sort_rows(values, order, j, v, start, stop, node_of, members, at, x)
        if known == 0 or (known == m and x[0] == x[m - 1]):  # x is sorted: all values are equal
            continue
        for side in range(1 if known == m else 2):  # missing values on the right, then on the left
            for c in range(n_classes):
                left[c], right[c] = 0, counts[v, c]
            if side == 1:
                for i in range(known, m):
                    left[y[at[i]]] += weight[at[i]]
                    right[y[at[i]]] -= weight[at[i]]
            # the cut after the last known value parts known from missing: tried with these on the
            # right; on the left nothing would be right of it
            last = known if known < m and side == 0 else known - 1
            score, cut, more_left = scan_cuts(at, x, known, last, y, weight, left, right)
            if score > best:  # of equals the first stays
                best, feature = score, j
                to_first = side == 1 if known < m else more_left
                threshold = np.inf
                if cut + 1 < known:  # in float64, so strictly below the float32 right of the cut
                    threshold = np.float64(x[cut]) / 2 + np.float64(x[cut + 1]) / 2
    return feature, threshold, to_first


@jit
def sort_rows(values, order, j, v, start, stop, node_of, members, at, x):
    """Fill `at` and `x` with a node's samples and values, rising; returns how many are known.

    Samples without a value come last in `at`, and have no place in `x`.
    """
    n, m, k = order.shape[1], stop - start, 0
    walk = n <= MAX_WALKED_RATIO * m
    if walk:
        # the node's samples so far are at[:k]. No branch, as nobody could predict it: the sample of
        # another node is overwritten by the next
        for i in range(n - 1):
            at[k] = order[j, i]
            k += node_of[at[k]] == v
        if k < m:
            at[k] = order[j, n - 1]
        k = 0
        while k < m and not np.isnan(values[j, at[k]]):
            x[k] = values[j, at[k]]
            k += 1
        return k
    missing = m  # known samples fill `at` from the front, the others from the back
    for i in range(start, stop):
        value = values[j, members[i]]
        if np.isnan(value):
            missing -= 1
            at[missing] = members[i]
        else:
            at[k], x[k] = members[i], value
            k += 1
    # Shell's sort, in place, with gaps 1, 4, 13, 40, ... (Knuth). It may exchange samples of equal
    # values, which no cut parts
    gap = 1
    while gap < k // 3:
        gap = 3 * gap + 1
    while gap > 0:
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
    """The best cut among the first `last` places: its score, its place, and if the left has more.

    `left` and `right` (C,) are the counts before the first sample, and are changed. With n_L and
    n_R samples on the sides, l_c and r_c of each class, the impurity after the split is

        n_L (1 - sum_c (l_c / n_L)^2) + n_R (1 - sum_c (r_c / n_R)^2)
        = n - (sum_c l_c^2 / n_L + sum_c r_c^2 / n_R)

    The score is the bracket. Its sums are whole numbers: the same counts have the same score.
    """
    n_left, n_right, own_left, own_right = 0, 0, 0, 0
    for c in range(len(left)):
        n_left += left[c]
        n_right += right[c]
        own_left += left[c] * left[c]
        own_right += right[c] * right[c]
    best, cut, more_left = -1.0, -1, False
    for i in range(last):
        # (l + w)^2 - l^2 = w (2 l + w), and (r - w)^2 - r^2 = -w (2 r - w)
        c, w = y[at[i]], weight[at[i]]
        own_left += w * (2 * left[c] + w)
        own_right -= w * (2 * right[c] - w)
        left[c] += w
        right[c] -= w
        n_left += w
        n_right -= w
        if i + 1 == known or x[i] < x[i + 1]:  # no cut between equal values
            score = own_left / n_left + own_right / n_right
            if score > best:
                best, cut, more_left = score, i, n_left > n_right
    return best, cut, more_left


@jit
def part_rows(values, j, cut, to_first, y, weight, start, stop, members, node_of, counts, v, child):
    """Put the samples of the first child before those of the second; where the second begins.

    Fills `counts` of both children and `node_of`.
    """
    for c in range(counts.shape[1]):
        counts[child, c], counts[child + 1, c] = 0, counts[v, c]
    # members[start:i] are in the first child, members[end:stop] in the second
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
