"""RMA's background correction of single arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import DataError, counted_noun
from .intensities import checked_intensities


def background_correct(X: Any) -> np.ndarray:
    """Intensities without their background, by RMA's normal + exponential model.

    Each array by itself: its parameters are estimated from its own perfect-match intensities.
    An intensity becomes the expectation of its signal, which is positive.

    Parameters
    ----------
    X : array-like of shape (n_arrays, n_probes)
        Perfect-match intensities on their natural scale (not logarithms).

    Returns
    -------
    ndarray of shape (n_arrays, n_probes)
        float64, in the units of X.

    Raises
    ------
    DataError
        X is no table of finite numbers, or an array has too few different intensities for an
        estimate.

    Notes
    -----
    Equal to preprocessCore's `rma.background.correct`. Where that gives NaN, since the normal
    distribution function underflows 38 standard deviations below 0, the limit is given here.

    References
    ----------
    Irizarry et al. (2003), Biostatistics 4:249-264; Bolstad (2004), thesis, Berkeley.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(100, 10, (2, 5000)) + rng.exponential(200, (2, 5000))
    >>> np.median(X, axis=1).round(), np.median(background_correct(X), axis=1).round()
    (array([239., 239.]), array([106., 117.]))
    """
    X = checked_intensities(X)
    out = np.empty(X.shape)
    for at, row in enumerate(X):
        values = np.array(row, dtype=np.float64)
        corrected_signals(values, np.sort(values), out[at], f"array {at}")
    return out


def corrected_signals(values: np.ndarray, rising: np.ndarray, out: np.ndarray, name: str) -> None:
    """Expected signals of values of the array `name`, by parameters of its rising values."""
    from ..kernels.rma_background import background_parameters, expected_signal

    mu, sigma, alpha = background_parameters(rising)
    if mu != mu:
        raise DataError(
            f"{name}: no background can be estimated from {counted_noun(len(rising), 'probe')} "
            f"with {counted_noun(len(np.unique(rising)), 'different value')}: leave it out, or "
            "correct no background (--no-background, background=False)"
        )
    expected_signal(values, mu, sigma, alpha, out)
