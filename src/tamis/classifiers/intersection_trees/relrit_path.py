"""relRIT in a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .paths import SCREENED, SetsClassifier
from .rules import SetRules
from .search import Sample, SearchSettings, relaxed_rules


@dataclass(frozen=True)
class RelRIT(SetsClassifier):
    """Sets of values that rows are near to: of how many features, and how near.

    Parameters
    ----------
    epsilons : sequence of float
        Greatest sum of squared deviations, over their mean in the class.
    screened : sequence of int
        Of how many features, those that differ most between the classes.
    radius : float
    """

    epsilons: Sequence[float] = (0.3, 1.0, 3.0)
    screened: Sequence[int] = SCREENED
    radius: float = 1.0

    def steps(self) -> list[Mapping[str, Any]]:
        """Few features first."""
        spans = sorted(self.epsilons)
        few: list[Mapping[str, Any]] = [{"best": 0, "epsilon": spans[0]}]
        return few + [{"best": k, "epsilon": e} for k in sorted(self.screened) for e in spans]

    def sets(self, sample: Sample, step: Mapping[str, Any], settings: SearchSettings) -> SetRules:
        """By the step's epsilon."""
        return relaxed_rules(sample, step["epsilon"], self.radius, settings)
