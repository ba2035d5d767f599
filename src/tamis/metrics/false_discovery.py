"""Adjusted p-values: what share of the findings would be false."""

from __future__ import annotations

import numpy as np


def benjamini_hochberg(p_values) -> np.ndarray:
    """Adjusted p-values: the least false discovery rate at which each feature is found.

    Parameters
    ----------
    p_values : array-like of shape (n_features,)
        NaN is left out, and stays NaN.

    Returns
    -------
    fdr : ndarray of shape (n_features,)

    References
    ----------
    Benjamini & Hochberg (1995), J. R. Stat. Soc. B 57, 289-300.

    Examples
    --------
    >>> from tamis.selection import benjamini_hochberg
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.5]).round(4)
    array([0.04  , 0.0533, 0.0533, 0.5   ])
    """
    from scipy.stats import false_discovery_control

    p_values = np.asarray(p_values, dtype=float)
    fdr, tested = np.full(p_values.shape, np.nan), ~np.isnan(p_values)
    if tested.any():
        fdr[tested] = false_discovery_control(p_values[tested])
    return fdr
