"""What the huberised SVM may be given: numbers, grids, weights and labels, checked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._core.errors import DataError, PlanError, counted_noun, value_text
from ..._core.settings import checked_count


def checked_number(value: Any, name: str, least: float, allowed: bool) -> float:
    """A finite number above `least`, or equal to it where that is allowed."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not (math.isfinite(found) and (found > least or (allowed and found == least))):
        words = "of at least" if allowed else "above"
        raise PlanError(f"{name}={value!r}: give a number {words} {least:g}")
    return found


def lambda_grid(most: float, n_lambdas: int, min_ratio: float | None, wide: bool) -> np.ndarray:
    """Geometric values of lambda1 from `most` down."""
    n_lambdas = checked_count(n_lambdas, "n_lambdas", 1)
    ratio: Any = (0.01 if wide else 1e-4) if min_ratio is None else min_ratio
    if not isinstance(ratio, float | np.floating) or not 0 < ratio < 1:
        raise PlanError(f"min_ratio={min_ratio!r}: give a number between 0 and 1, or None")
    if most <= 0:
        raise DataError(
            "lambda_max is 0: no column of X varies with y; give other columns, or lambdas"
        )
    return most * ratio ** (np.arange(n_lambdas) / max(n_lambdas - 1, 1))


def given_lambdas(lambdas: Any) -> np.ndarray:
    """Values of lambda1 as an array, in their order."""
    grid = _float_array(lambdas)
    if grid is None or not grid.size or not (np.isfinite(grid) & (grid > 0)).all():
        raise PlanError(
            f"lambdas={value_text(lambdas)}: give positive finite numbers, at least one"
        )
    return grid.ravel()


def row_weights(sample_weight: Any, n: int) -> np.ndarray:
    """One weight a row, 1 if none are given."""
    weights = np.ones(n) if sample_weight is None else _float_array(sample_weight)
    if (
        weights is None
        or weights.shape != (n,)
        or not (np.isfinite(weights) & (weights >= 0)).all()
    ):
        shape = "" if weights is None else f" of shape {weights.shape}"
        raise DataError(f"sample_weight{shape}: give {n} finite numbers of at least 0")
    if not weights.any():
        raise DataError("sample_weight is zero in every row: give some rows a positive weight")
    return weights


def table_and_labels(X, y, sparse: bool) -> tuple[Any, np.ndarray]:
    """X as floats (dense, or sparse by columns), and as many labels, none of them missing."""
    try:
        if np.iscomplexobj(X):
            raise TypeError("complex")
        if sparse and hasattr(X, "tocsc"):
            X = X.tocsc(copy=True).astype(np.float64)
            X.sum_duplicates()
        else:
            X = np.asarray(X, dtype=np.float64)
            X = X if X.flags.f_contiguous else np.ascontiguousarray(X)
    except (TypeError, ValueError) as error:
        raise DataError("X holds values that are not numbers: give a numeric table") from error
    y = np.asarray(y)
    if X.ndim != 2 or y.shape != X.shape[:1] or not min(X.shape):
        raise DataError(f"X has shape {X.shape} and y {y.shape}: give a table (n, p) and n labels")
    if any(label is None or label != label for label in y.tolist()):
        raise DataError("y has missing labels: leave those rows out")
    return X, y


def classes_of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The labels that there are, sorted, and the place of each among them."""
    try:
        return np.unique(y, return_inverse=True)
    except TypeError as error:
        raise DataError("y mixes labels of different kinds: give numbers, or text") from error


def two_classes(X, y, sample_weight) -> tuple[Any, np.ndarray, tuple, np.ndarray]:
    """X as floats, y as -1 and 1, the labels, the rows' weights."""
    X, y = table_and_labels(X, y, sparse=True)
    weights = row_weights(sample_weight, len(y))
    classes, _ = classes_of(y[weights > 0])
    if len(classes) != 2:
        raise DataError(
            f"y has {counted_noun(len(classes), 'label')} among the rows of positive weight: give "
            "two"
        )
    return X, np.where(y == classes[1], 1.0, -1.0), tuple(classes.tolist()), weights


def _float_array(values: Any) -> np.ndarray | None:
    """An array of floats, or None if they are no real numbers."""
    try:
        array = np.asarray(values)
        return None if array.dtype.kind not in "biuf" else array.astype(np.float64)
    except (TypeError, ValueError):
        return None
