"""Random intersection trees in a study, on a table of zeros and ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.interfaces import Part
from .paths import SetsClassifier, sample_of
from .rules import SetRules
from .search import SearchSettings, binary_rules

SETS = (1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class RIT(SetsClassifier):
    """Sets of features that are 1 together: how many of them.

    Parameters
    ----------
    signed : bool
        Whether zeros are something to share too.
    """

    signed: bool = False

    def steps(self) -> list[Mapping[str, Any]]:
        """Few sets first, those that stand out most."""
        return [{"sets": k} for k in SETS]

    def found(
        self, part: Part, steps: Sequence[Mapping[str, Any]], settings: SearchSettings
    ) -> Iterator[tuple[SetRules, np.ndarray]]:
        """The first of the sets of all columns."""
        columns = np.arange(part.X.shape[1])
        found = binary_rules(sample_of(part, columns), self.signed, settings)
        for step in steps:
            yield found.first(int(step["sets"])), columns
