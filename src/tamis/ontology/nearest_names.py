"""The classes with the nearest names: TF-IDF cosine, from either side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._core.workers import joblib_parallel
from .name_table import Bearers, NameTable

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ..kernels.nearest_rows import Best

PRODUCTS_PER_NAME = 1 << 15  # products for each name, on average
MAX_SHARED_CLASSES = 50  # classes that bear a name, beyond which it identifies none of them
MIN_TASK_NAMES = 2048  # names that a task has at least


class Nearest(NamedTuple):
    """Pairs of classes whose names are near each other.

    Attributes
    ----------
    pairs : (k, 2) int64
        Positions of a source and a target class. A pair may be there twice: once from either side.
    best : (m, 2) int64
        Those where each class is the nearest of the other.
    """

    pairs: np.ndarray
    best: np.ndarray


def nearest_pairs(
    table: NameTable, vectors: csr_array, top: int, least: float, n_jobs: int | None = None
) -> Nearest:
    """Each class with the `top` classes of the other side whose names are nearest.

    Classes are as near as the nearest of their names. Of equally near ones those count whose names
    come first in the alphabet, then those whose IRIs do.

    Parameters
    ----------
    table : NameTable
    vectors : csr_array of shape (names, columns)
        Rows of length 1, or empty; the rarest columns first.
    top : int
    least : float
        Cosine below which names have nothing in common.
    n_jobs : int, optional

    Returns
    -------
    Nearest
    """
    from joblib import delayed, effective_n_jobs

    from ..kernels.nearest_rows import Best, Groups, Rows, merged_best, nearest_groups, tiled_lists

    source = _Side(table.source, table.source_places)
    target = _Side(table.target, table.target_places)
    vectors = affordable_vectors(vectors, source.names, target.names)
    first, second = vectors[source.names], vectors[target.names]
    lists = tiled_lists(second.indptr, second.indices, second.data, second.shape[1])
    queries = Rows(first.indptr.astype(np.int64), first.indices.astype(np.uint32), first.data)
    groups = [Groups(side.starts, side.groups) for side in (source, target)]
    n = len(source.names)
    block = max(MIN_TASK_NAMES, -(-n // (2 * effective_n_jobs(n_jobs))))
    found = joblib_parallel(n_jobs=n_jobs, prefer="threads", require="sharedmem")(
        delayed(nearest_groups)(
            queries, groups[0], lists, groups[1], top, least, begin, min(begin + block, n)
        )
        for begin in range(0, n, block)
    )
    if not found:
        return Nearest(*np.empty((2, 0, 2), dtype=np.int64))
    for_source, for_target = (
        Best(*(np.concatenate(part) for part in zip(*side, strict=True)))
        for side in zip(*found, strict=True)
    )
    there, first = _nearest_pairs(merged_best(*source.members, for_source), target)
    rows = np.tile(np.arange(len(target.names)), len(found))  # a list of each task for each row
    order = np.argsort(rows, kind="stable")
    starts = np.arange(len(target.names) + 1) * len(found)
    together = merged_best(starts, order, for_target)
    back, second = _nearest_pairs(merged_best(*target.members, together), source)
    of_target = np.full(len(target.at), -1)
    of_target[back[second, 0]] = back[second, 1]
    best = there[first]
    return Nearest(
        np.concatenate([there, back[:, ::-1]]), best[of_target[best[:, 1]] == best[:, 0]]
    )


def affordable_vectors(
    vectors: csr_array, first: np.ndarray, second: np.ndarray, budget: int = PRODUCTS_PER_NAME
) -> csr_array:
    """Vectors without the commonest columns, if they cost too much: they are the least informative.

    Parameters
    ----------
    vectors : csr_array
        The rarest columns first.
    first, second : ndarray of int
        Rows that are compared.
    budget : int
        Products for each of these rows, on average, of the columns that stay; one stays anyway.
    """
    n = vectors.shape[1]
    of_first, of_second = (
        np.bincount(vectors[rows].indices, minlength=n).astype(np.int64) for rows in (first, second)
    )
    spent = np.cumsum(of_first * of_second)
    stay = np.searchsorted(spent, budget * (len(first) + len(second)), side="right")
    return vectors if stay >= n else vectors[:, : max(int(stay), 1)]


class _Side:
    """The names of one vocabulary and the classes that bear them, by the places of their IRIs."""

    def __init__(self, bearers: Bearers, places: np.ndarray) -> None:
        place = places[bearers.classes]
        self.names, member = np.unique(bearers.names, return_inverse=True)
        many = np.bincount(member, minlength=len(self.names))
        by_name = np.lexsort((place, member))
        self.groups = place[by_name][(many <= MAX_SHARED_CLASSES)[member[by_name]]].astype(np.int32)
        self.starts = np.concatenate(
            [[0], np.cumsum(np.where(many <= MAX_SHARED_CLASSES, many, 0))]
        )
        by_class = np.lexsort((member, bearers.classes))
        begins = np.searchsorted(bearers.classes[by_class], np.arange(len(places) + 1))
        self.members = begins.astype(np.int64), member[by_class].astype(np.int64)
        self.at = np.argsort(places)


def _nearest_pairs(best: Best, other: _Side) -> tuple[np.ndarray, np.ndarray]:
    """Each class with those that are best for it, (k, 2), and which of them is the nearest."""
    own, nth = np.nonzero(best.groups >= 0)
    return np.column_stack([own, other.at[best.groups[own, nth]]]), nth == 0
