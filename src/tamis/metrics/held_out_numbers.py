"""Held-out predictions of a number, their scores and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._core.errors import DataError
from .held_out import Estimate
from .number_metrics import NUMBER_METRICS, FoldValues, NumberMetric

MAX_BLOCKS = 100  # blocks of units that are left out one after the other
MIN_UNITS = 10  # independent samples, or groups, below which there is no interval
# of samples: up to 80 training sets are unstable, from 160 on they are not; how far Q2 counts for
# clearer than it was found (docs/results/number_coverage.md)
N_UNSTABLE, N_STABLE, Q2_MARGIN = 80, 160, 0.3
REPEATS_INFLATION = 1.5  # of scores within folds, whose errors many repeats average out
TAIL_INFLATION = 2.0  # of other scores where tails are long
# largest kurtosis of errors, n Σe⁴/(Σe²)², that intervals of squared errors are given for
MAX_KURTOSIS = 7.0
LONG_TAILS = "no interval: errors have long tails, and no interval of squared errors holds"


@dataclass(frozen=True)
class NumberSampling:
    """What stands behind held-out predictions of a number.

    Attributes
    ----------
    unit : ndarray of shape (n,)
        Codes of the independent units of all samples: the samples, or groups.
    resampled : bool
        Models of the samples themselves made the predictions: of folds, or of training sets.
    """

    unit: np.ndarray
    resampled: bool = False


def fold_inflation(metric: NumberMetric, n: float, q2: float, repeats: int = 1) -> float:
    """Variance of a score over folds, over what the jackknife of n held-out predictions gives.

    Training sets are shared, so all folds err together. How much that adds depends on how far the
    procedure is from having learnt what there is: most where few samples have a clear signal.

    Examples
    --------
    >>> from tamis.metrics.number_metrics import NUMBER_METRICS
    >>> q2 = NUMBER_METRICS["q2"]
    >>> [round(fold_inflation(q2, n, 0.7), 2) for n in (60, 120, 300)], fold_inflation(q2, 60, -1.0)
    ([7.0, 4.08, 2.0], 3.2)
    """
    base, unstable, stable = metric.inflation
    clear = float(np.clip(q2 + Q2_MARGIN, 0.0, 1.0)) if np.isfinite(q2) else 0.0
    few = float(np.clip(np.log(N_STABLE / n) / np.log(N_STABLE / N_UNSTABLE), 0.0, 1.0))
    f = base + unstable * clear * few - stable * clear**3 * (1 - few)
    if metric.in_fold is not None:
        f *= REPEATS_INFLATION - (REPEATS_INFLATION - 1) / repeats
    return f


@dataclass(frozen=True)
class HeldOutNumbers:
    """Held-out predictions, fold by fold; scores are means over repeats.

    Attributes
    ----------
    repeats : sequence of FoldValues
    rows : sequence of ndarray
        The sample that each prediction is of.
    """

    repeats: Sequence[FoldValues]
    rows: Sequence[np.ndarray]

    @classmethod
    def of(
        cls, repeats: Sequence[Sequence[tuple[np.ndarray, np.ndarray, np.ndarray, float]]]
    ) -> HeldOutNumbers:
        """From (rows, values, predictions, training mean) of the folds of each repeat.

        Raises
        ------
        DataError
            There is no prediction.

        Examples
        --------
        >>> y = np.array([1.0, 2.0, 3.0, 4.0])
        >>> folds = [(np.arange(2), y[:2], y[:2], 3.5), (np.arange(2, 4), y[2:], y[2:], 1.5)]
        >>> held = HeldOutNumbers.of([folds])
        >>> from tamis.metrics.number_metrics import NUMBER_METRICS
        >>> held.score(NUMBER_METRICS["q2"]), held.score(NUMBER_METRICS["rmse"])
        (1.0, 0.0)
        """
        values, rows = [], []
        for folds in repeats:
            some = [fold for fold in folds if len(fold[0])]
            if not some:
                continue
            sizes = [len(fold[0]) for fold in some]
            number = np.repeat(np.arange(len(some)), sizes)
            means = np.repeat([fold[3] for fold in some], sizes)
            y, predicted = (np.concatenate([fold[k] for fold in some]) for k in (1, 2))
            values.append(FoldValues(y, predicted, means, number))
            rows.append(np.concatenate([fold[0] for fold in some]))
        if not values:
            raise DataError("there is no held-out prediction to score")
        return cls(values, rows)

    def score(self, metric: NumberMetric) -> float:
        """The mean over repeats, NaN where it is undefined in one."""
        return float(np.mean([metric(one) for one in self.repeats]))

    def chance(self, metric: NumberMetric) -> float:
        """What predicting the training means scores."""
        return float(np.mean([metric.chance(one) for one in self.repeats]))

    def estimate(self, metric: NumberMetric, sampling: NumberSampling) -> Estimate:
        """The metric with its 95 % interval: of the expected score of the procedure when it learns
        from as many samples as a training set has."""
        value, nan = self.score(metric), float("nan")
        if not np.isfinite(value):
            return Estimate(value, nan, nan, "no two samples of a fold have different values")
        note = self.no_interval(metric, sampling)
        if note:
            return Estimate(value, nan, nan, note)
        if value in (metric.least, metric.most):
            return Estimate(value, nan, nan, "no interval: the score is at the end of its range")
        ends = self._order_limits if metric.of_median else self._jackknife_limits
        low, high = ends(metric, value, sampling)
        if not np.isfinite(low):
            return Estimate(value, nan, nan, "no interval: undefined without some of the samples")
        return Estimate(value, max(low, metric.least), min(high, metric.most))

    def _inflation(self, metric: NumberMetric, sampling: NumberSampling) -> float:
        """`fold_inflation`, by the geometric mean of samples and units; of test sets in proportion
        to the units that they hold."""
        if not sampling.resampled:
            return 1.0
        n, units = len(sampling.unit), len(np.unique(sampling.unit))
        tested = len(np.unique(sampling.unit[np.concatenate(self.rows)])) / units
        q2 = self.score(NUMBER_METRICS["q2"])
        f = fold_inflation(metric, float(np.sqrt(n * units)), q2, len(self.repeats))
        tails = TAIL_INFLATION if self.kurtosis > MAX_KURTOSIS else 1.0
        return tails * (1 + (f - 1) * tested)

    def _jackknife_limits(
        self, metric: NumberMetric, value: float, sampling: NumberSampling
    ) -> tuple[float, float]:
        """By the jackknife over blocks of units (Efron 1982), on the metric's scale."""
        left = self._without_each(metric, sampling.unit)
        inside = left[np.isfinite(left)]
        B = len(inside)
        if B < MIN_UNITS:
            return float("nan"), float("nan")
        spread = (B - 1) / B * float(((inside - inside.mean()) ** 2).sum())
        middle, reach = metric.scale(value), self._reach(metric, sampling, spread, B)
        low, high = sorted((metric.back(middle - reach), metric.back(middle + reach)))
        return low, high

    def _order_limits(
        self, metric: NumberMetric, value: float, sampling: NumberSampling
    ) -> tuple[float, float]:
        """Quantiles of the absolute errors at the limits of the share below their median (Woodruff
        1952, JASA 47:635), which varies over units. The jackknife of a median is not valid."""
        errors = [np.abs(one.error) for one in self.repeats]
        off = np.zeros(int(sampling.unit.max()) + 1)
        for rows, own in zip(self.rows, errors, strict=True):
            below = (own <= np.median(own)) - 0.5
            np.add.at(off, sampling.unit[rows], below / len(own) / len(errors))
        B = len(np.unique(sampling.unit[np.concatenate(self.rows)]))
        reach = self._reach(metric, sampling, B / (B - 1) * float(off @ off), B)
        shares = np.clip([0.5 - reach, 0.5 + reach], 0.0, 1.0)
        low, high = np.mean([np.quantile(own, shares, method="hazen") for own in errors], axis=0)
        return float(low), float(high)

    def _reach(
        self, metric: NumberMetric, sampling: NumberSampling, spread: float, B: int
    ) -> float:
        """Half the width of an interval of a variance from B units."""
        from scipy.special import stdtrit

        inflation = self._inflation(metric, sampling)
        return float(stdtrit(B - 1, 0.975)) * float(np.sqrt(inflation * spread))

    def no_interval(self, metric: NumberMetric, sampling: NumberSampling) -> str:
        """Why a metric has none; empty where it has one."""
        units = len(np.unique(sampling.unit[np.concatenate(self.rows)]))
        if units < MIN_UNITS:
            return f"no interval: fewer than {MIN_UNITS} independent samples"
        return LONG_TAILS if metric.of_squares and self.kurtosis > MAX_KURTOSIS else ""

    @cached_property
    def kurtosis(self) -> float:
        """n Σe⁴/(Σe²)² of the errors: 3 of normal ones; 0 where all are 0."""
        error = np.concatenate([one.error for one in self.repeats])
        size = float(np.abs(error).max(initial=0.0))
        if not size:
            return 0.0
        squares = (error / size) ** 2
        return float(len(error) * (squares**2).sum() / squares.sum() ** 2)

    def _without_each(self, metric: NumberMetric, unit: np.ndarray) -> np.ndarray:
        """The score, on its scale, without each block of units."""
        there = np.unique(unit[np.concatenate(self.rows)])
        block = np.full(int(there.max()) + 1, -1)
        block[there] = np.arange(len(there)) % MAX_BLOCKS
        B = min(len(there), MAX_BLOCKS)
        of_rows = [block[unit[rows]] for rows in self.rows]
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.mean(
                [
                    _left_out(metric, one, own, B)
                    for one, own in zip(self.repeats, of_rows, strict=True)
                ],
                axis=0,
            )
            return np.array([metric.scale(float(score)) for score in left])


def _left_out(metric: NumberMetric, one: FoldValues, block: np.ndarray, B: int) -> np.ndarray:
    """The score of a repeat without each of B blocks."""
    if metric.in_fold is None:
        return np.array([metric(one.take(np.flatnonzero(block != k))) for k in range(B)])
    folds = [np.flatnonzero(one.fold == k) for k in np.unique(one.fold)]
    sums = np.array([metric.in_fold(one.y[own], one.predicted[own]) for own in folds])
    left = np.tile(sums.sum(axis=0), (B, 1))
    for own, old in zip(folds, sums, strict=True):
        for k in np.unique(block[own]):  # no other fold changes
            kept = own[block[own] != k]
            left[k] += np.array(metric.in_fold(one.y[kept], one.predicted[kept])) - old
    return np.asarray(left[:, 0] / np.where(left[:, 1] > 0, left[:, 1], np.nan))
