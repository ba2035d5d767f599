"""A target error rate of the samples decided on, with confidence (Geifman & El-Yaniv 2017).

Of twenty coverages, 1/20 to 1, the largest is taken at which the upper confidence limit of Clopper
and Pearson for the error rate of the samples accepted is at most the rate wished for; each limit at
1 - (1 - confidence)/20, so that all hold together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from scipy.stats import binom

from ..._core.arrays import checked_integers, fitting_arrays
from ..._core.interfaces import Arrays, RuleInput
from ...metrics.rejection import Rejections
from .rule import ByCertainty

N_COVERAGES = 20  # coverages looked at


@dataclass(frozen=True)
class Risk(ByCertainty):
    """The largest coverage at which the error rate is low with confidence.

    Attributes
    ----------
    at : float
        The error rate, in (0, 1).
    confidence : float
        With which it is to hold for further samples decided on.
    n : int
        Samples it was fitted to.
    """

    at: float = 0.1
    confidence: float = 0.9
    n: int = 0

    promises: ClassVar[bool] = True

    def fit(self, given: RuleInput, y: np.ndarray) -> Self:
        """The threshold of the largest coverage at which the rate holds; infinite if none."""
        return replace(super().fit(given, y), n=len(y))

    def chosen(self, certainty: np.ndarray, wrong: np.ndarray) -> float:
        """Equally certain samples are declined together or not at all."""
        found = Rejections.of(certainty, wrong)
        wished = found.n - np.ceil(np.arange(N_COVERAGES, 0, -1) / N_COVERAGES * found.n - 1e-9)
        places = np.unique(np.searchsorted(found.declined, wished, side="right") - 1)
        kept = found.n - found.declined[places]
        failed = found.errors - found.wrong[places]
        holds = binom.cdf(failed, kept, self.at) <= (1 - self.confidence) / N_COVERAGES
        return float(found.thresholds[places[holds][0]]) if holds.any() else math.inf

    def report_text(self) -> str:
        """The threshold, and what is said of further samples."""
        if self.threshold == math.inf:
            return super().report_text()
        return (
            f"{super().report_text()}; with confidence {self.confidence:g} at most {self.at:g} of "
            "further samples decided on are predicted wrong, if they are spread as the "
            f"{self.n} held out inside, of models of fewer samples; that the model was chosen on "
            "these is not counted"
        )

    def doubt(self) -> str:
        """Too many errors, or too few samples."""
        if self.threshold < math.inf:
            return ""
        need = math.ceil(math.log((1 - self.confidence) / N_COVERAGES) / math.log(1 - self.at))
        return (
            f"at no coverage can it be said with confidence {self.confidence:g} that at most "
            f"{self.at:g} are predicted wrong (of {self.n} samples held out inside; without an "
            f"error it takes {need}): all samples are declined"
        )

    def to_arrays(self) -> Arrays:
        """The threshold, and of how many samples."""
        return {**super().to_arrays(), "n": np.array([float(self.n)])}

    def from_arrays(self, arrays: Arrays) -> Self:
        """From these."""
        (n,) = fitting_arrays(arrays, n=(1,))
        return replace(super().from_arrays(arrays), n=int(checked_integers(n, 0, 2**53, "n")[0]))
