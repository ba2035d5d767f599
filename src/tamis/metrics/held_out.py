"""Predictions of rows that took no part in fitting, and their scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from .._core.errors import DataError
from .._core.interfaces import Kind
from . import beliefs, intervals, ranks
from .confusion_matrix import confusion
from .intervals import Interval, VarianceInflation
from .rank_tests import row_midranks
from .registry import Metric, get_metric, kind_suffices

UNKNOWN_BELIEF_WORDS = {
    "order": "margins, not probabilities",
    "labels": "labels alone, nothing of their order",
}
NOT_JUDGED = "no sample of this class was judged"


@dataclass(frozen=True)
class Estimate:
    """A score with its 95 % interval; NaN where undefined, and then `note` says why."""

    mean: float
    low: float
    high: float
    note: str = ""

    def to_dict(self) -> dict[str, float | str | None]:
        """``mean``, ``low``, ``high`` (None where undefined), and ``note`` if there is one."""
        ends = {"mean": self.mean, "low": self.low, "high": self.high}
        found: dict[str, float | str | None] = {
            k: float(v) if np.isfinite(v) else None for k, v in ends.items()
        }
        return {**found, "note": self.note} if self.note else found


@dataclass(frozen=True)
class HeldOut:
    """Held-out predictions, fold by fold.

    Where every repeat predicts the same samples (all but repeated holdout) the repeats stay
    apart, and a score is averaged over them; else all predictions are one pool. Pairs of
    samples are ordered within folds only: beliefs of different models are not on one scale.

    Attributes
    ----------
    codes, predicted : ndarray of shape (m,) of int
        True and predicted class codes of every prediction; -1 where it was declined.
    proba : ndarray of shape (m, C)
    rows : ndarray of shape (m,)
        The sample that each is of.
    folds : list of slice
        Predictions of one model.
    repeats : list of slice
        Predictions that are pooled.
    n_repeats : int
        How often a sample is predicted, or, in a repeated holdout, how many times it was drawn.
    known : {"labels", "order", "proba"}
        What `proba` is: probabilities, something that orders the samples as they would, or 1 for
        the label.
    paid : ndarray of shape (m, C), or None
        What each prediction would cost there, where samples have costs of their own.
    order : ndarray of shape (m, C), or None
        The beliefs before recalibration, for metrics of order; None: they are `proba`.

    Examples
    --------
    >>> proba = np.array([[0.8, 0.2], [0.6, 0.4], [0.3, 0.7], [0.9, 0.1]])
    >>> fold = (np.arange(4), np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0]), proba)
    >>> HeldOut.of([[fold]]).score("auc")
    0.5
    """

    codes: np.ndarray
    predicted: np.ndarray
    proba: np.ndarray
    rows: np.ndarray
    folds: list[slice]
    repeats: list[slice]
    n_repeats: int = 1
    known: Kind = "proba"
    paid: np.ndarray | None = None
    order: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        repeats: Iterable[Sequence[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]],
        known: Kind = "proba",
    ) -> HeldOut:
        """From (rows, true codes, predicted codes, beliefs) of the folds of each repeat.

        Raises
        ------
        DataError
            There is no prediction.
        """
        parts: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []
        folds, ends, sets = [], [0], []
        start = 0
        for repeat in repeats:
            parts += repeat
            for part in repeat:
                folds.append(slice(start, start + len(part[0])))
                start = folds[-1].stop
            ends.append(start)
            sets.append(np.sort(np.concatenate([np.zeros(0, int), *(p[0] for p in repeat)])))
        if start == 0:
            raise DataError("there is no held-out prediction to score")
        rows, codes, predicted, proba = (np.concatenate(c) for c in zip(*parts, strict=True))
        same = all(np.array_equal(rows, sets[0]) for rows in sets)
        pools = [slice(a, b) for a, b in pairwise(ends)]
        if not same:
            pools = [slice(0, start)]
        return cls(codes, predicted, proba, rows, folds, pools, len(sets), known)

    @property
    def n_classes(self) -> int:
        """Classes that beliefs are about."""
        return self.proba.shape[1]

    @property
    def alone(self) -> bool:
        """Whether most models judge one class only, as in leave-one-out: each training set then
        has fewer of the class that it is judged on, and no pair can be ordered."""
        single = [len(np.unique(self.codes[at])) == 1 for at in self.folds]
        return float(np.mean(single)) > 0.5

    @property
    def coverage(self) -> float:
        """Share of the predictions that were given, and not declined."""
        return float(np.mean(self.predicted >= 0))

    def class_coverage(self) -> np.ndarray:
        """The same by true class (C,); NaN for a class that was not judged."""
        C = self.n_classes
        judged = np.bincount(self.codes, minlength=C).astype(float)
        given = np.bincount(self.codes[self.predicted >= 0], minlength=C)
        return np.divide(given, judged, out=np.full(C, np.nan), where=judged > 0)

    def declined(self) -> np.ndarray:
        """Samples declined of each true class (C,); mean over repeats."""
        codes = self.codes[self.predicted < 0]
        return np.bincount(codes, minlength=self.n_classes) / self.n_repeats

    def beliefs_for(self, metric: Metric) -> np.ndarray:
        """Those that a metric is of."""
        return self.order if metric.of_order and self.order is not None else self.proba

    def matrix(self) -> np.ndarray:
        """Confusion matrix (C, C) of what was not declined, rows predicted; mean over repeats."""
        return confusion(self.codes, self.predicted, self.n_classes) / self.n_repeats

    def pairs(self, metric: Metric) -> np.ndarray:
        """Ordered pairs (2, C) of a metric of pairs, summed over folds and repeats."""
        assert metric.of_pairs is not None
        beliefs = self.beliefs_for(metric)
        return sum(
            (metric.of_pairs(self.codes[at], beliefs[at]) for at in self.folds),
            np.zeros((2, self.n_classes)),
        )

    def scores_alike(self, y: np.ndarray, groups: np.ndarray) -> np.ndarray:
        """Intraclass correlation of scores within groups, of the class where it is largest, with a
        margin for its error: (n,), the same for all samples.

        Parameters
        ----------
        y, groups : ndarray of shape (n,)
            Class codes and groups of the samples judged, in rising order of their rows.
        """
        beliefs = self.beliefs_for(get_metric("auc"))
        _, sample = np.unique(self.rows, return_inverse=True)
        times, n = np.bincount(sample), len(self.rows)
        ranked = row_midranks(beliefs.T) / n
        places = [np.bincount(sample, own) / times for own in ranked]
        most = max(intervals.errors_alike(place, y, groups) for place in places)
        return np.full(len(y), min(1.0, most + intervals.CORRELATION_MARGIN))

    def score(self, metric: str | Metric) -> float:
        """The metric, NaN where it is undefined: pairs within folds, all else of the pools."""
        metric = get_metric(metric)
        if not kind_suffices(self.known, metric.asks):
            return float("nan")
        if metric.of_pairs is not None:
            return float(ranks.areas_of(self.pairs(metric)).mean())
        if metric.of_costs and self.paid is not None:
            pools = [mean_paid(self.paid[at], self.predicted[at]) for at in self.repeats]
            return float(np.mean(pools))
        parts = self.codes, self.predicted, self.beliefs_for(metric)
        return float(np.mean([metric(*(one[at] for one in parts)) for at in self.repeats]))

    def estimate(self, metric: str | Metric, sampling: VarianceInflation) -> Estimate:
        """The metric with its interval, cut at the ends of the metric's range.

        Metrics of labels are of the predictions given; each class counts with its share of them.
        """
        metric = get_metric(metric)
        value = self.score(metric)
        if not np.isfinite(value):
            return Estimate(value, *intervals.UNDEFINED_INTERVAL, self._undefined(metric))
        low, high = self._interval(metric, value, sampling)
        if not np.isfinite(low):
            return Estimate(value, low, high, _no_interval(metric, sampling))
        return Estimate(value, max(low, metric.least), min(high, metric.most))

    def _interval(self, metric: Metric, value: float, sampling: VarianceInflation) -> Interval:
        most = None if sampling.exact else metric.most_classes
        if metric.of_costs or not metric.covered or (most and self.n_classes > most):
            return intervals.UNDEFINED_INTERVAL
        if metric.of_confusion is not None:
            score, direction = metric.of_confusion, metric.direction
            given = self._given(sampling)
            return intervals.label_interval(score, self.matrix(), value, given, direction)
        if metric.of_pairs is not None:
            return intervals.auc_interval(ranks.areas_of(self.pairs(metric)), value, sampling)
        if metric.of_samples is not None:
            return self._mean_interval(metric, value, sampling)
        return intervals.UNDEFINED_INTERVAL

    def _mean_interval(self, metric: Metric, value: float, sampling: VarianceInflation) -> Interval:
        assert metric.of_samples is not None
        C = self.n_classes
        values = metric.of_samples(self.codes, self.proba)
        counts = np.bincount(self.codes, minlength=C)
        weights = (counts > 0).astype(float) if metric.balanced else counts.astype(float)
        weights /= weights.sum()
        means = beliefs.class_means(self.codes, values, C)
        inflation = getattr(sampling, metric.varies)
        if metric.scaled_by is None:
            return intervals.mean_interval(means, weights, value, sampling, inflation)
        scale = metric.scaled_by(counts)
        ends = intervals.mean_interval(means, weights, scale * (1 - value), sampling, inflation)
        high, low = (1 - end / scale for end in ends)
        return low, high

    def _undefined(self, metric: Metric) -> str:
        """Why a score has no value."""
        if not kind_suffices(self.known, metric.asks):
            return f"of {UNKNOWN_BELIEF_WORDS[self.known]}"
        if metric.of_pairs is not None and not self.pairs(metric)[1].any():
            return "no model judges samples of two classes, so there are no pairs to order"
        if not (self.predicted >= 0).any():
            return "every sample was declined"
        if metric.every_class and not (np.nan_to_num(self.class_coverage(), nan=1.0) > 0).all():
            return "every sample of a class was declined"
        for at in self.repeats if metric.of_confusion is not None else ():
            codes, predicted = self.codes[at], self.predicted[at]
            judged = np.bincount(codes, minlength=self.n_classes)
            given = np.bincount(codes[predicted >= 0], minlength=self.n_classes)
            if not given.any():
                return "every sample was declined in a repeat"
            if metric.every_class and (given[judged > 0] == 0).any():
                return "every sample of a class was declined in a repeat"
        if metric.of_confusion is None:
            return "a class has no sample among those judged"
        return "a class is neither present nor predicted among the samples judged together"

    def recalls(self, sampling: VarianceInflation) -> list[Estimate]:
        """Share of each class predicted right, with its interval."""
        matrix = self.matrix()
        true = matrix.sum(axis=0)
        values = np.divide(matrix.diagonal(), true, out=np.full(len(true), np.nan), where=true > 0)
        ends = intervals.recall_intervals(matrix, self._given(sampling))
        judged = np.bincount(self.codes, minlength=self.n_classes)
        notes = [
            "" if n else "every sample of this class was declined" if m else NOT_JUDGED
            for n, m in zip(true, judged, strict=True)
        ]
        return [
            Estimate(float(v), *e, note) for v, e, note in zip(values, ends, notes, strict=True)
        ]

    def _given(self, sampling: VarianceInflation) -> VarianceInflation:
        """What stands behind the predictions that were not declined."""
        if self.coverage == 1:
            return sampling
        return replace(sampling, units=sampling.units * np.nan_to_num(self.class_coverage()))


def mean_paid(paid: np.ndarray, predicted: np.ndarray) -> float:
    """The mean of what predictions (n,) cost, of those not declined; costs (n, C)."""
    given = np.flatnonzero(predicted >= 0)
    return float(paid[given, predicted[given]].mean()) if len(given) else float("nan")


def _no_interval(metric: Metric, sampling: VarianceInflation) -> str:
    """Why a score has no interval."""
    if metric.of_costs:
        return "no interval: costs of single samples may vary without limit"
    if metric.covered and metric.of_pairs is not None and not np.isnan(sampling.area):
        return "no interval: a class has too few independent samples"
    few = f" with more than {metric.most_classes} classes" if metric.most_classes else ""
    return f"no interval: no method kept its nominal coverage in simulated studies{few}"
