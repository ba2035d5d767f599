"""Empirical Bayes moderation of variances (Smyth 2004, SAGMB 3(1):3)."""

from __future__ import annotations

import numpy as np

from .natural_spline import natural_spline_basis

MIN_VARIANCE_RATIO = 1e-5  # of the median: smaller variances are raised to it
SPLINE_SIZES = (3, 6, 30)  # variances from which the spline has one function more


def trigamma_inverse(x: float) -> float:
    """y with trigamma(y) = x, by Newton's method on 1/trigamma, which is convex.

    trigamma(y) is Hurwitz' zeta(2, y), and its derivative -2 zeta(3, y).
    """
    from scipy.special import zeta

    if x > 1e7:
        return 1 / np.sqrt(x)
    if x < 1e-6:
        return 1 / x
    y = 0.5 + 1 / x
    for _ in range(50):
        value = zeta(2, y)
        step = value * (1 - value / x) / (-2 * zeta(3, y))
        y += step
        if -step / y < 1e-8:
            break
    return float(y)


def fit_prior(
    variances: np.ndarray, df: float, means: np.ndarray | None = None
) -> tuple[float, float | np.ndarray]:
    """Prior degrees of freedom d0 and scale s0^2 of the scaled F model for `variances`.

    With e_j = ln s_j^2 - psi(d/2) + ln(d/2): psi'(d0/2) = var(e) - psi'(d/2) and
    s0^2 = exp(mean(e) + psi(d0/2) - ln(d0/2)). Where the right side is not positive the
    variances vary no more than chance makes them: d0 is infinite, s0^2 their mean.

    With `means` a natural spline of them takes the place of mean(e), and s0^2 is one for each
    variance (limma-trend); in the second case exp of that spline.

    Parameters
    ----------
    variances : (p,)
        Residual variances. Values below 1e-5 of their median are raised to it here.
    df : float
        Residual degrees of freedom, the same for all.
    means : (p,), optional
        What the prior's scale follows.
    """
    from scipy.special import digamma, zeta

    if len(variances) < 2:
        return 0.0, float(variances[0]) if len(variances) else 1.0
    s2 = _raised_variances(variances)
    e = np.log(s2)
    e += np.log(df / 2) - digamma(df / 2)
    basis = None if means is None else _mean_spline(means)
    centre, rank = e.mean(), 1
    if basis is not None:
        found, _, rank, _ = np.linalg.lstsq(basis, e, rcond=None)
        centre = basis @ found
    e -= centre
    spread = (e @ e) / max(len(e) - rank, 1) - zeta(2, df / 2)
    if spread <= 0:
        return np.inf, float(s2.mean()) if basis is None else np.exp(centre)
    d0 = 2 * trigamma_inverse(float(spread))
    scale = np.exp(centre + digamma(d0 / 2) - np.log(d0 / 2))
    return d0, float(scale) if basis is None else scale


def _raised_variances(variances: np.ndarray) -> np.ndarray:
    """None below 1e-5 of the median, which is not looked for where the least cannot be that far
    below: selecting takes longer than all else here."""
    least = variances.min()
    if 2 * np.count_nonzero(variances > least / MIN_VARIANCE_RATIO) < len(variances) and least > 0:
        return variances
    middle = _quick_median(variances)
    return np.maximum(variances, MIN_VARIANCE_RATIO * (middle if middle > 0 else 1.0))


def _quick_median(values: np.ndarray) -> float:
    """NumPy's, looked for between two values that every 16th gives, if it is there."""
    n, some = len(values), np.sort(values[::16])
    at, around = len(some) // 2, 2 * int(np.sqrt(len(some)))
    if 4 * around < len(some):
        low, high = some[at - around], some[at + around]
        first = np.count_nonzero(values < low)
        between = values[(values >= low) & (values <= high)]
        places = (n - 1) // 2 - first, n // 2 - first
        if places[0] >= 0 and places[1] < len(between):
            return float(np.partition(between, places)[list(places)].mean())
    return float(np.median(values))


def _mean_spline(means: np.ndarray) -> np.ndarray | None:
    """Functions of the means (p, size), more of them of many; None where all are one."""
    size = 1 + sum(len(means) >= least for least in SPLINE_SIZES)
    size = min(size, len(np.unique(means)))
    return natural_spline_basis(means, size) if size > 1 else None
