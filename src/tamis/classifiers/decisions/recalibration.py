"""Recalibration: probabilities that mean what they say, and the likeliest class by them.

Fitted to inner beliefs, one row a sample. Platt (1999): a sigmoid of the margin, with his
smoothed targets; isotonic regression (Zadrozny & Elkan 2002): any rising step function;
temperature scaling (Guo et al. 2017): one slope for all classes. With more than two classes the
first two are fitted for each against the rest and brought to a sum of 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import expit

from ..._core.arrays import fitting, unfit
from ..._core.interfaces import Arrays, Beliefs, Decided
from ..temperature_scaling import fit_slope, softmax

LEAST = 1e-300  # a probability of 0 still has a logarithm


def class_scores(beliefs: Beliefs) -> np.ndarray:
    """Scores of the classes (m, C): margins, or the logarithms of the probabilities."""
    if beliefs.margin is not None:
        return beliefs.margin
    return np.log(np.maximum(beliefs.proba, LEAST))


def rest_scores(beliefs: Beliefs) -> np.ndarray:
    """Of each class against the best of the others (m, C); of two classes the latter's (m, 1)."""
    scores = class_scores(beliefs)
    if scores.shape[1] == 2:
        return scores[:, 1:] - scores[:, :1]
    order = np.sort(scores, axis=1)
    best, second = order[:, -1:], order[:, -2:-1]
    return scores - np.where(scores == best, second, best)


def in_shares(positive: np.ndarray) -> np.ndarray:
    """Probabilities of the classes from those of each against the rest, (m, C)."""
    if positive.shape[1] == 1:
        return np.hstack([1 - positive, positive])
    total = positive.sum(axis=1, keepdims=True)
    even = np.full_like(positive, 1 / positive.shape[1])
    return np.divide(positive, total, out=even, where=total > 0)


class Recalibrated:
    """The likeliest class of recalibrated probabilities; every sample is accepted."""

    learns: ClassVar[bool] = True
    declines: ClassVar[bool] = False

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """Probabilities (m, C) in place of the classifier's own."""
        raise NotImplementedError

    def decide(self, beliefs: Beliefs) -> Decided:
        """By the recalibrated probabilities."""
        proba = self.recalibrated(beliefs)
        told = Beliefs(proba, None, beliefs.novelty, beliefs.samples)
        return Decided(proba.argmax(axis=1), np.ones(len(proba), dtype=bool), told)


@dataclass(frozen=True)
class Platt(Recalibrated):
    """1 / (1 + exp(-(a f + b))), a >= 0, for each class (of two: the latter).

    Attributes
    ----------
    sigmoid : ndarray of shape (1 or C, 2)
        a and b.
    """

    sigmoid: np.ndarray | None = None

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """By Newton's method on the cross-entropy with Platt's targets."""
        scores = rest_scores(beliefs)
        first = 1 if scores.shape[1] == 1 else 0
        fitted = [fit_sigmoid(f, y == c) for c, f in enumerate(scores.T, first)]
        return type(self)(np.array(fitted))

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """By the sigmoids."""
        assert self.sigmoid is not None
        return in_shares(expit(rest_scores(beliefs) * self.sigmoid[:, 0] + self.sigmoid[:, 1]))

    def to_arrays(self) -> Arrays:
        """a and b."""
        assert self.sigmoid is not None
        return {"sigmoid": self.sigmoid}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From a and b."""
        (sigmoid,) = fitting(arrays, sigmoid=(1 if n_classes == 2 else n_classes, 2))
        return type(self)(sigmoid)


def fit_sigmoid(scores: np.ndarray, positive: np.ndarray) -> tuple[float, float]:
    """a >= 0 and b of the least cross-entropy of sigmoid(a f + b) with Platt's targets.

    The targets are (N+ + 1)/(N+ + 2) and 1/(N- + 2), so that a stays finite where the classes
    are apart. The sum is convex; steps are halved until it falls.
    """
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    targets = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    size = float(np.abs(scores).max(initial=0.0)) or 1.0
    f = scores / size
    design = np.column_stack([f, np.ones(len(f))])

    def entropy(theta: np.ndarray) -> float:
        z = design @ theta
        return float((np.logaddexp(0, z) - targets * z).sum())

    theta = np.array([0.0, np.log((n_positive + 1) / (n_negative + 1))])
    value = entropy(theta)
    for _ in range(100):
        p = expit(design @ theta)
        slope = design.T @ (p - targets)
        bend = (design * (p * (1 - p))[:, None]).T @ design + 1e-12 * np.eye(2)
        step = np.linalg.solve(bend, slope)
        if np.abs(slope).max() <= 1e-10 * len(f):
            break
        pace = 1.0
        while entropy(theta - pace * step) > value and pace > 1e-10:
            pace /= 2
        theta = theta - pace * step
        value = entropy(theta)
    if theta[0] < 0:  # margins that say the wrong: the shares, not the reverse
        return 0.0, float(np.log((n_positive + 1) / (n_negative + 1)))
    return float(theta[0] / size), float(theta[1])


@dataclass(frozen=True)
class Isotonic(Recalibrated):
    """A rising function of the margin for each class, with straight lines between its steps.

    Attributes
    ----------
    knots : sequence of ndarray of shape (k, 2)
        Margins and the probabilities there, of each class (of two: the latter).
    """

    knots: Sequence[np.ndarray] = ()

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """By pooling adjacent violators."""
        scores = rest_scores(beliefs)
        first = 1 if scores.shape[1] == 1 else 0
        return type(self)(tuple(rising_knots(f, y == c) for c, f in enumerate(scores.T, first)))

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """Between the knots; beyond them, that of the last."""
        columns = zip(rest_scores(beliefs).T, self.knots, strict=True)
        return in_shares(np.column_stack([np.interp(f, *knots.T) for f, knots in columns]))

    def to_arrays(self) -> Arrays:
        """The knots of each class."""
        return {f"knots.{i}": knots for i, knots in enumerate(self.knots)}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From the knots."""
        count = 1 if n_classes == 2 else n_classes
        shapes: Any = {f"knots.{i}": (None, 2) for i in range(count)}
        knots = fitting(arrays, **shapes)
        for k in knots:
            rising = len(k) > 0 and (np.diff(k, axis=0) >= 0).all()
            if not rising or k[:, 1].min() < 0 or k[:, 1].max() > 1:
                raise unfit("knots")
        return type(self)(tuple(knots))


def rising_knots(scores: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """Where the rising function of least squares bends: scores and shares, (k, 2)."""
    from sklearn.isotonic import isotonic_regression

    points, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    shares = np.bincount(place, positive) / counts
    fitted = isotonic_regression(shares, sample_weight=counts.astype(float), y_min=0, y_max=1)
    level = np.diff(fitted) == 0  # inside a flat stretch only its ends are needed
    bends = np.ones(len(points), dtype=bool)
    bends[1:-1] = ~(level[1:] & level[:-1])
    return np.column_stack([points, fitted])[bends]


@dataclass(frozen=True)
class Temperature(Recalibrated):
    """softmax(a f), one a > 0 for all classes: the likeliest class stays what it was."""

    slope: float = 1.0

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """By Newton's method (`fit_slope`)."""
        scores = class_scores(beliefs)
        C = scores.shape[1]
        return type(self)(fit_slope(scores, y, np.ones(len(y)), C))

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """By the slope."""
        return softmax(self.slope * class_scores(beliefs))

    def to_arrays(self) -> Arrays:
        """The slope."""
        return {"slope": np.array([self.slope])}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From the slope."""
        (slope,) = fitting(arrays, slope=(1,))
        if slope[0] <= 0:
            raise unfit("slope")
        return type(self)(float(slope[0]))
