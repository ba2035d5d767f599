"""The precision weights of voom: how far a log count is to be trusted, by how large it is."""

from __future__ import annotations

import numpy as np

from .._core.errors import DataError
from ..data.class_codes import class_codes
from ..preparation.counts import normalization_factors

LOWESS_SPAN = 0.5  # of the genes, in each fit of the trend
COUNT_OFFSET = 0.5  # added to each count


def voom_weights(counts, y, normalization: str = "tmm") -> tuple[np.ndarray, np.ndarray]:
    """log2 counts per million of one table, and a weight of each, as limma's ``voom``.

    The square root of a gene's residual standard deviation is smoothed over its mean log count;
    the trend, at the log count that the class means expect of a sample of this depth, gives the
    variance of that value. Take both to `moderated_t`. The weights need the classes: they are for
    training rows.

    Parameters
    ----------
    counts : array-like of shape (n_samples, n_genes)
        From 0; two genes at least.
    y : array-like of shape (n_samples,)
        Class labels; more samples than classes.
    normalization : {"tmm", "upper_quartile", "none"}, default="tmm"
        Factors of library sizes, see `tamis.preparation.counts.normalization_factors`.

    Returns
    -------
    values, weights : ndarray of shape (n_samples, n_genes)
        log2((count + .5) / (library size + 1) * 1e6), and 1 over their expected variance.

    Raises
    ------
    DataError
        A count is missing or negative, a sample has none, or there are too few samples or genes.

    References
    ----------
    Law, Chen, Shi & Smyth (2014), Genome Biology 15:R29.

    Examples
    --------
    >>> from tamis.selection import moderated_t
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 5)
    >>> means = rng.gamma(0.5, 100, size=200) * rng.uniform(0.3, 3, (10, 1))
    >>> means[5:, 0] = 3 * means[5:, 0] + 20
    >>> counts = rng.negative_binomial(10, 10 / (10 + means))
    >>> values, weights = voom_weights(counts, y)
    >>> t, p = moderated_t(values, y, weights=weights)
    >>> int(p.argmin())
    0
    """
    from ..kernels.lowess import lowess_curve

    X = np.ascontiguousarray(counts, dtype=np.float64)
    factors = normalization_factors(X, normalization)
    _, codes = class_codes(y, "voom_weights")
    if len(codes) != len(X):
        raise DataError(f"{len(codes)} labels for {len(X)} samples: give one each")
    counted, n_classes = X.any(axis=0), int(codes.max()) + 1
    if counted.sum() < 2 or len(X) <= n_classes:
        raise DataError(
            f"{len(X)} samples of {n_classes} classes with counts of {counted.sum()} genes: voom "
            "needs more samples than classes, and two genes"
        )
    depths = np.log2(X.sum(axis=1) * factors + 1) - np.log2(1e6)
    values = np.log2(X + COUNT_OFFSET) - depths[:, None]
    means = np.array([values[codes == c].mean(axis=0) for c in range(n_classes)])
    squares = ((values - means[codes]) ** 2).sum(axis=0)
    deviations = np.sqrt(squares / (len(X) - n_classes))
    sizes = values.mean(axis=0) + depths.mean()
    order = np.argsort(sizes[counted], kind="stable")
    x, y_ = sizes[counted][order], np.sqrt(deviations[counted])[order]
    smooth = lowess_curve(x, y_, LOWESS_SPAN)
    at, first = np.unique(x, return_index=True)  # at equal x it is equal
    expected = np.interp(means[codes] + depths[:, None], at, smooth[first])
    return values, expected**-4
