"""Held-out predictions of a number, their scores and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._core.errors import DataError
from .held_out import Estimate
from .number_metrics import FoldValues, NumberMetric

MAX_BLOCKS = 100  # blocks of units that are left out one after the other
MIN_UNITS = 10  # independent samples, or groups, below which there is no interval
# variance of a score over folds, over that of as many independent predictions
# (benchmarks/number_coverage.py)
FOLD_INFLATION, HOLDOUT_INFLATION = 1.3, 1.2
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
    inflation : float
        Variance of a score over that of as many independent predictions; NaN: not known.
    """

    unit: np.ndarray
    inflation: float = 1.0

    @classmethod
    def k_fold(cls, unit: np.ndarray) -> NumberSampling:
        """Folds, or one sample at a time."""
        return cls(unit, FOLD_INFLATION)

    @classmethod
    def holdout(cls, unit: np.ndarray, ratio: float, repeats: int = 1) -> NumberSampling:
        """Test sets, of `ratio` as many samples as the training sets (Nadeau and Bengio 2003)."""
        return cls(unit, 1.0 + HOLDOUT_INFLATION * ratio * repeats)


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
        """The metric with its 95 % interval, by the jackknife over blocks of units (Efron 1982) on
        a scale on which it is symmetric."""
        value, nan = self.score(metric), float("nan")
        if not np.isfinite(value):
            return Estimate(value, nan, nan, "no two samples of a fold have different values")
        note = self.no_interval(metric, sampling)
        if note:
            return Estimate(value, nan, nan, note)
        if value in (metric.least, metric.most):
            return Estimate(value, nan, nan, "no interval: the score is at the end of its range")
        from scipy.special import stdtrit

        left = self._without_each(metric, sampling.unit)
        inside = left[np.isfinite(left)]
        B = len(inside)
        if B < MIN_UNITS:
            return Estimate(value, nan, nan, "no interval: undefined without some of the samples")
        spread = (B - 1) / B * float(((inside - inside.mean()) ** 2).sum())
        reach = float(stdtrit(B - 1, 0.975)) * float(np.sqrt(sampling.inflation * spread))
        middle = metric.scale(value)
        low, high = sorted((metric.back(middle - reach), metric.back(middle + reach)))
        return Estimate(value, max(low, metric.least), min(high, metric.most))

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
        of_rows = [block[unit[rows]] for rows in self.rows]
        found = np.empty(min(len(there), MAX_BLOCKS))
        with np.errstate(divide="ignore", invalid="ignore"):
            for k in range(len(found)):
                kept = [
                    one.take(np.flatnonzero(own != k))
                    for one, own in zip(self.repeats, of_rows, strict=True)
                ]
                found[k] = metric.scale(float(np.mean([metric(one) for one in kept])))
        return found
