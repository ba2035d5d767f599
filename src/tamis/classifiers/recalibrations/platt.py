"""Platt's sigmoid of the margin (1999), with his smoothed targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import expit

from ..._core.arrays import fitting_arrays
from ..._core.interfaces import Arrays, Beliefs, Recalibration
from ..decisions.rest_scores import in_shares, rest_scores


@dataclass(frozen=True)
class Platt(Recalibration):
    """1 / (1 + exp(-(a f + b))), a >= 0, for each class (of two: the latter).

    Attributes
    ----------
    sigmoid : ndarray of shape (1 or C, 2)
        a and b.
    """

    sigmoid: np.ndarray | None = None

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """By Newton's method on the cross-entropy with Platt's targets."""
        return type(self)(fit_sigmoids(beliefs, y))

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
        (sigmoid,) = fitting_arrays(arrays, sigmoid=(1 if n_classes == 2 else n_classes, 2))
        return type(self)(sigmoid)


def fit_sigmoids(beliefs: Beliefs, y: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """a and b of each class against the rest, of two classes the latter's (1 or C, 2)."""
    scores = rest_scores(beliefs)
    first = 1 if scores.shape[1] == 1 else 0
    return np.array([fit_sigmoid(f, y == c, weights) for c, f in enumerate(scores.T, first)])


def fit_sigmoid(
    scores: np.ndarray, positive: np.ndarray, weights: np.ndarray | None = None
) -> tuple[float, float]:
    """`least_entropy` with a >= 0: margins that say the wrong get the mean of the targets, not the
    reverse."""
    a, b = least_entropy(scores, positive, weights)
    if a >= 0:
        return a, b
    w, targets = weights_and_targets(positive, weights)
    share = float(np.average(targets, weights=w))
    return 0.0, float(np.log(share / (1 - share)))


def weights_and_targets(
    positive: np.ndarray, weights: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """(N+ + 1)/(N+ + 2) and 1/(N- + 2), N the weight of the samples of a side, so that a stays
    finite where the classes are apart."""
    w = np.ones(len(positive)) if weights is None else weights
    n_positive, n_negative = float(w[positive].sum()), float(w[~positive].sum())
    return w, np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))


def least_entropy(
    scores: np.ndarray, positive: np.ndarray, weights: np.ndarray | None = None
) -> tuple[float, float]:
    """a and b of the least cross-entropy of sigmoid(a f + b) with Platt's targets, by Newton's
    method. The sum is convex; steps are halved until it falls."""
    w, targets = weights_and_targets(positive, weights)
    size = float(np.abs(scores).max(initial=0.0)) or 1.0
    f = scores / size
    design = np.column_stack([f, np.ones(len(f))])

    def cross_entropy(theta: np.ndarray) -> float:
        z = design @ theta
        return float((w * (np.logaddexp(0, z) - targets * z)).sum())

    theta = np.array([0.0, np.log((w[positive].sum() + 1) / (w[~positive].sum() + 1))])
    value = cross_entropy(theta)
    for _ in range(100):
        p = expit(design @ theta)
        slope = design.T @ (w * (p - targets))
        bend = (design * (w * p * (1 - p))[:, None]).T @ design + 1e-12 * np.eye(2)
        step = np.linalg.solve(bend, slope)
        if np.abs(slope).max() <= 1e-10 * w.sum():
            break
        pace = 1.0
        while cross_entropy(theta - pace * step) > value and pace > 1e-10:
            pace /= 2
        theta = theta - pace * step
        value = cross_entropy(theta)
    return float(theta[0] / size), float(theta[1])
