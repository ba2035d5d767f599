"""Hilbert-Schmidt independence criterion (HSIC) between each feature and the class."""

from __future__ import annotations

import numpy as np

from .._core.errors import PlanError, nearest_hint
from ._moments import ClassMoments, moment_ratio, moments_of

KERNEL_CHOICES = ("linear", "gaussian")
LABEL_KERNELS = ("balanced", "delta")


def hsic(
    X,
    y,
    *,
    kernel: str = "linear",
    unbiased: bool = False,
    bandwidth: float | str = "median",
    label_kernel: str = "balanced",
) -> np.ndarray:
    """HSIC of each standardised feature and the class; higher is more dependent.

    Biased: ``tr(KHLH) / (n-1)^2`` with H = I - 11'/n (Gretton et al. 2005). Unbiased, with
    K~ and L~ for K and L with zero diagonals (Song et al. 2012): ``[tr(K~L~) + (1'K~1)(1'L~1)
    / ((n-1)(n-2)) - 2 1'K~L~1 / (n-2)] / (n (n-3))``; it may be negative.

    With the linear kernel and the balanced label kernel the biased value is
    ``n^2 r^2 / (n-1)^2`` with Pearson's r (the correlation ratio for several classes), so it
    ranks exactly as `pearson`. The unbiased one ranks otherwise unless the classes are of
    equal size.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
        Every feature is standardised first (population standard deviation).
    y : array-like of shape (n_samples,)
        Class labels, two or more classes.
    kernel : {"linear", "gaussian"}, default="linear"
        ``x x'`` or ``exp(-(x - x')^2 / (2 s^2))``. The linear one sees differences of the
        class means only, the Gaussian one any difference between the classes.
    unbiased : bool, default=False
        Needs at least four samples.
    bandwidth : float or "median", default="median"
        s of the Gaussian kernel in standard deviations of the feature, or the median
        distance of two samples, feature by feature (where that is 0, of those that differ).
    label_kernel : {"balanced", "delta"}, default="balanced"
        ``L(y, y') = 1{y = y'} / pi_y`` with pi_y the share of the class, for two classes
        the same as the linear kernel on the standardised label; or plain ``1{y = y'}``.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        0 for a constant feature.

    Raises
    ------
    PlanError
        A parameter is not one of those allowed, or there are too few samples.

    References
    ----------
    Gretton, Bousquet, Smola & Schoelkopf (2005), ALT 2005, 63-77. Song, Smola, Gretton,
    Bedo & Borgwardt (2012), JMLR 13, 1393-1434.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import hsic
    >>> X = np.array([[1.0, 0.0], [2.0, 3.0], [3.0, 3.0], [4.0, 0.0]])
    >>> hsic(X, [0, 0, 1, 1]).round(4)
    array([1.4222, 0.    ])
    """
    if kernel not in KERNEL_CHOICES:
        raise PlanError(f"kernel={kernel!r}: {nearest_hint(kernel, KERNEL_CHOICES)}")
    if label_kernel not in LABEL_KERNELS:
        raise PlanError(
            f"label_kernel={label_kernel!r}: {nearest_hint(label_kernel, LABEL_KERNELS)}"
        )
    width = _checked_bandwidth(bandwidth)
    balanced = label_kernel == "balanced"
    if kernel == "linear":
        return linear_hsic(moments_of(X, y), unbiased=unbiased, balanced=balanced)
    from ._scored_input import scored_input

    X, codes, n_classes, _ = scored_input(X, y, False)
    if np.isnan(X).any():
        raise PlanError("X holds NaN: hsic needs finite numbers; fill missing values first")
    from ..kernels.hilbert_schmidt import gaussian_hsic, pair_weights

    _require_samples(len(X), unbiased)
    class_weights = _label_weights(np.bincount(codes, minlength=n_classes), balanced)
    return gaussian_hsic(X, *pair_weights(codes, class_weights, unbiased), width)


def _checked_bandwidth(bandwidth: float | str) -> float:
    """The kernel's bandwidth; 0 stands for the median."""
    if isinstance(bandwidth, str) and bandwidth == "median":
        return 0.0
    if isinstance(bandwidth, float | int | np.number) and 0 < bandwidth < np.inf:
        return float(bandwidth)
    raise PlanError(f"bandwidth={bandwidth!r}: give 'median' or a number above 0")


def _label_weights(counts: np.ndarray, balanced: bool) -> np.ndarray:
    """w_c of the label kernel L(y, y') = w_c 1{y = y' = c}."""
    return counts.sum() / counts if balanced else np.ones(len(counts))


def _require_samples(n: int, unbiased: bool) -> None:
    if unbiased and n < 4:
        raise PlanError(f"unbiased HSIC needs at least 4 samples, not {n}: use unbiased=False")


def linear_hsic(m: ClassMoments, *, unbiased: bool = False, balanced: bool = True) -> np.ndarray:
    """HSIC with the linear kernel, from class moments.

    For z standardised, S_c and Q_c the sums of z and of z^2 in class c: tr(KHLH) =
    sum w_c S_c^2, tr(K~L~) = sum w_c (S_c^2 - Q_c), 1'K~1 = -n, and row i of K~ sums to
    -z_i^2.
    """
    counts = m.counts.astype(float)
    n, weights = counts.sum(), _label_weights(m.counts, balanced)
    _require_samples(int(n), unbiased)
    size = counts[:, None]
    means = m.offsets - (size * m.offsets).sum(axis=0) / n
    variance = (m.between + m.within) / n
    sums = moment_ratio((size * means) ** 2, variance)  # S_c^2
    if not unbiased:
        return weights @ sums / (n - 1) ** 2
    squares = moment_ratio(m.squares + size * means**2, variance)  # Q_c
    sum_l = (weights * counts * (counts - 1)).sum()
    value = weights @ (sums - squares) - n * sum_l / ((n - 1) * (n - 2))
    value += 2 * (weights * (counts - 1)) @ squares / (n - 2)
    return np.where(variance == 0, 0.0, value / (n * (n - 3)))
