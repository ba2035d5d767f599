"""Class-by-value tables of features with few values, and scores of such tables.

A feature's values are the distinct numbers of its column; no coding is needed. One pass over a
block of columns counts the smallest value of each column and finds the next one, for several
columns side by side; where a column has many values the block is sorted instead.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ._jit import jit
from .orders import sort_columns

BLOCK_COLUMNS = 512  # columns whose tables are made together
LANE_COLUMNS = 64  # of these, columns scanned side by side: inner loops become vector code
MAX_SCANNED_VALUES = 16  # most values per column that are found by one pass each


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
        Counts of the next m columns, values in increasing order; V is the largest number of values
        of any of them. The last count is that of missing values, as in `kernels.counted`.
    """
    X = np.ascontiguousarray(X)
    for start in range(0, X.shape[1], BLOCK_COLUMNS):
        stop = min(start + BLOCK_COLUMNS, X.shape[1])
        counts, found = _count_few(X, start, stop, y, n_classes)
        if not found:  # one column with many values is enough: sort the block
            columns = np.ascontiguousarray(X[:, start:stop].T)
            counts = _count_sorted(columns, sort_columns(columns.T), y, n_classes)
        yield counts


@jit
def _count_few(X, start, stop, y, n_classes):
    """Counts (m, C, V + 1), and False if a column has more than `MAX_SCANNED_VALUES` values."""
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
            # lanes without a column are all missing, so that inner loops have a fixed length
            for j in range(width, LANE_COLUMNS):
                block[i, j] = np.nan
        _least_values(block, left, following)
        level = 0
        # at the top: `following` is the next value of each lane, `left` its rows not yet counted
        while left.max() > 0:
            if level == MAX_SCANNED_VALUES:
                return tables, False
            for j in range(LANE_COLUMNS):
                # a finished lane looks for NaN, which equals nothing; following = inf alone would
                # not distinguish it from a lane whose last value is inf
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
            # missing: rows of the class less those of all values
            found[j, c, most] = sizes[c]
            for level in range(most):
                found[j, c, level] = tables[level, c, j]
                found[j, c, most] -= tables[level, c, j]
    return found, True


@jit
def _least_values(block, left, least):
    """Known values of each lane, into `left` (w,), and the smallest, into `least` (w,)."""
    for j in range(block.shape[1]):
        left[j] = 0
        least[j] = np.inf
    for i in range(block.shape[0]):
        for j in range(block.shape[1]):
            x = block[i, j]
            left[j] += x == x  # not NaN
            # selections instead of branches; a comparison with NaN is false
            least[j] = x if x < least[j] else least[j]


@jit
def _count_value(block, y, value, counts, following):
    """Rows of each class with the value of the lane, into `counts` (C, w), and the next value."""
    counts[:] = 0
    for j in range(block.shape[1]):
        following[j] = np.inf
    for i in range(block.shape[0]):
        c = y[i]
        for j in range(block.shape[1]):
            x = block[i, j]
            counts[c, j] += x == value[j]
            # the smallest x above the value; NaN fails both comparisons
            further = x if x > value[j] else np.inf
            following[j] = further if further < following[j] else following[j]


@jit
def _count_sorted(columns, order, y, n_classes):
    """Counts (m, C, V + 1) from columns (m, n) and the order of the values of each, NaN last."""
    m, n = columns.shape
    levels = np.zeros((m, n), dtype=np.int64)  # of each row, from 1 on; 0 is missing
    most = 0
    for j in range(m):
        level = 0
        for i in range(n):
            x = columns[j, order[j, i]]
            if np.isnan(x):  # and so are all after it, which keep level 0
                break
            if i == 0 or x != columns[j, order[j, i - 1]]:
                level += 1
            levels[j, order[j, i]] = level
        most = max(most, level)
    counts = np.zeros((m, n_classes, most + 1), dtype=np.int64)
    for j in range(m):
        for i in range(n):
            counts[j, y[i], levels[j, i] - 1] += 1  # missing: level 0, the last place
    return counts


@jit
def class_totals(counts):
    """Totals by class (C,) of a table (value, class), and their sum."""
    by_class, total = np.zeros(counts.shape[1], dtype=np.int64), 0
    for w in range(counts.shape[0]):
        for c in range(counts.shape[1]):
            by_class[c] += counts[w, c]
            total += counts[w, c]
    return by_class, total


@jit
def information_of(counts):
    """Plug-in mutual information of a table (value, class) in nats; NaN for an empty table.

    I = 1/n sum_wc n_wc ln(n_wc n / (n_w n_c))
    """
    by_class, total = class_totals(counts)
    information = 0.0
    for w in range(len(counts)):
        by_value = 0
        for c in range(counts.shape[1]):
            by_value += counts[w, c]
        for c in range(counts.shape[1]):
            both = counts[w, c]
            if both > 0:
                # integer products: independence gives exactly log(1) = 0; empty cells add
                # lim x ln x = 0
                information += both * np.log((both * total) / (by_value * by_class[c]))
    # rounding may leave a sum just below 0
    return max(information / total, 0.0) if total > 0 else np.nan


@jit
def distance_of(counts, mean):
    """Distance sum_w |p_wa - p_wb|, 0 to 2, between the classes a, b of a table (value, class).

    The largest, or the mean, over all pairs of classes with a row; NaN if there is no such pair.
    """
    by_class, _ = class_totals(counts)
    best, total, pairs = 0.0, 0.0, 0
    for a in range(counts.shape[1]):
        for b in range(a + 1, counts.shape[1]):
            if by_class[a] > 0 and by_class[b] > 0:
                gap = 0
                for w in range(len(counts)):
                    # n_a n_b |p_wa - p_wb|: integers, so equal distances are equal to the bit
                    gap += abs(counts[w, a] * by_class[b] - counts[w, b] * by_class[a])
                distance = gap / (by_class[a] * by_class[b])
                best = max(best, distance)
                total += distance
                pairs += 1
    if pairs == 0:
        return np.nan
    return total / pairs if mean else best
