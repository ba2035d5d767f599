"""Size factors of count tables by the median of ratios to geometric means; samples are rows.

Anders & Huber (2010), Genome Biology 11:R106, as DESeq2 has them.
"""

from __future__ import annotations

import numpy as np

MAX_LOG_FACTOR = 500.0  # largest logarithm of a factor: counts divided by it stay finite


def log_geometric_means(counts: np.ndarray, positive: bool = False) -> np.ndarray:
    """Mean logarithms (p,) of the columns of counts (n, p), without missing ones.

    A gene with a count of 0 has -inf, which leaves it out of size factors. With `positive`, or if
    every gene has a count of 0, only genes without any count above 0 have -inf: a 0 then adds 0 to
    the sum of logarithms ("poscounts" of DESeq2), and the means are raised such that the geometric
    mean of the size factors is 1.

    Examples
    --------
    >>> counts = np.array([[2.0, 0.0, 4.0], [8.0, 4.0, 4.0]])
    >>> np.exp(log_geometric_means(counts)).round(6)
    array([4., 0., 4.])
    """
    known = ~np.isnan(counts)
    n = np.maximum(known.sum(axis=0), 1)
    above = known & (counts > 0)
    # 0 for the logarithms of counts of 0 and of missing ones; n counts only the known
    means = np.log(counts, out=np.zeros(counts.shape), where=above).sum(axis=0) / n
    # genes without a count of 0
    full = (above == known).all(axis=0) & known.any(axis=0)
    if full.any() and not positive:
        return np.where(full, means, -np.inf)
    means = np.where(above.any(axis=0), means, -np.inf)
    # Raising the means by the mean log factor divides factors by their geometric mean. Samples
    # without a count above 0, whose factor is 1 by convention, are left out.
    some = above.any(axis=1)
    return means + np.log(size_factors(counts[some], means)).mean() if some.any() else means


def size_factors(counts: np.ndarray, log_means: np.ndarray) -> np.ndarray:
    """Median (m,) of the ratios of each row's counts above 0 to the genes' geometric means.

    1 for a row without a count above 0 in the genes that have a mean.

    Examples
    --------
    >>> size_factors(np.array([[2.0, 9.0, 6.0], [0.0, 5.0, 0.0]]), np.log([4.0, 1.0, 4.0]))
    array([1.5, 5. ])
    """
    found = np.ones(len(counts))
    usable = np.isfinite(log_means)
    means = log_means[usable]
    for i, row in enumerate(counts[:, usable]):
        seen = row > 0
        if seen.any():
            # the median of logarithms, as in DESeq2: of two middle ratios their geometric mean
            ratio = np.median(np.log(row[seen]) - means[seen])
            found[i] = np.exp(np.clip(ratio, -MAX_LOG_FACTOR, MAX_LOG_FACTOR))
    return found
