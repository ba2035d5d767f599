"""The score of each class against the others, and back to shares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..._core.interfaces import Beliefs


def rest_scores(beliefs: Beliefs) -> np.ndarray:
    """Of each class against the best of the others (m, C); of two classes the latter's (m, 1)."""
    scores = beliefs.scores
    if scores.shape[1] == 2:
        return scores[:, 1:] - scores[:, :1]
    order = np.sort(scores, axis=1)
    best, second = order[:, -1:], order[:, -2:-1]
    return scores - np.where(scores == best, second, best)


def scores_of_own_prior(beliefs: Beliefs) -> np.ndarray:
    """Logarithms of probabilities that stand for a known prior, which one slope keeps: the margins
    may be of another (balanced weights); else the scores."""
    return beliefs.scores if beliefs.prior is None else replace(beliefs, margin=None).scores


def in_shares(positive: np.ndarray) -> np.ndarray:
    """Probabilities of the classes from those of each against the rest, (m, C)."""
    if positive.shape[1] == 1:
        return np.hstack([1 - positive, positive])
    total = positive.sum(axis=1, keepdims=True)
    even = np.full_like(positive, 1 / positive.shape[1])
    return np.divide(positive, total, out=even, where=total > 0)
