"""The moderated t of limma: variances shrunk towards what all features have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._core.errors import DataError
from ..data.class_codes import checked_numbers, class_codes
from ._moments import ClassMoments, class_moments, moment_ratio


@dataclass(frozen=True)
class WeightedMoments(ClassMoments):
    """Moments of one training set whose values have weights.

    Attributes
    ----------
    weights : ndarray of shape (C, p)
        Sums of weights; `means` and `squares` are weighted.
    unweighted : ndarray of shape (p,)
        Plain means of all rows.
    """

    weights: np.ndarray
    unweighted: np.ndarray

    @property
    def unscaled(self) -> np.ndarray:
        """With weights for numbers."""
        return (1 / self.weights).sum(axis=0)

    @property
    def overall(self) -> np.ndarray:
        """Of limma: without weights."""
        return self.unweighted

    @property
    def between(self) -> np.ndarray:
        """Weighted, (p,)."""
        grand = (self.weights * self.offsets).sum(axis=0) / self.weights.sum(axis=0)
        return (self.weights * (self.offsets - grand) ** 2).sum(axis=0)

    @classmethod
    def of(cls, X: np.ndarray, codes: np.ndarray, weights: np.ndarray) -> WeightedMoments:
        """Of a matrix with class codes 0..C-1 and weights above 0, both (n, p)."""
        counts = np.bincount(codes)
        shape = (len(counts), X.shape[1])
        means, squares, sums = np.empty(shape), np.empty(shape), np.empty(shape)
        for c in range(len(counts)):
            w, x = weights[codes == c], X[codes == c]
            sums[c] = w.sum(axis=0)
            means[c] = x[0] + (w * (x - x[0])).sum(axis=0) / sums[c]
            squares[c] = (w * (x - means[c]) ** 2).sum(axis=0)
        return cls(counts, means, squares, sums, X.mean(axis=0))


def moderated_statistic(m: ClassMoments, trend: bool = False) -> np.ndarray:
    """Signed moderated t with two classes, moderated F with more."""
    return _moderated_statistic(m, trend)[0]


def moderated_p_values(m: ClassMoments, trend: bool = False) -> np.ndarray:
    """Two-sided p-values of the moderated t, or those of the moderated F."""
    from scipy.special import fdtrc, stdtr

    statistics, df = _moderated_statistic(m, trend)
    if len(m.counts) == 2:
        return 2 * stdtr(df, -np.abs(statistics))
    return fdtrc(len(m.counts) - 1, df, statistics)


def _moderated_statistic(m: ClassMoments, trend: bool) -> tuple[np.ndarray, float]:
    """The statistic and its degrees of freedom, finite even where d0 is infinite."""
    from ..kernels.ebayes import fit_prior

    df, within = max(m.df, 1), m.within
    d0, s02 = fit_prior(within / df, df, m.overall if trend else None)
    return statistic_under_prior(m, within, d0, s02), min(d0 + df, df * len(within))


def statistic_under_prior(
    m: ClassMoments, within: np.ndarray, d0: float, s02: float | np.ndarray
) -> np.ndarray:
    """The moderated statistic under a prior of d0 degrees of freedom and variance s02; `within`
    (p,), that of the moments, is overwritten."""
    # the squared denominator, factor (within + d0 s0^2) / (df + d0): in place, for a study asks for
    # it of every training set
    df = max(m.df, 1)
    factor = m.unscaled if len(m.counts) == 2 else 1.0
    if np.isinf(d0):
        post = np.full_like(within, s02 * factor)
    else:
        post = within
        post += d0 * s02
        post *= factor / (df + d0)
    if len(m.counts) > 2:
        return moment_ratio(m.between / (len(m.counts) - 1), post)
    return moment_ratio(m.difference, np.sqrt(post, out=post))


def moderated_t(X, y, weights=None, trend: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Moderated t-test of each feature: t, positive minus negative class, and its p-value.

    The variances are shrunk towards a prior fitted on all features at once (empirical
    Bayes; Smyth 2004, as in limma's ``eBayes``), so the value of one feature depends on
    the others. With more than two classes: moderated F.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,)
        Class labels; the class that sorts last is the positive one.
    weights : array-like of shape (n_samples, n_features), optional
        Above 0, in inverse proportion to the variances of the values, such as those of
        `voom_weights`.
    trend : bool, default=False
        The prior variance follows the feature's mean, as ``eBayes(trend=TRUE)``: limma-trend.

    Returns
    -------
    statistics, p_values : ndarray of shape (n_features,)
        Degrees of freedom are ``min(d0 + d, p d)`` with d = n - C.

    Raises
    ------
    DataError
        The weights have another shape, or one is not above 0.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import moderated_t
    >>> golub = load_golub()
    >>> t, p = moderated_t(golub.X, golub.y)
    >>> golub.feature_names[abs(t).argmax()]
    'M27891_at'
    """
    X, y = checked_numbers(X, y)
    _, codes = class_codes(y, "a filter")
    if weights is None:
        m = class_moments(X, codes)
    else:
        weights = np.asarray(weights, dtype=np.float64)
        if weights.shape != X.shape:
            raise DataError(f"weights have the shape {weights.shape}: give that of X, {X.shape}")
        if not ((weights > 0) & (weights < np.inf)).all():
            raise DataError("a weight is not above 0, or infinite: leave such values out")
        m = WeightedMoments.of(X, codes, weights)
    return moderated_statistic(m, trend), moderated_p_values(m, trend)
