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

    # trigamma(y) -> 1/y^2 for small y, and 1/y for large y
    if x > 1e7:
        return 1 / np.sqrt(x)
    if x < 1e-6:
        return 1 / x
    # 1/trigamma(y) > y - 1/2, so this start is right of the root, from where Newton's steps on a
    # convex function go down to it without overshooting (Smyth 2004, appendix)
    y = 0.5 + 1 / x
    for _ in range(50):
        value = zeta(2, y)
        step = value * (1 - value / x) / (-2 * zeta(3, y))
        y += step
        if -step / y < 1e-8:  # the next step would be of the order of its square
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
        Mean of each feature, which the prior's scale follows.
    """
    from scipy.special import digamma, zeta

    if len(variances) < 2:  # nothing to learn a prior from: d0 = 0 shrinks nothing
        return 0.0, float(variances[0]) if len(variances) else 1.0
    s2 = _raised_variances(variances)
    # E(e) = ln s0^2 - psi(d0/2) + ln(d0/2), var(e) = psi'(d/2) + psi'(d0/2)
    e = np.log(s2)
    e += np.log(df / 2) - digamma(df / 2)
    basis = None if means is None else _mean_spline(means)
    centre, rank = e.mean(), 1
    if basis is not None:
        found, _, rank, _ = np.linalg.lstsq(basis, e, rcond=None)
        centre = basis @ found
    e -= centre
    # zeta(2, x) is psi'(x); each function of the spline costs a degree of freedom
    spread = (e @ e) / max(len(e) - rank, 1) - zeta(2, df / 2)
    if spread <= 0:
        return np.inf, float(s2.mean()) if basis is None else np.exp(centre)
    d0 = 2 * trigamma_inverse(float(spread))
    scale = np.exp(centre + digamma(d0 / 2) - np.log(d0 / 2))
    return d0, float(scale) if basis is None else scale


def _raised_variances(variances: np.ndarray) -> np.ndarray:
    """Variances (p,), those below 1e-5 of the median raised to it.

    The median is not computed where the least variance cannot be so far below it: selecting it
    takes longer than everything else here.
    """
    least = variances.min()
    # fewer than half are above least / 1e-5, so the median is not, and none is to be raised
    if 2 * np.count_nonzero(variances > least / MIN_VARIANCE_RATIO) < len(variances) and least > 0:
        return variances
    middle = _quick_median(variances)
    # a median of 0 gives no scale: variances are raised to 1e-5 itself, so that logarithms exist
    return np.maximum(variances, MIN_VARIANCE_RATIO * (middle if middle > 0 else 1.0))


def _quick_median(values: np.ndarray) -> float:
    """`numpy.median`, selected only among the values between two quantiles of every 16th value."""
    n, some = len(values), np.sort(values[::16])
    # the rank of the median among m sampled values has a standard deviation of sqrt(m) / 2: the
    # bracket reaches four of them to either side
    at, around = len(some) // 2, 2 * int(np.sqrt(len(some)))
    if 4 * around < len(some):
        low, high = some[at - around], some[at + around]
        first = np.count_nonzero(values < low)
        between = values[(values >= low) & (values <= high)]
        # ranks of the two middle values (one, if n is odd) within the bracket
        places = (n - 1) // 2 - first, n // 2 - first
        if places[0] >= 0 and places[1] < len(between):
            return float(np.partition(between, places)[list(places)].mean())
    return float(np.median(values))  # few values, or the median is outside the bracket


def _mean_spline(means: np.ndarray) -> np.ndarray | None:
    """Natural spline basis of the means (p, size), of up to 4 functions as limma's `fitFDist`.

    None where there would be one function: fewer than three means, or all equal.
    """
    size = 1 + sum(len(means) >= least for least in SPLINE_SIZES)
    size = min(size, len(np.unique(means)))
    return natural_spline_basis(means, size) if size > 1 else None
