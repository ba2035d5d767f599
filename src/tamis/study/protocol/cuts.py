"""Cutting a ranking: the features of each size, and which sizes share their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Ranking
from ...selection._orders import NestedPath, order_of
from ..plan import OWN_SIZE
from .design import Design

Size = int | str | tuple[tuple[str, int], ...]  # the last: so many of each block


def feature_sets(
    design: Design, ranking: Ranking, sizes: Sequence[Size], owner: np.ndarray
) -> dict[Size, np.ndarray]:
    """The features of each size that a ranking gives, whatever other sizes are requested.

    Parameters
    ----------
    design : Design
    ranking : Ranking
    sizes : sequence of int or "own"
    owner : ndarray of shape (p,)
        The feature behind each column that was ranked.

    Notes
    -----
    Where categories are spread over several columns the path holds the order of all columns too: a
    size that follows that order ends with its k-th feature. A set of the method's own stays as it
    is, and may be of fewer features than columns.
    """
    n_features = len(design.features)
    all_columns = ranking.path.get(len(owner))
    order = None if design.plain else ranking.path[len(owner)]
    in_order = None if order is None else first_owners(owner[order])
    found: dict[Size, np.ndarray] = {}
    for size in sizes:
        if size == OWN_SIZE:
            k = 0 if ranking.chosen is None else ranking.chosen
            columns = ranking.path[k] if k in ranking.path else order_of(ranking.scores, k)
            found[size] = first_owners(owner[columns])
            continue
        if isinstance(size, tuple):
            assert all_columns is not None
            found[size] = _best_of_blocks(design, first_owners(owner[all_columns]), size)
            continue
        k = min(int(size), n_features)
        columns = ranking.path[k]
        if (
            order is not None
            and in_order is not None
            and np.array_equal(columns, order[: len(columns)])
        ):
            found[size] = in_order[:k]
        elif design.one_to_one:
            found[size] = np.asarray(columns, dtype=np.int64)
        elif design.plain:
            found[size] = owner[columns]
        else:
            found[size] = first_owners(owner[columns])
    return found


def _best_of_blocks(
    design: Design, order: np.ndarray, size: tuple[tuple[str, int], ...]
) -> np.ndarray:
    """The first features of each block in the order of all, in that order."""
    places = [np.flatnonzero(np.isin(order, design.features_of(block)))[:k] for block, k in size]
    return order[np.sort(np.concatenate(places))]


def first_owners(owners: np.ndarray) -> np.ndarray:
    """Each feature once, in the order of its first column.

    Without sorting: of equal indices the last assignment stays, so going backwards the first.

    Examples
    --------
    >>> first_owners(np.array([4, 2, 4, 0, 2]))
    array([4, 2, 0])
    """
    places = np.arange(len(owners))
    first = np.zeros(int(owners.max(initial=-1)) + 1, dtype=np.intp)
    first[owners[::-1]] = places[::-1]
    return owners[first[owners] == places]


@dataclass(frozen=True)
class Cut:
    """Columns that several sizes share: each takes the leading ones.

    Attributes
    ----------
    columns : ndarray
        Of the design.
    sizes : list
    features : list of ndarray
        Of each size.
    ends : list of int
        Columns that each size takes, rising.
    """

    columns: np.ndarray
    sizes: list[Size]
    features: list[np.ndarray]
    ends: list[int]


def nested_cuts(design: Design, ranking: Ranking, sizes: Sequence[Size]) -> list[Cut] | None:
    """What `cuts_of` gives of a ranking that has one order, where every column is a feature and all
    sizes are numbers; None of others."""
    path = ranking.path
    numbers = [k for k in sizes if isinstance(k, int)]
    if not isinstance(path, NestedPath) or len(numbers) < len(sizes) or not design.one_to_one:
        return None
    order = np.asarray(path.order[: max(numbers)], dtype=np.int64)
    numbers.sort(key=lambda k: min(k, len(order)))
    features = [order[:k] for k in numbers]
    return [Cut(order, list(numbers), features, [len(own) for own in features])]


def cuts_of(design: Design, sets: Mapping[Size, np.ndarray]) -> list[Cut]:
    """As few as the sets allow: one where they are nested, else one for each that is not."""
    chains: list[list[Size]] = []
    for size in sorted(sets, key=lambda s: len(sets[s])):
        for chain in chains:
            last = sets[chain[-1]]
            if last.tobytes() == sets[size][: len(last)].tobytes():
                chain.append(size)
                break
        else:
            chains.append([size])
    cuts = []
    for chain in chains:
        longest = sets[chain[-1]]
        ends = [len(sets[size]) for size in chain]
        if not design.plain:
            widths = np.concatenate([[0], np.cumsum(design.widths_of(longest))])
            ends = [int(widths[end]) for end in ends]
        cuts.append(Cut(design.columns_of(longest), chain, [sets[size] for size in chain], ends))
    return cuts
