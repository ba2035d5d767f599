"""The Wilcoxon rank-sum (Mann-Whitney) test, and Kruskal and Wallis's for more classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._moments import moment_ratio
from ._scored_input import scored_input

if TYPE_CHECKING:
    from ._parts import TrainingParts


def wilcoxon(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Standardised rank sum of each feature, positive minus negative class, and its p-value.

    Two classes: with U the Mann-Whitney statistic of the positive class on mid-ranks,
    ``z = (U - n0 n1 / 2) / s``, ``s^2 = n0 n1 / 12 (n + 1 - sum(t^3 - t) / (n (n - 1)))``
    over groups of t ties. The p-value is two-sided and asymptotic, with the continuity
    correction of 1/2, which z itself does not have; it is that of
    ``scipy.stats.mannwhitneyu(method="asymptotic")``. More classes: H of Kruskal and Wallis
    (1952), corrected for ties, and its chi-square p-value, as ``scipy.stats.kruskal``.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        NaN is missing, and left out feature by feature.
    y : array-like of shape (n_samples,)
        Class labels; the class that sorts last is the positive one.

    Returns
    -------
    statistics, p_values : ndarray of shape (n_features,)
        A constant feature has 0 and 1. A class without any value is left out; NaN if
        fewer than two are left.

    Raises
    ------
    DataError
        y has only one class.

    References
    ----------
    Mann & Whitney (1947), Ann. Math. Stat. 18, 50-60. Kruskal & Wallis (1952), JASA 47,
    583-621.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import wilcoxon
    >>> z, p = wilcoxon(np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 1])
    >>> float(z[0].round(4)), float(p[0].round(4))
    (1.5492, 0.2453)
    """
    from ..kernels.rank_sums import rank_sum_parts

    X, codes, n_classes, _ = scored_input(X, y, False)
    everyone = np.ones((1, len(X)), dtype=bool)
    sums = rank_sum_parts(X, codes, everyone, n_classes)
    doubled, counts, ties = (part[0] for part in sums)
    if n_classes == 2:
        return _rank_sum_test(doubled, counts, ties)
    return _kruskal_wallis_test(doubled, counts, ties)


def wilcoxon_parts(parts: TrainingParts) -> np.ndarray:
    """Statistics (n_parts, p) on every training set, sorted together.

    Equal, bit for bit, to `wilcoxon` on each part's own matrix.
    """
    from ..kernels.rank_sums import rank_sum_parts

    statistic = _z_statistic if parts.n_classes == 2 else _kruskal_wallis_h
    return parts.at_once(lambda *table: statistic(*rank_sum_parts(*table)))


def _rank_sum_deviation(doubled, counts, ties) -> tuple[np.ndarray, np.ndarray]:
    """2 (U - n0 n1 / 2), an integer, and 2 s; s is NaN without both classes."""
    n0, n1 = counts[..., 0].astype(float), counts[..., 1].astype(float)
    n = n0 + n1
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = n0 * n1 / 3 * (n + 1 - ties / (n * (n - 1)))
    variance[(n0 == 0) | (n1 == 0)] = np.nan
    return doubled[..., 1] - n1 * (n + 1), np.sqrt(variance)


def _z_statistic(doubled, counts, ties) -> np.ndarray:
    gap, spread = _rank_sum_deviation(doubled, counts, ties)
    return np.where(np.isnan(spread), np.nan, moment_ratio(gap, spread))


def _rank_sum_test(doubled, counts, ties) -> tuple[np.ndarray, np.ndarray]:
    from scipy.special import ndtr

    gap, spread = _rank_sum_deviation(doubled, counts, ties)
    with np.errstate(invalid="ignore", divide="ignore"):
        corrected = (np.abs(gap) - 1) / spread
    p_values = np.minimum(2 * ndtr(-corrected), 1.0)
    return _z_statistic(doubled, counts, ties), p_values


def _kruskal_wallis_h(doubled, counts, ties) -> np.ndarray:
    """H from the deviations of the rank sums, so that equal mean ranks give exactly 0."""
    sizes = counts.astype(float)
    n = sizes.sum(axis=-1)
    gaps = doubled - sizes * (n[..., None] + 1)
    between = moment_ratio(gaps**2, 4 * sizes).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = n * (n + 1) / 12 * (1 - ties / (n**3 - n))
    h = moment_ratio(between, scale)
    h[(counts > 0).sum(axis=-1) < 2] = np.nan
    return h


def _kruskal_wallis_test(doubled, counts, ties) -> tuple[np.ndarray, np.ndarray]:
    from scipy.special import chdtrc

    h = _kruskal_wallis_h(doubled, counts, ties)
    return h, chdtrc((counts > 0).sum(axis=-1) - 1.0, h)
