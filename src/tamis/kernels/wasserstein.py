"""1-Wasserstein distance between the class distributions of a feature, for many training sets.

On the line W1 is the area between the two distribution functions (Vallender 1974). The rows
are sorted by each column's values once; every training set then walks that one order. Equal values
are no width apart, so that ties may stand in any order.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .orders import sort_columns
from .sorted_classes import MISSING_CODE, PartGroup, empty_lanes, lost_columns, sort_lanes

BLOCK_COLUMNS = 64  # columns transposed at a time: 64 x n doubles stay in the second-level cache


def wasserstein_parts(
    X: np.ndarray, y: np.ndarray, parts_mask: np.ndarray, n_classes: int, mean: bool = False
) -> np.ndarray:
    """W1 between the classes, in standard deviations of the feature, for each part.

    Parameters
    ----------
    X : (n, p) float64
        NaN is left out, feature by feature.
    y : (n,) int64
        Class codes.
    parts_mask : (n_parts, n) bool
        The rows of each part; nothing else is read.
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
    X, parts_mask = np.ascontiguousarray(X), np.ascontiguousarray(parts_mask)
    scores = np.empty((len(parts_mask), X.shape[1]))

    def in_lanes(group: PartGroup, at: slice) -> np.ndarray:
        lanes, alone = empty_lanes(len(group.rows)), np.zeros(X.shape[1], dtype=bool)
        room = np.empty((11 + n_classes, lanes[0].shape[1]))
        _distance_lanes(X, *group[1:], *lanes, mean, scores[at], alone, room)
        return alone

    alone = lost_columns(X, y, parts_mask, n_classes, in_lanes)
    # columns whose exponents leave no room for codes; all, if there are too many rows or classes
    if len(alone):
        own = X[:, alone]
        rows = parts_mask.view(np.uint8)
        scores[:, alone] = _walk_columns(own, sort_columns(own), y, rows, n_classes, mean)
    return scores


@jit
def _distance_lanes(X, rows, codes, members, values, keys, flat, kinds, mean, scores, alone, room):
    """Fill scores for a group of parts, w columns side by side.

    `alone` (p,) marks the columns that have to be done by `_walk_columns`. `values` to `kinds` are
    lanes as of `empty_lanes`, `room` (11 + C, w) is work space.
    """
    p, (n_parts, n_classes) = X.shape[1], members.shape
    w = values.shape[1]
    lost, best, total, pairs = room[0], room[1], room[2], room[3]
    area, height, last = room[4], room[5], room[6]
    # `seen`: values of the part; `first` and `last`: the least and the largest; counts by class
    seen, first, centre, squares, counts = room[7], room[8], room[9], room[10], room[11:]
    for start in range(0, p, w):
        width = min(w, p - start)
        sort_lanes(X, start, rows, codes, values, keys, flat, kinds, lost)
        for j in range(width):
            alone[start + j] = lost[j] > 0
        for part in range(n_parts):
            everyone = 0  # bit set of the codes of the part's rows, all classes
            for c in range(n_classes):
                everyone |= members[part, c]
            for j in range(w):
                best[j] = total[j] = pairs[j] = seen[j] = 0.0
            for c in range(n_classes):
                _count_lanes(kinds, codes, members[part, c], counts[c])
                for j in range(w):
                    seen[j] += counts[c, j]
            for a in range(n_classes):
                for b in range(a + 1, n_classes):
                    _area_lanes(
                        values,
                        kinds,
                        everyone,
                        members[part, a],
                        members[part, b],
                        counts[a],
                        counts[b],
                        area,
                        height,
                        first,
                        last,
                        centre,
                    )
                    for j in range(width):
                        # W1 = area / (n_a n_b); a class without values makes no pair
                        product = counts[a, j] * counts[b, j]
                        if product > 0:
                            best[j] = max(best[j], area[j] / product)
                            total[j] += area[j] / product
                            pairs[j] += 1
            _spread_lanes(values, kinds, everyone, seen, centre, squares)
            for j in range(width):
                if pairs[j] == 0:  # fewer than two classes have values
                    scores[part, start + j] = np.nan
                elif first[j] == last[j]:  # constant: 0, not 0 / 0
                    scores[part, start + j] = 0.0
                else:
                    distance = total[j] / pairs[j] if mean else best[j]
                    scores[part, start + j] = distance / np.sqrt(squares[j] / seen[j])


@jit
def _count_lanes(kinds, codes, label, counts):
    """Fill counts (w,) with the numbers of values of the rows with a code in `label`."""
    m, w = kinds.shape
    rows, missing = 0, 0
    for i in range(m):
        rows += (label >> codes[i]) & 1
    for j in range(w):
        counts[j] = rows
        missing |= kinds[m - 1, j] == MISSING_CODE  # they are sorted last
    # only where some lane lacks a value are all lanes counted value by value
    if missing:
        for j in range(w):
            counts[j] = 0.0
        for i in range(m):
            for j in range(w):
                counts[j] += float((label >> kinds[i, j]) & 1)


@jit
def _area_lanes(
    values, kinds, everyone, one, other, n_one, n_other, area, height, first, last, total
):
    """Area between the distribution functions of two classes, times the numbers of their values.

    The height n_a n_b (F_a - F_b) is an integer, so that only widths are rounded. In the same pass
    `first`, `last` and `total` get the least and the largest value and the sum of all the part's.
    """
    m, w = values.shape
    for j in range(w):
        area[j] = height[j] = last[j] = total[j] = 0.0
        first[j] = np.inf
    # Before each value `height` is that between `last`, the part's value before it, and this one;
    # at first it is 0, so that the width from 0 does not count. Selections instead of branches, so
    # that the loop over lanes becomes vector code.
    for i in range(m):
        for j in range(w):
            value = values[i, j]
            # the values of other classes split a width in two, as `_class_pair_score` does
            inside = ((everyone >> kinds[i, j]) & 1) != 0
            area[j] += abs(height[j]) * (value - last[j]) if inside else 0.0
            height[j] += n_other[j] * float((one >> kinds[i, j]) & 1)
            height[j] -= n_one[j] * float((other >> kinds[i, j]) & 1)
            total[j] += value if inside else 0.0
            first[j] = min(first[j], value) if inside else first[j]
            last[j] = value if inside else last[j]


@jit
def _spread_lanes(values, kinds, everyone, seen, centre, squares):
    """Mean of every lane, in place of the sum in `centre`, and the sum of squares about it."""
    m, w = values.shape
    for j in range(w):
        squares[j] = 0.0
        centre[j] /= seen[j]  # NaN without a value; such a lane has no pair of classes
    for i in range(m):
        for j in range(w):
            # two passes: deviations keep their digits where the mean is large
            away = values[i, j] - centre[j]
            squares[j] += away * away if ((everyone >> kinds[i, j]) & 1) != 0 else 0.0


@jit
def _walk_columns(X, order, y, rows, n_classes, mean):
    """The scores of `wasserstein_parts`, one column after the other; `order` (p, n) sorts them."""
    n, p = X.shape
    scores = np.empty((len(rows), p))
    block = np.empty((BLOCK_COLUMNS, n))
    ranked = np.empty(n)  # the column's values in increasing order, NaN cut off
    values = np.empty(n + 1)  # those of the part's rows, with their classes
    classes = np.empty(n + 1, dtype=np.int64)
    counts = np.empty(n_classes, dtype=np.int64)
    step = np.empty(n_classes)  # what a value of each class adds to the height
    for start in range(0, p, BLOCK_COLUMNS):
        width = min(BLOCK_COLUMNS, p - start)
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
    """Maximum or mean of W1 over the pairs of classes, of m sorted values, in standard deviations.

    The sums have the order, and so the bits, of those in lanes.
    """
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
