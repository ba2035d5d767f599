"""Growth of a C4.5 tree, depth first.

A node's rows are a stretch of `entries`, and the same stretch of every feature's order as long
as no split above it met a missing value. Below such a split a row may stand in several nodes
with a share of its weight, and orders are made from the table's when they are needed.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .lookup import begin_lookup, lookup_splits
from .rows import hand_down, hand_down_complete_rows, part_orders
from .splits import (
    VALUE_TOLERANCE,
    choose_split,
    complete_row_splits,
    nominal_split,
    numeric_split,
    sort_node,
    threshold_at,
)

OWN_ORDER, SHARED_ORDER = 1, 0  # whether a node's stretch of the orders is right


@jit
def make_leaf(tree, v):
    """A node without a split."""
    tree.feature[v] = -1
    tree.threshold[v], tree.gain_ratio[v] = np.nan, 0.0
    tree.first_child[v], tree.n_children[v] = 0, 0


@jit
def add_node(tree, v, y, entries, shares, start, stop, min_leaf, max_depth):
    """A leaf with the rows [start, stop) of `entries`; its depth is set.

    Returns whether it is worth a search: impure, heavy enough for two leaves, not too deep.
    """
    make_leaf(tree, v)
    counts, weight, most = tree.counts, 0.0, 0.0
    for c in range(counts.shape[1]):
        counts[v, c] = 0.0
    for i in range(start, stop):
        counts[v, y[entries[i]]] += shares[i]
    for c in range(counts.shape[1]):
        weight += counts[v, c]
        most = max(most, counts[v, c])
    tree.weight[v] = weight
    if max_depth > 0 and tree.depth[v] >= max_depth:
        return False
    return weight - 2 * min_leaf > -VALUE_TOLERANCE and weight - most >= VALUE_TOLERANCE


@jit
def begin_tree(table, rows, weights, features, work):
    """Mark the tree's rows and take the features' orders from the table's.

    Returns whether all features are plain.
    """
    member, own, order, mask = work.member, work.order, table.order, table.mask
    entries, shares = work.entries, work.shares
    all_plain = True
    member[:] = 0
    for i in range(len(rows)):
        member[rows[i]] = 1
        entries[i] = rows[i]
        shares[i] = 1.0 if weights is None else weights[rows[i]]
    for j in range(len(features)):
        feature = features[j]
        all_plain &= table.plain[feature]
        if table.levels[feature] > 0:
            continue
        found = 0
        for i in range(len(member)):  # no branch: a row of another tree is overwritten
            entry = order[feature, i]
            own[j, found] = entry
            found += member[entry & mask]
    return all_plain


@jit
def all_ones(rows, weights):
    """Whether the weights of the rows are 1."""
    for i in range(len(rows)):  # noqa: SIM110
        if weights[rows[i]] != 1.0:
            return False
    return True


@jit
def search_complete_rows(
    table,
    y,
    weights,
    features,
    all_plain,
    lookup,
    counts,
    order,
    entries,
    shares,
    start,
    stop,
    min_leaf,
    counting,
    found,
):
    """Gain and gain ratio of every feature at a node whose rows all have weight 1."""
    if lookup:
        lookup_splits(features, order, table, start, stop, counts, min_leaf, counting, found)
        if all_plain:
            return
    complete_row_splits(
        features, order, table, y, weights, start, stop, lookup, min_leaf, counting, found
    )
    for j in range(len(features)):
        levels = table.levels[features[j]]
        if levels > 0:
            nominal_split(
                j,
                entries[start:stop],
                shares[start:stop],
                table.columns[features[j]],
                levels,
                y,
                float(stop - start),
                min_leaf,
                counting,
                found,
            )


@jit
def search_weights(table, y, weights, features, v, entries, shares, min_leaf, work):
    """The same with any weights."""
    start, stop = work.nodes.start[v], work.nodes.stop[v]
    own, total = work.nodes.state[v] == OWN_ORDER, work.tree.weight[v]
    counting, found = work.counting, work.found
    rows, shares = entries[start:stop], shares[start:stop]
    by_row = weights if own else work.weight
    if not own:
        for i in range(len(rows)):
            by_row[rows[i]] = shares[i]
    for j in range(len(features)):
        feature = features[j]
        column, levels = table.columns[feature], table.levels[feature]
        if levels > 0:
            nominal_split(j, rows, shares, column, levels, y, total, min_leaf, counting, found)
            continue
        if own:
            order = work.order[j, start:stop]
        else:
            order = sort_node(column, table.order[feature], table.mask, rows, by_row, work.sorted)
        numeric_split(j, order, table.mask, column, y, by_row, total, min_leaf, counting, found)
    if not own:
        for i in range(len(rows)):
            by_row[rows[i]] = 0.0


@jit
def add_children(
    tree,
    nodes,
    routing,
    v,
    first,
    n_children,
    state,
    y,
    entries,
    shares,
    min_leaf,
    max_depth,
    waiting,
):
    """Nodes from `first` on below v; those worth a search wait. Returns how many nodes wait."""
    parent, depth, level, states = tree.parent, tree.depth, tree.level, nodes.state
    starts, stops, pending, wanted = nodes.start, nodes.stop, nodes.pending, routing.wanted
    first_row, end = routing.start, routing.stop
    for b in range(n_children):
        child, start, stop = first + b, first_row[b], end[b]
        parent[child], depth[child], level[child] = v, depth[v] + 1, b
        starts[child], stops[child], states[child] = start, stop, state
        wanted[b] = add_node(tree, child, y, entries, shares, start, stop, min_leaf, max_depth)
        if wanted[b]:
            pending[waiting] = child
            waiting += 1
    return waiting


@jit
def grow_tree(table, y, rows, weights, features, options, work):
    """The tree before collapsing and pruning; returns its nodes, -1 if there is no room.

    `weights` is None if all are 1, and features numbers of which none is missing: what else there
    may be is then not compiled.
    """
    # taking an array out of a tuple counts references, so it is done once, not at every node
    tree, nodes, routing, found = work.tree, work.nodes, work.routing, work.found
    order, counting, entries, shares = work.order, work.counting, work.entries, work.shares
    all_plain = begin_tree(table, rows, weights, features, work)
    tree.parent[0], tree.depth[0], tree.level[0] = -1, 0, 0
    nodes.start[0], nodes.stop[0], nodes.state[0], nodes.pending[0] = 0, len(rows), OWN_ORDER, 0
    min_leaf, max_depth = options.min_leaf, options.max_depth
    waiting = int(add_node(tree, 0, y, entries, shares, 0, len(rows), min_leaf, max_depth))
    whole = True
    if weights is not None:
        whole = all_ones(rows, weights)
    lookup = whole and begin_lookup(tree, y, rows, len(features), counting)
    n_nodes = 1
    while waiting > 0:
        waiting -= 1
        v = nodes.pending[waiting]
        start, stop = nodes.start[v], nodes.stop[v]
        if weights is None:
            if lookup:
                lookup_splits(
                    features, order, table, start, stop, tree.counts[v], min_leaf, counting, found
                )
            if not (lookup and all_plain):
                complete_row_splits(
                    features,
                    order,
                    table,
                    y,
                    weights,
                    start,
                    stop,
                    lookup,
                    min_leaf,
                    counting,
                    found,
                )
        elif whole and nodes.state[v] == OWN_ORDER:
            search_complete_rows(
                table,
                y,
                weights,
                features,
                all_plain,
                lookup,
                tree.counts[v],
                order,
                entries,
                shares,
                start,
                stop,
                min_leaf,
                counting,
                found,
            )
        else:
            search_weights(table, y, weights, features, v, entries, shares, min_leaf, work)
        j = choose_split(features, table.levels, tree.weight[0], found)
        if j < 0:
            continue
        feature = features[j]
        column, levels = table.columns[feature], table.levels[feature]
        n_children = max(2, levels)
        if n_nodes + n_children > len(tree.feature):
            return -1
        tree.feature[v], tree.gain_ratio[v] = feature, found.ratio[j]
        tree.first_child[v], tree.n_children[v] = n_nodes, n_children
        if levels == 0:
            tree.threshold[v] = threshold_at(
                column,
                table.order[feature],
                table.mask,
                found.below[j],
                found.above[j],
                work.member,
            )
        # nodes that wait stand before this one, so what follows its stretch is free
        top = stop
        if weights is None:
            hand_down_complete_rows(column, tree.threshold[v], entries, start, stop, routing)
        else:
            entries, shares, top = hand_down(
                column,
                levels > 0,
                tree.threshold[v],
                n_children,
                entries,
                shares,
                start,
                stop,
                stop,
                routing,
            )
        state = nodes.state[v] if top == stop else SHARED_ORDER
        before = waiting
        waiting = add_children(
            tree,
            nodes,
            routing,
            v,
            n_nodes,
            n_children,
            state,
            y,
            entries,
            shares,
            min_leaf,
            max_depth,
            waiting,
        )
        n_nodes += n_children
        if state == OWN_ORDER and waiting > before:
            part_orders(
                features,
                all_plain,
                table.levels,
                order,
                table.mask,
                start,
                stop,
                n_children,
                routing,
            )
    return n_nodes
