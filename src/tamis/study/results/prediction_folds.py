"""What a procedure predicted in the outer folds of a finished study, as read from its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MAX_ROW_LENGTH = 1 << 24  # characters of a row
Row = tuple[str, int, int, list[float], list[float]]  # sample, true and predicted code,
# probabilities, and the same before recalibration


@dataclass(frozen=True)
class FoldPredictions:
    """What a procedure said of the test set of an outer fold.

    Attributes
    ----------
    samples : tuple of str
    true, predicted : ndarray of shape (n,)
        Class codes, or numbers.
    proba : ndarray of shape (n, n_classes)
    order : ndarray of shape (n, n_classes)
        Probabilities before recalibration, for metrics of order.
    mean : float
        Of a number, of the training set.
    """

    samples: tuple[str, ...]
    true: np.ndarray
    predicted: np.ndarray
    proba: np.ndarray
    order: np.ndarray
    mean: float = float("nan")

    @classmethod
    def of(cls, rows: Sequence[Row]) -> FoldPredictions:
        """Of rows of the table."""
        samples, *others = zip(*rows, strict=True)
        true, predicted, proba, order = map(np.array, others)
        return cls(samples, true, predicted, proba, order)


Folds = dict[tuple[int, int], FoldPredictions]  # by repeat and fold, in order
