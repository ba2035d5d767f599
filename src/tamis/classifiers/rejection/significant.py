"""Rules that look for the threshold behind which errors gather, and ask whether they do at all.

What they share is the question. Of many thresholds the best one always looks good: with labels at
random a quarter to a half of data sets have one whose tail in Fisher's exact test is below .05. So
the least tail of each predicted class is held against its own distribution where errors have no
place of their own, which is known exactly (`tamis.kernels.rejection`), and without significance
no sample is declined.

Errors of rows predicted in folds are not quite in random order: neighbours of different classes are
both wrong. The level of 0.03 is for that: by it 3 to 5 % of data sets with labels at random set a
threshold (docs/results/rejection.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from ..._core.interfaces import RuleInput
from ...metrics.rejection import Rejections, gathering_p_value
from .rule import ACCEPT_ALL, ByCertainty

TEST_LEVEL = 0.03  # of the test


@dataclass(frozen=True)
class Significant(ByCertainty):
    """The best threshold by some value of it, if errors gather below any.

    Attributes
    ----------
    significance : float, or None or False
        Level of the test; without, there is none.
    most : float or None
        The largest share that may be declined.
    p_value : float
        Of the test; NaN before.
    errors : int
        Samples predicted wrong.
    """

    significance: float | Literal[False] | None = TEST_LEVEL
    most: float | None = None
    p_value: float = math.nan
    errors: int = 0

    def fit(self, given: RuleInput, y: np.ndarray) -> Self:
        """The best threshold, if errors gather below some threshold at all."""
        wrong = given.codes != y
        found = Rejections.of(given.certainty, wrong).up_to(self.most)
        threshold, p = ACCEPT_ALL, gathering_p_value(given.certainty, wrong, given.codes)
        if found.errors and (not self.significance or p <= self.significance):
            threshold = float(found.thresholds[found.best(self.values(found))])
        return replace(self, threshold=threshold, p_value=p, errors=found.errors)

    def values(self, found: Rejections) -> np.ndarray:
        """How good each threshold is."""
        raise NotImplementedError

    def doubt(self) -> str:
        """Why no sample is declined."""
        if self.threshold > ACCEPT_ALL:
            return ""
        if not self.errors:
            return "no sample held out inside was predicted wrong: no sample is declined"
        if not self.significance or self.p_value <= self.significance:
            return (
                "no threshold that may be set declines an error held out inside: no sample is "
                "declined"
            )
        return (
            "errors held out inside are not shown to gather among the least certain samples "
            f"(p = {self.p_value:.2g}, level {self.significance:g}): no sample is declined"
        )
