"""One C4.5 tree on a table in memory, and what it believes of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(eq=False)
class C45Parameters:
    """Parameters of `C45Classifier` and `C45`, described there."""

    prune: bool = True
    confidence: float = 0.25
    min_samples_leaf: float = 2
    subtree_raising: bool = True
    collapse: bool = True
    laplace: bool = False
    categorical_features: Any = None
    random_state: Any = None


def grown_tree(
    X: np.ndarray,
    levels: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray,
    n_classes: int,
    settings: C45Parameters,
) -> Any:
    """A tree (`kernels.c45.Tree`) of its own arrays.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        NaN is missing, categories are codes.
    levels : ndarray of shape (p,) of int64
        Number of categories, 0 = numeric.
    codes : ndarray of shape (n,)
        Of the classes.
    weights : ndarray of shape (n,)
        Above 0.
    n_classes : int
    settings : C45Parameters
    """
    from ...kernels.c45 import Tree, build_tree, make_options, make_workspace, prepare_table

    options = make_options(
        settings.prune,
        settings.confidence,
        settings.subtree_raising,
        settings.collapse,
        settings.min_samples_leaf,
    )
    n, p = X.shape
    table = prepare_table(X, levels)
    rows, features = np.arange(n), np.arange(p)
    codes = np.ascontiguousarray(codes)  # compiled for these; copies of rows may have others
    room = None
    while True:
        work = make_workspace(table, n_classes, p, room)
        n_nodes = build_tree(table, codes, rows, weights, features, options, work)
        if n_nodes > 0:
            return Tree(*(part[:n_nodes].copy() for part in work.tree))
        room = 4 * len(work.tree.feature)


def tree_shares(tree: Any, levels: np.ndarray, X: np.ndarray, laplace: bool) -> np.ndarray:
    """Probabilities (m, C) of the rows of X (m, p) by a tree (`kernels.c45.Tree`)."""
    from ...kernels.c45 import predict_columns

    out = np.empty((len(X), tree.counts.shape[1]))
    columns, rows = np.ascontiguousarray(X.T), np.arange(len(X))
    predict_columns(tree, columns, levels, rows, out, bool(laplace))
    return out
