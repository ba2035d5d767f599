"""Distances between samples, none above 1: metrics for the distance between classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError, nearest_hint, value_text
from ..kernels.units import column_units, in_units
from ._importances import standardised_columns

METRIC_CHOICES = ("euclidean", "manhattan", "hamming")
ROUNDING_TOLERANCE = 1e-9


def sample_distances(X: np.ndarray, metric: str | Callable[..., Any]) -> np.ndarray:
    """Distances between the rows of X (n, p), as (n, n); all 0 where there are no columns.

    ``euclidean`` and ``manhattan`` are of standardised columns, divided by the largest distance;
    ``hamming`` is the share of columns that differ. A function of X gives the full matrix.

    Raises
    ------
    DataError
        What a function gives is no matrix of distances from 0 to 1.
    """
    from scipy.spatial.distance import pdist, squareform

    if X.shape[1] == 0:
        return np.zeros((len(X), len(X)))
    if callable(metric):
        return _checked_distances(metric(X.copy()), len(X))
    if metric == "hamming":
        return squareform(pdist(X, "hamming"))
    X = X[:, np.ptp(X / 2, axis=0) > 0]  # the deviation of a constant may be rounding, and not 0
    Z = standardised_columns(in_units(X, column_units(X)))
    apart = pdist(Z, "cityblock" if metric == "manhattan" else metric)
    largest = apart.max()
    return squareform(apart / largest if largest > 0 else apart)


def checked_metric(metric: Any) -> str | Callable[..., Any]:
    """A name of `METRIC_CHOICES`, or a function."""
    if not callable(metric) and metric not in METRIC_CHOICES:
        raise PlanError(
            f"metric={value_text(metric)}: {nearest_hint(metric, METRIC_CHOICES)}, or give a "
            "function of "
            "X that returns the distances between its rows"
        )
    return metric


def metric_words(metric: str | Callable[..., Any]) -> str:
    """The metric in a sentence."""
    if callable(metric):
        return f"distance {getattr(metric, '__name__', type(metric).__name__)}"
    return {
        "euclidean": "Euclidean distance of standardised columns, the largest 1",
        "manhattan": "Manhattan distance of standardised columns, the largest 1",
        "hamming": "Hamming distance, the share of columns that differ",
    }[metric]


def _checked_distances(found: Any, n: int) -> np.ndarray:
    """What a user's metric gives, as distances (n, n)."""
    apart = np.asarray(found, dtype=np.float64)
    if apart.shape != (n, n):
        raise DataError(
            f"metric returned an array of shape {apart.shape}: it must return the distances "
            f"between all {n} samples, shape ({n}, {n})"
        )
    if not (apart >= 0).all() or apart.max() > 1 + ROUNDING_TOLERANCE:
        raise DataError(
            f"metric returned distances from {apart.min():g} to {apart.max():g}: they must lie "
            "from 0 to 1; divide them by the largest that there can be"
        )
    if (
        np.abs(apart - apart.T).max() > ROUNDING_TOLERANCE
        or np.diag(apart).max() > ROUNDING_TOLERANCE
    ):
        raise DataError(
            "metric returned distances that are not symmetric, or not 0 from a sample to itself"
        )
    return np.minimum(apart, 1.0)
