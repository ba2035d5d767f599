"""A threshold at a target sensitivity or specificity, on samples held out or with confidence.

Without `confidence` the rate is reached on the inner samples themselves, as often missed as
reached on others. With it the threshold is the order statistic of the class's own scores below
which, with that confidence, no more than the share allowed of further samples lie: of n scores the
k-th smallest may be taken if P(Binomial(n, 1 - at) <= k - 1) <= 1 - confidence. This is the
distribution-free bound of Clopper and Pearson (Tong, Feng & Li 2018), which risk control comes to
where the risk is monotone in one threshold (Angelopoulos et al. 2021).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ..._core.interfaces import Beliefs
from .rest_scores import rest_scores
from .threshold import ALL_POSITIVE, Threshold


@dataclass(frozen=True)
class TargetRate(Threshold):
    """Attributes
    ----------
    at : float
        The rate, in (0, 1).
    confidence : float or None
        With which it is to hold for further samples.
    """

    at: float = 0.9
    confidence: float | None = None
    n: int = 0  # samples of the class, to which it was fitted

    own: ClassVar[int] = 1  # the class
    pools: ClassVar[bool] = True  # means over repeats would spread less than what one model says

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """The threshold, and of how many samples."""
        return replace(super().fit(beliefs, y), n=self._members(beliefs, y))

    def _members(self, beliefs: Beliefs, y: np.ndarray) -> int:
        """Different samples of the class."""
        mine = y == self.own
        return int(mine.sum() if beliefs.samples is None else len(np.unique(beliefs.samples[mine])))

    def chosen(self, beliefs: Beliefs, y: np.ndarray) -> float:
        """A score of the class; the beliefs of several repeats stand side by side."""
        sign, n = (1 if self.own else -1), self._members(beliefs, y)
        scores = np.sort(sign * rest_scores(beliefs)[y == self.own, 0])
        if self.confidence is None:
            place = order_statistic(len(scores), self.at, None)
        else:
            place = order_statistic(n, self.at, self.confidence) * len(scores) // n
        threshold = sign * float(scores[place - 1]) if place else sign * ALL_POSITIVE
        if not self.own and place:
            threshold = float(np.nextafter(threshold, np.inf))  # that score itself is negative
        return threshold

    def report_text(self, names: Sequence[str]) -> str:
        """The threshold, and what is said of further samples."""
        if self.confidence is None or not order_statistic(self.n, self.at, self.confidence):
            return super().report_text(names)
        return (
            f"{super().report_text(names)}; with confidence {self.confidence:g} at least "
            f"{self.at:.4g} of "
            f"further {names[self.own]} samples are called so, if their scores are spread as those "
            f"of the {self.n} held out inside"
        )

    def doubt(self, names: Sequence[str], grouped: bool) -> str:
        """Too few samples of the class, or samples that come in groups."""
        if self.confidence is None:
            return ""
        name, wish = names[self.own], f"with confidence {self.confidence:g} that {self.at:.4g}"
        if not order_statistic(self.n, self.at, self.confidence):
            need = math.ceil(math.log(1 - self.confidence) / math.log(self.at))
            return (
                f"{self.n} samples of {name} are too few to say {wish} of others are called so "
                f"({need} are needed): every sample is called {name}"
            )
        if grouped:
            return (
                f"samples come in groups, so fewer than {self.n} stand behind saying {wish} of "
                f"{name} are called so: it may fall short more often"
            )
        return ""


@dataclass(frozen=True)
class TargetSensitivity(TargetRate):
    """The highest threshold at which positives are called so at the target rate; minus infinity
    where too few allow a statement."""


@dataclass(frozen=True)
class TargetSpecificity(TargetRate):
    """The lowest threshold at which negatives are called so at the target rate; infinity where too
    few allow a statement."""

    own: ClassVar[int] = 0


def order_statistic(n: int, at: float, confidence: float | None) -> int:
    """Which of n scores in rising order may be the threshold: 1 to n, 0 if none may.

    Examples
    --------
    >>> order_statistic(100, 0.9, None)  # ten may lie below
    11
    >>> order_statistic(100, 0.9, 0.95), order_statistic(28, 0.9, 0.95)
    (5, 0)
    """
    if confidence is None:
        return min(n, int(np.floor(n * (1 - at) + 1e-9)) + 1)
    from scipy.stats import binom

    k = np.arange(1, n + 1)
    allowed = binom.cdf(k - 1, n, 1 - at) <= 1 - confidence
    return int(np.count_nonzero(allowed))
