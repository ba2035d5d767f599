"""How certain a classifier is of what was decided."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..._core.interfaces import Beliefs, Decided, Decision

Score = Literal["auto", "margin", "posterior"]
SCORES: tuple[Score, ...] = ("auto", "margin", "posterior")
SCORE_MEANINGS = {
    "margin": "how far a sample is from being decided otherwise: 0 is undecided, no upper limit",
    "posterior": "the probability of the class decided on, 0 to 1",
}


def gap_to_runner_up(scores: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The score of the class decided on less the best of the others (m,).

    Examples
    --------
    >>> gap_to_runner_up(np.array([[3.0, 1.0, 2.5]]), np.array([0])).tolist()
    [0.5]
    """
    rows = np.arange(len(scores))
    others = np.array(scores, dtype=np.float64)
    others[rows, codes] = -np.inf
    return scores[rows, codes] - others.max(axis=1)


def decision_certainty(
    decision: Decision, beliefs: Beliefs, decided: Decided, score: Score
) -> np.ndarray:
    """Of samples that a decision was made on (m,), higher is surer.

    "posterior": the probability of the class decided on, recalibrated if the decision does so.
    "margin": how far the scores are from where it would be decided otherwise: a decision may say
    by ``distance(beliefs)``, else it is the gap to the runner-up. "auto": the margin where a
    classifier decides by one, or the decision is at no largest score; else the posterior.
    """
    recalibrated = decided.beliefs
    if resolved_score(decision, recalibrated, score) == "posterior":
        return recalibrated.proba[np.arange(len(decided.codes)), decided.codes]
    if decision.by_distance:
        return decision.distance(beliefs)
    return gap_to_runner_up(recalibrated.scores, decided.codes)


def resolved_score(decision: Decision, beliefs: Beliefs, score: Score) -> Score:
    """What "auto" comes to for a decision on these beliefs."""
    if score != "auto":
        return score
    by_margin = decision.by_distance or beliefs.margin is not None
    return "margin" if by_margin else "posterior"
