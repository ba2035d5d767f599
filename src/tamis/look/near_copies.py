"""Columns that say nearly the same as another one, among tens of thousands.

All pairs are too many. Columns of length 1 that correlate at r lie 2 (1 - |r|) apart, squared, up
to their sign, and projections on a few random directions keep distances (Johnson & Lindenstrauss
1984). So the nearest of each column are looked for among the projections, where a tree finds them;
their correlations are then computed exactly, so nothing is reported that is not so. In 8
directions a pair lies more than 2.2 times as far apart as it is with probability 5 x 10^-6: so
rarely is one not found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..data.dataset import Dataset

MIN_CORRELATION = 0.999  # absolute correlation of near-copies
N_DIMENSIONS = 8
DISTANCE_STRETCH = 2.2
N_NEAREST_COLUMNS = 5  # columns looked at for each, on either side
# pairs of unrelated columns among all, at most, that may correlate so by chance
MAX_CHANCE_SHARE = 0.05
MIN_DISTANCE = 1e-9  # 1 - |r| below which rounding decides
EQUAL_DIGITS = 9  # of projections that are taken as equal


@dataclass(frozen=True)
class CopySet:
    """Columns that tell nearly the same, rising; each is linked to another by `least_r` or more."""

    columns: tuple[int, ...]
    least_r: float
    categories: bool = False


def least_correlation(n: int, p: int) -> float | None:
    """From which absolute correlation two of p columns count as copies; None where n samples are
    too few for that.

    .999, or more where unrelated columns of normal numbers would reach it by chance.

    Examples
    --------
    >>> least_correlation(100, 20_000), least_correlation(2, 10)
    (0.999, None)
    >>> round(least_correlation(6, 20_000), 6)
    0.999987
    """
    if n < 3:
        return None
    from scipy.special import betaincinv

    share = MAX_CHANCE_SHARE / max(p * (p - 1) / 2, 1)  # 1 - r^2 is a beta variable
    least = max(MIN_CORRELATION, float(np.sqrt(1 - betaincinv((n - 2) / 2, 0.5, min(share, 1.0)))))
    return least if 1 - least > MIN_DISTANCE else None


def near_copies(
    sketch: np.ndarray, least: float, units: Callable[[np.ndarray], np.ndarray], width: int = 1024
) -> list[CopySet]:
    """Sets of columns linked by an absolute correlation of `least` or more, the largest first.

    Parameters
    ----------
    sketch : ndarray of shape (p, DIMENSIONS)
        Projections of the columns of length 1; rows of zeros are not looked at.
    least : float
    units : callable
        Columns by number -> these with mean 0 and length 1 (n, how many).
    width : int
        Columns computed at once, at most.

    Examples
    --------
    >>> from tamis.kernels.unit_columns import unit_columns
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(30, 40))
    >>> X[:, 39] = 5 - 2 * X[:, 3] + rng.normal(size=30) / 1000
    >>> Z = unit_columns(X)
    >>> sketch = (rng.normal(size=(N_DIMENSIONS, 30)) @ Z / np.sqrt(N_DIMENSIONS)).T
    >>> [found] = near_copies(sketch, 0.999, lambda columns: Z[:, columns])
    >>> found.columns, round(found.least_r, 4)
    ((3, 39), 1.0)
    """
    columns = np.flatnonzero(sketch.any(axis=1))
    if len(columns) < 2:
        return []
    pairs = columns[
        _candidate_pairs_near(sketch[columns], DISTANCE_STRETCH * np.sqrt(2 * (1 - least)))
    ]
    r = np.concatenate(
        [
            np.abs(np.einsum("ij,ij->j", *(units(side) for side in pairs[at : at + width].T)))
            for at in range(0, len(pairs), width)
        ]
        or [np.empty(0)]
    )
    linked = r >= least - 1e-12
    return linked_sets(pairs[linked], np.minimum(r[linked], 1.0), len(sketch))


def _candidate_pairs_near(places: np.ndarray, radius: float) -> np.ndarray:
    """Pairs (k, 2) of places that may be nearer than `radius` to each other, or to the other's
    reflection. Of many in one place each is paired with the first."""
    from scipy.spatial import cKDTree

    largest = np.abs(places).argmax(axis=1)
    turned = places * np.sign(places[np.arange(len(places)), largest])[:, None]
    _, first, place = np.unique(
        turned.round(EQUAL_DIGITS), axis=0, return_index=True, return_inverse=True
    )
    place = place.reshape(-1)
    others = np.setdiff1d(np.arange(len(places)), first)
    pairs = [np.stack([first[place[others]], others], axis=1)]
    tree = cKDTree(turned[first])
    for side in (1, -1):
        far, near = tree.query(
            side * turned[first], k=N_NEAREST_COLUMNS + 1, distance_upper_bound=radius, eps=0.0
        )
        own, kth = np.nonzero(np.isfinite(far))
        pairs.append(np.stack([first[own], first[near[own, kth]]], axis=1))
    both = np.concatenate(pairs)
    both = both[both[:, 0] != both[:, 1]]
    return np.unique(np.sort(both, axis=1), axis=0)


def linked_sets(pairs: np.ndarray, r: np.ndarray, p: int) -> list[CopySet]:
    """The sets that pairs of columns make up."""
    if not len(pairs):
        return []
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(p, p))
    _, label = connected_components(links, directed=False)
    members = np.unique(pairs)
    weakest = np.full(p, np.inf)
    np.minimum.at(weakest, label[pairs[:, 0]], r)
    order = members[np.argsort(label[members], kind="stable")]
    ends = np.flatnonzero(np.diff(label[order])) + 1
    sets = [
        CopySet(tuple(own.tolist()), float(weakest[label[own[0]]])) for own in np.split(order, ends)
    ]
    return sorted(sets, key=lambda one: (-len(one.columns), one.columns))


def equal_categories(data: Dataset) -> list[CopySet]:
    """Sets of categorical columns that divide the samples alike, whatever their levels are called.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
    >>> levels = {j: ("a", "b") for j in range(3)}
    >>> equal_categories(Dataset(X, None, ("x", "y", "z"), levels=levels))
    [CopySet(columns=(0, 1), least_r=1.0, categories=True)]
    """
    seen: dict[bytes, list[int]] = {}
    for j in sorted(data.levels):
        values, place = np.unique(data.column(j), return_inverse=True)
        if len(values) > 1:
            _, first = np.unique(place, return_index=True)
            number = np.argsort(np.argsort(first))  # levels by who has them first
            seen.setdefault(number[place].astype(np.int32).tobytes(), []).append(j)
    found = [CopySet(tuple(own), 1.0, True) for own in seen.values() if len(own) > 1]
    return sorted(found, key=lambda one: (-len(one.columns), one.columns))
