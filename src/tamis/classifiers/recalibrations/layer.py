"""A recalibration under a decision: the one place where both meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ..._core.interfaces import Arrays, Beliefs, Decided, Decision, Recalibration
from ..._core.parameters import Parameters
from ..._core.registry import find_row
from ..._core.rows import RecalibrationRow
from ..base.scaling import inner_arrays, of_inside

RECALIBRATION_PREFIX = "recalibration."  # of names of its arrays


@dataclass(frozen=True)
class Recalibrated(Decision):
    """A decision on recalibrated probabilities.

    Both are fitted to inner beliefs. A decision that was made for the classifier's own scores, such
    as `balanced`, finds them in `Beliefs.own`, as do metrics of order.

    Attributes
    ----------
    recalibration : Recalibration
    decision : Decision
    inside : bool
        Candidates are compared by recalibrated probabilities too. It is so where labels or scores
        need probabilities; else a recalibration would be fitted many times and change no label.
    """

    recalibration: Recalibration
    decision: Decision
    inside: bool = False

    learns: ClassVar[bool] = True
    pools: ClassVar[bool] = True  # each part of it takes of the repeats what it wants

    @property
    def full(self) -> Decision:
        """By which candidates are compared."""
        return self if self.inside else self.decision.full

    @property
    def by_sample(self) -> bool:
        """As the decision."""
        return self.decision.by_sample

    @property
    def by_distance(self) -> bool:
        """As the decision."""
        return self.decision.by_distance

    @property
    def probability(self) -> float | None:
        """As the decision."""
        return self.decision.probability

    @property
    def share(self) -> float | None:
        """As the decision."""
        return self.decision.share

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """Fit the recalibration, then the decision to what comes of it."""
        rows, codes = (beliefs, y) if self.recalibration.pools else averaged_rows(beliefs, y)
        found = replace(self, recalibration=self.recalibration.fit(rows, codes))
        if not self.decision.learns:
            return found
        rows, codes = (beliefs, y) if self.decision.pools else averaged_rows(beliefs, y)
        return replace(found, decision=self.decision.fit(found.beliefs(rows), codes))

    def beliefs(self, beliefs: Beliefs) -> Beliefs:
        """Recalibrated ones, which know what they were."""
        proba = self.recalibration.recalibrated(beliefs)
        return replace(beliefs, proba=proba, margin=None, before=beliefs)

    def decide(self, beliefs: Beliefs) -> Decided:
        """By the recalibrated probabilities."""
        return self.decision.decide(self.beliefs(beliefs))

    def distance(self, beliefs: Beliefs) -> np.ndarray:
        """As the decision."""
        return self.decision.distance(self.beliefs(beliefs))

    def recalibrated(self) -> str:
        """What the recalibration learnt."""
        return self.recalibration.report_text()

    def report_text(self, names: Sequence[str]) -> str:
        """What the decision learnt."""
        return self.decision.report_text(names)

    def doubt(self, names: Sequence[str], grouped: bool) -> str:
        """As the decision."""
        return self.decision.doubt(names, grouped)

    def idle(self) -> str:
        """As the decision."""
        return self.decision.idle()

    def scale(self, beliefs: Beliefs) -> str:
        """As the decision."""
        return self.decision.scale(beliefs)

    def to_arrays(self) -> Arrays:
        """Those of both."""
        return {
            **inner_arrays(self.decision),
            **inner_arrays(self.recalibration, RECALIBRATION_PREFIX),
        }

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From those of both."""
        return replace(
            self,
            recalibration=self.recalibration.from_arrays(
                of_inside(arrays, RECALIBRATION_PREFIX), n_classes
            ),
            decision=self.decision.from_arrays(of_inside(arrays), n_classes),
        )


def recalibrated_decision(
    decision: Decision, name: str, parameters: Parameters, inside: bool = False
) -> Recalibrated:
    """A decision on what a recalibration of the registry gives, neither yet fitted."""
    row = find_row(name, RecalibrationRow)
    return Recalibrated(row.build(row.validated(parameters)), decision, inside)


def averaged_rows(beliefs: Beliefs, y: np.ndarray) -> tuple[Beliefs, np.ndarray]:
    """One row a sample, the mean of its repeats, and its class code."""
    if beliefs.samples is None:
        return beliefs, y
    first = np.unique(beliefs.samples, return_index=True)[1]
    return beliefs.averaged(), y[first]
