"""Paths from the leaves of decision trees up to the root: features split on, and directions."""

from __future__ import annotations

import numpy as np

from ._jit import jit


@jit
def climb_paths(leaves, parent, feature, high, n_words, signed):
    """The path to each leaf as a row of words.

    Parameters
    ----------
    leaves : (m,) int64
        Nodes at which the paths end.
    parent : (nodes,) int64
        -1 at a root.
    feature : (nodes,) int64
        Feature that a node splits on, below 64 * n_words; not read for leaves.
    high : (nodes,) bool
        Whether a node is the child for the larger values of its parent's split.
    n_words : int
    signed : bool
        If True, item j is "feature j is high" and item 64 * n_words + j "feature j is low", by the
        split on it that is nearest to the root. Otherwise item j is the feature.

    Returns
    -------
    (m, n_words) or (m, 2 * n_words) uint64
    """
    rows = np.zeros((len(leaves), 2 * n_words if signed else n_words), dtype=np.uint64)
    for i in range(len(leaves)):
        node = leaves[i]
        while parent[node] >= 0:
            above = parent[node]
            # item j is bit j mod 64 of word j div 64; unsigned: bit 63 would be an int64's sign
            w = feature[above] >> 6
            bit = np.uint64(1) << np.uint64(feature[above] & 63)
            # the climb meets the split nearest to the root last: setting one direction clears the
            # other, so that this split decides
            if not signed:
                rows[i, w] |= bit
            elif high[node]:
                rows[i, w] |= bit
                rows[i, n_words + w] &= ~bit
            else:
                rows[i, w] &= ~bit
                rows[i, n_words + w] |= bit
            node = above
    return rows
