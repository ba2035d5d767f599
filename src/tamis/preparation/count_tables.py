"""What a table must be for steps that take sequencing counts, or intensities."""

from __future__ import annotations

import numpy as np

from .._core.errors import DataError, counted_noun

LARGEST_LOG2 = 32.0  # scanners have 16 bits


def not_negative(X: np.ndarray) -> np.ndarray:
    """The table, NaN for missing; `DataError` where a count in it is negative."""
    negative = X < 0
    n = int(negative.any(axis=0).sum())
    if n:
        raise DataError(
            f"Negative values in data: counts of {counted_noun(n, 'column')} are below 0, such as "
            f"{float(X[negative][0]):g}; give raw counts, not logarithms or differences"
        )
    return X


def require_counts(name: str, X: np.ndarray) -> None:
    """Refuse a table for the step of this name unless it holds whole numbers from 0."""
    strange = (X < 0) | ((np.floor(X) != X) & ~np.isnan(X))
    n = int(strange.any(axis=0).sum())
    if n:
        raise DataError(
            f"prepare: {name!r} needs raw counts, whole numbers from 0; {n:,} of "
            f"{counted_noun(X.shape[1], 'column')} hold others, such as {float(X[strange][0]):g}: "
            "put it before what changes values, and round estimated counts"
        )


def require_intensities(name: str, X: np.ndarray) -> None:
    """Refuse a table of logarithms for the step of this name, which takes them itself."""
    largest = np.nanmax(X, initial=-np.inf)
    if largest < LARGEST_LOG2:
        raise DataError(
            f"prepare: {name!r} needs raw intensities of probes; the largest value is "
            f"{largest:g}, as of logarithms: give the table of `tamis expression probes`, or leave "
            f"{name!r} out for values of `tamis expression rma`"
        )
