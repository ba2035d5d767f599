"""Adjusted p-values: what share of the findings would be false."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._core.errors import DataError


def benjamini_hochberg(p_values) -> np.ndarray:
    """Adjusted p-values: the least false discovery rate at which each feature is found.

    Parameters
    ----------
    p_values : array-like of shape (n_features,)
        NaN is left out, and stays NaN.

    Returns
    -------
    fdr : ndarray of shape (n_features,)

    Raises
    ------
    DataError
        A p-value is not between 0 and 1.

    References
    ----------
    Benjamini & Hochberg (1995), J. R. Stat. Soc. B 57, 289-300.

    Examples
    --------
    >>> from tamis.selection import benjamini_hochberg
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.5]).round(4)
    array([0.04  , 0.0533, 0.0533, 0.5   ])
    """
    p_values = checked_p_values(p_values)
    fdr, tested = np.full(p_values.shape, np.nan), ~np.isnan(p_values)
    order = np.argsort(p_values[tested], kind="stable")
    each = p_values[tested][order] * (len(order) / np.arange(1, len(order) + 1))
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum.accumulate(each[::-1])[::-1].clip(max=1.0)
    fdr[tested] = adjusted
    return fdr


def checked_p_values(p_values: ArrayLike) -> np.ndarray:
    """As float64; one that is not between 0 and 1 is refused."""
    found = np.asarray(p_values, dtype=np.float64)
    outside = found[(found < 0) | (found > 1)]
    if len(outside):
        raise DataError(f"p-values are numbers from 0 to 1, not {outside[0]:g}")
    return found
