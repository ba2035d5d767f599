"""A complete C4.5 tree: grown, collapsed and pruned."""

from __future__ import annotations

from .._jit import jit
from .grow import grow_tree
from .prune import close_gaps, collapse_subtrees, prune_leaves, prune_raising


@jit
def build_tree(table, y, rows, weights, features, options, work):
    """Grow and prune a tree; the result is left in `work.tree`.

    Parameters
    ----------
    table : Table
        From `prepare_table`.
    y : (n,) int64
        Class codes, below the number that the workspace was made for.
    rows : (k,) int64
        Distinct rows of the table; its other rows are ignored.
    weights : (n,) float64
        Above 0 in `rows`.
    features : (m,) int64
        Columns to split on. Among equal splits the first in this order wins.
    options : Options
    work : Workspace
        From `make_workspace`.

    Returns
    -------
    n_nodes : int
        Number of nodes, which are the first entries of the arrays of `work.tree`; -1 if there
        was no room (`make_workspace` says when).
    """
    n_nodes = grow_tree(table, y, rows, weights, features, options, work)
    # -1 (no room) and 1 (a single leaf) leave nothing to prune
    if n_nodes <= 1 or not options.prune or not options.raising:
        return prune_unraised(n_nodes, options, work)
    # in J48's order: first subtrees that save no training errors, then pruning by estimated ones
    if options.collapse:
        collapse_subtrees(n_nodes, work.tree, work.nodes)
    # rows and weights: a raised branch gets all rows of the node that it replaces
    prune_raising(table, y, rows, weights, options, work)
    return close_gaps(n_nodes, work.tree, work.nodes.pending)


@jit
def build_unraised(table, y, rows, weights, features, options, work):
    """`build_tree` without subtree raising, whatever the options say: a quarter less to compile.

    `weights` may be None if all are 1 and the features are numeric without missing values, which
    saves another third of the compilation.
    """
    n_nodes = grow_tree(table, y, rows, weights, features, options, work)
    return prune_unraised(n_nodes, options, work)


@jit
def prune_unraised(n_nodes, options, work):
    """Collapse and prune as the options say, never raising; returns the number of nodes left."""
    if n_nodes <= 1:
        return n_nodes
    tree, nodes = work.tree, work.nodes  # once: each access counts references
    if options.collapse:
        collapse_subtrees(n_nodes, tree, nodes)
    if options.prune:
        prune_leaves(n_nodes, options, tree, nodes)
    if options.collapse or options.prune:
        # nodes cut off are still in the arrays: renumber those left
        n_nodes = close_gaps(n_nodes, tree, nodes.pending)
    return n_nodes
