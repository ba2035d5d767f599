"""Columns scaled to length 1, so that products of them are correlations."""

from __future__ import annotations

import numpy as np

from .units import column_units, in_units


def unit_columns(X: np.ndarray) -> np.ndarray:
    """Columns (n, p) with mean 0 and length 1; missing values and constant columns become 0.

    Parameters
    ----------
    X : ndarray of shape (n, p)

    Examples
    --------
    >>> unit_columns(np.array([[1.0, 7.0, np.nan], [1.0, 9.0, 2.0]])).round(3).tolist()
    [[0.0, -0.707, 0.0], [0.0, 0.707, 0.0]]
    """
    # powers of two, exact: squares of far-off magnitudes stay finite
    scaled = in_units(X, column_units(X))
    means = scaled.sum(axis=0) / len(scaled)
    if np.isnan(means).any():  # a missing value somewhere: shows in the sum of its column
        missing = np.isnan(scaled)
        means = np.where(missing, 0.0, scaled).sum(axis=0) / np.maximum((~missing).sum(axis=0), 1)
        # 0 is the mean: a missing value adds nothing to lengths and products
        found = np.where(missing, 0.0, scaled - means)
    else:
        found = scaled - means
    length = np.sqrt(np.einsum("ij,ij->j", found, found))
    # length of a column of means: what is left of a constant column is rounding of that
    spread = np.abs(means) * np.sqrt(len(found))
    flat = length <= 1e-12 * np.maximum(spread, np.finfo(float).tiny)
    found /= np.where(length > 0, length, 1.0)
    found[:, flat] = 0.0
    return found
