"""Recalibration: probabilities that mean what they say, and the likeliest class by them.

What Platt's sigmoid, isotonic regression and temperature scaling share. They are fitted to inner
beliefs, one row a sample. With more than two classes the first two are fitted for each against
the rest and brought to a sum of 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from ..._core.interfaces import Beliefs, Decided, Decision


def rest_scores(beliefs: Beliefs) -> np.ndarray:
    """Of each class against the best of the others (m, C); of two classes the latter's (m, 1)."""
    scores = beliefs.scores
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


class Recalibrated(Decision):
    """The likeliest class of recalibrated probabilities; every sample is accepted."""

    learns: ClassVar[bool] = True

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """Probabilities (m, C) in place of the classifier's own."""
        raise NotImplementedError

    def decide(self, beliefs: Beliefs) -> Decided:
        """By the recalibrated probabilities."""
        proba = self.recalibrated(beliefs)
        told = replace(beliefs, proba=proba, margin=None)
        return Decided(proba.argmax(axis=1), np.ones(len(proba), dtype=bool), told)
