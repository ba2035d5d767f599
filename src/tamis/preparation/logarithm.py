"""Logarithms of intensities and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from .._core.interfaces import Arrays, FittedStep
from .step import StepTransformer


@dataclass(frozen=True)
class Logarithms(FittedStep):
    """log2 of p columns, values below `least` raised to it."""

    p: int
    least: float

    @property
    def columns(self) -> np.ndarray:
        """All of them."""
        return np.arange(self.p)

    def transform(self, X: np.ndarray) -> np.ndarray:
        """log2 of max(x, least); NaN stays NaN."""
        return np.log2(np.maximum(X, self.least))

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the columns."""
        return type(self)(len(outputs), self.least), outputs

    def to_arrays(self) -> Arrays:
        """Nothing is learnt."""
        return {}


class Log2(StepTransformer):
    """log2(max(x, least)), for raw intensities and counts.

    Parameters
    ----------
    least : float, default=1.0
        Smaller values, negative ones too, count as this much.

    Examples
    --------
    >>> Log2().fit_transform([[8.0], [0.0], [-3.0]]).ravel()
    array([3., 0., 0.])
    """

    scope = "row"
    by_column = True

    def __init__(self, least: float = 1.0):
        self.least = least

    def learn(self, X: np.ndarray, y: np.ndarray) -> Logarithms:
        """Nothing but the number of columns."""
        return Logarithms(X.shape[1], float(self.least))

    def from_arrays(self, arrays: Arrays, n_columns: int) -> Logarithms:
        """Of so many columns."""
        return Logarithms(n_columns, float(self.least))
