"""Inner scores of candidates, and which one a method takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..._core.interfaces import Beliefs, Decision
from ...classifiers.decisions.balanced import balanced_scale
from ...metrics import METRICS
from ...metrics.ranks import areas_of
from ...metrics.registry import BALANCED_LOG_SCORE, LOG_SCORE, LOG_SCORES, Metric

COMBINED_METRICS = ("auprc", "bcm", "ccem")  # of the criterion bcm_ccem_auprc
FALLBACK_METRIC = "bcr"  # where a criterion is undefined for every candidate
N_USUAL_FEATURES = 50  # features: more have to be clearly better
# features: fewer have to be clearly better, since one that leads by luck leads alone
N_SHORT_LIST = 5
MIN_GAIN_SHARE = 0.2  # share by which more than that must add to the gain of a logarithmic score
# a probability that fewer than some hundred samples do not distinguish from a smaller one
MIN_PROBABILITY = 0.01
# standard errors by which another method, or a shorter list, has to be better
MIN_STANDARD_ERRORS = 2.0
TIE_DIGITS = 12  # scores that agree to this many digits are ties: the earlier candidate wins


@dataclass(frozen=True)
class Inner:
    """What a method's candidates believe of the inner test rows.

    Attributes
    ----------
    y : ndarray of shape (N,)
        True codes, fold by fold.
    folds : list of slice
        Of each inner fold; repeats follow each other, so that a sample may stand in several.
    samples : ndarray of shape (N,)
        Rows of the table.
    beliefs : list of Beliefs
        One a candidate, of N rows.
    prior : ndarray of shape (N, C)
        Class shares of the training set that predicted each row.
    paid : ndarray of shape (N, C), or None
        What each prediction would cost, where samples have costs of their own.
    """

    y: np.ndarray
    folds: list[slice]
    samples: np.ndarray
    beliefs: list[Beliefs]
    prior: np.ndarray
    paid: np.ndarray | None = None

    def fitted(self, decision: Decision, beliefs: Beliefs) -> Decision:
        """The decision fitted to one row a sample, the mean of its repeats; or to all rows, if it
        pools them."""
        if not decision.learns:
            return decision
        used = beliefs if decision.pools else beliefs.averaged()
        assert used.samples is not None
        return decision.fit(used, self._code_of[used.samples])

    @cached_property
    def _code_of(self) -> np.ndarray:
        """The class of each row of the table that is here."""
        found = np.zeros(int(self.samples.max()) + 1, dtype=self.y.dtype)
        found[self.samples] = self.y
        return found


@dataclass(frozen=True)
class Judged:
    """Decisions on the inner test rows, of samples that took no part in fitting the decision.

    Attributes
    ----------
    y : ndarray of shape (N,)
    folds : list of slice
    codes : ndarray of shape (candidates, N)
        A label for every row, also for those a decision would decline.
    proba : ndarray of shape (candidates, N, C)
    prior : ndarray of shape (N, C)
    paid : ndarray of shape (N, C), or None
        As of `Inner`.
    """

    y: np.ndarray
    folds: list[slice]
    codes: np.ndarray
    proba: np.ndarray
    prior: np.ndarray
    paid: np.ndarray | None = None

    def only(self, candidate: int) -> Judged:
        """Of one candidate."""
        one = slice(candidate, candidate + 1)
        return replace(self, codes=self.codes[one], proba=self.proba[one])


def cross_fitted(decision: Decision, inner: Inner) -> Judged:
    """Every row decided by a decision fitted to the samples of the other inner folds.

    One that declines samples is looked at without that: a score of the samples that a candidate
    is sure of says nothing beside another's.
    """
    decision = decision.full
    if not decision.learns:
        known = [decision.decide(one) for one in inner.beliefs]
        beliefs = np.stack([one.beliefs.proba for one in known])
        codes = np.stack([one.codes for one in known])
        return Judged(inner.y, inner.folds, codes, beliefs, inner.prior, inner.paid)
    codes = np.empty((len(inner.beliefs), len(inner.y)), dtype=np.int64)
    proba = np.empty((*codes.shape, inner.beliefs[0].proba.shape[1]))
    C = proba.shape[2]
    for at in inner.folds:
        others = np.flatnonzero(~np.isin(inner.samples, inner.samples[at]))
        if len(np.unique(inner.y[others])) < C:  # a single holdout: there is nothing else to fit to
            others = np.arange(len(inner.y))
        for c, one in enumerate(inner.beliefs):
            fitted = inner.fitted(decision, one.take(others))
            decided = fitted.decide(one.take(np.arange(at.start, at.stop)))
            codes[c, at], proba[c, at] = decided.codes, decided.beliefs.proba
    return Judged(inner.y, inner.folds, codes, proba, inner.prior, inner.paid)


def inner_scores(
    criterion: str, judged: Judged, metrics: Mapping[str, Metric] = METRICS
) -> np.ndarray:
    """Score of each candidate over the inner folds, higher is better, (n_candidates,).

    Metrics of labels are averaged over folds where every fold has every class; else, and
    for metrics of probabilities, the inner predictions are pooled, because small folds leave
    them undefined. The AUC is that of the pairs within folds, all folds together, as outside.
    ``auc_ratio`` is mean(AUC) / (sd(AUC) + 0.01) over the folds with both classes (mtfc's
    rule), or the AUC where there are fewer than two of those.
    ``bcm_ccem_auprc`` is the mean of these three, each of the pooled predictions (the rule
    of robust feature selection). ``log_score`` and ``balanced_log_score`` are the means of
    `log_points` over samples, and over classes of the means over their samples.
    """
    y, folds, codes, proba = judged.y, judged.folds, judged.codes, judged.proba
    if criterion == "bcm_ccem_auprc":
        return np.mean([inner_scores(name, judged) for name in COMBINED_METRICS], axis=0)
    if criterion == "auc_ratio":
        areas = fold_areas(METRICS["auc"], judged)
        defined = ~np.isnan(areas).any(axis=1)
        if defined.sum() < 2:  # folds too small for an AUC of their own
            return inner_scores("auc", judged)
        areas = areas[defined]
        return areas.mean(axis=0) / (areas.std(axis=0, ddof=1) + 0.01)
    if criterion in LOG_SCORES:
        points = log_points(criterion, judged)
        return points @ class_mean_weights(y) if criterion != LOG_SCORE else points.mean(axis=1)
    metric = metrics[criterion]
    if metric.of_costs and judged.paid is not None:
        paid = np.take_along_axis(judged.paid[None], codes[:, :, None], axis=2)
        return metric.direction * paid[:, :, 0].mean(axis=1)
    if metric.of_pairs is not None:
        pairs = sum(
            np.stack([metric.of_pairs(y[at], p) for p in proba[:, at]], axis=1) for at in folds
        )
        return areas_of(np.asarray(pairs)).mean(axis=1)
    if metric.of_confusion is not None:
        C = proba.shape[2]
        complete = all(np.bincount(y[at], minlength=C).all() for at in folds)
        pools = folds if complete else [slice(0, len(y))]
        counts = np.stack([confusion_counts(y[at], codes[:, at], C) for at in pools])
        return metric.direction * np.asarray(metric.of_confusion(counts)).mean(axis=0)
    values = [metric(y, c, p) for c, p in zip(codes, proba, strict=True)]
    return metric.direction * np.array(values)


def log_points(criterion: str, judged: Judged) -> np.ndarray:
    """Logarithm of the probability given to each row's class, (candidates, N).

    ``balanced_log_score`` takes them on the scale on which all classes are equally frequent. Both
    are proper scores: they distinguish what few samples' labels cannot. Probabilities below
    `MIN_PROBABILITY` count as that, so that no sample alone decides.
    """
    proba = judged.proba
    if criterion == BALANCED_LOG_SCORE:
        proba = balanced_scale(proba, judged.prior)
    own = np.take_along_axis(proba, judged.y[None, :, None], axis=2)[:, :, 0]
    return np.log(np.maximum(own, MIN_PROBABILITY))


def log_gains(criterion: str, judged: Judged, scores: np.ndarray) -> np.ndarray:
    """Logarithmic scores less that of the class shares alone (candidates,)."""
    alone = replace(judged, codes=judged.codes[:1], proba=judged.prior[None])
    return scores - inner_scores(criterion, alone)


def mean_by_sample(values: np.ndarray, samples: np.ndarray, n: int) -> np.ndarray:
    """Means over the repeats of each of n samples (n,), NaN of one that has no value.

    Examples
    --------
    >>> mean_by_sample(np.array([1.0, 2.0, 3.0]), np.array([0, 2, 2]), 3).tolist()
    [1.0, nan, 2.5]
    """
    counts = np.bincount(samples, minlength=n)
    total = np.bincount(samples, values, n)
    return np.divide(total, counts, out=np.full(n, np.nan), where=counts > 0)


def paired_gap(
    one: np.ndarray,
    other: np.ndarray,
    y: np.ndarray,
    balanced: bool,
    groups: np.ndarray | None = None,
) -> float:
    """Mean difference of two methods' points over its standard error, samples being pairs.

    Balanced, it is the mean over classes of the means over their samples, with the error of that.
    What samples of a group add to the mean is summed before it is squared, for they are alike.
    Where samples do not differ in their differences it is infinite, or 0.

    Examples
    --------
    >>> a, b, y = np.array([1.0, 1, 1, 0]), np.array([0.0, 1, 0, 0]), np.array([0, 0, 1, 1])
    >>> paired_gap(a, b, y, balanced=True)
    1.414...
    """
    seen = np.isfinite(one) & np.isfinite(other)
    gaps = (one - other)[seen]
    within = np.unique(y[seen], return_inverse=True)[1] if balanced else np.zeros(len(gaps), int)
    units = (
        np.arange(len(gaps)) if groups is None else np.unique(groups[seen], return_inverse=True)[1]
    )
    sizes = np.bincount(within)
    means = np.bincount(within, gaps) / sizes
    counts = np.array([len(np.unique(units[within == c])) for c in range(len(sizes))])
    unbiased = np.sqrt(counts / np.maximum(counts - 1, 1))
    parts = (unbiased / sizes)[within] * (gaps - means[within]) / len(sizes)
    mean, error = float(means.mean()), float(np.sqrt((np.bincount(units, parts) ** 2).sum()))
    if abs(mean) <= 10.0**-TIE_DIGITS:  # of rounding alone
        return 0.0
    return mean / error if error > 10.0**-TIE_DIGITS else float(np.sign(mean)) * np.inf


def class_mean_weights(y: np.ndarray) -> np.ndarray:
    """What each row weighs in the mean over classes of the means over their rows (N,)."""
    counts = np.bincount(y)
    return 1 / (counts[y] * np.count_nonzero(counts))


def confusion_counts(y: np.ndarray, codes: np.ndarray, C: int) -> np.ndarray:
    """Confusion matrix of each row of codes (k, n): (k, C, C), rows predicted."""
    k = len(codes)
    cells = (np.arange(k)[:, None] * C + codes) * C + y
    return np.bincount(cells.ravel(), minlength=k * C * C).reshape(k, C, C)


def fold_areas(metric: Metric, judged: Judged) -> np.ndarray:
    """A metric of beliefs in each inner fold, (n_folds, n_candidates); NaN where undefined."""
    return np.array(
        [
            [
                metric(judged.y[at], c[at], p[at])
                for c, p in zip(judged.codes, judged.proba, strict=True)
            ]
            for at in judged.folds
        ]
    )


def defined_scores(
    criterion: str, judged: Judged, metrics: Mapping[str, Metric] = METRICS
) -> tuple[np.ndarray, bool]:
    """Scores by the criterion, and True; by the balanced accuracy, and False, where no candidate
    has it (the AUC of single rows, say), for else the first would win unseen."""
    scores = inner_scores(criterion, judged, metrics)
    if np.isnan(scores).all():
        return inner_scores(FALLBACK_METRIC, judged), False
    return scores, True


def standard_errors(metric: Metric, scores: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Of scores, as if each were a balanced accuracy of independent samples of which every class
    had the same recall b: sqrt(b (1 - b) sum 1/n_c) / C, on the scale of the metric.

    It is exact of no metric; it says how far apart two scores of so many samples should be before
    one is taken for better.

    Parameters
    ----------
    metric : Metric
    scores : ndarray
        Higher is better, as `inner_scores` has them.
    counts : ndarray of shape (C,)
        Training samples of each class; one of none is left out.

    Examples
    --------
    >>> standard_errors(METRICS["bcr"], np.array([0.8, 1.0]), np.array([20, 20])).round(3).tolist()
    [0.063, 0.0]
    """
    width = metric.most - metric.least
    if not np.isfinite(width):
        return np.full(scores.shape, np.nan)
    b = np.clip((metric.direction * scores - metric.least) / width, 0.0, 1.0)
    counts = counts[counts > 0]
    return width * np.sqrt(b * (1 - b) * (1 / counts).sum()) / len(counts)


def parsimonious_size_index(
    tune: np.ndarray, judged_by: np.ndarray, sizes: np.ndarray, slack: np.ndarray
) -> int:
    """The best candidate by `tune`, if it has at most 50 features, or is clearly better than the
    best of those that have: by more than the slack of that one's score.

    Parameters
    ----------
    tune, judged_by : ndarray
        Scores by the method's criterion, and those by which one has to be clearly better.
    sizes : ndarray
        Features of each candidate; if all have more than 50, the smallest stand for the few.
    slack : ndarray
        Around each of the latter; NaN: the best candidate is taken, whatever its size.

    Examples
    --------
    >>> judged_by, sizes = np.array([0.8, 0.84]), np.array([10, 500])
    >>> parsimonious_size_index(judged_by, judged_by, sizes, np.array([0.06, 0.06]))
    0
    """
    best = best_index(tune)
    few = sizes <= max(N_USUAL_FEATURES, sizes.min())
    if few[best]:
        return best
    if np.isnan(tune[few]).all():
        return best
    small = best_index(np.where(few, tune, np.nan))
    unsure = judged_by[best] <= judged_by[small] + slack[small] + 10.0**-TIE_DIGITS
    return small if unsure else best


def best_index(scores: Sequence[float] | np.ndarray) -> int:
    """Index of the best score; ties to the first, NaN last.

    Examples
    --------
    >>> best_index([0.5, 0.9, 0.9 + 1e-15])
    1
    """
    if len(scores) == 1:
        return 0
    values = np.round(np.asarray(scores, dtype=float), TIE_DIGITS)
    return int(np.where(np.isnan(values), -np.inf, values).argmax())
