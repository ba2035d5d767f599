"""Collapsing, pruning with subtree raising, and renumbering the nodes that remain.

The error of a leaf is the upper limit of its binomial confidence interval. Source: Quinlan
(1993), C4.5, chapter 4; the interpolation for fewer than one error is that of the program.
"""

from __future__ import annotations

import math

from .._jit import jit
from .grow import make_leaf
from .rows import hand_down
from .splits import VALUE_TOLERANCE

COLLAPSE_SLACK = 1e-3  # training errors that a subtree must save, or it becomes a leaf
# estimated errors that a leaf, or a raised branch, may have above the subtree's
PRUNE_SLACK = 0.1
FRESH_NODE, OPEN_NODE = 0, 1  # states of a node: children not yet pruned, or pruned


@jit
def extra_errors(n, e, confidence, quantile):
    """Estimated errors of a leaf of weight n beyond the e seen: upper confidence limit less e."""
    if e < 1:
        # no error seen: the limit U solves (1 - U)^n = confidence, and n U are expected
        none = n * (1 - confidence ** (1 / n))
        if e < 1e-12:  # 0 but for rounding of fractional weights
            return none
        # the limit at one error; up to n = 1.5 it is the case e + 1/2 >= n below
        one = max(n - 1, 0.0) if n <= 1.5 else upper_limit(n, 1.0, quantile)
        return none + e * (one - none)  # linear in between
    # the corrected share reaches 1: all of n are taken for errors
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    return upper_limit(n, e, quantile)


@jit
def upper_limit(n, e, z):
    """n times the upper limit of Wilson's interval with continuity correction, less e."""
    # with f = (e + 1/2) / n, the half being the continuity correction, the limit is
    # [f + z^2 / 2n + z sqrt(f / n - f^2 / n + z^2 / 4n^2)] / (1 + z^2 / n)
    share = (e + 0.5) / n
    spread = math.sqrt(share / n - share * share / n + z * z / (4 * n * n))
    return n * (share + z * z / (2 * n) + z * spread) / (1 + z * z / n) - e


@jit
def weigh_errors(counts, v):
    """Weight of node v, and its part outside the largest class: training errors as a leaf."""
    weight, most = 0.0, 0.0
    for c in range(counts.shape[1]):
        weight += counts[v, c]
        most = max(most, counts[v, c])
    return weight, weight - most


@jit
def leaf_errors(counts, v, options):
    """Estimated errors of node v as a leaf, `counts` (nodes, C) being the class weights."""
    weight, e = weigh_errors(counts, v)
    if weight < VALUE_TOLERANCE:  # a branch that no row takes
        return 0.0
    return e + extra_errors(weight, max(e, 0.0), options.confidence, options.quantile)


@jit
def collapse_subtrees(n_nodes, tree, nodes):
    """Replace subtrees that make no fewer training errors than a leaf by leaves."""
    counts, first_child, n_children = tree.counts, tree.first_child, tree.n_children
    errors = nodes.errors
    # children have larger numbers than their parent, so theirs are known when v is reached
    for v in range(n_nodes - 1, -1, -1):
        _, own = weigh_errors(counts, v)
        errors[v] = own
        if n_children[v] > 0:
            below = 0.0
            for child in range(first_child[v], first_child[v] + n_children[v]):
                below += errors[child]
            # ancestors are compared with the subtree as it was grown, even if it collapses here
            errors[v] = below
            if below >= own - COLLAPSE_SLACK:
                make_leaf(tree, v)


@jit
def prune_leaves(n_nodes, options, tree, nodes):
    """Pruning without subtree raising: a node stays as it is or becomes a leaf."""
    counts, first_child, n_children = tree.counts, tree.first_child, tree.n_children
    errors = nodes.errors
    # children first: errors[child] is that of the pruned subtree
    for v in range(n_nodes - 1, -1, -1):
        own = leaf_errors(counts, v, options)
        errors[v] = own
        if n_children[v] > 0:
            below = 0.0
            for child in range(first_child[v], first_child[v] + n_children[v]):
                below += errors[child]
            # own <= below + slack; the tolerance makes ties independent of rounding
            if own - (below + PRUNE_SLACK) < VALUE_TOLERANCE:
                make_leaf(tree, v)
            else:
                errors[v] = below


@jit
def pass_down(table, v, entries, shares, top, tree, nodes, routing):
    """Hand the rows of v to its children; if a value is missing, copies are written from `top` on.

    Returns `entries` and `shares`, which are larger arrays if those given were full.
    """
    feature = tree.feature[v]
    entries, shares, top = hand_down(
        table.columns[feature],
        table.levels[feature] > 0,
        tree.threshold[v],
        tree.n_children[v],
        entries,
        shares,
        nodes.start[v],
        nodes.stop[v],
        top,
        routing,
    )
    for b in range(tree.n_children[v]):
        child = tree.first_child[v] + b
        nodes.start[child], nodes.stop[child] = routing.start[b], routing.stop[b]
        # free from here for what is below the child: children are done one after the other, so
        # they may share the room
        nodes.top[child] = top
    return entries, shares


@jit
def try_branch(table, y, v, branch, waiting, entries, shares, options, tree, nodes, routing):
    """Estimated errors if all rows of v went down the subtree of `branch`.

    Class weights of the subtree's nodes go to `nodes.trial`; `nodes.pending` is free from
    `waiting` on. Also returns `entries` and `shares`, as `pass_down` does.
    """
    errors, bottom = 0.0, waiting
    # the stretch of v may be rearranged meanwhile, but keeps its rows
    nodes.start[branch], nodes.stop[branch] = nodes.start[v], nodes.stop[v]
    nodes.top[branch] = nodes.top[v]
    nodes.pending[waiting] = branch
    waiting += 1
    # pending[bottom:waiting] have their rows, not yet their trial weights; below is the caller's
    while waiting > bottom:
        waiting -= 1
        u = nodes.pending[waiting]
        trial = nodes.trial
        trial[u] = 0.0
        for i in range(nodes.start[u], nodes.stop[u]):
            trial[u, y[entries[i]]] += shares[i]
        if tree.n_children[u] == 0:
            errors += leaf_errors(trial, u, options)
            continue
        entries, shares = pass_down(table, u, entries, shares, nodes.top[u], tree, nodes, routing)
        for child in range(tree.first_child[u], tree.first_child[u] + tree.n_children[u]):
            nodes.pending[waiting] = child
            waiting += 1
    return errors, entries, shares


@jit
def raise_branch(v, branch, waiting, tree, nodes):
    """Put the subtree of `branch`, with the class weights of the trial, in the place of v."""
    bottom = waiting
    # the class weights of v stay: it has the same rows; the node `branch` itself is left without
    # a parent, and `close_gaps` drops it
    tree.feature[v], tree.threshold[v] = tree.feature[branch], tree.threshold[branch]
    tree.first_child[v], tree.n_children[v] = tree.first_child[branch], tree.n_children[branch]
    tree.gain_ratio[v] = tree.gain_ratio[branch]
    nodes.pending[waiting] = branch
    waiting += 1
    while waiting > bottom:
        waiting -= 1
        u = nodes.pending[waiting]
        weight = 0.0
        for c in range(tree.counts.shape[1]):
            tree.counts[u, c] = nodes.trial[u, c]
            weight += nodes.trial[u, c]
        tree.weight[u] = weight
        for child in range(tree.first_child[u], tree.first_child[u] + tree.n_children[u]):
            nodes.pending[waiting] = child
            waiting += 1


@jit
def prune_raising(table, y, rows, weights, options, work):
    """Pruning in post-order: a node stays, becomes a leaf or is replaced by its heaviest branch."""
    tree, nodes, routing = work.tree, work.nodes, work.routing
    entries, shares = work.entries, work.shares
    for i in range(len(rows)):
        entries[i], shares[i] = rows[i], weights[rows[i]]
    nodes.start[0], nodes.stop[0], nodes.top[0] = 0, len(rows), len(rows)
    nodes.pending[0], nodes.state[0] = 0, FRESH_NODE
    waiting = 1
    # a stack: a node stays below its children until they are pruned, and is then seen again
    while waiting > 0:
        v = nodes.pending[waiting - 1]
        first, n_children = tree.first_child[v], tree.n_children[v]
        if n_children == 0:
            nodes.errors[v] = leaf_errors(tree.counts, v, options)
            waiting -= 1
            continue
        if nodes.state[v] == FRESH_NODE:
            nodes.state[v] = OPEN_NODE
            entries, shares = pass_down(
                table, v, entries, shares, nodes.top[v], tree, nodes, routing
            )
            for child in range(first, first + n_children):
                nodes.state[child] = FRESH_NODE
                nodes.pending[waiting] = child
                waiting += 1
            continue
        # second visit: the errors of the children are those of their pruned subtrees
        below, heaviest = 0.0, first
        for child in range(first, first + n_children):
            below += nodes.errors[child]
            if tree.weight[child] - tree.weight[heaviest] > -VALUE_TOLERANCE:  # the last of equals
                heaviest = child
        own = leaf_errors(tree.counts, v, options)
        raised = own  # a branch that is a leaf would make v a leaf
        if tree.n_children[heaviest] > 0:
            raised, entries, shares = try_branch(
                table, y, v, heaviest, waiting, entries, shares, options, tree, nodes, routing
            )
        nodes.errors[v] = below
        # a leaf if no worse than both others, else the branch if no worse than the subtree
        if (
            own - (below + PRUNE_SLACK) < VALUE_TOLERANCE
            and own - (raised + PRUNE_SLACK) < VALUE_TOLERANCE
        ):
            make_leaf(tree, v)
            nodes.errors[v] = own
        elif raised - (below + PRUNE_SLACK) < VALUE_TOLERANCE:
            raise_branch(v, heaviest, waiting, tree, nodes)
            # its new children got more rows than they were pruned with: once more
            nodes.state[v] = FRESH_NODE
            continue
        waiting -= 1


@jit
def close_gaps(n_nodes, tree, new):
    """Renumber in place the nodes reached from the root, parents first; returns how many.

    `new` (nodes,) is overwritten.
    """
    feature, threshold, gain_ratio = tree.feature, tree.threshold, tree.gain_ratio
    first_child, n_children, parent = tree.first_child, tree.n_children, tree.parent
    depth, level, counts, weight = tree.depth, tree.level, tree.counts, tree.weight
    kept = 0
    for v in range(n_nodes):
        new[v] = -1  # not reached from a node that stays
    new[0] = 0
    for v in range(n_nodes):
        if new[v] < 0:
            continue
        u = kept  # u <= v, and the node that was at u has been moved or dropped
        kept += 1
        first = first_child[v]
        for b in range(n_children[v]):
            new[first + b] = u  # of a child: the new number of its parent
        if u > 0:
            parent[u] = new[v]
            depth[u] = depth[new[v]] + 1
            if level[v] == 0:  # its siblings follow, as before
                first_child[new[v]] = u
        if u != v:
            feature[u], threshold[u], gain_ratio[u] = feature[v], threshold[v], gain_ratio[v]
            n_children[u], level[u], weight[u] = n_children[v], level[v], weight[v]
            for c in range(counts.shape[1]):
                counts[u, c] = counts[v, c]
            first_child[u] = 0  # until its first child is reached
    return kept
