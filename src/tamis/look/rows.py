"""Samples that repeat others: equal, nearly equal, and the pairs that are most alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data.dataset import Dataset
from ..data.near_rows import MIN_COLUMNS, MOST_COLUMNS, MOST_ROWS, near_identical_rows
from ..data.walks import gathered_columns, row_keys
from .columns import Walked
from .schema import PairSeen, RowsSeen

MAX_LISTED_SETS, MAX_LISTED_ROWS = 20, 6  # sets of samples, and samples of one, that are named
MAX_LISTED_PAIRS = 10


def rows_seen(data: Dataset, walked: Walked, equal: list[tuple[int, ...]]) -> RowsSeen:
    """Samples that repeat others; `equal`: `equal_rows`."""
    near = _near_rows(data)
    return {
        "equal": _named_sets(data, equal),
        "equal_rows": sum(len(own) - 1 for own in equal),
        "near": _named_sets(data, near),
        "near_sets": len(near),
        "closest": _closest_pairs(data, walked),
    }


def equal_rows(data: Dataset) -> list[tuple[int, ...]]:
    """Sets of samples with the same values, rising.

    Examples
    --------
    >>> X = np.array([[1.0, 2.0], [1.0, 3.0], [1.0, 2.0]])
    >>> equal_rows(Dataset(X, None, ("a", "b")))
    [(0, 2)]
    """
    seen: dict[bytes, list[int]] = {}
    for i, key in enumerate(row_keys(data.X)):
        seen.setdefault(key, []).append(i)
    return [tuple(own) for own in seen.values() if len(own) > 1]


def _near_rows(data: Dataset) -> list[tuple[int, ...]]:
    n, p = data.shape
    if n > MOST_ROWS:
        return []
    if isinstance(data.X, np.ndarray):
        return near_identical_rows(data.X, data.levels, data.y)
    some = np.unique(np.linspace(0, p - 1, min(p, MOST_COLUMNS)).astype(np.int64))
    own = [k for k, j in enumerate(some.tolist()) if j in data.levels]
    return near_identical_rows(gathered_columns(data.X, some), own, data.y)


def _named_sets(data: Dataset, sets: Sequence[Sequence[int]]) -> list[list[str]]:
    return [[data.sample_names[i] for i in own[:MAX_LISTED_ROWS]] for own in sets[:MAX_LISTED_SETS]]


def _closest_pairs(data: Dataset, walked: Walked) -> list[PairSeen]:
    """The pairs of largest cosine."""
    length = np.sqrt(np.diag(walked.products))
    there = np.flatnonzero(length > 0)
    if len(there) < 3 or walked.used < MIN_COLUMNS:  # many pairs are alike by chance
        return []
    cosine = walked.products[np.ix_(there, there)] / np.outer(length[there], length[there])
    first, second = np.triu_indices(len(there), 1)
    of_pairs = cosine[first, second]
    k = min(MAX_LISTED_PAIRS, len(of_pairs))
    best = np.argpartition(-of_pairs, k - 1)[:k]
    best = best[np.lexsort((best, -of_pairs[best]))]
    rows = walked.rows[there]
    return [
        _pair_seen(data, int(rows[first[at]]), int(rows[second[at]]), float(of_pairs[at]))
        for at in best
    ]


def _pair_seen(data: Dataset, i: int, j: int, cosine: float) -> PairSeen:
    def pair_labels(of: np.ndarray | None) -> list[str]:
        return [] if of is None else [str(of[i]), str(of[j])]

    return {
        "samples": [data.sample_names[i], data.sample_names[j]],
        "cosine": min(cosine, 1.0),
        "classes": pair_labels(data.y),
        "groups": pair_labels(data.groups),
        "batches": pair_labels(data.batches),
    }
