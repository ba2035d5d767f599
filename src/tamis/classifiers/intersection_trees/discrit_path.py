"""discRIT in a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .paths import SCREENED, SetsClassifier
from .rules import SetRules
from .search import Sample, SearchSettings, discrete_rules


@dataclass(frozen=True)
class DiscRIT(SetsClassifier):
    """Sets of intervals between cuts: of how many features, and cut how.

    Parameters
    ----------
    discretizers : sequence of str
    screened : sequence of int
        Of how many features, those that differ most between the classes.
    """

    branch: float = 3
    discretizers: Sequence[str] = ("ameva", "equal_frequency")
    screened: Sequence[int] = SCREENED

    def steps(self) -> list[Mapping[str, Any]]:
        """Few features first."""
        kinds = self.discretizers
        few: list[Mapping[str, Any]] = [{"best": 0, "discretizer": kinds[0]}]
        return few + [{"best": k, "discretizer": c} for k in sorted(self.screened) for c in kinds]

    def sets(self, sample: Sample, step: Mapping[str, Any], settings: SearchSettings) -> SetRules:
        """By the step's cuts."""
        return discrete_rules(sample, step["discretizer"], settings)
