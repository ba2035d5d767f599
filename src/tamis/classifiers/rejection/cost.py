"""Chow's rule: to decline where deciding is expected to cost more than declining (Chow 1970)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ..._core.interfaces import Kind, Rule, RuleInput
from ...metrics.cost_matrix import expected_costs


@dataclass(frozen=True)
class Cost(Rule):
    """Accepts a sample where sum_j P(j | x) C(i, j) <= cost, i being the class decided on.

    Attributes
    ----------
    at : float
        The cost of declining a sample, in the unit of those of errors; where these cost 1 each,
        the largest probability of an error that is put up with.
    """

    at: float = 0.1

    needs: ClassVar[Kind] = "proba"
    by_sample: ClassVar[bool] = True

    def fit(self, given: RuleInput, y: np.ndarray) -> Self:
        """Nothing to learn."""
        return self

    def accepts(self, given: RuleInput) -> np.ndarray:
        """By the probabilities."""
        C = given.proba.shape[1]
        costs = 1 - np.eye(C) if given.costs is None else given.costs
        risks = expected_costs(given.proba, costs)
        return risks[np.arange(len(risks)), given.codes] <= self.at * (1 + 1e-12)

    def report_text(self) -> str:
        """The cost."""
        return f"declines samples on which deciding is expected to cost more than {self.at:g}"
