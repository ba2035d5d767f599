"""What the numbers of a study are computed with whose outcome is a number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ...metrics.differences import Difference
from ...metrics.estimates import plain_number as plain
from ...metrics.held_out_numbers import HeldOutNumbers, NumberSampling
from ...metrics.number_metrics import (
    NUMBER_METRICS,
    FoldValues,
    NumberMetric,
    calibration_slope,
)
from ...metrics.schema import NumberPoint
from .collect import Choice, Curve
from .held_out import printed_difference
from .number_schema import NumberFit
from .schema import Chance, Estimate
from .summary import Context, Described, spread_of

MAX_FIT_POINTS = 500
EVERY_SAMPLE = {"mean": 1.0, "by_class": {}}  # none is declined


@dataclass(frozen=True)
class NumberContext(Context):
    """As `Context`; y are values."""

    @property
    def metrics(self) -> Mapping[str, Any]:
        """Every metric of numbers."""
        return NUMBER_METRICS

    def held_out(self, choices: Sequence[Choice], run: int = 0) -> Any:
        """Predictions of a procedure in the study itself, or in a permuted run."""
        y = self.y[run]
        return held_out_numbers(choices, y)

    def describe(self, choices: Sequence[Choice]) -> Described:
        """What they come to."""
        held: HeldOutNumbers = self.held_out(choices)
        sampling: NumberSampling = self.sampling(held)
        return Described(
            held,
            sampling,
            {name: self._fold_scores(choices, one) for name, one in NUMBER_METRICS.items()},
            {
                name: cast(Estimate, held.estimate(one, sampling).to_dict())
                for name, one in NUMBER_METRICS.items()
            },
            cast(Any, EVERY_SAMPLE),
            {"roc": [], "pr": [], "calibration": [], "decision": []},
            None,
            self.stability(choices),
            self._fit(held),
        )

    def head_entries(self, own: Described, choices: Sequence[Choice]) -> dict[str, Any]:
        """What the headline has beside the entries that methods have too."""
        return {
            "alone": False,
            "uneven": 0.0,
            "confusion": [],
            "declined": [],
            "coverage": own.coverage,
            "curves": own.curves,
            "calibration": None,
            "fit": own.fit,
        }

    def recalls(self, own: Described) -> dict[str, Estimate]:
        """None: there are no classes."""
        return {}

    def beside(self, own: Described, choices: Sequence[Choice]) -> dict[str, Any]:
        """Nothing."""
        return {}

    @property
    def moved(self) -> float | None:
        """With batches or groups, how much of the spread permuted runs move, over what free
        permutation would: 1 less the mean correlation of permuted and true values."""
        if self.labels.batches is None or len(self.y) < 2:
            return None
        true = self.y[0] - self.y[0].mean()
        alike = [float(true @ (y - y.mean()) / (true @ true)) for k, y in self.y.items() if k]
        return 1.0 - float(np.mean(alike))

    def sampling(self, held: Any) -> Any:
        """What stands behind held-out predictions: samples, or groups."""
        return NumberSampling(self.labels.group_codes, resampled=True)

    def chance(self, who: str, held: Any) -> dict[str, Chance]:
        """Each metric of predicting the training means, and in the permuted runs."""
        pools = [self.held_out(run, k) for k, run in self.runs(who)]
        return {
            name: {
                "theory": plain(held.chance(metric)),
                "permuted": spread_of([pool.score(metric) for pool in pools]),
            }
            for name, metric in NUMBER_METRICS.items()
        }

    def not_below_chance(self, who: str, found: dict[str, Estimate]) -> dict[str, Estimate]:
        """The estimates as they are."""
        return found

    def difference(self, new: Sequence[Choice], old: Sequence[Choice]) -> Difference:
        """The score of a procedure less that of another, as the study prints both.

        Its spread is that of what each outer fold adds to it (Nadeau & Bengio 2003): a fold's mean
        squared error over the study's about training means, for Q2; its own score, for others.
        """
        metric = NUMBER_METRICS[self.plan.metric]
        step = self.held_out(new).score(metric) - self.held_out(old).score(metric)
        if metric.name == "q2":
            gaps = self._share_of_squares(old) - self._share_of_squares(new)
        else:
            gaps = self._fold_scores(new, metric) - self._fold_scores(old, metric)
        sizes = [len(c.test) for c in new]
        return printed_difference(step, gaps, sizes, len(self.y[0]))

    def step_score(self, points: Sequence[tuple[Curve, int]]) -> float:
        """The score of one point of every fold's curve."""
        folds = [(c.repeat, c.test, c.value[at]) for c, at in points]
        return _held_out(folds, self.y[0]).score(NUMBER_METRICS[self.plan.metric])

    def _fold_scores(self, choices: Sequence[Choice], metric: NumberMetric) -> np.ndarray:
        """In each outer fold; NaN where it is undefined."""
        return np.array([metric(_fold_values(c, self.y[0])) for c in choices])

    def _share_of_squares(self, choices: Sequence[Choice]) -> np.ndarray:
        """Each fold's mean squared error over the mean square about training means of all folds."""
        folds = [_fold_values(c, self.y[0]) for c in choices]
        squares = np.concatenate([(one.y - one.mean) ** 2 for one in folds])
        return np.array([(one.error**2).mean() for one in folds]) / squares.mean()

    def _fit(self, held: HeldOutNumbers) -> NumberFit:
        """Observed and predicted values."""
        rows, values = (
            np.concatenate(held.rows),
            np.concatenate([r.predicted for r in held.repeats]),
        )
        times = np.bincount(rows)
        there = np.flatnonzero(times)
        mean = (np.bincount(rows, values)[there] / times[there]).tolist()
        observed = self.y[0][there]
        order = np.argsort(observed, kind="stable")
        if len(order) > MAX_FIT_POINTS:
            order = order[np.arange(MAX_FIT_POINTS) * (len(order) - 1) // (MAX_FIT_POINTS - 1)]
        slopes = [calibration_slope(one) for one in held.repeats]
        points: list[NumberPoint] = [
            {"sample": self.samples[there[i]], "observed": float(observed[i]), "predicted": mean[i]}
            for i in order.tolist()
        ]
        return {"slope": plain(float(np.mean(slopes))), "points": points, "n": len(there)}


def _held_out(
    folds: Sequence[tuple[int | str, np.ndarray, np.ndarray | None]], y: np.ndarray
) -> HeldOutNumbers:
    """Of the repeat, the test rows and the predictions of each fold."""
    repeats: dict[int | str, list[tuple[np.ndarray, np.ndarray, np.ndarray, float]]] = {}
    total, n = float(y.sum()), len(y)
    for repeat, test, value in folds:
        assert value is not None
        mean = (total - float(y[test].sum())) / (n - len(test)) if len(test) < n else math.nan
        repeats.setdefault(repeat, []).append((test, y[test], value, mean))
    return HeldOutNumbers.of(list(repeats.values()))


def held_out_numbers(choices: Sequence[Choice], y: np.ndarray) -> HeldOutNumbers:
    """Of the choices of a procedure; y are values (n,)."""
    return _held_out([(c.repeat, c.test, c.value) for c in choices], y)


def _fold_values(choice: Choice, y: np.ndarray) -> FoldValues:
    """The test rows of an outer fold."""
    return _held_out([(choice.repeat, choice.test, choice.value)], y).repeats[0]
