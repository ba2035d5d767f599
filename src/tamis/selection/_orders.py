"""Orders of columns by their scores, and paths cut from them; no scikit-learn, so that results open
at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._core.interfaces import Ranking

SAMPLED_STEP = 16  # scores of which one is looked at first


def order_of(scores: np.ndarray, most: int | None = None) -> np.ndarray:
    """Columns from the best score down, ties to the lower column.

    With `most`, only the first `most` of that order (a partition, not a full sort).

    Examples
    --------
    >>> order_of(np.array([1.0, 3.0, 3.0, 2.0]), most=3)
    array([1, 2, 3])
    """
    p = len(scores)
    if most is None or most >= p:
        return np.argsort(-scores, kind="stable")
    if most < 1:
        return np.zeros(0, dtype=np.intp)
    found = np.flatnonzero(scores >= _lower_bound(scores, most))
    if len(found) < most:
        found = np.flatnonzero(scores >= np.partition(scores, p - most)[p - most])
    return found[np.argsort(-scores[found], kind="stable")[:most]]


def _lower_bound(scores: np.ndarray, most: int) -> float:
    """A value that about the `most` largest scores, and few others, reach; from every 16th."""
    some = scores[::SAMPLED_STEP]
    # of these: few orders need more
    enough = most // SAMPLED_STEP + 3 * int(np.sqrt(most / SAMPLED_STEP)) + 3
    return float(np.partition(some, -enough)[-enough]) if enough < len(some) else np.inf


def largest_values(scores: np.ndarray, most: int, margin: float) -> tuple[float, np.ndarray]:
    """The `most`-th largest of scores of 0 or more, and which are at least that less a share of
    `margin`, rising.

    Examples
    --------
    >>> largest_values(np.array([1.0, 3.0, 2.0, 0.999]), 3, 0.01)
    (1.0, array([0, 1, 2, 3]))
    """
    bound = _lower_bound(scores, most)
    found = np.flatnonzero(scores >= bound * (1 - margin))
    values = scores[found] if len(found) >= most else scores
    least = float(np.partition(values, len(values) - most)[len(values) - most])
    if least < bound:  # some of them are not among those found
        return least, np.flatnonzero(scores >= least * (1 - margin))
    return least, found[values >= least * (1 - margin)]


class NestedPath(dict[int, np.ndarray]):
    """The path of a `Ranking` whose sizes all are leading columns of one order.

    Attributes
    ----------
    order : ndarray
    """

    def __init__(self, order: np.ndarray, sizes: Sequence[int]):
        super().__init__({int(k): order[:k] for k in sizes})
        self.order = order


def cut_order(order: np.ndarray, sizes: Sequence[int]) -> NestedPath:
    """The nested path of an order; a size past its end gives all of it."""
    return NestedPath(order, sizes)


def nested_ranking(scores: np.ndarray, sizes: Sequence[int]) -> Ranking:
    """A ranking whose path is cut from the order of the scores."""
    if (holes := np.isnan(scores)).any():
        scores = np.where(holes, -np.inf, scores)
    return Ranking(scores, cut_order(order_of(scores, max(sizes, default=0)), sizes))
