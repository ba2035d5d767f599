"""What each similarity says for or against a match: its weight of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Weight(NamedTuple):
    """Of one similarity of one pair.

    Attributes
    ----------
    name : str
    value : float or None
        None where the similarity is undefined.
    weight : float
        log2 of how many times as often a match has such a value as another pair.
    """

    name: str
    value: float | None
    weight: float


@dataclass(frozen=True, eq=False)
class Evidence:
    """Counts of labelled pairs by intervals of each similarity.

    The weight of evidence (Good 1950) of a value is log2 P(interval | match) / P(interval | none),
    each share with half a pair added. It looks at one similarity by itself, whatever the learner:
    it explains, and does not add up to the probability where similarities depend on each other.

    Attributes
    ----------
    names : tuple of str
    cuts : tuple of ndarray
        Cut points of each similarity, by MDL; an interval holds its upper end.
    weights : tuple of ndarray
        Of each interval, then of missing values.
    """

    names: tuple[str, ...]
    cuts: tuple[np.ndarray, ...]
    weights: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, X: np.ndarray, truth: np.ndarray, names: Sequence[str]) -> Evidence:
        """From similarities (n, p) and whether each pair is a match."""
        from ..classifiers.aode.columns import mdl_cuts_of

        cuts, weights = [], []
        X, y = X.astype(np.float64), truth.astype(np.int64)
        for at, cut in mdl_cuts_of(X, y, 2, np.arange(X.shape[1])).items():
            column = X[:, at]
            known = ~np.isnan(column)
            code = np.where(known, np.searchsorted(cut, column), len(cut) + 1)
            shares = [
                (np.bincount(code[truth == yes], minlength=len(cut) + 2) + 0.5)
                / (np.count_nonzero(truth == yes) + 0.5 * (len(cut) + 2))
                for yes in (True, False)
            ]
            cuts.append(cut)
            weights.append(np.log2(shares[0] / shares[1]))
        return cls(tuple(names), tuple(cuts), tuple(weights))

    def about(self, x: np.ndarray) -> list[Weight]:
        """Of the similarities (p,) of one pair, the weightiest first."""
        found = []
        for name, value, cut, weight in zip(self.names, x, self.cuts, self.weights, strict=True):
            missing = bool(np.isnan(value))
            code = len(cut) + 1 if missing else int(np.searchsorted(cut, value))
            rounded = None if missing else round(float(value), 4)
            found.append(Weight(name, rounded, round(float(weight[code]), 2)))
        return sorted(found, key=lambda one: -abs(one.weight))
