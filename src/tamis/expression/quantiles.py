"""Quantile normalisation of a table of intensities, with its own target or a given one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import DataError
from .intensities import checked_intensities


def quantile_normalize(X: Any, target: Any = None) -> np.ndarray:
    """Give every array one distribution of values.

    Parameters
    ----------
    X : array-like of shape (n_arrays, n_probes)
        NaN is missing, and stays so.
    target : array-like of shape (m,), optional
        That distribution, in any order; default: the mean over the arrays of their sorted values.
        One of another length is read off by linear interpolation.

    Returns
    -------
    ndarray of shape (n_arrays, n_probes)
        float64, in the units of the target.

    Raises
    ------
    DataError
        X or the target is no table of numbers, or has infinite values; the target has missing ones.

    Notes
    -----
    Equal to preprocessCore's `normalize.quantiles` and `normalize.quantiles.use.target`. The
    transformer that learns its target of training rows is `tamis.preparation.QuantileNormalizer`.

    References
    ----------
    Bolstad, Irizarry, Astrand & Speed (2003), Bioinformatics 19:185-193.

    Examples
    --------
    >>> quantile_normalize([[1.0, 2.0, 3.0], [6.0, 4.0, 5.0]])
    array([[2.5, 3.5, 4.5],
           [4.5, 2.5, 3.5]])
    >>> quantile_normalize([[1.0, 2.0, 3.0]], target=[30.0, 10.0, 20.0])
    array([[10., 20., 30.]])
    """
    from ..kernels.quantile import mean_quantiles, to_quantiles

    X = checked_intensities(X, missing=True).astype(np.float64)
    if target is None:
        return to_quantiles(X, mean_quantiles(X))
    given = np.asarray(target, dtype=np.float64)
    if given.ndim != 1 or not len(given) or not np.isfinite(given).all():
        raise DataError("target must be a list of finite numbers")
    return to_quantiles(X, np.sort(given))
