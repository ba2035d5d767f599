"""Holm's adjusted p-values: the chance of any false finding among several tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .false_discovery import checked_p_values


def holm_adjusted(p_values: ArrayLike) -> np.ndarray:
    """Adjusted p-values: the least family-wise error rate at which each test rejects.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        NaN is left out, and stays NaN.

    Returns
    -------
    adjusted : ndarray of shape (n_tests,)

    Raises
    ------
    DataError
        A p-value is not between 0 and 1.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure. Scandinavian Journal
    of Statistics 6, 65-70.

    Examples
    --------
    >>> from tamis.metrics.holm import holm_adjusted
    >>> holm_adjusted([0.01, 0.04, 0.03, 0.5]).round(2)
    array([0.04, 0.09, 0.09, 0.5 ])
    """
    p = checked_p_values(p_values)
    adjusted, tested = np.full(p.shape, np.nan), ~np.isnan(p)
    order = np.argsort(p[tested], kind="stable")
    each = p[tested][order] * np.arange(len(order), 0, -1)
    found = np.empty(len(order))
    found[order] = np.maximum.accumulate(each).clip(max=1.0)
    adjusted[tested] = found
    return adjusted
