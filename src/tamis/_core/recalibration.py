"""The interface of recalibrations; `interfaces` has all of them."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from .method_data import Arrays, Beliefs


class Recalibration:
    """Probabilities in the place of a classifier's own, fitted to inner out-of-fold beliefs.

    A layer under any decision: labels, costs and abstention are decided on what it gives.

    Attributes
    ----------
    pools : bool
        It is fitted to every inner belief, a row each, and not to the mean of a sample's repeats.
    """

    pools: ClassVar[bool] = False

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """Fitted to inner beliefs and class codes; the recalibration itself stays as it is."""
        return self

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """Probabilities (m, C) of new samples, each by itself."""
        raise NotImplementedError

    def report_text(self) -> str:
        """What `fit` learnt, in words."""
        return ""

    def to_arrays(self) -> Arrays:
        """What `fit` learnt."""
        return {}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """Fitted again; `ModelError` where the arrays do not fit together."""
        return self
