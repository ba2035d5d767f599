"""1-Wasserstein distance between the class distributions of a feature, for many training parts.

On the line W1 is the area between the two distribution functions (Vallender 1974). The rows
are sorted by each column's values once; every training part then walks that one order.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

BLOCK = 64  # columns transposed at a time: 64 x n doubles stay in the second-level cache


def sort_columns(X: np.ndarray) -> np.ndarray:
    """Row indices in increasing order of each column's values, (p, n), uint16 or int32.

    Ties keep the order of the rows; NaN sorts last.
    """
    n, p = X.shape
    order = np.empty((p, n), dtype=np.uint16 if n <= 1 << 16 else np.int32)
    for start in range(0, p, 512):
        columns = np.ascontiguousarray(X[:, start : start + 512].T)
        order[start : start + 512] = np.argsort(columns, axis=1, kind="stable")
    return order


def wasserstein_parts(
    X: np.ndarray,
    order: np.ndarray,
    y: np.ndarray,
    parts_mask: np.ndarray,
    n_classes: int,
    mean: bool = False,
) -> np.ndarray:
    """W1 between the classes, in standard deviations of the feature, for each part.

    Parameters
    ----------
    X : (n, p) float64
        NaN is left out, feature by feature.
    order : (p, n)
        ``sort_columns(X)``.
    y : (n,) int64
        Class codes.
    parts_mask : (n_parts, n) bool
        The rows of each part; nothing else is read but the order, which holds no labels.
    n_classes : int
    mean : bool
        Mean over the class pairs instead of the maximum.

    Returns
    -------
    scores : (n_parts, p)
        The unit is the population standard deviation over the part's rows. A constant
        column has 0; one where fewer than two classes are observed has NaN. A part's
        scores have the same bits whether it is computed alone or among others.
    """
    rows = np.ascontiguousarray(parts_mask).view(np.uint8)
    return _walk_columns(np.ascontiguousarray(X), order, y, rows, n_classes, mean)


@jit
def _walk_columns(X, order, y, rows, n_classes, mean):
    n, p = X.shape
    scores = np.empty((len(rows), p))
    block = np.empty((BLOCK, n))
    ranked = np.empty(n)  # the column's values in increasing order, NaN cut off
    values = np.empty(n + 1)  # those of the part's rows
    classes = np.empty(n + 1, dtype=np.int64)
    counts = np.empty(n_classes, dtype=np.int64)
    step = np.empty(n_classes)
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
                scores[part, start + j] = _class_pair_score(
                    values, classes, m, n_classes, mean, counts, step
                )
    return scores


@jit
def _class_pair_score(values, classes, m, n_classes, mean, counts, step):
    """Maximum or mean over the class pairs, of m sorted values with their classes."""
    counts[:] = 0
    for i in range(m):
        counts[classes[i]] += 1
    best, total, pairs = 0.0, 0.0, 0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            if counts[a] > 0 and counts[b] > 0:
                # n_a n_b (F_a - F_b) is an integer, so only the widths are rounded
                step[:] = 0.0
                step[a], step[b] = counts[b], -counts[a]
                height, area = 0.0, 0.0
                for i in range(m - 1):
                    height += step[classes[i]]
                    area += abs(height) * (values[i + 1] - values[i])
                area /= float(counts[a]) * float(counts[b])
                best = max(best, area)
                total += area
                pairs += 1
    if pairs == 0:
        return np.nan
    if values[0] == values[m - 1]:
        return 0.0
    centre, squares = 0.0, 0.0
    for i in range(m):
        centre += values[i]
    centre /= m
    for i in range(m):
        squares += (values[i] - centre) ** 2
    return (total / pairs if mean else best) / np.sqrt(squares / m)
