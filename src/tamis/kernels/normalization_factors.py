"""Normalisation factors of count tables by edgeR's rules; samples are rows.

Robinson & Oshlack (2010), Genome Biology 11:R25 (TMM); Bullard et al. (2010), BMC Bioinformatics
11:94 (upper quartile). A sample's library size times its factor is its effective library size.
"""

from __future__ import annotations

import numpy as np

RATIO_TRIM, ABUNDANCE_TRIM = 0.3, 0.05  # shares cut off at both ends of M and of A
LEAST_ABUNDANCE = -1e10  # edgeR's limit of A, which in effect drops no gene
EQUAL_LOG_RATIO = 1e-6  # if all log-ratios are smaller, two profiles count as equal
EMPTY_QUANTILE = 1e-20  # a median quartile below this counts as 0


def library_sizes(counts: np.ndarray) -> np.ndarray:
    """Sums over the columns of counts (n, p), missing ones left out (n,).

    Examples
    --------
    >>> library_sizes(np.array([[3.0, 0.0, 7.0], [1.0, np.nan, 1.0]]))
    array([10.,  2.])
    """
    return np.array([np.nansum(row) for row in counts])


def upper_quartile_shares(counts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The upper quartile of each row of counts (n, p), over its library size (n,)."""
    found = np.zeros(len(counts))
    for i, row in enumerate(counts):
        known = row[~np.isnan(row)]
        if len(known) and sizes[i] > 0:
            found[i] = np.quantile(known, 0.75) / sizes[i]
    return found


def reference_row(counts: np.ndarray, sizes: np.ndarray) -> int:
    """The sample that edgeR takes as reference: its upper quartile is nearest the mean of all."""
    shares = upper_quartile_shares(counts, sizes)
    # with mostly empty genes quartiles are 0: the sample with the largest sum of square roots
    if np.median(shares) < EMPTY_QUANTILE:
        return int(np.argmax(np.nansum(np.sqrt(counts), axis=1)))
    return int(np.argmin(np.abs(shares - shares.mean())))


def tmm_factor(
    counts: np.ndarray, size: float, reference: np.ndarray, reference_size: float
) -> float:
    """Weighted trimmed mean of log-ratios of a sample to a reference, as a factor.

    Parameters
    ----------
    counts : ndarray of shape (p,)
    size : float
        Library size.
    reference : ndarray of shape (p,)
        Counts.
    reference_size : float

    Examples
    --------
    >>> reference = np.arange(1.0, 11.0)
    >>> counts = 2 * reference
    >>> counts[9] = 200  # one gene takes up reads that the others lack
    >>> round(tmm_factor(counts, counts.sum(), reference, reference.sum()), 3)
    0.379
    """
    use = (counts > 0) & (reference > 0)  # a count of 0 has no log-ratio; nor has NaN
    if not use.any():
        return 1.0
    x, r = counts[use], reference[use]
    share, share_r = x / size, r / reference_size
    # M and A of Robinson & Oshlack, and the variance of M by the delta method
    ratio = np.log2(share / share_r)
    abundance = (np.log2(share) + np.log2(share_r)) / 2
    variance = (size - x) / size / x + (reference_size - r) / reference_size / r
    far = abundance > LEAST_ABUNDANCE
    ratio, abundance, variance = ratio[far], abundance[far], variance[far]
    if np.abs(ratio).max(initial=0.0) < EQUAL_LOG_RATIO:
        return 1.0
    # the variance is 0 if a gene has all counts of both samples
    keep = (
        _inside_trim(ratio, RATIO_TRIM) & _inside_trim(abundance, ABUNDANCE_TRIM) & (variance > 0)
    )
    if not keep.any():
        return 1.0
    # log2 f = sum (M / v) / sum (1 / v)
    return float(2 ** (np.sum(ratio[keep] / variance[keep]) / np.sum(1 / variance[keep])))


def _inside_trim(values: np.ndarray, trim: float) -> np.ndarray:
    """Which values (n,) are left when a share is trimmed at both ends, by average ranks."""
    from scipy.stats import rankdata

    n, rank = len(values), rankdata(values)
    least = np.floor(n * trim) + 1
    return (rank >= least) & (rank <= n + 1 - least)


def log_counts_per_million(
    counts: np.ndarray, sizes: np.ndarray, mean_size: float, prior_count: float
) -> np.ndarray:
    """log2 of counts per million (n, p), with a prior count that is scaled to the library size.

    Parameters
    ----------
    counts : ndarray of shape (n, p)
    sizes : ndarray of shape (n,)
        Effective library sizes.
    mean_size : float
        Mean of the effective library sizes of the training samples.
    prior_count : float
        Above 0; added to each count of a library of the mean size.
    """
    # (y + c L / mean) / (L + 2 c L / mean), divided by L above and below: c is scaled to L. NaN
    # stays NaN, and a sample without counts has the shares 0
    shares = np.divide(
        counts,
        sizes[:, None],
        out=np.where(np.isnan(counts), np.nan, 0.0),
        where=sizes[:, None] > 0,
    )
    prior = prior_count / mean_size
    return np.log2((shares + prior) / (1 + 2 * prior) * 1e6)
