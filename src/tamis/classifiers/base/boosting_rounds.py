"""How many rounds to boost: one staged fit a fold says it of every number on a grid."""

from __future__ import annotations

from numbers import Integral

import numpy as np

from ..._core.errors import PlanError
from ..._core.interfaces import MIN_PROBABILITY

MIN_ROUNDS = 10  # rounds tried, if there may be so many
A_DECADE = 4  # numbers tried from one power of ten to the next


def rounds_to_try(rounds: int | str, max_rounds: int) -> np.ndarray:
    """Numbers of rounds, rising: 10, 18, 32, 56, 100, ... and the most; or the one that is given.

    Raises
    ------
    PlanError
        `rounds` is neither "cv" nor a number of at least 1, or `max_rounds` is none.

    Examples
    --------
    >>> rounds_to_try("cv", 200).tolist()
    [10, 18, 32, 56, 100, 178, 200]
    """
    for name, value in (("rounds", rounds), ("max_rounds", max_rounds)):
        is_count = isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1
        if not is_count and (name, value) != ("rounds", "cv"):
            other = ', or "cv"' if name == "rounds" else ""
            raise PlanError(f"{name}={value!r}: give a whole number of at least 1{other}")
    if rounds != "cv":
        return np.array([int(rounds)])
    steps = A_DECADE * np.log10(max(max_rounds / MIN_ROUNDS, 1.0))
    grid = np.round(MIN_ROUNDS * 10 ** (np.arange(int(steps) + 1) / A_DECADE))
    return np.unique(np.minimum([*grid, max_rounds], max_rounds)).astype(np.int64)


def mean_log_loss(proba: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """Weighted mean of -log P(y), of probabilities (m, C)."""
    own = np.maximum(proba[np.arange(len(y)), y], MIN_PROBABILITY)
    return float(np.average(-np.log(own), weights=weights))


def mean_error(scores: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """Weight of the rows whose largest score (m, C) is another class's, ties to the first."""
    return float(np.average(scores.argmax(axis=1) != y, weights=weights))
