"""From the leaves of decision trees up to the root: features that were asked, and answers."""

from __future__ import annotations

import numpy as np

from ._jit import jit


@jit
def climb_paths(leaves, parent, feature, high, n_words, signed):
    """The path to each leaf as a row of words.

    Parameters
    ----------
    leaves : (m,) int64
        Nodes.
    parent : (nodes,) int64
        -1 at a root.
    feature : (nodes,) int64
        What a node splits on, below 64 * n_words; of a leaf it is not read.
    high : (nodes,) bool
        Whether a node is where its parent sends large values.
    n_words : int
    signed : bool
        Item j is "feature j is high" and 64 * n_words + j "is low", of the split on it that is
        nearest to the root. Else item j is the feature.

    Returns
    -------
    (m, n_words) or (m, 2 * n_words) uint64
    """
    rows = np.zeros((len(leaves), 2 * n_words if signed else n_words), dtype=np.uint64)
    for i in range(len(leaves)):
        node = leaves[i]
        while parent[node] >= 0:
            above = parent[node]
            w = feature[above] >> 6
            bit = np.uint64(1) << np.uint64(feature[above] & 63)
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
