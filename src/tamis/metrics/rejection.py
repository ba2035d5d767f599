"""What declining the least certain samples comes to, at every threshold of certainty."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Rejections:
    """Thresholds of certainty, and what declining the samples below each would have come to.

    Attributes
    ----------
    thresholds : ndarray of shape (k,)
        Rising, half way between neighbouring certainties; the first, minus infinity, declines
        nobody. Declining everybody is none of them.
    declined, wrong : ndarray of shape (k,) of int
        Samples declined, and how many of them were predicted wrong (the source's a + b and a).
    n, errors : int
        All samples, and all that were predicted wrong (a + c).

    Examples
    --------
    >>> found = Rejections.of([0.1, 0.2, 0.5, 0.9], [True, False, True, False])
    >>> found.error, found.declined_error, found.f(1.0)
    (array([0.5       , 0.33333333, 0.5       , 0.        ]), \
array([       nan, 1.        , 0.5       , 0.66666667]), \
array([0.        , 0.66666667, 0.5       , 0.8       ]))
    """

    thresholds: np.ndarray
    declined: np.ndarray
    wrong: np.ndarray
    n: int
    errors: int

    @classmethod
    def of(cls, certainty: np.ndarray, wrong: np.ndarray) -> Rejections:
        """From the certainty of each sample (n,) and whether it was predicted wrong (n,)."""
        points, place = np.unique(np.asarray(certainty, dtype=np.float64), return_inverse=True)
        flags = np.asarray(wrong, dtype=bool)
        counts = np.bincount(place, minlength=len(points))
        failed = np.bincount(place, flags, len(points)).astype(np.int64)
        lower, upper = points[:-1], points[1:]
        with np.errstate(invalid="ignore"):  # from minus infinity to infinity
            between = lower / 2 + upper / 2  # halved first: their sum may be no number
        between = np.where(between > lower, between, upper)  # neighbours among numbers
        return cls(
            np.concatenate([[-np.inf], between]),
            np.concatenate([[0], np.cumsum(counts)[:-1]]),
            np.concatenate([[0], np.cumsum(failed)[:-1]]),
            len(flags),
            int(flags.sum()),
        )

    def up_to(self, share: float | None) -> Rejections:
        """Those that decline at most a share of the samples; None: all."""
        if share is None:
            return self
        kept = self.declined <= share * self.n + 1e-9
        thresholds, declined, wrong = (
            a[kept] for a in (self.thresholds, self.declined, self.wrong)
        )
        return Rejections(thresholds, declined, wrong, self.n, self.errors)

    @property
    def coverage(self) -> np.ndarray:
        """Share of the samples that are given a class."""
        return 1 - self.declined / self.n

    @property
    def error(self) -> np.ndarray:
        """Share of those that are predicted wrong."""
        return (self.errors - self.wrong) / (self.n - self.declined)

    @property
    def declined_error(self) -> np.ndarray:
        """Share of the samples declined that would have been predicted wrong: the precision of
        declining; NaN where no sample is declined."""
        nobody = np.full(len(self.declined), np.nan)
        return np.divide(self.wrong, self.declined, out=nobody, where=self.declined > 0)

    @property
    def recall(self) -> np.ndarray:
        """Share of the errors that is declined; 0 without errors."""
        return self.wrong / max(self.errors, 1)

    def f(self, beta: float = 1.0) -> np.ndarray:
        """F_beta of precision and recall, (1 + beta^2) a / (beta^2 (a + c) + (a + b))."""
        square = beta * beta
        total = square * self.errors + self.declined
        return (1 + square) * self.wrong / np.where(total > 0, total, 1)

    @cached_property
    def log_tails(self) -> np.ndarray:
        """Of Fisher's exact test: log P(X >= a), X the errors among as many drawn at random."""
        from ..kernels.rejection import log_tails

        return log_tails(self.n, self.errors, self.declined, self.wrong)

    @cached_property
    def p_value(self) -> float:
        """Of errors that have no place of their own: how often, in a random order of them, some
        threshold has as small a tail as the least one here. Exact, and 1 without a candidate."""
        from ..kernels.rejection import chance_of_tail

        if len(self.declined) < 2 or not self.errors:
            return 1.0
        return chance_of_tail(self.n, self.errors, self.declined[1:], self.log_tails.min())

    def best(self, values: np.ndarray) -> int:
        """Where they are largest; of equal ones where the fewest are declined."""
        most = values.max()
        return int(np.flatnonzero(values >= most - 1e-12 * max(1.0, abs(most)))[0])


def gathering_p_value(certainty: np.ndarray, wrong: np.ndarray, codes: np.ndarray) -> float:
    """Of errors that have no place of their own among the predictions of each class.

    A rarer class is both predicted with less certainty and wrong more often, so that errors
    gather among uncertain samples even where certainty says nothing more: each predicted class is
    tested by itself (`Rejections.p_value`), and the p-values, independent then, are combined by
    Fisher's method, -2 sum log p. Classes of which no prediction, or every one, is wrong say
    nothing.

    Parameters
    ----------
    certainty : ndarray of shape (n,)
    wrong : ndarray of shape (n,) of bool
    codes : ndarray of shape (n,) of int
        Predicted.

    Examples
    --------
    >>> certainty = np.arange(40.0)
    >>> gathering_p_value(certainty, certainty < 6, np.arange(40) % 2) < 1e-4
    True
    """
    from scipy.stats import chi2

    p_values = []
    for code in np.unique(codes):
        own = codes == code
        if 0 < wrong[own].sum() < own.sum():
            p_values.append(Rejections.of(certainty[own], wrong[own]).p_value)
    if not p_values:
        return 1.0
    logs = np.log(np.maximum(p_values, np.finfo(np.float64).tiny))
    return float(chi2.sf(-2 * logs.sum(), 2 * len(p_values)))
