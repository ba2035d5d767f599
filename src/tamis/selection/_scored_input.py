"""What filters score: numbers, class codes and which columns are discrete, once checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import PlanError
from ..data.class_codes import checked_numbers, class_codes


def scored_input(X, y, discrete_features) -> tuple[np.ndarray, np.ndarray, int, np.ndarray]:
    """X (float64, C order, may hold NaN), class codes, their number, mask of discrete columns.

    Raises
    ------
    PlanError
        `discrete_features` does not fit X.
    DataError
        y has only one class.
    """
    X, y = checked_numbers(X, y, gaps=True)
    classes, codes = class_codes(y, "a filter")
    return X, codes, len(classes), discrete_mask(discrete_features, X.shape[1])


def discrete_mask(discrete_features: Any, p: int) -> np.ndarray:
    """`discrete_features` (a bool, a mask or column indices) as a mask over p columns."""
    given = np.asarray(discrete_features)
    if given.ndim == 0 and given.dtype == bool:
        return np.full(p, bool(given))
    if given.ndim == 1 and given.dtype == bool and len(given) == p:
        return given.copy()
    mask = np.zeros(p, dtype=bool)
    if given.ndim == 1 and given.size == 0:
        return mask
    if given.ndim == 1 and np.issubdtype(given.dtype, np.integer):
        if given.min() >= -p and given.max() < p:
            mask[given] = True
            return mask
        worst = given[(given < -p) | (given >= p)][0]
        raise PlanError(f"discrete_features names column {worst}; X has columns 0 to {p - 1}")
    raise PlanError(
        f"discrete_features={discrete_features!r}: give True, False, a mask of {p} booleans "
        "or column indices"
    )
