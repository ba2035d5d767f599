"""What predicts without any feature: the class shares, or the mean of a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import fitting_arrays
from ..._core.interfaces import Arrays, Beliefs, Predictor
from .class_shares import ClassShares

ONE_NUMBER = 1  # outputs of what predicts a number; classes are two or more


@dataclass(frozen=True)
class MeanValue:
    """Predicts the mean of the training set for every sample."""

    mean: float
    NAME = "mean_value"

    @classmethod
    def of(cls, y: np.ndarray, weights: np.ndarray | None = None) -> MeanValue:
        """Of values, which may be weighted."""
        return cls(float(np.average(y, weights=weights)))

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """The same for every row."""
        return Beliefs.of_values(np.full(len(X), self.mean))

    def to_arrays(self) -> Arrays:
        """The mean."""
        return {self.NAME: np.array([self.mean])}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> MeanValue:
        """From the mean."""
        (mean,) = fitting_arrays(arrays, **{cls.NAME: (1,)})
        return cls(float(mean[0]))


def constant_predictor(
    y: np.ndarray, n_outputs: int, weights: np.ndarray | None = None
) -> Predictor:
    """Of class codes, or of values where there is one output.

    Examples
    --------
    >>> constant_predictor(np.array([1.0, 3.0]), 1).beliefs(np.zeros((1, 0))).value.tolist()
    [2.0]
    """
    if n_outputs == ONE_NUMBER:
        return MeanValue.of(y, weights)
    return ClassShares.of(y, n_outputs, weights)


def revived_constant(arrays: Mapping[str, np.ndarray], n_outputs: int) -> Predictor | None:
    """One that was saved; None if these arrays are of something else."""
    if set(arrays) == {ClassShares.NAME}:
        return ClassShares.from_arrays(dict(arrays), n_outputs)
    return MeanValue.from_arrays(dict(arrays)) if set(arrays) == {MeanValue.NAME} else None
