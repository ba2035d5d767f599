"""Class-by-value tables of features with few values, and scores of such tables.

A feature's values are the distinct numbers of its column; no coding is needed. One pass over a
block of columns counts the least value of each and finds the next, for columns side by side; where
there are many values the block is sorted.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ._jit import jit
from .orders import sort_columns

BLOCK_COLUMNS = 512  # columns whose tables are made together
LANE_COLUMNS = 64  # of which so many at a time, side by side
MAX_SCANNED_VALUES = 16  # values that are found by a pass each


def value_counts(X: np.ndarray, y: np.ndarray, n_classes: int) -> Iterator[np.ndarray]:
    """Counts of values by class, for blocks of columns.

    Parameters
    ----------
    X : (n, p) float64
        Each distinct number is a category; NaN is missing.
    y : (n,) int64
        Class codes.
    n_classes : int

    Yields
    ------
    counts : (m, C, V + 1) int64
        Of the next m columns: V is the most values that any has, in increasing order, and the last
        count is of what is missing, as in `kernels.counted`.
    """
    X = np.ascontiguousarray(X)
    for start in range(0, X.shape[1], BLOCK_COLUMNS):
        stop = min(start + BLOCK_COLUMNS, X.shape[1])
        counts, found = _count_few(X, start, stop, y, n_classes)
        if not found:
            columns = np.ascontiguousarray(X[:, start:stop].T)
            counts = _count_sorted(columns, sort_columns(columns.T), y, n_classes)
        yield counts


@jit
def _count_few(X, start, stop, y, n_classes):
    """The counts, and whether no column has more than `MAX_SCANNED_VALUES` values."""
    n, most = len(X), 0
    tables = np.zeros((MAX_SCANNED_VALUES, n_classes, stop - start), dtype=np.int64)
    block, counts = np.empty((n, LANE_COLUMNS)), np.empty((n_classes, LANE_COLUMNS), dtype=np.int64)
    value, following = np.empty(LANE_COLUMNS), np.empty(LANE_COLUMNS)
    left = np.empty(LANE_COLUMNS, dtype=np.int64)
    for at in range(start, stop, LANE_COLUMNS):
        width = min(LANE_COLUMNS, stop - at)
        for i in range(n):
            row = X[i, at : at + width]
            for j in range(width):
                block[i, j] = row[j]
            for j in range(width, LANE_COLUMNS):
                block[i, j] = np.nan
        _least_values(block, left, following)
        level = 0
        while left.max() > 0:
            if level == MAX_SCANNED_VALUES:
                return tables, False
            for j in range(LANE_COLUMNS):
                value[j] = following[j] if left[j] > 0 else np.nan
            _count_value(block, y, value, counts, following)
            for c in range(n_classes):
                for j in range(LANE_COLUMNS):
                    left[j] -= counts[c, j]
                for j in range(width):
                    tables[level, c, at - start + j] = counts[c, j]
            level += 1
        most = max(most, level)
    sizes = np.bincount(y, minlength=n_classes)
    found = np.empty((stop - start, n_classes, most + 1), dtype=np.int64)
    for j in range(stop - start):
        for c in range(n_classes):
            found[j, c, most] = sizes[c]
            for level in range(most):
                found[j, c, level] = tables[level, c, j]
                found[j, c, most] -= tables[level, c, j]
    return found, True


@jit
def _least_values(block, left, least):
    """How many values each lane has, and the least."""
    for j in range(block.shape[1]):
        left[j] = 0
        least[j] = np.inf
    for i in range(block.shape[0]):
        for j in range(block.shape[1]):
            x = block[i, j]
            left[j] += x == x
            least[j] = x if x < least[j] else least[j]


@jit
def _count_value(block, y, value, counts, following):
    """Rows of each class (C, w) that have the value of the lane, and the next value."""
    counts[:] = 0
    for j in range(block.shape[1]):
        following[j] = np.inf
    for i in range(block.shape[0]):
        c = y[i]
        for j in range(block.shape[1]):
            x = block[i, j]
            counts[c, j] += x == value[j]
            further = x if x > value[j] else np.inf
            following[j] = further if further < following[j] else following[j]


@jit
def _count_sorted(columns, order, y, n_classes):
    """The counts, from columns (m, n) and the order of the values of each, NaN last."""
    m, n = columns.shape
    levels = np.zeros((m, n), dtype=np.int64)  # of each row, from 1 on; 0 is missing
    most = 0
    for j in range(m):
        level = 0
        for i in range(n):
            x = columns[j, order[j, i]]
            if np.isnan(x):
                break
            if i == 0 or x != columns[j, order[j, i - 1]]:
                level += 1
            levels[j, order[j, i]] = level
        most = max(most, level)
    counts = np.zeros((m, n_classes, most + 1), dtype=np.int64)
    for j in range(m):
        for i in range(n):
            counts[j, y[i], levels[j, i] - 1] += 1  # the last for what is missing
    return counts


@jit
def class_totals(counts):
    """Totals of the classes of a table (value, class), and their sum."""
    by_class, total = np.zeros(counts.shape[1], dtype=np.int64), 0
    for w in range(counts.shape[0]):
        for c in range(counts.shape[1]):
            by_class[c] += counts[w, c]
            total += counts[w, c]
    return by_class, total


@jit
def information_of(counts):
    """Plug-in information of a table (value, class) in nats; NaN of an empty one."""
    by_class, total = class_totals(counts)
    information = 0.0
    for w in range(len(counts)):
        by_value = 0
        for c in range(counts.shape[1]):
            by_value += counts[w, c]
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
    by_class, _ = class_totals(counts)
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
