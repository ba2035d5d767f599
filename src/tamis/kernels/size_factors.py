"""Size factors of count tables by the median of ratios to geometric means; samples are rows.

Anders & Huber (2010), Genome Biology 11:R106, as DESeq2 has them.
"""

from __future__ import annotations

import numpy as np

MAX_LOG_FACTOR = 500.0  # logarithm of a factor, so that what is divided by it stays a number


def log_geometric_means(counts: np.ndarray, positive: bool = False) -> np.ndarray:
    """Mean logarithms of the columns of counts (n, p), missing ones left out (p,).

    -inf, which leaves a gene out of size factors, for a gene with a count of 0. With `positive`,
    or if every gene has one, for a gene without any count alone: a count of 0 then adds 0 to the
    sum of logarithms ("poscounts" of DESeq2), and the means are raised by what makes 1 of the
    geometric mean of the size factors.

    Examples
    --------
    >>> counts = np.array([[2.0, 0.0, 4.0], [8.0, 4.0, 4.0]])
    >>> np.exp(log_geometric_means(counts)).round(6)
    array([4., 0., 4.])
    """
    known = ~np.isnan(counts)
    n = np.maximum(known.sum(axis=0), 1)
    above = known & (counts > 0)
    means = np.log(counts, out=np.zeros(counts.shape), where=above).sum(axis=0) / n
    full = (above == known).all(axis=0) & known.any(axis=0)
    if full.any() and not positive:
        return np.where(full, means, -np.inf)
    means = np.where(above.any(axis=0), means, -np.inf)
    some = above.any(axis=1)
    return means + np.log(size_factors(counts[some], means)).mean() if some.any() else means


def size_factors(counts: np.ndarray, log_means: np.ndarray) -> np.ndarray:
    """Median of the ratios of each row's counts above 0 to geometric means (m,).

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
            ratio = np.median(np.log(row[seen]) - means[seen])
            found[i] = np.exp(np.clip(ratio, -MAX_LOG_FACTOR, MAX_LOG_FACTOR))
    return found
