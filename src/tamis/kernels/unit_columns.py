"""Columns brought to one length, so that products of them are correlations."""

from __future__ import annotations

import numpy as np

from .units import column_units, in_units


def unit_columns(X: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and length 1; missing values are 0, and so are constant columns.

    Parameters
    ----------
    X : ndarray of shape (n, p)

    Examples
    --------
    >>> unit_columns(np.array([[1.0, 7.0, np.nan], [1.0, 9.0, 2.0]])).round(3).tolist()
    [[0.0, -0.707, 0.0], [0.0, 0.707, 0.0]]
    """
    scaled = in_units(X, column_units(X))
    means = scaled.sum(axis=0) / len(scaled)
    if np.isnan(means).any():
        missing = np.isnan(scaled)
        means = np.where(missing, 0.0, scaled).sum(axis=0) / np.maximum((~missing).sum(axis=0), 1)
        found = np.where(missing, 0.0, scaled - means)
    else:
        found = scaled - means
    length = np.sqrt(np.einsum("ij,ij->j", found, found))
    spread = np.abs(means) * np.sqrt(len(found))
    flat = length <= 1e-12 * np.maximum(spread, np.finfo(float).tiny)
    found /= np.where(length > 0, length, 1.0)
    found[:, flat] = 0.0
    return found
