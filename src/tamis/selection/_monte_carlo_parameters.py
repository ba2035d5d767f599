"""Parameters of Monte Carlo feature selection, checked and worked out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError

MOST_FEATURES = 1000  # of a projection by default
MAX_INTEGER = 2**31 - 1  # of any number
LARGEST_CODE = 2.0**53  # beyond it not every whole number is a float
MOST_ENTRIES = 10_000_000  # of a tree's nodes, samples times levels
# balance="auto": from what ratio of classes on, and to what
SKEWED_RATIO, BALANCED_RATIO = 5.0, 2.0


def features_of_projection(m: Any, p: int) -> int:
    """``m`` as a number of features."""
    if isinstance(m, str):
        if m != "sqrt":
            raise PlanError(f'm={m!r}: give "sqrt", a share of the features or a number')
        return max(min(2, p), min(round(math.sqrt(p)), MOST_FEATURES))
    if isinstance(m, float | np.floating):
        if not 0 < m <= 1:
            raise PlanError(f"m={m!r}: as a share of the features give 0 < m <= 1")
        return max(1, round(float(m) * p))
    return min(checked_integer(m, "m", 1, '"sqrt" or a share'), p)


def balance_of(balance: Any, counts: np.ndarray) -> float | None:
    """How many times the rows of the smallest class another may train with; None: no limit."""
    if balance is None:
        return None
    if isinstance(balance, str):
        if balance != "auto":
            raise PlanError(f'balance={balance!r}: give "auto", a number or None')
        return BALANCED_RATIO if counts.max() > SKEWED_RATIO * counts.min() else None
    if not isinstance(balance, int | float | np.number) or not balance >= 1:
        raise PlanError(f"balance={balance!r}: give a number of at least 1, or None")
    return float(balance) if math.isfinite(balance) else None


def training_sizes(counts: np.ndarray, balance: float | None) -> np.ndarray:
    """Training rows of each class: 66 %, at least one, balanced."""
    sizes = np.maximum(66 * counts // 100, 1)
    if balance is None:
        return sizes
    return np.minimum(sizes, max(1, math.floor(min(balance * sizes.min(), sizes.max()))))


def weights_of(given: Any, columns: int, p: int) -> np.ndarray | None:
    """Relative probabilities of all p columns; contrasts have the mean of the others."""
    if given is None:
        return None
    try:
        weights = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise PlanError(f"feature_weights: give one number a feature, {columns}") from error
    if weights.shape != (columns,):
        raise PlanError(
            f"feature_weights has shape {weights.shape}: give one number a feature, {columns}"
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        raise PlanError("feature_weights: give finite numbers of at least 0, not all 0")
    weights = weights / weights.max()  # so that their sum cannot overflow
    return np.concatenate([weights, np.full(p - columns, weights.mean())])


def coded_categories(X: np.ndarray, categorical: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """X with the levels that occur as 0, 1, ..., and how many each column has (0 = numeric)."""
    levels = np.zeros(X.shape[1], dtype=np.int64)
    if not categorical.any():
        return X, levels
    X = X.copy()
    for j in np.flatnonzero(categorical):
        known = ~np.isnan(X[:, j])
        values, codes = np.unique(X[known, j], return_inverse=True)
        if (values != np.round(values)).any():
            raise DataError(
                f"categorical column {j} holds {values[values != np.round(values)][0]:g}: give "
                "whole numbers, the codes of its levels"
            )
        if len(values) and np.abs(values).max() > LARGEST_CODE:
            raise DataError(
                f"categorical column {j} holds {np.abs(values).max():g}: give codes of at most 2^53"
            )
        if len(values) * len(X) > MOST_ENTRIES:
            raise DataError(
                f"categorical column {j} has {len(values):,} levels among {len(X):,} samples: "
                "leave it out"
            )
        X[known, j] = codes
        levels[j] = max(2, len(values))
    return X, levels


def checked_integer(value: Any, name: str, least: int, or_else: str = "") -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        other = f", or {or_else}" if or_else else ""
        raise PlanError(f"{name}={value!r}: give a whole number of at least {least}{other}")
    if value > MAX_INTEGER:
        raise PlanError(f"{name}={value!r}: give at most {MAX_INTEGER:,}")
    return int(value)


def checked_exponent(value: Any, name: str) -> float:
    if not isinstance(value, float | int | np.number) or not 0 <= value < np.inf:
        raise PlanError(f"{name}={value!r}: give a number of at least 0")
    return float(value)
