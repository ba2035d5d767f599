"""Quartiles and histograms of numbers, for words and pictures."""

from __future__ import annotations

import numpy as np

from ..plotting._axes import nice_step
from .schema import Histogram, Quantiles

N_BINS, N_SHARE_BINS = 40, 20
FENCE_QUANTILES = 0.001, 0.999  # quantiles of values, beyond which the ends of a histogram hold all


def quantiles_of(values: np.ndarray) -> Quantiles | None:
    """Least, quartiles and largest of the finite values; None where there is none."""
    values = values[np.isfinite(values)]
    if not len(values):
        return None
    low, q1, median, q3, high = np.quantile(values, np.arange(5) / 4).tolist()
    return {"low": low, "q1": q1, "median": median, "q3": q3, "high": high}


def histogram_of(values: np.ndarray) -> Histogram | None:
    """Intervals of a round width over nearly all of the values.

    Examples
    --------
    >>> histogram_of(np.array([0.0, 1.0, 1.0, 4.0]))
    {'start': 0.0, 'step': 0.1, 'counts': [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, \
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]}
    """
    if not len(values):
        return None
    low, high = np.quantile(values, FENCE_QUANTILES)
    if not np.isfinite(high - low) or high <= low:
        return None
    step = nice_step(high - low, N_BINS)
    first = np.floor(low / step + 1e-9)
    n = max(1, int(np.ceil(high / step - 1e-9) - first))
    place = np.floor(values / step + 1e-9) - first
    counts = np.bincount(place.clip(0, n - 1).astype(np.int64), minlength=n)
    return {"start": float(first * step), "step": step, "counts": counts.tolist()}


def share_histogram(shares: np.ndarray) -> Histogram:
    """Intervals of a round width from 0 to the largest share."""
    step = nice_step(max(float(shares.max(initial=0.0)), 0.01), N_SHARE_BINS)
    n = max(1, int(np.ceil(shares.max() / step - 1e-9)))
    place = np.floor(shares / step + 1e-9).clip(0, n - 1).astype(np.int64)
    return {"start": 0.0, "step": step, "counts": np.bincount(place, minlength=n).tolist()}
