"""Precision, recall and F1 of a mapping from counts, with intervals.

A mapping M and a reference R share tp pairs; fp are in M alone, fn in R alone. What is estimated
is what the matcher would do on further classes like these.

- precision = tp / (tp + fp) is a share of the pairs of M, recall = tp / (tp + fn) of those of R:
  limits of Clopper and Pearson. Pairs that share a class are not independent: n pairs in groups of
  n_g, joined by common classes, count as n^2 / sum n_g^2 (Kish), which is n if M and R are
  one-to-one.
- F1 = 2 tp / (2 tp + fp + fn) = tp / D, D the mean size of M and R. Errors of the two kinds come
  together: a class mapped to a wrong partner is in both. With t_g right pairs and k_g errors in
  group g of M and R joined, gamma = sum t_g^2 / sum t_g and kappa = sum k_g^2 / sum k_g,
  linearisation gives Var(F1) = F1 (1 - F1) (gamma (1 - F1) + kappa F1 / 2) / D, the variance of a
  share of D / (gamma (1 - F1) + kappa F1 / 2) pairs, whose limits are taken. One to one, gamma is
  1, and kappa 1 where errors are single and 2 where each wrong pair is a missed one as well. Few
  errors estimate kappa badly, so a wrong and a missed group of the usual size, together, are added.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass

import numpy as np

from ..metrics.intervals import INTERVAL_LEVEL, share_limits

Pair = tuple[str, str]


@dataclass(frozen=True)
class Estimate:
    """A number with its interval; NaN where undefined."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Counts:
    """What precision, recall and F1 are made of; counts of several mappings add up.

    Attributes
    ----------
    true_positive, false_positive, false_negative : int
    found_squares, reference_squares : int
        Sum of n_g^2 over groups of pairs of M, and of R, that share classes.
    right_squares, error_squares : int
        Sums of t_g^2 and k_g^2 over groups of M and R together: right pairs, and errors, in one.
    """

    true_positive: int = 0
    false_positive: int = 0
    false_negative: int = 0
    found_squares: int = 0
    reference_squares: int = 0
    right_squares: int = 0
    error_squares: int = 0

    @classmethod
    def of(cls, found: Iterable[Pair], reference: Iterable[Pair]) -> Counts:
        """Of two sets of pairs.

        Examples
        --------
        >>> Counts.of([("a", "x"), ("b", "y")], [("a", "x"), ("b", "z")])
        Counts(true_positive=1, false_positive=1, false_negative=1, found_squares=2, \
reference_squares=2, right_squares=1, error_squares=4)
        """
        found, reference = set(found), set(reference)
        group = groups_of([*found, *reference])
        return cls(
            len(found & reference),
            len(found - reference),
            len(reference - found),
            _squared_group_sizes(found, groups_of(found)),
            _squared_group_sizes(reference, groups_of(reference)),
            _squared_group_sizes(found & reference, group),
            _squared_group_sizes(found ^ reference, group),
        )

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def n_found(self) -> int:
        """Pairs of the mapping."""
        return self.true_positive + self.false_positive

    @property
    def n_reference(self) -> int:
        """Pairs of the reference."""
        return self.true_positive + self.false_negative

    def precision(self, level: float = INTERVAL_LEVEL) -> Estimate:
        """Share of the mapping that is in the reference."""
        return _share_estimate(
            self.true_positive,
            self.n_found,
            _kish_effective_size(self.n_found, self.found_squares),
            level,
        )

    def recall(self, level: float = INTERVAL_LEVEL) -> Estimate:
        """Share of the reference that is in the mapping."""
        n = self.n_reference
        return _share_estimate(
            self.true_positive, n, _kish_effective_size(n, self.reference_squares), level
        )

    def f1(self, level: float = INTERVAL_LEVEL) -> Estimate:
        """Harmonic mean of precision and recall; NaN if both sets are empty."""
        D = (self.n_found + self.n_reference) / 2
        if D == 0:
            return _share_estimate(0, 0, 0, level)
        value = self.true_positive / D
        errors = self.false_positive + self.false_negative
        usual = max(
            1.0,
            _mean_group_size(self.reference_squares, self.n_reference),
            _mean_group_size(self.right_squares, self.true_positive),
        )
        gamma = _mean_group_size(self.right_squares, self.true_positive) or usual
        kappa = (self.error_squares + (2 * usual) ** 2) / (errors + 2 * usual)
        units = D / (gamma * (1 - value) + kappa * value / 2)
        return _share_estimate(self.true_positive, D, units, level)


def groups_of(pairs: Iterable[Pair]) -> dict[Pair, int]:
    """Number of the group of each pair: those joined by a class are in one.

    Examples
    --------
    >>> list(groups_of([("a", "x"), ("b", "y"), ("b", "x"), ("c", "z")]).values())
    [0, 0, 0, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = list(dict.fromkeys(pairs))
    if not pairs:
        return {}
    sources, targets = (
        {name: k for k, name in enumerate(dict.fromkeys(side))} for side in zip(*pairs, strict=True)
    )
    rows = np.array([sources[a] for a, _ in pairs])
    columns = np.array([targets[b] for _, b in pairs]) + len(sources)
    n = len(sources) + len(targets)
    graph = coo_array((np.ones(len(pairs), dtype=np.int8), (rows, columns)), shape=(n, n))
    _, labels = connected_components(graph, directed=False)
    first = {label: k for k, label in enumerate(dict.fromkeys(labels[rows].tolist()))}
    return {pair: first[label] for pair, label in zip(pairs, labels[rows].tolist(), strict=True)}


def _squared_group_sizes(pairs: Iterable[Pair], group: dict[Pair, int]) -> int:
    return sum(n * n for n in Counter(group[pair] for pair in pairs).values())


def _mean_group_size(squares: int, n: int) -> float:
    """Mean size of the group of a pair; 0 if there is none."""
    return squares / n if n else 0.0


def _kish_effective_size(n: int, squares: int) -> float:
    """Independent pairs that n count for."""
    return n * n / squares if squares else 0.0


def _share_estimate(hits: float, n: float, units: float, level: float) -> Estimate:
    """A share with limits of Clopper and Pearson, of a number of independent trials."""
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan)
    value = hits / n
    low, high = share_limits(np.array([value]), np.array([units]), exact=True, level=level)
    return Estimate(value, float(low[0]), float(high[0]))
