"""Empirical Bayes moderation of variances (Smyth 2004, SAGMB 3(1):3)."""

from __future__ import annotations

import numpy as np


def trigamma_inverse(x: float) -> float:
    """y with trigamma(y) = x, by Newton's method on 1/trigamma, which is convex."""
    from scipy.special import polygamma

    if x > 1e7:
        return 1 / np.sqrt(x)
    if x < 1e-6:
        return 1 / x
    y = 0.5 + 1 / x
    for _ in range(50):
        value = polygamma(1, y)
        step = value * (1 - value / x) / polygamma(2, y)
        y += step
        if -step / y < 1e-8:
            break
    return float(y)


def fit_prior(variances: np.ndarray, df: float) -> tuple[float, float]:
    """Prior degrees of freedom d0 and scale s0^2 of the scaled F model for `variances`.

    With e_j = ln s_j^2 - psi(d/2) + ln(d/2): psi'(d0/2) = var(e) - psi'(d/2) and
    s0^2 = exp(mean(e) + psi(d0/2) - ln(d0/2)). Where the right side is not positive the
    variances vary no more than chance makes them: d0 is infinite, s0^2 their mean.

    Parameters
    ----------
    variances : (p,)
        Residual variances. Values below 1e-5 of their median are raised to it here.
    df : float
        Residual degrees of freedom, the same for all.
    """
    from scipy.special import digamma, polygamma

    if len(variances) < 2:
        return 0.0, float(variances[0]) if len(variances) else 1.0
    middle = np.median(variances)
    s2 = np.maximum(variances, 1e-5 * (middle if middle > 0 else 1.0))
    e = np.log(s2) - digamma(df / 2) + np.log(df / 2)
    centre = e.mean()
    spread = np.sum((e - centre) ** 2) / (len(e) - 1) - polygamma(1, df / 2)
    if spread <= 0:
        return np.inf, float(s2.mean())
    d0 = 2 * trigamma_inverse(float(spread))
    return d0, float(np.exp(centre + digamma(d0 / 2) - np.log(d0 / 2)))
