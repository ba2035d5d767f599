"""Intervals of out-of-fold scores, from limits of the classes' recalls and areas.

Out-of-fold predictions are not independent: folds share training rows, and one model predicts all
of a fold. A score of n of them varies as one of fewer independent ones would. How many fewer
was chosen by simulation (`benchmarks/interval_coverage.py`, docs/methods/metrics.md):
class c with n_c samples counts as m_c = n_c / f, and the limits are those of a share of m_c.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from .._core.errors import PlanError

Interval = tuple[float, float]
UNDEFINED_INTERVAL = (float("nan"), float("nan"))
INTERVAL_LEVEL = 0.95


def check_level(level: float) -> None:
    """Refuse a confidence level outside (0, 1)."""
    if not 0.0 < level < 1.0:
        raise PlanError(f"level is {level}: a confidence level lies between 0 and 1, such as 0.95")


@dataclass(frozen=True)
class VarianceInflation:
    """What stands behind held-out predictions: how many independent samples, and how they vary.

    Attributes
    ----------
    units : ndarray of shape (C,)
        Independent units of each class: samples, or the effective number of groups.
    labels, recall, area : float
        Variance of a score of all classes' labels, of one class's recall and of the AUC, over
        that of as many independent predictions (f). NaN: no rule has passed a simulation.
    squares, slope : float
        The same of a Brier score, over p (1 - p), the most that squared errors of mean p in [0, 1]
        can vary, and of a calibration slope.
    ordered : ndarray of shape (C,), optional
        Independent units of each class for areas, where they are other than `units`.
    exact : bool
        Predictions are independent but for their groups (an external cohort): limits are
        those of Clopper and Pearson.
    shared : float
        How far errors of two classes may come together, as they do where groups hold several:
        from 0, where squares of deviations add up, to 1, where deviations do.
    """

    units: np.ndarray
    labels: float = 1.0
    recall: float = 1.0
    area: float = 1.0
    exact: bool = False
    shared: float = 0.0
    squares: float = 1.0
    slope: float = 1.0
    ordered: np.ndarray | None = None

    @classmethod
    def k_fold(
        cls, units: np.ndarray, repeats: int = 1, shared: float = 0.0, clear: float = 0.0
    ) -> VarianceInflation:
        """Folds that hold out each sample once a repeat; more repeats, less noise of splitting.

        `clear` is how far the procedure lies above chance (`errors_above_chance`): of many
        samples and a clear signal the training sets learn the same, and f is smaller
        (`score_instability`). That of a recall stays: one class may vary where the others do not.
        """
        left = score_instability(float(units.sum()), clear, repeats)
        labels, recall, area = 2.2 + 0.8 / repeats, 1.2 + 0.6 / repeats, 2.55 + 0.65 / repeats
        f = left * labels, recall, max(left * area, 1.0)
        return cls(units, *f, shared=shared, squares=FOLD_SQUARES, slope=FOLD_SLOPE)

    @classmethod
    def leave_one_out(cls, units: np.ndarray, shared: float = 0.0) -> VarianceInflation:
        """One unit held out at a time; pairs of samples that one model judges are rare or none."""
        nothing = float("nan")
        return cls(units, 6.0, 3.0, nothing, shared=shared, squares=6.0, slope=nothing)

    @classmethod
    def holdout(
        cls, units: np.ndarray, ratio: float, repeats: int = 1, shared: float = 0.0
    ) -> VarianceInflation:
        """Test sets with `units` of each class; `ratio` is that of test to training samples.

        Of J test sets the variance is that of one times 1/J + ratio (Nadeau and Bengio 2003),
        and more for small ones.
        """
        f = 1.0 / repeats + 2.4 * ratio
        recall, area = 1.0 / repeats + 1.2 * ratio, 1.0 / repeats + 1.4 * ratio
        return cls(units, f, recall, area, shared=shared, squares=f, slope=float("nan"))

    @classmethod
    def external(cls, units: np.ndarray, shared: float = 0.0) -> VarianceInflation:
        """A cohort that took no part in fitting: predictions are independent."""
        return cls(units, exact=True, shared=shared)


# f is what simulations of up to 60 units, and of noise of any number, ask for. Of 300 units, 12
# standard errors above chance, half of it is enough; in between it falls evenly, by the logarithm
# of the number and by the errors. Repeats leave less to spare (docs/results/coverage.md).
FOLD_SQUARES, FOLD_SLOPE = 1.25, 2.0  # of folds (benchmarks/calibration_coverage.py)
N_SMALL, N_LARGE, MAX_REDUCTION = 60, 300, 0.5
Z_LOW, Z_HIGH, Z_PER_REPEAT = 8.0, 12.0, 2.0
AREA_NEAR, AREA_SLOPE, AREA_SKEW, AREA_HALF = 0.95, 0.35, 1.25, 0.5  # benchmarks/area_coverage.py
MIN_INDEPENDENT_SAMPLES = 3.0  # independent samples of a class, and of the others
CORRELATION_MARGIN = 0.1  # of the intraclass correlation of scores, for its error
AREA_CORRELATION = 0.5  # correlation of areas of classes: .3 to .45 in simulations


def score_instability(n: float, clear: float, repeats: int = 1) -> float:
    """What is left of f, between 1/2 and 1, of n units and a score so many errors above chance.

    Examples
    --------
    >>> score_instability(60, 20.0), score_instability(300, 0.0), score_instability(300, 12.0)
    (1.0, 1.0, 0.5)
    >>> round(score_instability(150, 10.0), 3)
    0.858
    """
    many = np.clip(np.log(max(n, 1.0) / N_SMALL) / np.log(N_LARGE / N_SMALL), 0.0, 1.0)
    later = Z_PER_REPEAT * (1 - 1 / repeats)
    far = np.clip((clear - Z_LOW - later) / (Z_HIGH - Z_LOW), 0.0, 1.0)
    return 1.0 - MAX_REDUCTION * float(many) * float(far)


def errors_above_chance(matrix: np.ndarray, units: np.ndarray) -> float:
    """The balanced accuracy less 1/C, over its standard error if predictions were independent.

    Parameters
    ----------
    matrix : ndarray of shape (C, C)
        Rows predicted; recalls are drawn in towards one half by half a sample.
    units : ndarray of shape (C,)
        Independent units of each class; those of none are left out.

    Examples
    --------
    >>> round(errors_above_chance(np.array([[24, 6], [6, 24]]), np.array([30.0, 30.0])), 2)
    5.71
    """
    true = matrix.sum(axis=0)
    there = (true > 0) & (units > 0)
    if there.sum() < 2:
        return 0.0
    n, C = units[there], int(there.sum())
    recalls = matrix.diagonal()[there] / true[there]
    drawn = (recalls * n + 0.5) / (n + 1)
    error = float(np.sqrt((drawn * (1 - drawn) / n).sum())) / C
    return float(recalls.mean() - 1 / C) / error


def units_of(
    codes: np.ndarray, C: int, groups: np.ndarray | None, alike: np.ndarray | None = None
) -> tuple[np.ndarray, float]:
    """`effective_units`, and the `VarianceInflation.shared` of errors of two classes.

    1 where some group holds several classes. With `alike` that is the largest correlation of two
    classes' numbers of errors, sum r_g n_gc n_gd over the root of their sums of squares.

    Examples
    --------
    >>> codes, families = np.array([0, 1, 0, 1, 0, 1]), np.array(["p", "p", "q", "r", "s", "t"])
    >>> units_of(codes, 2, families)[1], round(units_of(codes, 2, families, np.full(6, 0.5))[1], 3)
    (1.0, 0.167)
    """
    units = effective_units(codes, C, groups, alike)
    if groups is None:
        return units, 0.0
    sizes, r = _classes_of_groups(codes, C, groups, alike)
    if alike is None:
        return units, float(((sizes > 0).sum(axis=1) > 1).any())
    together = sizes.T @ (sizes * r)
    squares = _error_count_variance(sizes, r)
    np.fill_diagonal(together, 0.0)
    return units, float((together / np.sqrt(np.maximum(np.outer(squares, squares), 1.0))).max())


def effective_units(
    codes: np.ndarray, C: int, groups: np.ndarray | None = None, alike: np.ndarray | None = None
) -> np.ndarray:
    """Independent units of each class: samples, or (sum n_g)^2 / sum n_g^2 over its groups.

    The latter (Kish) is the number of groups where they are of one size and less otherwise:
    predictions inside a group are taken for copies of each other. With an intraclass correlation r
    of each group, the same in all its rows (`alike`, (n,)), n_g^2 is n_g (1 + (n_g - 1) r).

    Examples
    --------
    >>> effective_units(np.array([0, 0, 0, 1]), 2).tolist()
    [3.0, 1.0]
    >>> effective_units(np.array([0, 0, 0, 1]), 2, np.array(["p", "p", "q", "r"])).tolist()
    [1.8, 1.0]
    """
    counts = np.bincount(codes, minlength=C).astype(np.float64)
    if groups is None:
        return counts
    squares = _error_count_variance(*_classes_of_groups(codes, C, groups, alike))
    return np.divide(counts**2, squares, out=np.zeros(C), where=squares > 0)


def _classes_of_groups(
    codes: np.ndarray, C: int, groups: np.ndarray, alike: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Samples of each class in each group (G, C), and the intraclass correlation of each (G, 1)."""
    _, units = np.unique(groups, return_inverse=True)
    sizes = np.bincount(units * C + codes, minlength=C * (units.max() + 1)).reshape(-1, C)
    r = np.ones((len(sizes), 1))
    if alike is not None:
        r[units, 0] = alike
    return sizes, r


def _error_count_variance(sizes: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Variance (C,) of each class's number of errors, over that of one error."""
    return np.asarray((sizes * (1 + (sizes - 1) * r)).sum(axis=0))


def errors_alike(right: np.ndarray, codes: np.ndarray, groups: np.ndarray) -> float:
    """Intraclass correlation of errors, from 0 to 1: between samples of one group and class.

    Of the deviations from the class's own rate: their mean product over all such pairs, by their
    variance. Where a group is of one class and all its samples look alike to the model, as in herds
    of two breeds, it is near 1 whatever their kinship.

    Parameters
    ----------
    right : ndarray of shape (n,)
        How often each sample was predicted right, from 0 to 1.
    codes, groups : ndarray of shape (n,)

    Examples
    --------
    >>> codes, herds = np.zeros(6, dtype=int), np.array(["a", "a", "b", "b", "c", "c"])
    >>> errors_alike(np.array([1.0, 1, 0, 0, 1, 1]), codes, herds)
    1.0
    >>> errors_alike(np.array([1.0, 0, 1, 0, 1, 0]), codes, herds)
    0.0
    """
    counts = np.bincount(codes)
    off = right - (np.bincount(codes, right) / np.maximum(counts, 1))[codes]
    _, group = np.unique(groups, return_inverse=True)
    unit = group * len(counts) + codes
    sizes, squares = np.bincount(unit), float((off**2).sum())
    pairs = (sizes * (sizes - 1)).sum()
    if not pairs or squares < 1e-9:
        return 0.0
    products = float((np.bincount(unit, off) ** 2).sum()) - squares
    return float(np.clip(products / pairs / (squares / len(right)), 0.0, 1.0))


def share_limits(
    shares: np.ndarray, counts: np.ndarray, exact: bool = False, level: float = INTERVAL_LEVEL
) -> tuple[np.ndarray, np.ndarray]:
    """Limits of shares seen in (possibly fractional) numbers of independent trials.

    With x = share * m: the Jeffreys interval, quantiles of Beta(x + 1/2, m - x + 1/2), with 0
    and 1 for its ends where nothing and where everything was a hit; or that of Clopper and
    Pearson, Beta(x, m - x + 1) and Beta(x + 1, m - x).

    Parameters
    ----------
    shares, counts : ndarray of one shape
        Shares in [0, 1]; counts above 0.
    exact : bool, default=False
        Clopper and Pearson.
    level : float, default=0.95

    Returns
    -------
    low, high : ndarray

    References
    ----------
    Brown, Cai and DasGupta (2001), Interval estimation for a binomial proportion. Statistical
    Science 16, 101-133.

    Examples
    --------
    >>> low, high = share_limits(np.array([1.0]), np.array([10.0]))
    >>> round(float(low[0]), 3), float(high[0])
    (0.783, 1.0)
    """
    from scipy.special import betaincinv

    check_level(level)
    tail = (1.0 - level) / 2.0
    hits = np.clip(shares * counts, 0.0, counts)
    misses = counts - hits
    none, all_hit = hits <= 1e-9, misses <= 1e-9
    below, above = (0.0, 1.0) if exact else (0.5, 0.5)
    low = betaincinv(np.where(none, 1.0, hits + below), misses + above, tail)
    high = betaincinv(hits + above, np.where(all_hit, 1.0, misses + below), 1.0 - tail)
    low, high = np.where(none, 0.0, low), np.where(all_hit, 1.0, high)
    return np.minimum(low, shares), np.maximum(high, shares)  # of a fraction of one trial


def recall_intervals(matrix: np.ndarray, sampling: VarianceInflation) -> list[Interval]:
    """Interval of each class's recall from counts (C, C), rows predicted; NaN without samples."""
    true = matrix.sum(axis=0)
    shares = matrix.diagonal() / np.where(true > 0, true, 1.0)
    there = (true > 0) & (sampling.units > 0)
    if not there.any() or np.isnan(sampling.recall):
        return [UNDEFINED_INTERVAL] * len(true)
    counts = np.where(there, sampling.units, 1.0) / sampling.recall
    low, high = share_limits(shares, counts, sampling.exact)
    ends = zip(low, high, there, strict=True)
    return [(float(a), float(b)) if known else UNDEFINED_INTERVAL for a, b, known in ends]


def label_interval(
    score: Callable[[np.ndarray], Any],
    matrix: np.ndarray,
    value: float,
    sampling: VarianceInflation,
    direction: int = 1,
) -> Interval:
    """Interval of a score of the confusion matrix, by moving one class's recall at a time.

    Each recall goes to its two limits while the class's errors keep their proportions, and the
    changes of the score are put together by the root of the sum of their squares: the MOVER of
    Zou and Donner where the score is linear in the recalls, and the same idea where it is not.
    Towards the worse a class counts with its larger change: a recall below one half has little
    room down to 0, the mean of several has more.

    Parameters
    ----------
    score : callable
        (..., C, C) counts, rows predicted -> (...).
    matrix : ndarray of shape (C, C)
    value : float
        The estimate that the interval is put around.
    sampling : VarianceInflation
    direction : int, default=1
        -1 where lower is better.

    References
    ----------
    Zou and Donner (2008), Construction of confidence limits about effect measures. Statistics
    in Medicine 27, 1693-1702.

    Examples
    --------
    >>> from .confusion_matrix import bcr_of
    >>> matrix = np.array([[24, 6], [6, 24]])
    >>> low, high = label_interval(bcr_of, matrix, 0.8, VarianceInflation(np.array([30.0, 30.0])))
    >>> round(low, 3), round(high, 3)
    (0.682, 0.879)
    """
    true = matrix.sum(axis=0)
    classes = np.flatnonzero((true > 0) & (sampling.units > 0))
    if not len(classes) or np.isnan(sampling.labels) or not np.isfinite(value):
        return UNDEFINED_INTERVAL
    recalls = matrix.diagonal()[classes] / true[classes]
    low, high = share_limits(recalls, sampling.units[classes] / sampling.labels, sampling.exact)
    ends = zip(np.repeat(classes, 2).tolist(), np.column_stack([low, high]).ravel(), strict=True)
    moved = np.stack([_with_recall(matrix, c, recall) for c, recall in ends])
    changes = np.nan_to_num(score(moved) - score(matrix.astype(np.float64))).reshape(-1, 2)
    return _interval_around(value, changes, sampling.shared, direction)


def _with_recall(matrix: np.ndarray, c: int, recall: float) -> np.ndarray:
    """The matrix with another recall of class c; its errors keep their proportions."""
    out = matrix.astype(np.float64)
    total = out[:, c].sum()
    errors = out[:, c].copy()
    errors[c] = 0.0
    if errors.sum() == 0:  # none was made: any class may be taken for it
        errors[:] = 1.0
        errors[c] = 0.0
    out[:, c] = errors / errors.sum() * (1.0 - recall) * total
    out[c, c] = recall * total
    return out


def mean_interval(
    means: np.ndarray,
    weights: np.ndarray,
    value: float,
    sampling: VarianceInflation,
    inflation: float,
) -> Interval:
    """Interval of a weighted mean of class means of numbers in [0, 1], such as probabilities.

    A number in [0, 1] with mean p varies at most as a label does, p (1 - p): the limits are
    those of shares, and wide where probabilities are moderate. `inflation` is `sampling`'s f of
    such numbers.
    """
    classes = np.flatnonzero((weights > 0) & (sampling.units > 0))
    if not len(classes) or np.isnan(inflation) or not np.isfinite(value):
        return UNDEFINED_INTERVAL
    counts = sampling.units[classes] / inflation
    low, high = share_limits(means[classes], counts, sampling.exact)
    changes = np.column_stack([low - means[classes], high - means[classes]])
    return _interval_around(value, changes * weights[classes, None], sampling.shared)


def _interval_around(
    value: float, changes: np.ndarray, shared: float, direction: int = 1
) -> Interval:
    """`value` with the changes (classes, 2) of every class, down and up."""
    down, up = np.maximum(-changes.min(axis=1), 0.0), np.maximum(changes.max(axis=1), 0.0)
    worst = np.maximum(down, up)
    down, up = (worst, up) if direction > 0 else (down, worst)
    return value - _put_together(down, shared), value + _put_together(up, shared)


def _put_together(changes: np.ndarray, shared: float) -> float:
    """Changes (classes,) that go together with a correlation of `shared`. Costs may be as large as
    they like: in units of a power of two no square overflows, and no digit changes."""
    scale = 2.0 ** np.frexp(changes.max(initial=1.0))[1]
    own = changes / scale
    return float(scale * np.sqrt(shared * own.sum() ** 2 + (1 - shared) * (own**2).sum()))


def auc_limits(
    area: float, above: float, below: float, level: float = INTERVAL_LEVEL, inflation: float = 1.0
) -> Interval:
    """Limits of an AUC of `above` positive and `below` negative independent samples.

    Solves |theta - A| = z sqrt(f(theta) V(theta)) with Newcombe's variance (method 5)
    V = theta (1 - theta) (2N - 1 - 3 (N - 1) / ((2 - theta)(1 + theta))) / ((a - 1)(b - 1)),
    N = (a + b)/2, which does not vanish at A = 1. With an `inflation` F of more than 1, that of
    out-of-fold areas, f(theta) is 1 + (F - 1) min(1, (.95 - theta)/.35), at least 1, for the lower
    limit: areas near 1 leave no room above. For the upper limit it is 1.25 F, and an area within
    half a sample of 1 does not exclude 1. NaN with fewer than `MIN_INDEPENDENT_SAMPLES` of either
    (of independent predictions, with one).

    References
    ----------
    Newcombe (2006), Confidence intervals for an effect size measure based on the Mann-Whitney
    statistic, part 2. Statistics in Medicine 25, 559-573.

    Examples
    --------
    >>> low, high = auc_limits(1.0, 15.0, 15.0)
    >>> round(low, 3), high
    (0.846, 1.0)
    >>> round(auc_limits(1.0, 15.0, 15.0, inflation=3.2)[0], 3)
    0.618
    """
    check_level(level)
    least = min(above, below)
    if not (least >= MIN_INDEPENDENT_SAMPLES if inflation != 1 else least > 1) or not np.isfinite(
        area
    ):
        return UNDEFINED_INTERVAL
    z = NormalDist().inv_cdf((1.0 + level) / 2.0)
    N = (above + below) / 2.0
    free = (above - 1.0) * (below - 1.0)
    more = max(inflation - 1.0, 0.0)
    above_area = AREA_SKEW * inflation if more else inflation

    def half_width(theta: float, f: float) -> float:
        shape = 2 * N - 1 - 3 * (N - 1) / ((2 - theta) * (1 + theta))
        return z * float(np.sqrt(max(f * theta * (1 - theta) * shape / free, 0.0)))

    def lower(theta: float) -> float:
        room = min(max((AREA_NEAR - theta) / AREA_SLOPE, 0.0), 1.0)
        return 1.0 + more * room if more else inflation

    def interval_end(outer: float, f: Callable[[float], float]) -> float:
        inside = area  # bisection: `inside` is within it, `outer` is not, or is the end
        if abs(outer - area) <= half_width(outer, f(outer)):
            return outer
        for _ in range(60):
            middle = (inside + outer) / 2.0
            near = abs(middle - area) <= half_width(middle, f(middle))
            inside, outer = (middle, outer) if near else (inside, middle)
        return inside

    nearly = more and 1.0 - area <= AREA_HALF / least
    return interval_end(0.0, lower), 1.0 if nearly else interval_end(1.0, lambda theta: above_area)


def auc_interval(areas: np.ndarray, value: float, sampling: VarianceInflation) -> Interval:
    """Interval of the AUC of the positive of two classes, or of the mean over several classes.

    Areas of several classes, each against the rest, come from the same samples: deviations are put
    together as if they had a correlation of `AREA_CORRELATION`.
    """
    all_units = sampling.units if sampling.ordered is None else sampling.ordered
    total, f = all_units.sum(), sampling.area
    if np.isnan(f):
        return UNDEFINED_INTERVAL
    units = all_units[1:] if len(areas) == 2 else all_units
    own = areas[1:] if len(areas) == 2 else areas
    pairs = zip(own, units, strict=True)
    ends = np.array([auc_limits(float(A), n, total - n, inflation=f) for A, n in pairs])
    if np.isnan(ends).any():
        return UNDEFINED_INTERVAL
    shared = max(AREA_CORRELATION, sampling.shared)
    low, high = (_put_together(np.abs(side) / len(own), shared) for side in (ends - own[:, None]).T)
    return value - low, value + high
