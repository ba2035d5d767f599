"""Class sums of mid-ranks of a feature, for many training sets: Wilcoxon and Kruskal-Wallis.

The rows are sorted by each column's values once; every training set then walks that one
order, so that a part costs O(n) a column. Ranks are doubled, which makes mid-ranks integers:
sums are exact, and a part has the same bits whether it is computed alone or among others.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .orders import sort_columns
from .sorted_classes import PartGroup, empty_lanes, lost_columns, sort_lanes

BLOCK_COLUMNS = 64  # columns transposed at a time: 64 x n doubles stay in the second-level cache


def rank_sum_parts(
    X: np.ndarray, y: np.ndarray, parts_mask: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rank sums, class counts and the tie term of every column in each part.

    Parameters
    ----------
    X : (n, p) float64
        NaN is left out, feature by feature.
    y : (n,) int64
        Class codes.
    parts_mask : (n_parts, n) bool
        The rows of each part; nothing else is read.
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
    X, parts_mask = np.ascontiguousarray(X), np.ascontiguousarray(parts_mask)
    shape = (len(parts_mask), X.shape[1])
    doubled, counts = (np.zeros((*shape, n_classes), dtype=np.int64) for _ in range(2))
    ties = np.zeros(shape, dtype=np.int64)

    def in_lanes(group: PartGroup, at: slice) -> np.ndarray:
        lanes, alone = empty_lanes(len(group.rows)), np.zeros(X.shape[1], dtype=bool)
        room = np.empty((7, lanes[0].shape[1]))
        _rank_lanes(X, *group[1:], *lanes, doubled[at], counts[at], ties[at], alone, room)
        return alone

    alone = lost_columns(X, y, parts_mask, n_classes, in_lanes)
    # With more classes than one the first is not summed up: N values have ranks of the sum
    # N (N + 1) / 2, and counts[..., 0] holds N until now.
    if n_classes > 1:
        values = counts[..., 0]
        doubled[..., 0] = values * (values + 1)
        for c in range(1, n_classes):
            doubled[..., 0] -= doubled[..., c]
            counts[..., 0] -= counts[..., c]
    # columns whose exponents leave no room for codes; all, if there are too many rows or classes
    if len(alone):
        own = X[:, alone]
        found = _walk_columns(own, sort_columns(own), y, parts_mask.view(np.uint8), n_classes)
        doubled[:, alone], counts[:, alone], ties[:, alone] = found
    return doubled, counts, ties


@jit
def _rank_lanes(
    X, rows, codes, members, values, keys, flat, kinds, doubled, counts, ties, alone, room
):
    """Fill doubled, counts and ties for a group of parts, w columns side by side.

    `alone` (p,) marks the columns that have to be done by `_walk_columns`. With several classes
    doubled[..., 0] is left as it is, and counts[..., 0] gets the number of values of all classes.
    `values` to `kinds` are lanes as of `empty_lanes`, `room` (7, w) is work space.
    """
    p, (n_parts, n_classes) = X.shape[1], members.shape
    w = values.shape[1]
    lost, below, equal, own = room[0], room[1], room[2], room[3]
    found, sums, tied = room[4], room[5], room[6]
    for start in range(0, p, w):
        width = min(w, p - start)
        sort_lanes(X, start, rows, codes, values, keys, flat, kinds, lost)
        for j in range(width):
            alone[start + j] = lost[j] > 0
        for part in range(n_parts):
            everyone = 0  # bit set of the codes of the part's rows, all classes
            for c in range(n_classes):
                everyone |= members[part, c]
            # from the second class on, if there is one
            for c in range(min(1, n_classes - 1), n_classes):
                _walk_lanes(
                    values, kinds, everyone, members[part, c], below, equal, own, found, sums, tied
                )
                for j in range(width):
                    doubled[part, start + j, c] = int(sums[j])
                    counts[part, start + j, c] = int(found[j])
            # after the last value these are all values of the part; the same for every class
            for j in range(width):
                counts[part, start + j, 0] = int(below[j] + equal[j])
                ties[part, start + j] = int(tied[j])


@jit
def _walk_lanes(values, kinds, everyone, label, below, equal, own, found, sums, tied):
    """Twice the rank sum of a class, its number of values and the tie term, of every lane.

    `everyone` and `label` are bit sets of the codes of the part's rows, and of those of the class.
    After each value `below` counts the part's smaller values, `equal` those equal to it so far, and
    `own` those of the class among these. Doubles hold all sums exactly.
    """
    # t equal values above b others have the mid-rank (2 b + t + 1) / 2. A t-th one adds its own,
    # and a half to that of each one before it. Doubled: 2 b + t + 1, and 1 for each before it.
    m, w = values.shape
    for j in range(w):
        below[j] = equal[j] = own[j] = found[j] = sums[j] = tied[j] = 0.0
    for i in range(m):
        before = max(i - 1, 0)  # the first value equals itself, while all counts are 0
        # selections instead of branches, so that the loop over lanes becomes vector code; rows
        # outside the part, and missing values, have bits of 0 and add nothing
        for j in range(w):
            same = values[i, j] == values[before, j]
            inside = float((everyone >> kinds[i, j]) & 1)
            mine = float((label >> kinds[i, j]) & 1)
            low = below[j] + (0.0 if same else equal[j])
            level = (equal[j] if same else 0.0) + inside
            others = own[j] if same else 0.0
            sums[j] += inside * others + mine * (2 * low + level + 1)
            tied[j] += inside * level * (level - 1)
            found[j] += mine
            below[j] = low
            equal[j] = level
            own[j] = others + mine
    for j in range(w):
        tied[j] *= 3  # t^3 - t = sum_{k <= t} 3 k (k - 1)


@jit
def _walk_columns(X, order, y, rows, n_classes):
    """The results of `rank_sum_parts`, one column after the other; `order` (p, n) sorts them."""
    n, p = X.shape
    doubled = np.zeros((len(rows), p, n_classes), dtype=np.int64)
    counts = np.zeros((len(rows), p, n_classes), dtype=np.int64)
    ties = np.zeros((len(rows), p), dtype=np.int64)
    block = np.empty((BLOCK_COLUMNS, n))
    ranked = np.empty(n)  # the column's values in increasing order, NaN cut off
    values = np.empty(n + 1)  # those of the part's rows, with their classes
    classes = np.empty(n + 1, dtype=np.int64)
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
                sums = doubled[part, start + j]
                count = counts[part, start + j]
                low, tied = 0, 0
                # values[:low] are done; each turn takes one group of equal values, [low, high)
                while low < m:
                    high = low + 1
                    while high < m and values[high] == values[low]:
                        high += 1
                    for i in range(low, high):  # ranks low + 1 to high share their mean
                        sums[classes[i]] += low + 1 + high
                        count[classes[i]] += 1
                    tied += (high - low) * ((high - low) ** 2 - 1)  # t^3 - t
                    low = high
                ties[part, start + j] = tied
    return doubled, counts, ties
