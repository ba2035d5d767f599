"""Dispersions of negative binomial counts, gene by gene, and their trend over the mean.

The variance of a count of mean mu is mu + alpha mu^2. Cox & Reid (1987), JRSS B 49:1-39 (adjusted
profile likelihood); Anders & Huber (2010), Genome Biology 11:R106, and Love, Huber & Anders (2014),
Genome Biology 15:550 (trend alpha = a0 + a1/mean), with a common mean of all samples.
"""

from __future__ import annotations

import numpy as np

LEAST_MEAN = 0.5  # expected counts below it are raised to it
# dispersions up to here count as none, and take no part in the trend
MAX_NO_DISPERSION = 1e-6
MIN_A0 = 1e-8  # a0 up to here becomes 0
N_HALVINGS = 40  # of a range of log alpha about 20 wide: down to 2e-11
BLOCK_COUNTS = 1 << 20  # counts of a block: temporary arrays have 8 MB each
# ratios of a dispersion to the trend beyond which it is an outlier, as in DESeq2
MIN_TREND_RATIO, MAX_TREND_RATIO = 1e-4, 15.0
MAX_ROUNDS = 25


def genewise_dispersions(counts: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Maximum of each column's Cox-Reid adjusted profile likelihood (p,).

    0 where the estimate by moments is not above 0, or the maximum not above 1e-6.

    Parameters
    ----------
    counts : ndarray of shape (n, p)
        NaN is missing.
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
    """`genewise_dispersions` of a few columns, all at once (p,)."""
    known = ~np.isnan(counts)
    y, n = np.where(known, counts, 0.0), known.sum(axis=0)
    scaled = y / factors[:, None]
    means = scaled.sum(axis=0) / np.maximum(n, 1)
    found = np.zeros(len(n))
    # one sample, or no count at all, says nothing of a dispersion
    some = np.flatnonzero((n > 1) & (means > 0))
    some = some[_by_moments(scaled[:, some], known[:, some], means[some], factors) > 0]
    if not len(some):
        return found
    y, known = y[:, some], known[:, some]
    mu = np.maximum(means[some] * factors[:, None], LEAST_MEAN)
    # the upper end, max(10, n), is that of DESeq2
    low = np.full(len(some), np.log(MAX_NO_DISPERSION))
    high = np.full(len(some), np.log(max(10.0, len(counts))))
    over = _likelihood_slope(low, y, mu, known) > 0  # else the maximum is not above 1e-6
    # the slope is positive left of the maximum: it lies between low and high at every step
    for _ in range(N_HALVINGS):
        middle = (low + high) / 2
        rising = _likelihood_slope(middle, y, mu, known) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    found[some] = np.where(over, np.exp((low + high) / 2), 0.0)
    return found


def _by_moments(
    scaled: np.ndarray, known: np.ndarray, means: np.ndarray, factors: np.ndarray
) -> np.ndarray:
    """The lesser of two estimates by moments (p,), from counts over size factors q = y / s.

    (var(q) - m mean(1/s)) / m^2, and sum((q - m')^2 - m') / m'^2 / (n - 1) with m' = max(m, 1).
    """
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

    # with r = 1/alpha and w = mu / (1 + alpha mu), up to terms without alpha,
    # l = sum lgamma(y + r) - lgamma(r) - r log(1 + alpha mu) + y log(mu / (mu + r))
    #     - log(sum w) / 2
    # and dl / d log alpha = -r dl / dr
    alpha = np.exp(log_alpha)
    size = 1 / alpha
    each = digamma(size) - digamma(y + size) + np.log1p(mu * alpha) + (y - mu) / (mu + size)
    # Cox-Reid: sum w is the information on the one mean, and dw / d log alpha = -alpha w^2
    weights = np.where(known, mu / (1 + alpha * mu), 0.0)
    likelihood = size * np.where(known, each, 0.0).sum(axis=0)
    return likelihood + alpha * (weights**2).sum(axis=0) / weights.sum(axis=0) / 2


def dispersion_trend(means: np.ndarray, alphas: np.ndarray) -> tuple[float, float]:
    """a0 and a1 of alpha = a0 + a1/mean, by a gamma regression without outliers.

    Genes whose dispersion is less than 1e-4 of the trend, or over 15 times the trend, are left out;
    this is repeated until the trend no longer changes. Where a0 would not be above 1e-8, or a1 not
    above 0, it is 0, and the other has its maximum likelihood; both are 0 without dispersions.

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
    trend = np.array([0.1, 1.0])  # the start of DESeq2
    for _ in range(MAX_ROUNDS):
        ratio = alphas / (trend[0] + trend[1] / means)
        good = (ratio > MIN_TREND_RATIO) & (ratio < MAX_TREND_RATIO)
        if not good.any():
            return 0.0, 0.0
        before, trend = trend, _gamma_regression(means[good], alphas[good], trend)
        # a coefficient at its edge, 0, has no logarithm, and ends the search too
        if (trend <= 0).any() or np.sum(np.log(trend / before) ** 2) < MAX_NO_DISPERSION:
            break
    return float(trend[0]), float(trend[1])


def _gamma_regression(means: np.ndarray, alphas: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Maximum likelihood estimates (a0, a1) of a gamma regression, neither below 0."""
    unit = np.array([1.0, np.mean(1 / means)])  # so that both columns are near 1
    design = np.column_stack([np.ones(len(means)), 1 / means]) / unit
    trend = start * unit
    # Fisher scoring with the identity link: the variance is in proportion to trend^2, so each row
    # is divided by its trend
    for _ in range(100):
        weights = 1 / (design @ trend)
        found, _, rank, _ = np.linalg.lstsq(design * weights[:, None], alphas * weights, rcond=None)
        if rank < 2:  # all means are equal: nothing separates a1 from a0
            return np.array([alphas.mean(), 0.0])
        # halfway back until every fitted dispersion is positive, as those of the last step are
        while (design @ found <= 0).any():
            found = (found + trend) / 2
        close = np.abs(found - trend).max() <= 1e-12 * np.abs(trend).max()
        trend = found
        if close:
            break
    # at an edge the other coefficient alone has a closed form: mean(alpha mean), or mean(alpha)
    a0, a1 = trend / unit
    if a0 <= MIN_A0:
        return np.array([0.0, (alphas * means).mean()])
    return np.array([alphas.mean(), 0.0]) if a1 <= 0 else np.array([a0, a1])
