"""Mass transportation distance of a pair of discrete features, and their interaction."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.errors import DataError, listed_names
from ..._core.first_screen import FirstScreen

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class PairDistance(FirstScreen):
    """What a pair of discrete features says about two classes; ``float()`` gives the score.

    Attributes
    ----------
    score : float
        2 W1 between the classes on the grid of both features' values, Hamming distance;
        0 to 4, on the scale of a single feature's ``mtd``. NaN if fewer than two classes
        have a complete sample.
    interaction : float
        ``score - sum(singles)``, never negative: 0 where the pair says no more than its
        features one by one.
    singles : tuple of two floats
        The features' own scores 2 TV (0 to 2), on the same samples.
    n : int
        Samples complete in both features (all classes).
    classes : tuple of two labels, or None
        The two classes compared.
    """

    score: float
    interaction: float
    singles: tuple[float, float]
    n: int
    classes: tuple[Any, Any] | None = None

    def __float__(self) -> float:
        return self.score

    def to_dict(self) -> dict[str, object]:
        """Plain numbers, for JSON."""
        return {
            "score": self.score,
            "interaction": self.interaction,
            "singles": list(self.singles),
            "n": self.n,
            "classes": None if self.classes is None else [str(c) for c in self.classes],
        }

    def frame(self) -> pd.DataFrame:
        """One row."""
        import pandas as pd

        row = self.to_dict()
        del row["singles"]
        row["single_1"], row["single_2"] = self.singles
        row["classes"] = " / ".join(map(str, self.classes or ()))
        return pd.DataFrame([row])

    def summary(self) -> str:
        """One line."""
        alone = " and ".join(f"{s:.3f}" for s in self.singles)
        return (
            f"pair {self.score:.3f}, alone {alone}, interaction {self.interaction:.3f} "
            f"({self.n:,} complete samples)"
        )


def pair_mtd(x1, x2, y) -> PairDistance:
    """Exact mass transportation distance of a pair of discrete features between the classes.

    W1 between the class distributions on the product of the two sets of values, under the
    Hamming distance (0, 1 or 2 features differ), by a closed form that is exact on any grid
    (see ``kernels/pair_transport.py``). All sums are integers, so the interaction is never
    negative by rounding. ``max(TV, TV_1 + TV_2) <= W1 <= 2 TV``, TV the total variation
    distance on the grid.

    Parameters
    ----------
    x1, x2 : array-like of shape (n_samples,)
        Values of the two features: numbers, words, or any hashable codes. None and NaN are
        missing; only samples complete in both count, also for `singles`.
    y : array-like of shape (n_samples,)
        Class labels. With more than two, the pair of classes that is farthest apart counts
        (the first of equals), and all numbers are those of that pair.

    Returns
    -------
    PairDistance
        With ``score``, ``interaction``, ``singles``, ``n``, ``classes``.

    Raises
    ------
    DataError
        Lengths differ, a label is missing, there is only one class, or both features have
        more than 20 levels (the time doubles with each level of the smaller one).

    Examples
    --------
    Exclusive or: neither feature says anything alone.

    >>> from tamis.interactions import pair_mtd
    >>> found = pair_mtd([0, 0, 1, 1], [0, 1, 0, 1], ["a", "b", "b", "a"])
    >>> found.score, found.interaction, found.singles
    (2.0, 2.0, (0.0, 0.0))
    """
    for name, value in (("x1", x1), ("x2", x2), ("y", y)):
        if getattr(value, "ndim", 1) != 1:
            raise DataError(f"{name} must be one column of values; it has shape {np.shape(value)}")
    (first, _), (second, _), (codes, labels) = _level_codes(x1), _level_codes(x2), _level_codes(y)
    if not len(first) == len(second) == len(codes):
        raise DataError(
            f"x1, x2 and y have {len(first)}, {len(second)} and {len(codes)} entries: "
            "give one of each for every sample"
        )
    if (codes < 0).any():
        raise DataError(f"y[{int((codes < 0).argmax())}] is missing: leave unlabelled samples out")
    if len(labels) < 2:
        raise DataError(
            f"y has only one class, {listed_names(labels)}: pair_mtd compares two or more"
        )
    return coded_distance(first, second, codes, labels)


def coded_distance(
    first: np.ndarray, second: np.ndarray, codes: np.ndarray, labels: Sequence[Any]
) -> PairDistance:
    """`pair_mtd` of level codes, -1 missing, and class codes, those of `labels`; each (n,)."""
    from ...kernels.pair_transport import MOST_LEVELS

    complete = (first >= 0) & (second >= 0)
    first, second = _dense_codes(first[complete]), _dense_codes(second[complete])
    codes = codes[complete]
    rows, columns = (int(x.max(initial=-1)) + 1 for x in (first, second))
    if min(rows, columns) > MOST_LEVELS:
        raise DataError(
            f"x1 has {rows} levels and x2 has {columns}: pair_mtd is exact up to {MOST_LEVELS} "
            "levels of the smaller one; merge levels or discretise first"
        )
    shape = (len(labels), rows, columns)
    cells = (codes * rows + first) * columns + second
    return counted_distance(np.bincount(cells, minlength=math.prod(shape)).reshape(shape), labels)


def counted_distance(counts: np.ndarray, labels: Sequence[Any]) -> PairDistance:
    """`pair_mtd` of how often each class has each pair of levels (classes, rows, columns) int64."""
    from ...kernels.pair_transport import grid_transport

    rows, columns = counts.shape[1:]
    best = PairDistance(np.nan, np.nan, (np.nan, np.nan), int(counts.sum()))
    for a, b in combinations(np.flatnonzero(counts.any(axis=(1, 2))).tolist(), 2):
        total_a, total_b = int(counts[a].sum()), int(counts[b].sum())
        unit = total_a * total_b
        gap = counts[a] * total_b - counts[b] * total_a
        _, transport = grid_transport(gap if rows <= columns else np.ascontiguousarray(gap.T))
        # |sums over a line| add up to twice the single feature's TV, that is its own score
        singles = [int(np.abs(gap.sum(axis=axis)).sum()) for axis in (1, 0)]
        if not transport / unit <= best.score:
            best = PairDistance(
                transport / unit,
                (transport - sum(singles)) / unit,
                (singles[0] / unit, singles[1] / unit),
                best.n,
                (labels[a], labels[b]),
            )
    return best


def _level_codes(values: Iterable[Any]) -> tuple[np.ndarray, list[Any]]:
    """Codes by first appearance among sorted (else met) values, -1 for missing, and values."""
    array = np.asarray(values) if hasattr(values, "dtype") else None
    if array is not None and array.dtype.kind in "bif" and array.ndim == 1:
        levels, codes = np.unique(array, return_inverse=True)
        missing = np.isnan(array)
        return np.where(missing, -1, codes), levels[~np.isnan(levels)].tolist()
    items = list(values)
    try:
        seen = {v: 0 for v in items if not _is_missing(v)}
    except (TypeError, ValueError) as error:
        raise DataError("pair_mtd takes one value a sample, not lists or arrays") from error
    try:
        ordered = sorted(seen)
    except TypeError:  # values of several kinds keep the order in which they are met
        ordered = list(seen)
    place = {v: k for k, v in enumerate(ordered)}
    placed = [-1 if _is_missing(v) else place[v] for v in items]
    return np.array(placed, dtype=np.int64), ordered


def _is_missing(value: Any) -> bool:
    """None, NaN, and pandas' NA and NaT, none of which is known to equal itself."""
    try:
        return value is None or not bool(value == value)
    except TypeError:  # the truth of NA is not known either
        return True


def _dense_codes(codes: np.ndarray) -> np.ndarray:
    """Codes of the levels that occur, 0 to their number less one."""
    return (np.cumsum(np.bincount(codes) > 0) - 1)[codes]
