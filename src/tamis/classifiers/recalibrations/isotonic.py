"""Isotonic regression on the margin (Zadrozny & Elkan 2002): any rising function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..._core.arrays import fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Recalibration
from ..decisions.rest_scores import in_shares, rest_scores


@dataclass(frozen=True)
class Isotonic(Recalibration):
    """A rising function of the margin for each class, with straight lines between its steps.

    Attributes
    ----------
    knots : sequence of ndarray of shape (k, 2)
        Margins and the probabilities there, of each class (of two: the latter).
    """

    knots: Sequence[np.ndarray] = ()

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """By pooling adjacent violators."""
        scores = rest_scores(beliefs)
        first = 1 if scores.shape[1] == 1 else 0
        return type(self)(tuple(rising_knots(f, y == c) for c, f in enumerate(scores.T, first)))

    def recalibrated(self, beliefs: Beliefs) -> np.ndarray:
        """Between the knots; beyond them, that of the last."""
        columns = zip(rest_scores(beliefs).T, self.knots, strict=True)
        return in_shares(np.column_stack([np.interp(f, *knots.T) for f, knots in columns]))

    def to_arrays(self) -> Arrays:
        """The knots of each class."""
        return {f"knots.{i}": knots for i, knots in enumerate(self.knots)}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From the knots."""
        count = 1 if n_classes == 2 else n_classes
        shapes: Any = {f"knots.{i}": (None, 2) for i in range(count)}
        knots = fitting_arrays(arrays, **shapes)
        for k in knots:
            rising = len(k) > 0 and (np.diff(k, axis=0) >= 0).all()
            if not rising or k[:, 1].min() < 0 or k[:, 1].max() > 1:
                raise unfit_part_error("knots")
        return type(self)(tuple(knots))


def rising_knots(scores: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """Where the rising function of least squares bends: scores and shares, (k, 2)."""
    from sklearn.isotonic import isotonic_regression

    points, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    shares = np.bincount(place, positive) / counts
    fitted = isotonic_regression(shares, sample_weight=counts.astype(float), y_min=0, y_max=1)
    level = np.diff(fitted) == 0  # inside a flat stretch only its ends are needed
    bends = np.ones(len(points), dtype=bool)
    bends[1:-1] = ~(level[1:] & level[:-1])
    return np.column_stack([points, fitted])[bends]
