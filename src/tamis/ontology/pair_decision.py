"""Which candidate pairs stand and which are declined, by their probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .assignment import Assignment, assign_pairs
from .learning import log_odds_margin


@dataclass(frozen=True)
class PairDecision:
    """How a matcher decides.

    Attributes
    ----------
    assignment : {"optimal", "greedy", "none"}
        How a class is kept from being mapped twice.
    threshold : float
        Probability from which a pair is a match.
    reject : float or None
        Expected cost of deciding above which a pair is declined; None declines none.
    costs : ndarray of shape (2, 2), or None
        What errors cost; 1 each without.
    """

    assignment: Assignment
    threshold: float
    reject: float | None = None
    costs: np.ndarray | None = None

    def standing_pairs(
        self, rows: np.ndarray, probability: np.ndarray, said: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of the model's that stand, and those that a person settled, (n,) bool.

        Settled is what a person spoke of and, where a class is mapped once, whatever shares a class
        with a match.
        """
        settled = said >= 0
        if self.assignment != "none":
            for side in (0, 1):
                settled |= np.isin(rows[:, side], rows[said == 1, side])
        closed = settled | self.declined_pairs(probability)
        value = np.where(closed, 0, log_odds_margin(probability, self.threshold))
        return assign_pairs(rows, value, self.assignment), settled

    def declined_pairs(self, probability: np.ndarray) -> np.ndarray:
        """Pairs on which deciding is expected to cost more than declining (Chow 1970)."""
        if self.reject is None:
            return np.zeros(len(probability), dtype=bool)
        from .._core.interfaces import RuleInput
        from ..classifiers.rejection.cost import Cost

        codes = (probability >= self.threshold).astype(np.int64)
        proba = np.column_stack([1 - probability, probability])
        given = RuleInput(proba.max(axis=1), codes, proba, self.costs)
        return ~Cost(self.reject).accepts(given)
