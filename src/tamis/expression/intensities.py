"""Intensities as they are given: arrays in rows, probes in columns, finite numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import DataError, counted_noun


def checked_intensities(X: Any, name: str = "X", missing: bool = False) -> np.ndarray:
    """X as float32 or float64, as it comes; other numbers as float64.

    Raises
    ------
    DataError
        It is no table of numbers, is empty, or has a value that is infinite or missing.
    """
    try:
        found = np.asarray(X)
        if found.dtype not in (np.float32, np.float64):
            found = found.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must be a table of numbers: {error}") from None
    if found.ndim != 2 or 0 in found.shape:
        raise DataError(
            f"{name} has the shape {found.shape}: give arrays in rows and probes in columns"
        )
    for at, row in enumerate(found):  # one array at a time, so that no copy of all is made
        wrong = np.isinf(row) if missing else ~np.isfinite(row)
        if wrong.any():
            column = int(np.argmax(wrong))
            raise DataError(
                f"{name} has {row[column]} in row {at}, column {column}: "
                f"{'infinite' if missing else 'infinite or missing'} intensities cannot be used"
            )
    return found


def checked_width(p: int, expected: int, what: str) -> None:
    """So many probes as expected."""
    if p != expected:
        raise DataError(f"{what} has {counted_noun(p, 'probe')}, expected {expected:,}")
