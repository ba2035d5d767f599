"""Class sums of mid-ranks of a feature, for many training parts: Wilcoxon and Kruskal-Wallis.

The rows are sorted by each column's values once; every training part then walks that one
order, so a part costs O(n) a column. Ranks are doubled, which makes mid-ranks integers: a
part has the same bits whether it is computed alone or among others.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

BLOCK = 64  # columns transposed at a time: 64 x n doubles stay in the second-level cache


def rank_sum_parts(
    X: np.ndarray, order: np.ndarray, y: np.ndarray, parts_mask: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rank sums, class counts and the tie term of every column in each part.

    Parameters
    ----------
    X : (n, p) float64
        NaN is left out, feature by feature.
    order : (p, n)
        Row indices in increasing order of each column's values, NaN last.
    y : (n,) int64
        Class codes.
    parts_mask : (n_parts, n) bool
        The rows of each part; nothing else is read but the order, which holds no labels.
    n_classes : int

    Returns
    -------
    doubled : (n_parts, p, C) int64
        Twice the sum of the mid-ranks of each class.
    counts : (n_parts, p, C) int64
        Values of each class.
    ties : (n_parts, p) int64
        Sum of t^3 - t over the groups of t equal values.
    """
    rows = np.ascontiguousarray(parts_mask).view(np.uint8)
    return _walk_columns(np.ascontiguousarray(X), order, y, rows, n_classes)


@jit
def _walk_columns(X, order, y, rows, n_classes):
    n, p = X.shape
    doubled = np.zeros((len(rows), p, n_classes), dtype=np.int64)
    counts = np.zeros((len(rows), p, n_classes), dtype=np.int64)
    ties = np.zeros((len(rows), p), dtype=np.int64)
    block = np.empty((BLOCK, n))
    ranked = np.empty(n)  # the column's values in increasing order, NaN cut off
    values = np.empty(n + 1)  # those of the part's rows
    classes = np.empty(n + 1, dtype=np.int64)
    for start in range(0, p, BLOCK):
        width = min(BLOCK, p - start)
        for i in range(n):
            for j in range(width):
                block[j, i] = X[i, start + j]
        for j in range(width):
            rank = order[start + j]
            seen = 0
            while seen < n and not np.isnan(block[j, rank[seen]]):
                ranked[seen] = block[j, rank[seen]]
                seen += 1
            for part in range(len(rows)):
                member = rows[part]
                m = 0
                for i in range(seen):  # no branch: a row outside the part is overwritten
                    values[m] = ranked[i]
                    classes[m] = y[rank[i]]
                    m += member[rank[i]]
                sums = doubled[part, start + j]
                count = counts[part, start + j]
                low, tied = 0, 0
                while low < m:
                    high = low + 1
                    while high < m and values[high] == values[low]:
                        high += 1
                    for i in range(low, high):  # ranks low + 1 to high share their mean
                        sums[classes[i]] += low + 1 + high
                        count[classes[i]] += 1
                    tied += (high - low) * ((high - low) ** 2 - 1)
                    low = high
                ties[part, start + j] = tied
    return doubled, counts, ties
