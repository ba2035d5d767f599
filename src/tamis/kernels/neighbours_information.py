"""Mutual information of a continuous feature and the class, by nearest neighbours.

Ross (2014), "Mutual Information between Discrete and Continuous Data Sets", PLoS ONE 9(2),
e87357, eq. 2: I = psi(N) + <psi(k)> - <psi(N_c)> - <psi(m)>, where m counts the points (of
all classes, the point itself among them) nearer than its k-th neighbour in its own class.

On the line the k nearest neighbours of a point are next to it in its class's sorted order,
so the distance comes from a sliding window and m from a walk outwards in the full column's
order: no tree, and one sort a column.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

N_BRANCHLESS_STEPS = 8  # neighbours on either side that are compared without a branch


def neighbour_information(
    X: np.ndarray,
    order: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    n_neighbors: int,
    psi: np.ndarray,
) -> np.ndarray:
    """Ross's estimate for every column, in nats; negative estimates become 0.

    Parameters
    ----------
    X : (n, p) float64
        Best without ties: they count as neighbours at distance 0. NaN is left out, feature
        by feature.
    order : (p, n)
        Row indices sorted by each column's values, NaN last.
    y : (n,) int64
        Class codes.
    n_classes, n_neighbors : int
        A class of n_c points has min(n_neighbors, n_c - 1) neighbours; a class with a
        single point is left out.
    psi : (n + 1,) float64
        digamma(0), ..., digamma(n); the first is not read.

    Returns
    -------
    scores : (p,)
        NaN for a column without any value.
    """
    n, scores = len(X), np.empty(X.shape[1])
    n_neighbors = min(n_neighbors, n)
    # columns, with room for infinite values at either end
    numbers = np.empty((3, n + 2 * max(N_BRANCHLESS_STEPS, n_neighbors)))
    places = np.empty((4, max(n, n_classes)), dtype=np.int64)
    _score_columns(X, order, y, n_classes, n_neighbors, psi, scores, numbers, places)
    return scores


@jit
def _score_columns(X, order, y, n_classes, n_neighbors, psi, scores, numbers, places):
    """Fill `scores` (p,); `numbers` and `places` are work arrays."""
    n, p = X.shape
    column, values, own = numbers[0], numbers[1], numbers[2]
    classes, counts, ends = places[0], places[1], places[2]
    place = places[3]  # class by class, positions in `values`
    for j in range(p):
        for i in range(n):
            column[i] = X[i, j]
        rank = order[j]  # NaN last: the first `seen` have a value
        seen = 0
        for c in range(n_classes):
            counts[c] = 0
        while seen < n and not np.isnan(column[rank[seen]]):
            counts[y[rank[seen]]] += 1
            seen += 1
        # a point alone in its class has no neighbour there: it is left out of all terms
        m = 0
        for i in range(seen):
            if counts[y[rank[i]]] > 1:
                values[N_BRANCHLESS_STEPS + m], classes[m] = column[rank[i]], y[rank[i]]
                m += 1
        if m == 0:  # values but no class with two: 0; no value at all: NaN
            scores[j] = 0.0 if seen > 0 else np.nan
            continue
        # counting sort: `ends` has the start of each class in `place`, and moves to its end
        at = 0
        for c in range(n_classes):
            ends[c] = at
            at += counts[c] if counts[c] > 1 else 0
        for i in range(m):
            place[ends[classes[i]]] = i
            ends[classes[i]] += 1
        for i in range(N_BRANCHLESS_STEPS):
            values[i], values[N_BRANCHLESS_STEPS + m + i] = -np.inf, np.inf
        total = 0.0  # N <psi(k) - psi(N_c) - psi(m)>
        for c in range(n_classes):
            if counts[c] > 1:
                k = min(n_neighbors, counts[c] - 1)
                # this class's points, in increasing order of their values
                members = place[ends[c] - counts[c] : ends[c]]
                total += counts[c] * (psi[k] - psi[counts[c]])
                for i in range(k):
                    own[i], own[k + len(members) + i] = -np.inf, np.inf
                for i in range(len(members)):
                    own[k + i] = values[N_BRANCHLESS_STEPS + members[i]]
                total -= _class_crowding(values, m, members, own, k, psi)
        # eq. 2, N being the m points used
        scores[j] = max(psi[m] + total / m, 0.0)


@jit
def _class_crowding(values, m, members, own, k, psi):
    """Sum of psi(m_i) over the points i of one class, whose places in `values` are `members`.

    The m `values` are padded by `N_BRANCHLESS_STEPS` infinite ones at either end, and `own`, those
    of the class, by k: distances beyond the ends are infinite, and the first steps test no index.
    """
    total = 0.0
    for i in range(len(members)):
        at = members[i] + N_BRANCHLESS_STEPS
        x = values[at]
        # the k nearest and x are k + 1 consecutive members: the run that reaches least far from x
        # gives the distance of the k-th neighbour
        reach = np.inf
        for first in range(i, i + k + 1):
            reach = min(reach, max(x - own[first], own[first + k] - x))
        low = high = 0
        if reach > 0:  # strictly nearer than the k-th neighbour
            # a fixed number without a branch, which is quicker; beyond it only if all were near
            for step in range(1, N_BRANCHLESS_STEPS + 1):
                low += x - values[at - step] < reach
                high += values[at + step] - x < reach
            if low == N_BRANCHLESS_STEPS:
                while low < members[i] and x - values[at - low - 1] < reach:
                    low += 1
            if high == N_BRANCHLESS_STEPS:
                while members[i] + high + 1 < m and values[at + high + 1] - x < reach:
                    high += 1
        else:  # k neighbours at distance 0: points of the same value count
            while low < members[i] and values[at - low - 1] == x:
                low += 1
            while members[i] + high + 1 < m and values[at + high + 1] == x:
                high += 1
        total += psi[low + high + 1]
    return total
