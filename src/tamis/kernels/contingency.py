"""Scores of discrete features from their class-by-value tables.

A feature's values are the distinct numbers of its column: equal values stand together in
the sorted order, so the table is read off by one walk and no coding is needed.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit


@jit
def _fill_table(column, rank, y, table):
    """Fill `table` (value, class) with counts; returns the number of distinct values."""
    levels = 0
    for i in range(len(rank)):
        x = column[rank[i]]
        if np.isnan(x):
            break
        if i == 0 or x != column[rank[i - 1]]:
            table[levels] = 0
            levels += 1
        table[levels - 1, y[rank[i]]] += 1
    return levels


@jit
def information_of(counts):
    """Plug-in information of a table (value, class) in nats; NaN of an empty one."""
    by_class = counts.sum(axis=0)
    total = by_class.sum()
    information = 0.0
    for w in range(len(counts)):
        by_value = counts[w].sum()
        for c in range(counts.shape[1]):
            both = counts[w, c]
            if both > 0:
                # integer products: independence gives exactly log(1) = 0
                information += both * np.log((both * total) / (by_value * by_class[c]))
    return max(information / total, 0.0) if total > 0 else np.nan


@jit
def distance_of(counts, mean):
    """Distance between the classes of a table (value, class): the largest, or the mean, over pairs
    of those observed; NaN where there are fewer than two."""
    by_class = counts.sum(axis=0)
    best, total, pairs = 0.0, 0.0, 0
    for a in range(counts.shape[1]):
        for b in range(a + 1, counts.shape[1]):
            if by_class[a] > 0 and by_class[b] > 0:
                gap = 0
                for w in range(len(counts)):
                    gap += abs(counts[w, a] * by_class[b] - counts[w, b] * by_class[a])
                distance = gap / (by_class[a] * by_class[b])
                best = max(best, distance)
                total += distance
                pairs += 1
    if pairs == 0:
        return np.nan
    return total / pairs if mean else best


@jit
def plug_in_information(X, order, y, n_classes):
    """Mutual information sum p(x,y) log p(x,y)/(p(x) p(y)) of each feature and the class.

    Parameters
    ----------
    X : (n, p) float64
        NaN is left out, feature by feature.
    order : (p, n)
        Row indices sorted by each column's values, NaN last.
    y : (n,) int64
        Class codes.
    n_classes : int

    Returns
    -------
    scores : (p,)
        In nats; NaN for a column without any value.
    """
    n, p = X.shape
    scores = np.empty(p)
    table = np.empty((n, n_classes), dtype=np.int64)
    column = np.empty(n)
    for j in range(p):
        column[:] = X[:, j]
        levels = _fill_table(column, order[j], y, table)
        scores[j] = information_of(table[:levels])
    return scores


@jit
def frequency_distances(X, order, y, n_classes, mean):
    """Mass transportation distance sum_w |p_a(w) - p_b(w)| between the classes.

    Parameters as for `plug_in_information`; `mean` (bool) takes the mean over the class
    pairs instead of the maximum.

    Returns
    -------
    scores : (p,)
        Between 0 and 2; NaN where fewer than two classes are observed.
    """
    n, p = X.shape
    scores = np.empty(p)
    table = np.empty((n, n_classes), dtype=np.int64)
    column = np.empty(n)
    for j in range(p):
        column[:] = X[:, j]
        levels = _fill_table(column, order[j], y, table)
        scores[j] = distance_of(table[:levels], mean)
    return scores
