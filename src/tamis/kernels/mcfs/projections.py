"""Monte Carlo feature selection: trees on random projections and splits.

For each projection (m random features) t trees are grown, each on a random training part of the
rows, and tried on the other rows. What a projection adds to the relative importance of its
features, and to the ID weights of their pairs, is recorded projection by projection, so that sums
over projections do not depend on who computed which of them.

Source: Draminski et al. (2008), Bioinformatics 24, 110-117; Draminski & Koronacki (2018),
J. Stat. Softw. 85(12).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from ..c45 import build_unraised, predict_columns
from .draws import draw_features, shuffle_values, split_rows, start_stream


class Sample(NamedTuple):
    """The labels of a run and how rows are split; made by `make_sample`."""

    y: np.ndarray  # (n,) int64, class codes
    by_class: np.ndarray  # (n,) int64, rows class by class
    starts: np.ndarray  # (C + 1,) int64, where each class begins there
    sizes: np.ndarray  # (C,) int64, training rows of each class
    weights: np.ndarray  # (n,) float64, all 1


class Loop(NamedTuple):
    """What is the same for all projections of a run."""

    seed: np.uint64
    run: int
    m: int
    t: int
    u: float
    v: float
    edges: bool  # whether to record ID weights
    max_ancestors: int  # 0 = all
    begin: int = 1  # the first split whose tree is grown; those before it are only drawn


def make_sample(y: np.ndarray, sizes: np.ndarray) -> Sample:
    """Class codes y (n,) and the training rows wanted of each class."""
    y = np.ascontiguousarray(y, dtype=np.int64)
    by_class = np.argsort(y, kind="stable").astype(np.int64)
    starts = np.searchsorted(y[by_class], np.arange(len(sizes) + 1)).astype(np.int64)
    return Sample(y, by_class, starts, np.asarray(sizes, dtype=np.int64), np.ones(len(y)))


@jit
def to_power(x, exponent):
    """x to a power, which mostly is 1."""
    return x if exponent == 1.0 else x**exponent


@jit
def weighted_accuracy(y, test, beliefs, seen, right, recalls):
    """wAcc: the mean, over the classes in the test part, of the class's recall.

    `beliefs` (n, C) are those of the test rows. Each recall is added to `recalls` (C,).
    """
    seen[:] = 0
    right[:] = 0
    for i in range(len(test)):
        c, most = y[test[i]], 0
        for k in range(1, len(seen)):
            most = k if beliefs[i, k] > beliefs[i, most] else most
        seen[c] += 1
        right[c] += most == c
    total, present = 0.0, 0
    for c in range(len(seen)):
        if seen[c] > 0:
            total += right[c] / seen[c]
            recalls[c] += right[c] / seen[c]
            present += 1
    return total / present if present > 0 else 0.0


@jit
def add_importances(tree, n_nodes, slot, factor, v, importance):
    """Add a tree's share of the relative importance to each feature's place."""
    for node in range(n_nodes):
        if tree.n_children[node] > 0:
            share = tree.weight[node] / tree.weight[0]
            importance[slot[tree.feature[node]]] += (
                factor * tree.gain_ratio[node] * to_power(share, v)
            )


@jit
def with_room(values, size):
    """The same values in an array of at least this size."""
    if size <= len(values):
        return values
    more = np.empty(max(size, 2 * len(values)), dtype=values.dtype)
    for i in range(len(values)):  # an assignment of a stretch takes a second to compile
        more[i] = values[i]
    return more


@jit
def record_pairs(tree, n_nodes, p, max_ancestors, pairs, weights, found):
    """List the pairs (antecedent, given) of a tree, once for each ancestor and node.

    A pair is the number antecedent * p + given. Pairs of one feature with itself are left out.
    """
    for node in range(n_nodes):
        if tree.n_children[node] == 0:
            continue
        given, ancestor, steps = tree.feature[node], tree.parent[node], 0
        while ancestor >= 0 and (max_ancestors == 0 or steps < max_ancestors):
            if tree.feature[ancestor] != given:
                if found == len(pairs):
                    pairs, weights = with_room(pairs, found + 1), with_room(weights, found + 1)
                pairs[found] = tree.feature[ancestor] * p + given
                weights[found] = tree.gain_ratio[node] * tree.weight[node] / tree.weight[ancestor]
                found += 1
            ancestor = tree.parent[ancestor]
            steps += 1
    return pairs, weights, found


@jit
def sort_pairs(pairs, weights, start, stop):
    """Copies of [start, stop), pairs rising, equal ones as they stood (merge sort)."""
    n = stop - start
    keys, values = np.empty(n, dtype=np.int64), np.empty(n)
    for i in range(n):
        keys[i], values[i] = pairs[start + i], weights[start + i]
    to_keys, to_values = np.empty(n, dtype=np.int64), np.empty(n)
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            left, middle, end = low, min(low + width, n), min(low + 2 * width, n)
            right = middle
            for i in range(low, end):
                if left < middle and (right == end or keys[left] <= keys[right]):
                    to_keys[i], to_values[i] = keys[left], values[left]
                    left += 1
                else:
                    to_keys[i], to_values[i] = keys[right], values[right]
                    right += 1
        keys, to_keys, values, to_values = to_keys, keys, to_values, values
        width *= 2
    return keys, values


@jit
def merge_pairs(pairs, weights, start, stop, counts):
    """Add up equal pairs of [start, stop) in place; returns the new end, pairs rising."""
    keys, values = sort_pairs(pairs, weights, start, stop)
    end = start
    for i in range(len(keys)):
        key, value = keys[i], values[i]
        if end > start and pairs[end - 1] == key:
            weights[end - 1] += value
            counts[end - 1] += 1
        else:
            pairs[end], weights[end], counts[end] = key, value, 1
            end += 1
    return end


@jit
def run_projections(table, sample, options, loop, offer, first, last, work):
    """Grow the trees of projections first..last - 1.

    Parameters
    ----------
    table : c45.TreeTable
    sample : Sample
    options : c45.Options
        Subtrees are never raised.
    loop : Loop
    offer : draws.Offer
    first, last : int
    work : c45.Workspace
        For m features and the classes of `sample`.

    Returns
    -------
    drawn : (last - first, m) int32
        Features of each projection.
    accuracy : (last - first,) float64
        Sum of wAcc over its t trees.
    recalls : (last - first, C) float64
        Sum over its trees of the recall of each class, 0 for one that is in no test part.
    ends : (last - first, 2) int64
        Where its records end among the importances and among the pairs.
    features, importances : (records,) int32 and float64
        What its trees add to a feature's relative importance, before any division.
    pairs, weights, counts : (records,) int64, float64, int64
        ID weight of each pair (antecedent * p + given), and the tree nodes behind it.
    n_nodes, test : int and (n_test,) int64
        Nodes of the last tree, which is left in `work.tree`, and the rows it was tried on.
    """
    p, n = table.columns.shape
    m, n_classes = loop.m, len(sample.sizes)
    drawn = np.empty((last - first, m), dtype=np.int32)
    accuracy, recalls = np.zeros(last - first), np.zeros((last - first, n_classes))
    ends = np.zeros((last - first, 2), dtype=np.int64)
    features, importances = (
        np.empty(4 * (last - first), dtype=np.int32),
        np.empty(4 * (last - first)),
    )
    pairs, weights = np.empty(16, dtype=np.int64), np.empty(16)
    counts = np.empty(16, dtype=np.int64)
    n_records, n_pairs, n_nodes = 0, 0, 0

    state = np.empty(1, dtype=np.uint64)
    chosen = np.empty(m, dtype=np.int64)
    slot, taken = np.zeros(p, dtype=np.int32), np.zeros(p, dtype=np.uint8)
    sums = offer.sums.copy()
    importance = np.empty(m)
    by_class = np.empty(n, dtype=np.int64)
    n_train = sample.sizes.sum()
    train = np.empty(n_train, dtype=np.int64)
    test = np.empty(n - n_train, dtype=np.int64)
    beliefs = np.empty((n - n_train, n_classes))
    seen, right = np.empty(n_classes, dtype=np.int64), np.empty(n_classes, dtype=np.int64)

    for q in range(first, last):
        at = q - first
        start_stream(state, loop.seed, loop.run, q, 0)
        draw_features(state, offer, sums, taken, chosen)
        for j in range(m):
            drawn[at, j] = chosen[j]
            slot[chosen[j]] = j
        importance[:] = 0.0
        begin = n_pairs
        for split in range(1, loop.t + 1):
            start_stream(state, loop.seed, loop.run, q, split)
            for i in range(n):
                by_class[i] = sample.by_class[i]
            split_rows(state, by_class, sample.starts, sample.sizes, train, test)
            shuffle_values(state, chosen)  # equal splits go to the first column
            if split < loop.begin:
                continue
            n_nodes = build_unraised(table, sample.y, train, sample.weights, chosen, options, work)
            if n_nodes < 0:
                raise RuntimeError("no room for a tree")
            predict_columns(work.tree, table.columns, table.levels, test, beliefs, False)
            wacc = weighted_accuracy(sample.y, test, beliefs, seen, right, recalls[at])
            accuracy[at] += wacc
            factor = to_power(wacc, loop.u)
            add_importances(work.tree, n_nodes, slot, factor, loop.v, importance)
            if loop.edges:
                pairs, weights, n_pairs = record_pairs(
                    work.tree, n_nodes, p, loop.max_ancestors, pairs, weights, n_pairs
                )
        if loop.edges:
            counts = with_room(counts, len(pairs))
            n_pairs = merge_pairs(pairs, weights, begin, n_pairs, counts)
        features = with_room(features, n_records + m)
        importances = with_room(importances, n_records + m)
        for j in range(m):
            value = importance[slot[drawn[at, j]]]
            if value != 0.0:
                features[n_records], importances[n_records] = drawn[at, j], value
                n_records += 1
        ends[at, 0], ends[at, 1] = n_records, n_pairs
    return (
        drawn,
        accuracy,
        recalls,
        ends,
        features[:n_records],
        importances[:n_records],
        pairs[:n_pairs],
        weights[:n_pairs],
        counts[:n_pairs],
        n_nodes,
        test,
    )


@jit
def add_in_order(totals, places, values):
    """totals[places[i]] += values[i], one after the other."""
    for i in range(len(places)):
        totals[places[i]] += values[i]


@jit
def count_meetings(p, loop, offer, first, last, sources, targets, met):
    """Add to `met` in how many of projections first..last - 1 both ends of each pair are.

    Projections are drawn again. Each feature's are listed in order, and the lists of a pair
    walked side by side.
    """
    state, drawn = np.empty(1, dtype=np.uint64), np.empty((last - first, loop.m), dtype=np.int64)
    taken, sums = np.zeros(p, dtype=np.uint8), offer.sums.copy()
    for q in range(first, last):
        start_stream(state, loop.seed, loop.run, q, 0)
        draw_features(state, offer, sums, taken, drawn[q - first])
    starts = np.zeros(p + 1, dtype=np.int64)
    for i in range(drawn.shape[0]):
        for j in range(drawn.shape[1]):
            starts[drawn[i, j] + 1] += 1
    for j in range(p):
        starts[j + 1] += starts[j]
    place = starts[:p].copy()
    lists = np.empty(drawn.size, dtype=np.int32)
    for i in range(drawn.shape[0]):
        for j in range(drawn.shape[1]):
            feature = drawn[i, j]
            lists[place[feature]] = i
            place[feature] += 1
    for k in range(len(sources)):
        a, b = starts[sources[k]], starts[targets[k]]
        a_end, b_end = starts[sources[k] + 1], starts[targets[k] + 1]
        while a < a_end and b < b_end:
            if lists[a] == lists[b]:
                met[k] += 1
                a += 1
                b += 1
            elif lists[a] < lists[b]:
                a += 1
            else:
                b += 1
