"""Quantile normalisation with a frozen reference, by preprocessCore's rules.

Bolstad, Irizarry, Astrand & Speed (2003), Bioinformatics 19:185-193. Ties and missing values are
treated as Bioconductor's preprocessCore treats them (`normalize.quantiles.determine.target` and
`normalize.quantiles.use.target`); here samples are rows.
"""

from __future__ import annotations

import numpy as np

PLACE_TOLERANCE = 4 * np.finfo(float).eps  # a place this close to an integer is that integer
TIE_FRACTION = 0.4  # mean ranks of ties end in 0 or .5; preprocessCore compares with .4


def mean_quantiles(X: np.ndarray) -> np.ndarray:
    """The reference distribution: the mean over samples of their sorted values (p,).

    A sample with k < p values is stretched to p places by linear interpolation between its
    sorted values; a sample without values is left out, and NaN returned if all are.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Samples in rows, NaN for missing.

    Examples
    --------
    >>> mean_quantiles(np.array([[1.0, 3.0, 2.0], [5.0, 3.0, 4.0]]))
    array([2., 3., 4.])
    """
    p = X.shape[1]
    total, seen = np.zeros(p), 0
    for row in X:
        values = np.sort(row[~np.isnan(row)])
        if len(values) == 0:
            continue
        total += values if len(values) == p else _stretched_values(values, p)
        seen += 1
    # interpolated values may fall by their last digit
    return np.maximum.accumulate(total / seen) if seen else np.full(p, np.nan)


def to_quantiles(X: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Each sample's values replaced by the reference at their ranks (n, p); NaN stays NaN.

    Equal values get the reference at their mean rank: the mean of the two neighbours where that
    lies between two. In a sample with more or fewer values than the reference, for example with
    missing ones, the reference is interpolated.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Samples in rows, NaN for missing.
    reference : ndarray of shape (m,)
        Rising.

    Examples
    --------
    >>> to_quantiles(np.array([[10.0, 30.0, 10.0]]), np.array([2.0, 3.0, 5.0]))
    array([[2.5, 5. , 2.5]])
    """
    from scipy.stats import rankdata

    out = np.full(X.shape, np.nan)
    p = len(reference)
    for row, to in zip(X, out, strict=True):
        known = ~np.isnan(row)
        k = int(known.sum())
        if k == 0:
            continue
        ranks = rankdata(row[known])
        if k != p:
            # rank 1..k to place 0..p - 1, the first to the first and the last to the last
            places = (p - 1) * (ranks - 1) / (k - 1) if k > 1 else np.zeros(k)
            to[known] = _between_neighbours(reference, places)
            continue
        floors = np.floor(ranks).astype(np.int64)
        # ranks are from 1; the minimum only keeps the rank p, never tied there, inside the array
        low = reference[floors - 1]
        tied = ranks - floors > TIE_FRACTION
        to[known] = np.where(tied, 0.5 * (low + reference[np.minimum(floors, p - 1)]), low)
    return out


def rank_places(values: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Twice the rank of each value, from 0, (p,) int32; equal values have their mean rank.

    These take half the memory of the values and are, with `place_values`, all that is needed of
    them.

    Parameters
    ----------
    values : ndarray of shape (p,)
        Rising.
    order : ndarray of shape (p,)
        Index of each of them before sorting.

    Examples
    --------
    >>> rank_places(np.array([10.0, 10.0, 30.0]), np.array([0, 2, 1]))
    array([1, 4, 1], dtype=int32)
    """
    p = len(values)
    places = np.empty(p, dtype=np.int32)
    # runs of equal values at start..end - 1: mean place (start + end - 1) / 2, doubled an integer
    starts = np.concatenate([[0], np.flatnonzero(values[1:] != values[:-1]) + 1])
    ends = np.append(starts[1:], p)
    places[order] = np.repeat((starts + ends - 1).astype(np.int32), ends - starts)
    return places


def place_values(reference: np.ndarray) -> np.ndarray:
    """What `to_quantiles` gives at each place of `rank_places` if nothing is missing, (2p - 1,).

    Examples
    --------
    >>> place_values(np.array([2.0, 3.0, 5.0]))
    array([2. , 2.5, 3. , 4. , 5. ])
    """
    found = np.empty(2 * len(reference) - 1)
    found[::2] = reference  # even places are whole ranks, odd ones lie between two
    found[1::2] = 0.5 * (reference[:-1] + reference[1:])
    return found


def _stretched_values(values: np.ndarray, p: int) -> np.ndarray:
    """Sorted values interpolated at p evenly spaced places from the first to the last, (p,)."""
    return _between_neighbours(values, (len(values) - 1) * (np.arange(p) / max(p - 1, 1)))


def _between_neighbours(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Linear interpolation between the values (m,) at places (k,) in 0..m - 1, (k,)."""
    # rounding may leave a place just below an integer: it must not be interpolated from there
    low = np.floor(places + PLACE_TOLERANCE)
    share = places - low
    share[np.abs(share) < PLACE_TOLERANCE] = 0.0
    at = np.clip(low.astype(np.int64), 0, len(values) - 1)
    above = np.minimum(at + 1, len(values) - 1)
    # at an integer the value itself: 0 times an infinite neighbour would be NaN
    return np.where(share == 0, values[at], (1 - share) * values[at] + share * values[above])
