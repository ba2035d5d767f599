"""Monte Carlo feature selection: trees on random projections and splits.

For each projection (m random features) t trees are grown, each on a random training set of the
rows, and tested on the other rows:

    wAcc(tree) = mean over the classes in the test set of the recall of the class
    RI_g = sum over trees wAcc^u * sum over nodes that split on g of GR * (n in node / n in tree)^v
    ID(a, b) = sum over nodes that split on b and their ancestors that split on a of
               GR(node) * n(node) / n(ancestor)

with GR the gain ratio. What a projection adds to the relative importance (RI) of its features, and
to the ID weights of their pairs, is recorded projection by projection, so that sums over
projections do not depend on which thread computed which of them.

Source: Draminski et al. (2008), Bioinformatics 24, 110-117; Draminski & Koronacki (2018),
J. Stat. Softw. 85(12).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._jit import jit
from ..c45 import build_unraised, predict_columns, predict_complete_rows
from .draws import Offer, draw_features, own_sums, shuffle_values, split_rows, start_stream

FEWEST_PAIRS = 8  # pairs that there is room for at first, for each projection
# places in `done`: projections finished, records of importance and pairs listed by these, and the
# nodes of the last tree, -1 if it had no room
PROJECTION_FIELD, RECORDS_FIELD, PAIRS_FIELD, NODES_FIELD = range(4)


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
    m: int  # features of a projection
    t: int  # splits of the rows, and trees, of a projection
    u: float  # exponent of wAcc
    v: float  # exponent of a node's share of the training rows
    edges: bool  # whether to record ID weights
    max_ancestors: int  # nearest ancestors of a node that count; 0 = all
    begin: int = 1  # the first split whose tree is grown; those before it are only drawn


def make_sample(y: np.ndarray, sizes: np.ndarray) -> Sample:
    """Class codes y (n,) and the training rows wanted of each class."""
    y = np.ascontiguousarray(y, dtype=np.int64)
    by_class = np.argsort(y, kind="stable").astype(np.int64)
    starts = np.searchsorted(y[by_class], np.arange(len(sizes) + 1)).astype(np.int64)
    return Sample(y, by_class, starts, np.asarray(sizes, dtype=np.int64), np.ones(len(y)))


@jit
def to_power(x, exponent):
    """x to the power `exponent`, without computing it for 1, the default of u and v."""
    return x if exponent == 1.0 else x**exponent


@jit
def weighted_accuracy(y, test, beliefs, seen, right, recalls, at):
    """wAcc: the mean over the classes in the test set of the recall of the class; 0 without any.

    `beliefs` (n, C) are those of the test rows. Each recall is added to row `at` of `recalls`.
    """
    for c in range(len(seen)):
        seen[c], right[c] = 0, 0
    for i in range(len(test)):
        c, most = y[test[i]], 0  # of equal beliefs the first class is predicted
        for k in range(1, len(seen)):
            most = k if beliefs[i, k] > beliefs[i, most] else most
        seen[c] += 1
        right[c] += most == c
    total, present = 0.0, 0
    for c in range(len(seen)):
        if seen[c] > 0:
            total += right[c] / seen[c]
            recalls[at, c] += right[c] / seen[c]
            present += 1
    return total / present if present > 0 else 0.0


@jit
def add_importances(tree, n_nodes, slot, factor, v, importance):
    """Add what a tree contributes to the relative importances, at places `slot` of the features.

    `factor` is wAcc^u.
    """
    for node in range(n_nodes):
        if tree.n_children[node] > 0:
            share = tree.weight[node] / tree.weight[0]  # n in node / n in tree
            importance[slot[tree.feature[node]]] += (
                factor * tree.gain_ratio[node] * to_power(share, v)
            )


@jit
def record_pairs(tree, n_nodes, p, max_ancestors, pairs, weights, found):
    """List the pairs (antecedent, given) of a tree, once for each ancestor and node.

    A pair is the number antecedent * p + given. Pairs of a feature with itself are left out.
    Returns how many pairs are listed in all, `found` of them before; -1 if there is no room.
    """
    for node in range(n_nodes):
        if tree.n_children[node] == 0:
            continue
        given, ancestor, steps = tree.feature[node], tree.parent[node], 0
        # up to the root, whose parent is -1; ancestors with the same feature count as steps too
        while ancestor >= 0 and (max_ancestors == 0 or steps < max_ancestors):
            if tree.feature[ancestor] != given:
                if found == len(pairs):
                    return -1
                pairs[found] = tree.feature[ancestor] * p + given
                weights[found] = tree.gain_ratio[node] * tree.weight[node] / tree.weight[ancestor]
                found += 1
            ancestor = tree.parent[ancestor]
            steps += 1
    return found


@jit
def sort_pairs(pairs, weights, start, stop, keys, values):
    """Sort copies of [start, stop) by pair, equal pairs in their order (bottom-up merge sort).

    They end in one of the two halves of `keys` and `values`; returns where that half begins.
    """
    # stable, so that the weights of equal pairs are added in the order of trees and nodes
    n, half = stop - start, len(keys) // 2
    for i in range(n):
        keys[i], values[i] = pairs[start + i], weights[start + i]
    own, other, width = 0, half, 1
    # invariant: in the half from `own` on, stretches of `width` entries are sorted; they are merged
    # in twos into the other half
    while width < n:
        for low in range(0, n, 2 * width):
            left, middle, end = low, min(low + width, n), min(low + 2 * width, n)
            right = middle
            for i in range(low, end):
                # of equal keys the left one first, and what is left of either run at the end
                first = right == end or keys[own + left] <= keys[own + right]
                if left < middle and first:
                    keys[other + i], values[other + i] = keys[own + left], values[own + left]
                    left += 1
                else:
                    keys[other + i], values[other + i] = keys[own + right], values[own + right]
                    right += 1
        own, other = other, own
        width *= 2
    return own


@jit
def merge_pairs(pairs, weights, counts, start, stop, keys, values):
    """Sort [start, stop) by pair and add up equal pairs, in place; returns the new end.

    `counts` become the numbers of entries added up.
    """
    own = sort_pairs(pairs, weights, start, stop, keys, values)
    end = start
    # sorted copies are read, so the pairs themselves may be overwritten
    for i in range(own, own + stop - start):
        if end > start and pairs[end - 1] == keys[i]:
            weights[end - 1] += values[i]
            counts[end - 1] += 1
        else:
            pairs[end], weights[end], counts[end] = keys[i], values[i], 1
            end += 1
    return end


def run_projections(
    table: Any,
    sample: Sample,
    options: Any,
    loop: Loop,
    offer: Offer,
    first: int,
    last: int,
    work: Any,
) -> tuple:
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
        Sum over its trees of the recall of each class, 0 for a class in no test set.
    ends : (last - first, 2) int64
        Where its records end among the importances and among the pairs.
    features, importances : (records,) int32 and float64
        What its trees add to a feature's relative importance, before any division.
    pairs, weights, counts : (records,) int64, float64, int64
        ID weight of each pair (antecedent * p + given), and how many pairs of nodes make it up.
    n_nodes, test : int and (n_test,) int64
        Nodes of the last tree, which is left in `work.tree`, and the rows it was tested on.
    """
    n_projections, m, n_classes = last - first, loop.m, len(sample.sizes)
    p, n = table.columns.shape
    n_train = int(sample.sizes.sum())
    drawn = np.empty((n_projections, m), dtype=np.int32)
    accuracy, recalls = np.empty(n_projections), np.empty((n_projections, n_classes))
    ends = np.zeros((n_projections, 2), dtype=np.int64)
    features = np.empty(n_projections * m, dtype=np.int32)
    importances = np.empty(n_projections * m)
    test = np.empty(n - n_train, dtype=np.int64)
    room = (
        np.empty(1, dtype=np.uint64),  # state of the random numbers
        np.empty(m, dtype=np.int64),  # chosen: the features of the projection
        np.zeros(p, dtype=np.int32),  # slot: place of a chosen feature in `importance`
        np.zeros(p, dtype=np.uint8),  # taken: which features are drawn already
        np.empty(m),  # importance
        np.empty(n, dtype=np.int64),  # by_class: rows class by class, shuffled
        np.empty(n_train, dtype=np.int64),  # train
        test,
        np.empty((n - n_train, n_classes)),  # beliefs of the test rows
        np.empty(n_classes, dtype=np.int64),  # seen: test rows of each class
        np.empty(n_classes, dtype=np.int64),  # right: those predicted right
    )
    # numbers without gaps need no weights of rows; None is a type of its own, with a smaller kernel
    unweighted = not (table.levels.any() or table.has_missing.any())
    weights = None if unweighted else sample.weights
    done = np.zeros(4, dtype=np.int64)
    size, nothing = FEWEST_PAIRS * n_projections, np.zeros(0, dtype=np.int64)
    kept = nothing, np.zeros(0), nothing
    # the number of pairs is not known beforehand: when there is no room for them, what is finished
    # is kept, and the loop goes on with the projection that was broken off, in twice the room
    while done[PROJECTION_FIELD] < n_projections:
        pairs, pair_weights, counts = listed = (
            np.empty(size, dtype=np.int64),
            np.empty(size),
            np.empty(size, dtype=np.int64),
        )
        for new, old in zip(listed, kept, strict=True):
            new[: len(old)] = old
        grow_projections(
            table,
            sample,
            options,
            loop,
            offer,
            first,
            weights,
            own_sums(offer),
            work,
            drawn,
            accuracy,
            recalls,
            ends,
            features,
            importances,
            pairs,
            pair_weights,
            counts,
            np.empty(2 * size, dtype=np.int64),  # keys and values: two halves to merge between
            np.empty(2 * size),
            *room,
            done,
        )
        if done[NODES_FIELD] < 0:
            raise RuntimeError("no room for a tree")
        kept, size = listed, 2 * size
    n_records, n_pairs = done[RECORDS_FIELD], done[PAIRS_FIELD]
    return (
        drawn,
        accuracy,
        recalls,
        ends,
        features[:n_records],
        importances[:n_records],
        pairs[:n_pairs],
        pair_weights[:n_pairs],
        counts[:n_pairs],
        int(done[NODES_FIELD]),
        test,
    )


@jit
def grow_projections(
    table,
    sample,
    options,
    loop,
    offer,
    first,
    weights,
    sums,
    work,
    drawn,
    accuracy,
    recalls,
    ends,
    features,
    importances,
    pairs,
    pair_weights,
    counts,
    keys,
    values,
    state,
    chosen,
    slot,
    taken,
    importance,
    by_class,
    train,
    test,
    beliefs,
    seen,
    right,
    done,
):
    """`run_projections` from number `done[PROJECTION_FIELD]` on, until one lists more pairs than
    there is room for, or a tree has no room (`done[NODES_FIELD]` is then -1).

    `weights` is None if features are numeric without missing values; `done` (4,) int64 says how far
    the loop has come.
    """
    p, n = table.columns.shape
    m, tree = loop.m, work.tree
    n_records, n_pairs = done[RECORDS_FIELD], done[PAIRS_FIELD]
    for at in range(done[PROJECTION_FIELD], len(drawn)):
        # a stream for each projection and split: what is drawn does not depend on where the loop
        # began, nor on threads. Split 0 is for the features
        start_stream(state, loop.seed, loop.run, first + at, 0)
        draw_features(state, offer, sums, taken, chosen)
        for j in range(m):
            drawn[at, j] = chosen[j]
            slot[chosen[j]] = j
            importance[j] = 0.0
        accuracy[at], begin = 0.0, n_pairs
        for c in range(len(seen)):
            recalls[at, c] = 0.0
        for split in range(1, loop.t + 1):
            start_stream(state, loop.seed, loop.run, first + at, split)
            for i in range(n):
                by_class[i] = sample.by_class[i]
            split_rows(state, by_class, sample.starts, sample.sizes, train, test)
            # of equal splits a tree takes that of the first column: equal features share their
            # importance. The order follows from those of the splits before, so that these are drawn
            # even where their trees are not wanted
            shuffle_values(state, chosen)
            if split < loop.begin:
                continue
            n_nodes = build_unraised(table, sample.y, train, weights, chosen, options, work)
            done[NODES_FIELD] = n_nodes
            if n_nodes < 0:
                return
            if weights is None:
                predict_complete_rows(tree, table.columns, test, beliefs)
            else:
                predict_columns(tree, table.columns, table.levels, test, beliefs, False)
            wacc = weighted_accuracy(sample.y, test, beliefs, seen, right, recalls, at)
            accuracy[at] += wacc
            factor = to_power(wacc, loop.u)
            add_importances(tree, n_nodes, slot, factor, loop.v, importance)
            if loop.edges:
                n_pairs = record_pairs(
                    tree, n_nodes, p, loop.max_ancestors, pairs, pair_weights, n_pairs
                )
                if n_pairs < 0:  # `done` still says that this projection is to be computed
                    return
        if loop.edges:
            n_pairs = merge_pairs(pairs, pair_weights, counts, begin, n_pairs, keys, values)
        # features that no tree used have no record
        for j in range(m):
            value = importance[slot[drawn[at, j]]]
            if value != 0.0:
                features[n_records], importances[n_records] = drawn[at, j], value
                n_records += 1
        ends[at, 0], ends[at, 1] = n_records, n_pairs
        done[PROJECTION_FIELD], done[RECORDS_FIELD], done[PAIRS_FIELD] = at + 1, n_records, n_pairs


def add_in_order(totals: np.ndarray, places: np.ndarray, values: np.ndarray) -> None:
    """totals[places[i]] += values[i] for each i in turn, places that occur again included."""
    np.add.at(totals, places, values)


def count_meetings(
    p: int,
    loop: Loop,
    offer: Offer,
    first: int,
    last: int,
    sources: np.ndarray,
    targets: np.ndarray,
    met: np.ndarray,
) -> None:
    """Add to `met` the number of projections first..last - 1 that hold both features of each pair.

    Projections are drawn again instead of being stored. The projections of each feature are listed
    in order, and the lists of a pair are walked side by side.
    """
    drawn = np.empty((last - first, loop.m), dtype=np.int64)
    draw_again(
        loop,
        offer,
        own_sums(offer),
        first,
        drawn,
        np.empty(1, dtype=np.uint64),
        np.zeros(p, dtype=np.uint8),
        np.empty(loop.m, dtype=np.int64),
    )
    # the list of feature j is lists[starts[j]:starts[j + 1]]
    starts = np.concatenate([[0], np.cumsum(np.bincount(drawn.ravel(), minlength=p))])
    lists = np.empty(drawn.size, dtype=np.int32)
    walk_lists(drawn, starts, starts[:p].copy(), lists, sources, targets, met)


@jit
def draw_again(loop, offer, sums, first, drawn, state, taken, chosen):
    """Draw the features of the projections from `first` on into `drawn` (k, m)."""
    for i in range(len(drawn)):
        start_stream(state, loop.seed, loop.run, first + i, 0)
        draw_features(state, offer, sums, taken, chosen)
        for j in range(len(chosen)):
            drawn[i, j] = chosen[j]


@jit
def walk_lists(drawn, starts, place, lists, sources, targets, met):
    """Fill the `lists` of projections of each feature, and add to `met` the common ones of pairs.

    `place` (p,) is where the next entry of each list goes.
    """
    for i in range(drawn.shape[0]):  # rising, so every list is
        for j in range(drawn.shape[1]):
            feature = drawn[i, j]
            lists[place[feature]] = i
            place[feature] += 1
    for k in range(len(sources)):
        a, b = starts[sources[k]], starts[targets[k]]
        a_end, b_end = starts[sources[k] + 1], starts[targets[k] + 1]
        # the smaller of the two heads is in no further place of the other list
        while a < a_end and b < b_end:
            if lists[a] == lists[b]:
                met[k] += 1
                a += 1
                b += 1
            elif lists[a] < lists[b]:
                a += 1
            else:
                b += 1
