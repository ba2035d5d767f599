"""One-to-one mappings: which pairs stand, so that no class is mapped twice."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components

from .._core.errors import PlanError, listing, value_text

Assignment = Literal["optimal", "greedy", "none"]
ASSIGNMENTS: dict[Assignment, str] = {
    "optimal": "one-to-one, of the greatest sum of scores",
    "greedy": "one-to-one, the best pair first",
    "none": "every pair that passes the threshold",
}


def assign(rows: np.ndarray, scores: np.ndarray, kind: Assignment = "optimal") -> np.ndarray:
    """Which pairs stand.

    Parameters
    ----------
    rows : ndarray of shape (n, 2)
        Positions of the classes of each pair.
    scores : ndarray of shape (n,)
        Worth of each pair, above 0: a pair of worth 0 or less never stands.
    kind : {"optimal", "greedy", "none"}, default="optimal"
        "optimal" maximises the sum of the scores (Kuhn 1955, on each connected part); "greedy"
        takes the best pair again and again, ties by position, and reaches at least half of it.

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 1], [1, 0]])
    >>> assign(rows, np.array([1.0, 0.8, 0.7])), assign(rows, np.array([1.0, 0.8, 0.7]), "greedy")
    (array([False,  True,  True]), array([ True, False, False]))
    """
    if kind not in ASSIGNMENTS:
        raise PlanError(f"assignment = {value_text(kind)}: give one of {listing(ASSIGNMENTS)}")
    worth = scores > 0
    if kind == "none" or not worth.any():
        return worth
    at = np.flatnonzero(worth)
    chosen = (_greedy if kind == "greedy" else _optimal)(rows[at], scores[at])
    found = np.zeros(len(rows), dtype=bool)
    found[at[chosen]] = True
    return found


def _greedy(rows: np.ndarray, scores: np.ndarray) -> list[int]:
    taken: tuple[set[int], set[int]] = set(), set()
    chosen = []
    for k in np.lexsort((rows[:, 1], rows[:, 0], -scores)).tolist():
        i, j = rows[k].tolist()
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            chosen.append(k)
    return chosen


def _optimal(rows: np.ndarray, scores: np.ndarray) -> list[int]:
    """The assignment problem is solved in each connected part: they are small.

    Of a part in which all pairs share a class, the best stands.
    """
    sources, i = np.unique(rows[:, 0], return_inverse=True)
    targets, j = np.unique(rows[:, 1], return_inverse=True)
    n = len(sources) + len(targets)
    graph = sparse.coo_array((np.ones(len(rows)), (i, j + len(sources))), shape=(n, n))
    _, part = connected_components(graph, directed=False)
    order = np.argsort(part[i], kind="stable")
    starts = np.flatnonzero(np.diff(part[i][order], prepend=-1))
    least = np.minimum(
        *(
            np.bincount(part[at], minlength=len(starts))
            for at in np.split(np.arange(n), [len(sources)])
        )
    )
    best = np.lexsort((np.arange(len(rows)), -scores, part[i]))[starts]
    star = least == 1
    chosen = best[star].tolist()
    bounds = np.append(starts, len(order))
    for at in np.flatnonzero(~star).tolist():
        members = order[bounds[at] : bounds[at + 1]]
        a, b = (np.unique(side[members], return_inverse=True)[1] for side in (i, j))
        table = np.zeros((a.max() + 1, b.max() + 1))
        where = np.full(table.shape, -1)
        table[a, b], where[a, b] = scores[members], members
        for k in where[linear_sum_assignment(table, maximize=True)]:
            if k >= 0:
                chosen.append(int(k))
    return chosen
