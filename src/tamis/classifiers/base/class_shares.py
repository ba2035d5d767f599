"""The model of nothing: class shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.arrays import checked_distributions, fitting_arrays
from ..._core.interfaces import Arrays, Beliefs


@dataclass(frozen=True)
class ClassShares:
    """Gives every sample the class shares of the training set."""

    shares: np.ndarray
    NAME = "class_shares"  # by itself: a tree has shares of its own

    @classmethod
    def of(cls, y: np.ndarray, n_classes: int, weights: np.ndarray | None = None) -> ClassShares:
        """Of class codes, which may be weighted."""
        counts = np.bincount(y, weights, n_classes)
        return cls(counts / counts.sum())

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """The same for every row."""
        return Beliefs(np.tile(self.shares, (len(X), 1)))

    def to_arrays(self) -> Arrays:
        """The shares."""
        return {self.NAME: self.shares}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_classes: int) -> ClassShares:
        """From the shares."""
        (shares,) = fitting_arrays(arrays, **{cls.NAME: (n_classes,)})
        return cls(checked_distributions(shares, cls.NAME))
