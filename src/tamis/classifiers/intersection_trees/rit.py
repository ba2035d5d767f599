"""RIT: random intersection trees on 0/1 features, all at once, in plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Part
from ..._core.parameters import StepSettings
from .paths import SetsClassifier, sample_of
from .rules import SetRules
from .search import SearchSettings, item_rules

SET_COUNTS = (0, 1, 2, 5, 10, 20, 50, 100)


@dataclass(eq=False)
class RIT(SetsClassifier):
    """Sets of features that are 1 together: how many of them.

    Parameters
    ----------
    signed : bool
        Whether zeros are something to share too.
    discretizer : str or None
        What cuts a table that is not of zeros and ones; None: such a one is refused.
    """

    signed: bool = False
    discretizer: str | None = None

    def steps(self) -> list[StepSettings]:
        """Few sets first, those that stand out most."""
        return [{"sets": k} for k in SET_COUNTS]

    def found(
        self, part: Part, steps: Sequence[StepSettings], settings: SearchSettings
    ) -> Iterator[tuple[SetRules, np.ndarray]]:
        """The first of the sets of all columns."""
        columns = np.arange(part.X.shape[1])
        sample = sample_of(part, columns)
        found = item_rules(sample, self.discretizer, self.signed, settings)
        for step in steps:
            yield found.first(int(step["sets"])), columns
