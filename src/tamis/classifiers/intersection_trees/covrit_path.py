"""covRIT in a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .paths import SCREENED, SetsClassifier
from .rules import SetRules
from .search import Sample, SearchSettings, covering_rules


@dataclass(frozen=True)
class CovRIT(SetsClassifier):
    """Sets of intervals that cover rows: of how many features, and how wide.

    Parameters
    ----------
    epsilons : sequence of float
        Greatest span of an interval, as a share of the feature's range.
    screened : sequence of int
        Of how many features, those that differ most between the classes.
    """

    epsilons: Sequence[float] = (0.2, 0.3, 0.5)
    screened: Sequence[int] = SCREENED

    def steps(self) -> list[Mapping[str, Any]]:
        """Few features first."""
        spans = sorted(self.epsilons)
        few: list[Mapping[str, Any]] = [{"best": 0, "epsilon": spans[0]}]
        return few + [{"best": k, "epsilon": e} for k in sorted(self.screened) for e in spans]

    def sets(self, sample: Sample, step: Mapping[str, Any], settings: SearchSettings) -> SetRules:
        """By the step's epsilon."""
        return covering_rules(sample, step["epsilon"], settings)
