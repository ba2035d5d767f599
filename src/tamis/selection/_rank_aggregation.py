"""Several rankings made into one: mean rank, Borda, Kemeny-style, and rules by sets.

Arrays in, arrays out. `scores` (m, p) are those of m rankings of p features, higher is better,
-inf for a feature that a ranking leaves out; `weights` (m,) say what each ranking counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._orders import order_of

AGGREGATION_RULES = ("mean_rank", "borda", "kemeny", "majority", "union", "intersection")


@dataclass(frozen=True)
class Consensus:
    """What a rule makes of several rankings.

    Attributes
    ----------
    scores : ndarray of shape (p,)
        Higher is better; -inf for features that no ranking lists.
    votes : ndarray of shape (p,)
        Share of the weight that has each feature among its leading ones.
    mean_ranks : ndarray of shape (p,)
    chosen : int or None
        How many features a rule by sets keeps; None of the others.
    """

    scores: np.ndarray
    votes: np.ndarray
    mean_ranks: np.ndarray
    chosen: int | None


def mid_ranks(scores: np.ndarray) -> np.ndarray:
    """Ranks (m, p) from 1, the best; equal features share the mean of their places.

    Examples
    --------
    >>> mid_ranks(np.array([[3.0, 1.0, 3.0, -np.inf]])).tolist()
    [[1.5, 3.0, 1.5, 4.0]]
    """
    from scipy.stats import rankdata

    ranks: np.ndarray = rankdata(-scores, axis=1)
    return ranks


def leading_features(scores: np.ndarray, top: int) -> np.ndarray:
    """Which features are among the best `top` of each ranking (m, p), ties to the lower column."""
    found = np.zeros(scores.shape, dtype=bool)
    for own, row in zip(found, scores, strict=True):
        own[order_of(row, top)] = True
    return found & ~np.isneginf(scores)


def weighted_mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Means (p,) of the rows of values (m, p); added in their order, so no thread has a say."""
    total: np.ndarray = (weights[:, None] * values).sum(axis=0)
    return total / weights.sum()


def borda_points(scores: np.ndarray, top: int) -> np.ndarray:
    """Points (m, p): `top` for the first of a ranking, one less for each next, then 0.

    Equal features share the mean of the points of their places.

    Examples
    --------
    >>> borda_points(np.array([[9.0, 7.0, 7.0, 1.0]]), top=2).tolist()
    [[2.0, 0.5, 0.5, 0.0]]
    """
    points = np.zeros(scores.shape)
    of_place = np.maximum(top - np.arange(scores.shape[1], dtype=np.float64), 0.0)
    for own, row in zip(points, scores, strict=True):
        order = np.argsort(-row, kind="stable")
        _, group = np.unique(-row[order], return_inverse=True)
        own[order] = (np.bincount(group, of_place) / np.bincount(group))[group]
    return np.where(np.isneginf(scores), 0.0, points)


def pairwise_preferences(
    feature: int, others: np.ndarray, ranks: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """By how much weight more rankings put a feature before each of some others than behind it."""
    found: np.ndarray = weights[:, None] * np.sign(ranks[:, others] - ranks[:, [feature]])
    return found.sum(axis=0)


def local_kemenization(order: np.ndarray, ranks: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """An order improved until no swap of two neighbours lowers its cost, which is the weight that
    contradicts it, summed over its pairs of features; the order of least cost is NP-hard to find.

    Features come in one by one, in the given order, and move up past a neighbour as long as more
    weight prefers them to it (Dwork et al. 2001). So the cost is never above that of the order
    given; and where every feature of one set beats every feature of the rest by majority, that set
    comes first (the extended Condorcet criterion).

    Parameters
    ----------
    order : ndarray of shape (k,)
        Features to compare, the best first.
    ranks : ndarray of shape (m, p)
        Of all rankings; lower is better.
    weights : ndarray of shape (m,)

    Examples
    --------
    >>> ranks = np.array([[1, 2, 3], [2, 3, 1], [2, 1, 3]])
    >>> local_kemenization(np.array([2, 1, 0]), ranks, np.ones(3)).tolist()
    [0, 1, 2]
    """
    found = order[:0]
    for feature in order:
        stays_behind = np.flatnonzero(pairwise_preferences(feature, found, ranks, weights) <= 0)
        place = stays_behind[-1] + 1 if len(stays_behind) else 0
        found = np.insert(found, place, feature)
    return found


def tiered_scores(*keys: np.ndarray) -> np.ndarray:
    """Scores (p,) in the order of the first key, then of the next, higher is better; 0 is last.

    Features that agree in every key have one score.

    Examples
    --------
    >>> tiered_scores(np.array([1, 2, 2, 2]), np.array([9, 5, 6, 5])).tolist()
    [0.0, 1.0, 2.0, 1.0]
    """
    order = np.lexsort(keys[::-1])
    apart = np.array([np.diff(key[order]) != 0 for key in keys]).any(axis=0)
    scores = np.empty(len(order))
    scores[order] = np.concatenate([[0], apart.cumsum()])
    return scores


def aggregate_rankings(rule: str, scores: np.ndarray, weights: np.ndarray, top: int) -> Consensus:
    """One ranking of several, by a rule of `AGGREGATION_RULES`.

    Parameters
    ----------
    rule : str
    scores : ndarray of shape (m, p)
    weights : ndarray of shape (m,)
        At least 0, some above it. A ranking of weight 0 has no say in anything.
    top : int
        How many features of each ranking are its leading ones.
    """
    scores, weights = scores[weights > 0], weights[weights > 0]
    ranks, leading = mid_ranks(scores), leading_features(scores, top)
    mean_ranks, votes = weighted_mean(ranks, weights), weighted_mean(leading, weights)
    chosen = None
    if rule == "mean_rank":
        found = scores.shape[1] - mean_ranks
    elif rule in ("borda", "kemeny"):
        points = weighted_mean(borda_points(scores, top), weights)
        found = tiered_scores(points, -mean_ranks)
        if rule == "kemeny":
            places = np.zeros(scores.shape[1])
            order = order_of(found)
            compared = np.isin(order, np.flatnonzero(votes))
            order = local_kemenization(order[compared], ranks, weights)
            places[order] = np.arange(len(order), 0, -1)
            found = tiered_scores(places, found)
    else:
        behind = (weights[:, None] * leading).sum(axis=0)
        kept = {
            "majority": 2 * behind > weights.sum(),
            "union": behind > 0,
            "intersection": np.all(leading, axis=0),
        }
        chosen = int(np.count_nonzero(kept[rule]))
        found = tiered_scores(votes, -mean_ranks)
    found = np.where(np.isneginf(scores).all(axis=0), -np.inf, found)
    return Consensus(found, votes, mean_ranks, chosen)
