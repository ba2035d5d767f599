"""One-to-one mappings: which pairs stand, so that no class is mapped twice."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from .._core.errors import PlanError, listed_names, value_text

Assignment = Literal["optimal", "greedy", "none"]
ASSIGNMENTS: dict[Assignment, str] = {
    "optimal": "one-to-one, of the greatest sum of scores",
    "greedy": "one-to-one, the best pair first",
    "none": "every pair that passes the threshold",
}


def assign_pairs(rows: np.ndarray, scores: np.ndarray, kind: Assignment = "optimal") -> np.ndarray:
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
    >>> (assign_pairs(rows, np.array([1.0, 0.8, 0.7])),
    ...  assign_pairs(rows, np.array([1.0, 0.8, 0.7]), "greedy"))
    (array([False,  True,  True]), array([ True, False, False]))
    """
    if kind not in ASSIGNMENTS:
        raise PlanError(f"assignment = {value_text(kind)}: give one of {listed_names(ASSIGNMENTS)}")
    worth = scores > 0
    if kind == "none" or not worth.any():
        return worth
    at = np.flatnonzero(worth)
    chosen = (_greedy_assignment if kind == "greedy" else _optimal_assignment)(rows[at], scores[at])
    found = np.zeros(len(rows), dtype=bool)
    found[at[chosen]] = True
    return found


def _greedy_assignment(rows: np.ndarray, scores: np.ndarray) -> list[int]:
    taken: tuple[set[int], set[int]] = set(), set()
    chosen = []
    for k in np.lexsort((rows[:, 1], rows[:, 0], -scores)).tolist():
        i, j = rows[k].tolist()
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            chosen.append(k)
    return chosen


def _optimal_assignment(rows: np.ndarray, scores: np.ndarray) -> list[int]:
    """Of pairs that all share a class the best stands; the rest is one assignment problem.

    Each source may also stand alone, at a column of its own (LAPJVsp, Jonker and Volgenant 1987,
    takes full matchings). All scores are raised by 1: explicit zeros are no edges, and every source
    is matched once, so that the best stays the best.
    """
    i, j = (np.unique(side, return_inverse=True)[1] for side in rows.T)
    n = i.max() + 1, j.max() + 1
    graph = sparse.coo_array((np.ones(len(rows)), (i, j + n[0])), shape=(sum(n), sum(n)))
    _, part = connected_components(graph, directed=False)
    least = np.minimum(*(np.bincount(of, minlength=part.max() + 1) for of in np.split(part, n[:1])))
    best = np.lexsort((np.arange(len(rows)), -scores, part[i]))
    best = best[np.diff(part[i][best], prepend=-1) != 0]
    chosen = best[least[part[i][best]] == 1].tolist()
    rest = np.flatnonzero(least[part[i]] > 1)
    if len(rest):
        i, j = (np.unique(side[rest], return_inverse=True)[1] for side in (i, j))
        alone = np.arange(i.max() + 1)
        columns = np.concatenate([j, alone + j.max() + 1])
        values = np.concatenate([scores[rest] + 1, np.ones(len(alone))])
        table = sparse.csr_array((values, (np.concatenate([i, alone]), columns)))
        _, partner = min_weight_full_bipartite_matching(table, maximize=True)
        chosen += rest[partner[i] == j].tolist()
    return chosen
