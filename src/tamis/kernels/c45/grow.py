"""Growth of a C4.5 tree, depth first.

The rows of a node are a slice of `entries`, and the same slice of the order of every feature as
long as no split above it met a missing value. Below such a split a row may be in several nodes,
each with a share of its weight; its sorted rows are then made when a search needs them.
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

# state of a node: whether its slice of `work.order` holds its own rows, sorted by each feature
OWN_ORDER, SHARED_ORDER = 1, 0


@jit
def make_leaf(tree, v):
    """Make node v one without a split; its place in the tree and its counts stay."""
    tree.feature[v] = -1
    tree.threshold[v], tree.gain_ratio[v] = np.nan, 0.0
    tree.first_child[v], tree.n_children[v] = 0, 0


@jit
def add_node(tree, v, y, entries, shares, start, stop, min_leaf, max_depth):
    """Make node v, whose depth is set, a leaf with the rows [start, stop) of `entries`.

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
    if max_depth > 0 and tree.depth[v] >= max_depth:  # 0 is no limit
        return False
    # n >= 2 min_leaf, and n > max_c n_c; shares of weights are sums, so both with a slack
    return weight - 2 * min_leaf > -VALUE_TOLERANCE and weight - most >= VALUE_TOLERANCE


@jit
def begin_tree(table, rows, weights, features, work):
    """Mark the rows of the tree and copy their order by each feature from the table.

    Returns whether all features are plain: numeric, nothing missing, ranks without near ties.
    """
    member, own, order, mask = work.member, work.order, table.order, table.mask
    entries, shares = work.entries, work.shares
    all_plain = True
    member[:] = 0  # marks of the previous tree
    for i in range(len(rows)):
        member[rows[i]] = 1
        entries[i] = rows[i]
        shares[i] = 1.0 if weights is None else weights[rows[i]]
    for j in range(len(features)):
        feature = features[j]
        all_plain &= table.plain[feature]
        if table.levels[feature] > 0:
            continue  # a nominal column needs no order
        # own[j, :found] holds the rows of the tree among the first i of the order. Every entry is
        # written, without a branch; that of a row not in the tree is overwritten by the next
        found = 0
        for i in range(len(member)):
            entry = order[feature, i]  # a row & mask, above it the rank of its value
            own[j, found] = entry
            found += member[entry & mask]
    return all_plain


@jit
def all_ones(rows, weights):
    """Whether all the rows have the weight 1."""
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
    # plain features by the table of entropies, then other numeric ones by class counts, at last
    # the nominal ones
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
                float(stop - start),  # total weight
                min_leaf,
                counting,
                found,
            )


@jit
def search_weights(table, y, weights, features, v, entries, shares, min_leaf, work):
    """Gain and gain ratio of every feature at node v, whose rows may have any weights."""
    start, stop = work.nodes.start[v], work.nodes.stop[v]
    own, total = work.nodes.state[v] == OWN_ORDER, work.tree.weight[v]
    counting, found = work.counting, work.found
    rows, shares = entries[start:stop], shares[start:stop]
    # without a missing value above, a row has its full weight; else its share here, which is put
    # into work.weight: that is 0 for all other rows, by which `sort_node` leaves them out
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
    if not own:  # all 0 again for the next node
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
    """Add the children of v as nodes `first` and on; those worth a search go on the stack.

    `waiting` is the height of the stack, and what is returned its new height.
    """
    parent, depth, level, states = tree.parent, tree.depth, tree.level, nodes.state
    starts, stops, pending, wanted = nodes.start, nodes.stop, nodes.pending, routing.wanted
    first_row, end = routing.start, routing.stop  # as `hand_down` left them
    for b in range(n_children):
        child, start, stop = first + b, first_row[b], end[b]
        parent[child], depth[child], level[child] = v, depth[v] + 1, b
        starts[child], stops[child], states[child] = start, stop, state
        wanted[b] = add_node(tree, child, y, entries, shares, start, stop, min_leaf, max_depth)
        # the last child is searched first: its slice of `entries` comes after those that wait
        if wanted[b]:
            pending[waiting] = child
            waiting += 1
    return waiting


@jit
def grow_tree(table, y, rows, weights, features, options, work):
    """Grow the tree before collapsing and pruning; returns its nodes, -1 if there is no room.

    `weights` is None if all are 1 and all features are numeric without missing values: code for
    other cases is then not compiled.
    """
    # taking an array out of a tuple counts references, so it is done once, not at every node
    tree, nodes, routing, found = work.tree, work.nodes, work.routing, work.found
    order, counting, entries, shares = work.order, work.counting, work.entries, work.shares
    all_plain = begin_tree(table, rows, weights, features, work)
    tree.parent[0], tree.depth[0], tree.level[0] = -1, 0, 0
    nodes.start[0], nodes.stop[0], nodes.state[0], nodes.pending[0] = 0, len(rows), OWN_ORDER, 0
    min_leaf, max_depth = options.min_leaf, options.max_depth
    waiting = int(add_node(tree, 0, y, entries, shares, 0, len(rows), min_leaf, max_depth))
    unit_weights = True  # class counts are whole numbers, whose x log2 x is tabulated
    if weights is not None:
        unit_weights = all_ones(rows, weights)
    lookup = unit_weights and begin_lookup(tree, y, rows, len(features), counting)
    n_nodes = 1
    # nodes.pending[:waiting] are leaves worth a search, each with its rows and its state
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
        elif unit_weights and nodes.state[v] == OWN_ORDER:
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
        else:  # fractional weights, or rows that lack a value of a split above
            search_weights(table, y, weights, features, v, entries, shares, min_leaf, work)
        # the weight of the root decides which nominal columns have too many levels
        j = choose_split(features, table.levels, tree.weight[0], found)
        if j < 0:
            continue  # stays a leaf
        feature = features[j]
        column, levels = table.columns[feature], table.levels[feature]
        n_children = max(2, levels)  # two sides of a threshold, or a child for each level
        if n_nodes + n_children > len(tree.feature):
            return -1
        tree.feature[v], tree.gain_ratio[v] = feature, found.ratio[j]
        tree.first_child[v], tree.n_children[v] = n_nodes, n_children
        if levels == 0:
            tree.threshold[v] = threshold_at(
                column,
                table.order[feature],  # of the full tree: the threshold is one of its values
                table.mask,
                found.below[j],
                found.above[j],
                work.member,
            )
        # nodes that wait have their rows before this one's, so entries from `stop` on are free
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
        # `top` has moved if a value was missing: children then share rows, and a slice of the order
        # would have to hold a row twice
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
        if state == OWN_ORDER and waiting > before:  # some child will be searched
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
