"""A whole C4.5 tree: grown, collapsed and pruned."""

from __future__ import annotations

from .._jit import jit
from .grow import grow_tree
from .prune import close_gaps, collapse_subtrees, prune_leaves, prune_raising


@jit
def build_tree(table, y, rows, weights, features, options, work):
    """Grow and prune a tree; it is left in `work.tree`.

    Parameters
    ----------
    table : Table
        From `prepare_table`.
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
        From `make_workspace`.

    Returns
    -------
    n_nodes : int
        Nodes of the tree, the first of the arrays of `work.tree`; -1 if there was no room
        (`make_workspace` says when).
    """
    n_nodes = grow_tree(table, y, rows, weights, features, options, work)
    if n_nodes <= 1 or not options.prune or not options.raising:
        return prune_unraised(n_nodes, options, work)
    if options.collapse:
        collapse_subtrees(n_nodes, work.tree, work.nodes)
    prune_raising(table, y, rows, weights, options, work)
    return close_gaps(n_nodes, work.tree, work.nodes.pending)


@jit
def build_unraised(table, y, rows, weights, features, options, work):
    """`build_tree` without subtree raising, whatever the options say: a quarter less to compile.

    `weights` may be None, if all are 1 and the features numbers of which none is missing: a third
    less again.
    """
    n_nodes = grow_tree(table, y, rows, weights, features, options, work)
    return prune_unraised(n_nodes, options, work)


@jit
def prune_unraised(n_nodes, options, work):
    """Collapse and prune as the options say, but for raising; returns the nodes left."""
    if n_nodes <= 1:
        return n_nodes
    tree, nodes = work.tree, work.nodes  # each time a tuple of arrays is taken out costs a little
    if options.collapse:
        collapse_subtrees(n_nodes, tree, nodes)
    if options.prune:
        prune_leaves(n_nodes, options, tree, nodes)
    if options.collapse or options.prune:
        n_nodes = close_gaps(n_nodes, tree, nodes.pending)
    return n_nodes
