"""Of two classes: the positive one from a threshold of its score on.

The score is the margin where a classifier decides by one, else the log odds of its probabilities.
Thresholds are learnt from inner beliefs, one row a sample: by a rule on the operating points
(sensitivity, specificity, counts) that each threshold has there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from scipy.special import expit

from ..._core.arrays import bounded_array, fitting_arrays, unbounded_number, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Decided, Decision
from .rest_scores import rest_scores

ALL_POSITIVE = -math.inf  # all samples are called positive
NONE_POSITIVE = math.inf


@dataclass(frozen=True)
class OperatingPoints:
    """What each threshold comes to on some samples.

    Attributes
    ----------
    thresholds : ndarray of shape (k,)
        Falling, from infinity (nobody is positive) to minus infinity (everybody is); between two
        neighbouring scores half way.
    true_positives, false_positives : ndarray of shape (k,)
    positives, negatives : float
        Samples, or the sum of their weights.
    """

    thresholds: np.ndarray
    true_positives: np.ndarray
    false_positives: np.ndarray
    positives: float
    negatives: float

    @classmethod
    def of(
        cls, scores: np.ndarray, positive: np.ndarray, weights: np.ndarray | float = 1.0
    ) -> OperatingPoints:
        """From scores (n,), who is positive (n,) and what a sample counts."""
        points, place = np.unique(scores, return_inverse=True)
        hits = np.bincount(place, positive * weights, len(points))[::-1]
        alarms = np.bincount(place, ~positive * weights, len(points))[::-1]
        upper, lower = points[:0:-1], points[-2::-1]
        between = lower + (upper - lower) / 2
        between = np.where(between > lower, between, upper)  # neighbours among numbers
        return cls(
            np.concatenate([[NONE_POSITIVE], between, [ALL_POSITIVE]]),
            np.concatenate([[0.0], np.cumsum(hits)]),
            np.concatenate([[0.0], np.cumsum(alarms)]),
            float(hits.sum()),
            float(alarms.sum()),
        )

    @property
    def sensitivity(self) -> np.ndarray:
        """Share of the positives called so."""
        return self.true_positives / max(self.positives, 1)

    @property
    def specificity(self) -> np.ndarray:
        """Share of the negatives called so."""
        return 1 - self.false_positives / max(self.negatives, 1)


@dataclass(frozen=True)
class Threshold(Decision):
    """Calls a sample positive whose score reaches the threshold; a rule says how that is learnt.

    Attributes
    ----------
    threshold : float
        Of the score: log odds, or the margin of the positive class less that of the other.
    of_margin : bool
        Which of these it was learnt from.
    """

    threshold: float = 0.0
    of_margin: bool = False

    by_distance: ClassVar[bool] = True
    learns: ClassVar[bool] = True

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """By the rule, on inner beliefs and class codes."""
        threshold = float(self.chosen(beliefs, y))
        return replace(self, threshold=threshold, of_margin=beliefs.margin is not None)

    def chosen(self, beliefs: Beliefs, y: np.ndarray) -> float:
        """The threshold that the rule takes."""
        raise NotImplementedError

    def decide(self, beliefs: Beliefs) -> Decided:
        """Every sample is accepted."""
        codes = (rest_scores(beliefs)[:, 0] >= self.threshold).astype(np.int64)
        return Decided(codes, np.ones(len(codes), dtype=bool), beliefs)

    def distance(self, beliefs: Beliefs) -> np.ndarray:
        """Of the score from the threshold."""
        return np.abs(rest_scores(beliefs)[:, 0] - self.threshold)

    @property
    def probability(self) -> float | None:
        """The threshold as a probability of the positive class; None of a margin."""
        return None if self.of_margin else float(expit(self.threshold))

    def report_text(self, names: Sequence[str]) -> str:
        """From where on the positive class is called."""
        if math.isinf(self.threshold):
            return f"every sample is called {names[int(self.threshold < 0)]}"
        at = self.probability
        score = (
            f"a probability of {at:.3g}" if at is not None else f"a margin of {self.threshold:.3g}"
        )
        return f"{names[1]} from {score} on"

    def to_arrays(self) -> Arrays:
        """The threshold."""
        return {"threshold": bounded_array(self.threshold)}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From the threshold."""
        (threshold,) = fitting_arrays(arrays, threshold=(1,))
        if n_classes != 2:
            raise unfit_part_error("threshold")
        return replace(self, threshold=unbounded_number(float(threshold[0])))


def best_threshold(values: np.ndarray, thresholds: np.ndarray) -> float:
    """That of the largest value; of equal ones the middle, where the choice is least on edge."""
    best = np.flatnonzero(values >= values.max() - 1e-12 * max(1.0, abs(values.max())))
    return float(thresholds[best[(len(best) - 1) // 2]])
