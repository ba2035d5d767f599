"""Rules that look for the threshold behind which errors gather, and ask whether they do at all.

What they share is the question. Of many thresholds the best one always looks good: with labels at
random a quarter to a half of data sets have one whose tail in Fisher's exact test is below .05. So
the least tail is held against its own distribution where errors have no place of their own, which
is known exactly (`tamis.kernels.rejection`), and without significance nobody is declined.

That is of errors whose order is random. Where one class is rarer, predictions of it are both less
certain and more often wrong, even of labels drawn by lot: then more thresholds are set than the
level says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from ...metrics.rejection import Rejections
from .rule import NOBODY, ByCertainty, Told


@dataclass(frozen=True)
class Significant(ByCertainty):
    """Attributes
    ----------
    significance : float, or None or False
        Level of the test; without, it is not asked for.
    most : float or None
        The largest share that may be declined.
    p_value : float
        Of the test; NaN before.
    errors : int
        Samples predicted wrong.
    """

    significance: float | Literal[False] | None = 0.05
    most: float | None = None
    p_value: float = math.nan
    errors: int = 0

    def fit(self, told: Told, y: np.ndarray) -> Self:
        """The best threshold, if errors gather below some threshold at all."""
        found = Rejections.of(told.certainty, told.codes != y).up_to(self.most)
        threshold, p = NOBODY, found.p_value
        if found.errors and (not self.significance or p <= self.significance):
            threshold = float(found.thresholds[found.best(self.values(found))])
        return replace(self, threshold=threshold, p_value=p, errors=found.errors)

    def values(self, found: Rejections) -> np.ndarray:
        """How good each threshold is."""
        raise NotImplementedError

    def doubt(self) -> str:
        """Why nobody is declined."""
        if self.threshold > NOBODY:
            return ""
        if not self.errors:
            return "no sample held out inside was predicted wrong: nobody is declined"
        return (
            f"errors held out inside do not gather among the least certain samples "
            f"(p = {self.p_value:.2g}): nobody is declined"
        )
