"""The metrics of a study that predicts a number, by short name: one row each.

Each is a function of held-out values, predictions and the means of the training sets that made
them, within the folds of one repeat (`FoldValues`). Pairs of samples and correlations are counted
within folds: pooled over folds they are biased, for a fold of high values has a training mean below
the others' (a model that predicts the training mean has a pooled correlation of -1 in
leave-one-out).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from .._core.errors import PlanError, nearest_hint

TIE = 1e-12  # of the largest value: predictions nearer than that differ by rounding


@dataclass(frozen=True)
class FoldValues:
    """Held-out samples of one repeat.

    Attributes
    ----------
    y, predicted : ndarray of shape (m,)
    mean : ndarray of shape (m,)
        Of y in the training set of the model that predicts each.
    fold : ndarray of shape (m,)
        Which model that is.
    """

    y: np.ndarray
    predicted: np.ndarray
    mean: np.ndarray
    fold: np.ndarray

    def take(self, rows: np.ndarray) -> FoldValues:
        """Those of some samples."""
        return FoldValues(self.y[rows], self.predicted[rows], self.mean[rows], self.fold[rows])

    @property
    def error(self) -> np.ndarray:
        """What is predicted less what is true."""
        return self.predicted - self.y

    @property
    def constant(self) -> FoldValues:
        """The same predicted by the training means."""
        return FoldValues(self.y, self.mean, self.mean, self.fold)

    def by_fold(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Values and predictions of each fold."""
        return [
            (self.y[own], self.predicted[own])
            for own in (self.fold == k for k in np.unique(self.fold))
        ]


def q2_of(held: FoldValues) -> float:
    """1 - Σ(y - ŷ)²/Σ(y - mean of the training set)²; NaN where all y are that mean."""
    nothing = float(((held.y - held.mean) ** 2).sum())
    return 1.0 - float((held.error**2).sum()) / nothing if nothing else float("nan")


def rmse_of(held: FoldValues) -> float:
    """Root of the mean squared error."""
    return float(np.sqrt((held.error**2).mean()))


def mae_of(held: FoldValues) -> float:
    """Mean absolute error."""
    return float(np.abs(held.error).mean())


def median_error_of(held: FoldValues) -> float:
    """Median absolute error."""
    return float(np.median(np.abs(held.error)))


Sums = tuple[float, float]  # what a fold adds to the numerator and to the denominator of a score
InFold = Callable[[np.ndarray, np.ndarray], Sums]


def over_folds(held: FoldValues, in_fold: InFold) -> float:
    """Ratio of two sums over folds; NaN where the denominator is 0."""
    sums = np.array([in_fold(y, predicted) for y, predicted in held.by_fold()])
    top, bottom = sums.sum(axis=0)
    return float(top / bottom) if bottom else float("nan")


def _order(y: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """The place of each prediction among the distinct ones; those that only rounding tells apart
    have one place."""
    order = np.argsort(predicted, kind="stable")
    place = np.empty(len(order))
    place[order] = np.cumsum(np.diff(predicted[order], prepend=-np.inf) > _rounding(y))
    return place


def _rounding(y: np.ndarray) -> float:
    """Predictions of y that are as near as this are equal."""
    return TIE * float(np.abs(y).max(initial=0.0))


def concordance_in_fold(y: np.ndarray, predicted: np.ndarray) -> Sums:
    """Pairs of different values in the right order, ties of predictions one half; and all pairs."""
    later, place = y[:, None] > y[None, :], _order(y, predicted)
    right = later * (0.5 * (1 + np.sign(place[:, None] - place[None, :])))
    return float(right.sum()), float(later.sum())


def pearson_in_fold(y: np.ndarray, predicted: np.ndarray) -> Sums:
    """Pearson's correlation times the pairs, 0 where predictions are equal; and the pairs."""
    if len(y) < 2 or not np.ptp(y) > 0:
        return 0.0, 0.0
    pairs = len(y) * (len(y) - 1) / 2
    varies = np.ptp(predicted) > _rounding(y)
    return (pairs * _correlation(y, predicted) if varies else 0.0), pairs


def spearman_in_fold(y: np.ndarray, predicted: np.ndarray) -> Sums:
    """The same of Spearman's."""
    from .rank_tests import row_midranks

    if len(y) < 2:
        return 0.0, 0.0
    return pearson_in_fold(*row_midranks(np.stack([y, _order(y, predicted)])))


def slope_in_fold(y: np.ndarray, predicted: np.ndarray) -> Sums:
    """Sums of products, and of squares of predictions, about the means of the fold."""
    p = predicted - predicted.mean()
    if np.ptp(p) <= _rounding(y):
        return 0.0, 0.0
    return float(p @ (y - y.mean())), float(p @ p)


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a - a.mean(), b - b.mean()
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def ccc_of(held: FoldValues) -> float:
    """2 s_yŷ/(s_y² + s_ŷ² + (mean y - mean ŷ)²), with 1/n (Lin 1989)."""
    y, p = held.y, held.predicted
    bottom = y.var() + p.var() + (y.mean() - p.mean()) ** 2
    return float(2 * ((y - y.mean()) * (p - p.mean())).mean() / bottom) if bottom else float("nan")


def calibration_slope(held: FoldValues) -> float:
    """Slope of values on predictions within folds: 1 is ideal, below 1 predictions are too
    extreme. NaN where predictions do not vary.

    It has no interval: from weak to strong signals the inflation that covers falls from 100 to 0.1
    (benchmarks/number_coverage.py).
    """
    return over_folds(held, slope_in_fold)


def log_of_rest(value: float) -> float:
    """log(1 - q2), on which the interval of Q2 is symmetric."""
    return float(np.log(1 - value))


def rest_of_log(value: float) -> float:
    """What `log_of_rest` is of."""
    return 1 - float(np.exp(value))


def logit(value: float) -> float:
    """Log odds."""
    return float(np.log(value) - np.log1p(-value))


def expit(value: float) -> float:
    """What `logit` is of."""
    return float(1 / (1 + np.exp(-value)))


def log_of(value: float) -> float:
    """Natural logarithm."""
    return float(np.log(value))


def exp_of(value: float) -> float:
    """What `log_of` is of."""
    return float(np.exp(value))


def arctanh(value: float) -> float:
    """Fisher's z."""
    return float(np.arctanh(value))


def tanh(value: float) -> float:
    """What `arctanh` is of."""
    return float(np.tanh(value))


def unchanged(value: float) -> float:
    """The value."""
    return value


@dataclass(frozen=True)
class NumberMetric:
    """A score of predicted numbers, called as ``metric(held)`` of `FoldValues`.

    Attributes
    ----------
    name, label, definition, meaning, cite, direction, short, title, head, least, most
        As of `registry.Metric`.
    function : callable
        `FoldValues` -> float.
    chance_value : float or None
        Where there is nothing to find; None: what the training means score.
    scale, back : callable
        A scale on which its interval is symmetric, and the way back.
    inflation : (float, float, float)
        Of the variance over folds: its base, what is added while training sets are unstable, and
        what is taken off when they no longer are (`held_out_numbers.fold_inflation`).
    in_fold : callable or None
        What each fold adds to the two sums that it is the ratio of.
    of_median : bool
        It is the median of the absolute errors: its interval is by their order.
    of_squares : bool
        It rests on squared errors: where tails are long its interval does not hold.
    has_unit : bool
        It has the unit of the target.
    tune : str
        The criterion of the inner loop where a plan names none.
    """

    name: str
    label: str
    definition: str
    meaning: str
    function: Callable[[FoldValues], float]
    inflation: tuple[float, float, float]
    direction: int = 1
    chance_value: float | None = None
    least: float = 0.0
    most: float = np.inf
    scale: Callable[[float], float] = unchanged
    back: Callable[[float], float] = unchanged
    in_fold: InFold | None = None
    of_median: bool = False
    of_squares: bool = False
    has_unit: bool = False
    cite: str = ""
    short: str = ""
    title: str = ""
    head: str = ""
    tune: str = "q2"
    decide: ClassVar[str] = "as_predicted"
    decide_two: ClassVar[str] = ""
    of_confusion: ClassVar[Any] = None
    of_costs: ClassVar[bool] = False
    of_pairs: ClassVar[Any] = None
    constant: ClassVar[Any] = None
    every_class: ClassVar[bool] = False
    needs: ClassVar[str] = "value"

    def __call__(self, held: FoldValues) -> float:
        """The value; NaN where it is undefined."""
        return self.function(held)

    def chance(self, held: FoldValues) -> float:
        """What predicting the training means scores."""
        return self(held.constant) if self.chance_value is None else self.chance_value

    @property
    def brief(self) -> str:
        """The shortest name that people read."""
        return self.short or self.label

    @property
    def heading(self) -> str:
        """The name at the beginning of a line."""
        return self.title or self.label[:1].upper() + self.label[1:]

    @property
    def with_article(self) -> str:
        """``a Q2``, ``an RMSE``."""
        return f"{'an' if self.brief[:1] in 'aeRM' else 'a'} {self.brief}"


_of_correlations: dict[str, Any] = {
    "chance_value": 0.0, "least": -1.0, "most": 1.0, "scale": arctanh, "back": tanh
}  # fmt: skip
_of_errors: dict[str, Any] = {
    "direction": -1, "scale": log_of, "back": exp_of, "has_unit": True
}  # fmt: skip
_ROWS = (
    NumberMetric(
        "q2", "Q2 (cross-validated R2)",
        "1 − Σ(y − ŷ)²/Σ(y − ȳ)² over the folds of a repeat, ȳ the mean of the fold's training set",
        "share of the squared error of predicting the training mean that is avoided",
        q2_of, (3.2, 3.8, 1.2), chance_value=0.0, least=-np.inf, most=1.0,
        scale=log_of_rest, back=rest_of_log, of_squares=True, short="Q2", title="Q2", head="Q2",
    ),
    NumberMetric(
        "rmse", "root mean squared error", "√(Σ(y − ŷ)²/n)",
        "root of the mean squared error, in the unit of the target; lower is better",
        rmse_of, (2.1, 1.5, 0.0), of_squares=True, short="RMSE", title="RMSE", head="RMSE",
        **_of_errors,
    ),
    NumberMetric(
        "mae", "mean absolute error", "Σ|y − ŷ|/n",
        "mean absolute error, in the unit of the target; lower is better",
        mae_of, (1.9, 1.5, 0.0), short="MAE", title="MAE", head="MAE", **_of_errors,
    ),
    NumberMetric(
        "median_error", "median absolute error", "median of |y − ŷ|",
        "half of the samples have a smaller error; lower is better",
        median_error_of, (1.5, 1.0, 0.0), of_median=True, head="Median error", **_of_errors,
    ),
    NumberMetric(
        "concordance", "concordance",
        "share of the pairs of a fold whose predictions are in the order of their values, ties of "
        "predictions one half, summed over folds",
        "chance that of two samples of a fold the one with the larger value is predicted larger",
        partial(over_folds, in_fold=concordance_in_fold), (2.15, 0.3, 0.7),
        in_fold=concordance_in_fold, chance_value=0.5, most=1.0, scale=logit, back=expit,
        head="Concordance",
    ),
    NumberMetric(
        "spearman", "Spearman correlation",
        "Spearman's rank correlation within folds, weighted by their pairs; 0 where all "
        "predictions are equal", "rank correlation within folds",
        partial(over_folds, in_fold=spearman_in_fold), (2.15, 0.3, 0.7),
        in_fold=spearman_in_fold, head="Spearman", **_of_correlations,
    ),
    NumberMetric(
        "pearson", "Pearson correlation",
        "Pearson's correlation within folds, weighted by their pairs; 0 where all predictions are "
        "equal", "linear correlation within folds",
        partial(over_folds, in_fold=pearson_in_fold), (2.4, 0.9, 0.8),
        in_fold=pearson_in_fold, head="Pearson", **_of_correlations,
    ),
    NumberMetric(
        "ccc", "Lin's concordance",
        "2 s_yŷ/(s_y² + s_ŷ² + (ȳ − mean of ŷ)²), with 1/n, of the predictions of a repeat",
        "agreement with the identity line, −1 to 1",
        ccc_of, (4.0, 4.2, 1.5),
        cite="Lin (1989), A concordance correlation coefficient to evaluate reproducibility. "
        "*Biometrics* 45, 255–268.",
        head="CCC", **_of_correlations,
    ),
)  # fmt: skip
NUMBER_METRICS: dict[str, NumberMetric] = {row.name: row for row in _ROWS}


def get_number_metric(name: str) -> NumberMetric:
    """The metric of a short name.

    Raises
    ------
    PlanError
        With the nearest.

    Examples
    --------
    >>> get_number_metric("q2").brief
    'Q2'
    """
    if name not in NUMBER_METRICS:
        raise PlanError(
            f"no metric of numbers is called {name!r}: {nearest_hint(name, NUMBER_METRICS)}"
        )
    return NUMBER_METRICS[name]
