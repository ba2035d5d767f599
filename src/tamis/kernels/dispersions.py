"""Dispersions of negative binomial counts, gene by gene, and their trend over the mean.

The variance of a count of mean mu is mu + alpha mu^2. Cox & Reid (1987), JRSS B 49:1-39 (adjusted
profile likelihood); Anders & Huber (2010), Genome Biology 11:R106, and Love, Huber & Anders (2014),
Genome Biology 15:550 (trend alpha = a0 + a1/mean), with a common mean of all samples.
"""

from __future__ import annotations

import numpy as np

LEAST_MEAN = 0.5  # of a count
# dispersions up to here are no overdispersion, and take no part in the trend
MAX_NO_DISPERSION = 1e-6
MIN_A0 = 1e-8  # of a0
N_HALVINGS = 40  # of a range of log alpha, 20 wide at most
BLOCK_COUNTS = 1 << 20  # counts that are looked at together
# ratio of a dispersion to the trend, beyond which it is an outlier
MIN_TREND_RATIO, MAX_TREND_RATIO = 1e-4, 15.0
MAX_ROUNDS = 25


def genewise_dispersions(counts: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Maximum of each column's Cox-Reid adjusted profile likelihood (p,).

    0 where the estimate by moments is not above 0, or the maximum not above 1e-6.

    Parameters
    ----------
    counts : ndarray of shape (n, p)
        NaN is left out.
    factors : ndarray of shape (n,)
        Size factors.
    """
    found = np.zeros(counts.shape[1])
    width = max(BLOCK_COUNTS // max(len(counts), 1), 1)
    for start in range(0, len(found), width):
        block = slice(start, start + width)
        found[block] = _block_dispersions(counts[:, block], factors)
    return found


def _block_dispersions(counts: np.ndarray, factors: np.ndarray) -> np.ndarray:
    known = ~np.isnan(counts)
    y, n = np.where(known, counts, 0.0), known.sum(axis=0)
    scaled = y / factors[:, None]
    means = scaled.sum(axis=0) / np.maximum(n, 1)
    found = np.zeros(len(n))
    some = np.flatnonzero((n > 1) & (means > 0))
    some = some[_by_moments(scaled[:, some], known[:, some], means[some], factors) > 0]
    if not len(some):
        return found
    y, known = y[:, some], known[:, some]
    mu = np.maximum(means[some] * factors[:, None], LEAST_MEAN)
    low = np.full(len(some), np.log(MAX_NO_DISPERSION))
    high = np.full(len(some), np.log(max(10.0, len(counts))))
    over = _likelihood_slope(low, y, mu, known) > 0
    for _ in range(N_HALVINGS):
        middle = (low + high) / 2
        rising = _likelihood_slope(middle, y, mu, known) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    found[some] = np.where(over, np.exp((low + high) / 2), 0.0)
    return found


def _by_moments(
    scaled: np.ndarray, known: np.ndarray, means: np.ndarray, factors: np.ndarray
) -> np.ndarray:
    """The lesser of two estimates by moments, from counts over size factors."""
    n = known.sum(axis=0)
    squares = np.where(known, (scaled / means - 1) ** 2, 0.0).sum(axis=0)
    inverse = (known / factors[:, None]).sum(axis=0) / n
    middle = np.maximum(means, 1.0)
    each = np.where(known, (scaled / middle - 1) ** 2 - 1 / middle, 0.0)
    return np.minimum(squares / (n - 1) - inverse / means, each.sum(axis=0) / (n - 1))


def _likelihood_slope(
    log_alpha: np.ndarray, y: np.ndarray, mu: np.ndarray, known: np.ndarray
) -> np.ndarray:
    """Derivative by log alpha of the adjusted profile likelihood of each column (p,)."""
    from scipy.special import digamma

    alpha = np.exp(log_alpha)
    size = 1 / alpha
    each = digamma(size) - digamma(y + size) + np.log1p(mu * alpha) + (y - mu) / (mu + size)
    weights = np.where(known, mu / (1 + alpha * mu), 0.0)
    likelihood = size * np.where(known, each, 0.0).sum(axis=0)
    return likelihood + alpha * (weights**2).sum(axis=0) / weights.sum(axis=0) / 2


def dispersion_trend(means: np.ndarray, alphas: np.ndarray) -> tuple[float, float]:
    """a0 and a1 of alpha = a0 + a1/mean, by a gamma regression without outliers.

    A gene is left out whose dispersion is less than 1e-4 of the trend, or over 15 times that, until
    the trend stays. Where a0 would not be above 1e-8, or a1 not above 0, it is 0, and the other has
    its maximum likelihood; both are 0 without dispersions.

    Parameters
    ----------
    means, alphas : ndarray of shape (p,)
        Means of counts over size factors, and dispersions; those up to 1e-6 take no part.

    Examples
    --------
    >>> means = np.array([2.0, 20.0, 200.0, 2000.0])
    >>> a0, a1 = dispersion_trend(means, 0.1 + 3 / means)
    >>> round(a0, 6), round(a1, 6)
    (0.1, 3.0)
    """
    use = (alphas > MAX_NO_DISPERSION) & (means > 0)
    means, alphas = means[use], alphas[use]
    trend = np.array([0.1, 1.0])
    for _ in range(MAX_ROUNDS):
        ratio = alphas / (trend[0] + trend[1] / means)
        good = (ratio > MIN_TREND_RATIO) & (ratio < MAX_TREND_RATIO)
        if not good.any():
            return 0.0, 0.0
        before, trend = trend, _gamma_regression(means[good], alphas[good], trend)
        if (trend <= 0).any() or np.sum(np.log(trend / before) ** 2) < MAX_NO_DISPERSION:
            break
    return float(trend[0]), float(trend[1])


def _gamma_regression(means: np.ndarray, alphas: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Maximum likelihood of a0 and a1, neither below 0."""
    unit = np.array([1.0, np.mean(1 / means)])  # so that both columns are near 1
    design = np.column_stack([np.ones(len(means)), 1 / means]) / unit
    trend = start * unit
    for _ in range(100):
        weights = 1 / (design @ trend)
        found, _, rank, _ = np.linalg.lstsq(design * weights[:, None], alphas * weights, rcond=None)
        if rank < 2:
            return np.array([alphas.mean(), 0.0])
        while (design @ found <= 0).any():
            found = (found + trend) / 2
        close = np.abs(found - trend).max() <= 1e-12 * np.abs(trend).max()
        trend = found
        if close:
            break
    a0, a1 = trend / unit
    if a0 <= MIN_A0:
        return np.array([0.0, (alphas * means).mean()])
    return np.array([alphas.mean(), 0.0]) if a1 <= 0 else np.array([a0, a1])
