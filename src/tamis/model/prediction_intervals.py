"""Prediction intervals by CV+ (Barber et al. 2021, *Annals of Statistics* 49:486, equation 6).

Each fold of a cross-validation has a model of the other samples, which learnt nothing from those
held out. For a new sample with prediction p_k(x) of the model of fold k, and the residuals
r_i = |y_i - p_k(i)(x_i)| of the n held-out samples, the interval at level 1 - alpha runs from the
floor(alpha (n + 1))-th smallest of p_k(i)(x) - r_i to the ceil((1 - alpha)(n + 1))-th smallest of
p_k(i)(x) + r_i; an end is infinite where there is no such order statistic. With one fold a sample
it is the jackknife+.

Samples of a group are not exchangeable one by one: each group then has the weight of one unit,
shared out evenly among its samples, and n counts groups (Lee, Barber & Willett 2023,
arXiv:2306.06342, section 4).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .._core.errors import ModelError, counted_noun, listed_names
from .._core.interfaces import Decided
from .._core.response import ResponseKind
from ..data.dataset import Dataset

USUAL_LEVEL = 0.95
LEAST_LEVEL = 0.5  # below, an interval may be empty
ROUNDING = 1e-9  # of sums of weights, and of level x (n + 1)
MAX_SORTED = 1 << 22  # values that are sorted at once


def checked_level(level: float) -> float:
    """A level of intervals; `ModelError` of what is none."""
    if not LEAST_LEVEL <= level < 1:
        raise ModelError(f"level {level:g}: it has to be at least {LEAST_LEVEL:g} and below 1")
    return level


def needed_units(level: float) -> int:
    """Samples, or groups, below which intervals are infinite.

    Examples
    --------
    >>> needed_units(0.9), needed_units(0.95), needed_units(0.99)
    (9, 19, 99)
    """
    return math.ceil(1 / (1 - level) - 1 - ROUNDING)


def interval_ends(
    predicted: np.ndarray,
    fold: np.ndarray,
    residuals: np.ndarray,
    unit: np.ndarray,
    level: float = USUAL_LEVEL,
) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of the CV+ interval of each new sample, (m,) each.

    Parameters
    ----------
    predicted : ndarray of shape (K, m)
        Of m new samples, by the model of each fold.
    fold : ndarray of shape (n,)
        Which model did not learn from each training sample, from 0.
    residuals : ndarray of shape (n,)
        Absolute, of that model for that sample.
    unit : ndarray of shape (n,)
        Codes of groups, from 0; without groups of samples.
    level : float, default=0.95

    Examples
    --------
    >>> fold, residuals = np.arange(9), np.arange(1.0, 10.0)
    >>> interval_ends(np.zeros((9, 1)), fold, residuals, fold, 0.9)
    (array([-9.]), array([9.]))
    """
    weights = 1.0 / np.bincount(unit)[unit]
    needed = level * (np.max(unit) + 2) - ROUNDING
    low, high = np.empty((2, predicted.shape[1]))
    step = max(MAX_SORTED // len(fold), 1)
    for start in range(0, predicted.shape[1], step):
        some = slice(start, start + step)
        at = predicted[fold, some]
        high[some] = _least_reaching(at + residuals[:, None], weights, needed)
        low[some] = -_least_reaching(residuals[:, None] - at, weights, needed)
    return low, high


def _least_reaching(values: np.ndarray, weights: np.ndarray, needed: float) -> np.ndarray:
    """In each column of (n, m) the least value up to which weights sum to what is needed; infinite
    where all of them do not."""
    order = np.argsort(values, axis=0, kind="stable")
    reached = np.cumsum(weights[order], axis=0) >= needed
    found = values[
        np.take_along_axis(order, reached.argmax(axis=0)[None], axis=0)[0],
        np.arange(values.shape[1]),
    ]
    return np.where(reached[-1], found, np.inf)


class Procedure(Protocol):
    """What `FittedProcedure` is here."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that a table must have."""

    @property
    def levels(self) -> Mapping[str, tuple[str, ...]]:
        """Levels of columns of categories."""

    @property
    def response(self) -> ResponseKind:
        """What it predicts."""

    @property
    def log_target(self) -> bool:
        """Whether it learnt logarithms."""

    @property
    def cv_plus(self) -> PredictionIntervals | None:
        """What its intervals are made of."""

    def decide(self, data: Dataset) -> Decided:
        """What it predicts of each sample."""


@dataclass(frozen=True)
class PredictionIntervals:
    """What intervals for new samples are made of.

    Attributes
    ----------
    models : tuple of FittedProcedure
        The procedure fitted to all samples but those of a fold, what it chooses chosen there.
    fold, residuals, unit : ndarray of shape (n,)
        As of `interval_ends`, on the scale that is learnt.
    grouped : bool
        Units are groups.
    """

    models: tuple[Procedure, ...]
    fold: np.ndarray
    residuals: np.ndarray
    unit: np.ndarray
    grouped: bool = False

    @property
    def n_units(self) -> int:
        """How many samples, or groups."""
        return int(self.unit.max()) + 1

    @property
    def units_text(self) -> str:
        """How many samples, or groups, in words."""
        return counted_noun(self.n_units, "group" if self.grouped else "sample")

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that a table must have."""
        return tuple(dict.fromkeys(name for one in self.models for name in one.columns))

    def missing(self, data: Dataset) -> list[str]:
        """Those of them that a table lacks."""
        known = {*data.feature_names}
        return [name for name in self.columns if name not in known]

    def ends(self, data: Dataset, level: float = USUAL_LEVEL) -> tuple[np.ndarray, np.ndarray]:
        """Both ends for a table's samples, (m,) each, on the scale of the target.

        Raises
        ------
        ModelError
            The level is none, or the table lacks a column.
        """
        checked_level(level)
        if lost := self.missing(data):
            raise ModelError(
                f"{data.name!r} lacks {len(lost):,} of the {len(self.columns):,} columns that the "
                f"models behind the intervals need: {listed_names(lost)}"
            )
        predicted = np.array([one.decide(data).beliefs.value for one in self.models])
        low, high = interval_ends(predicted, self.fold, self.residuals, self.unit, level)
        if self.models[0].log_target:  # order statistics of what grows with it
            with np.errstate(over="ignore"):
                return np.exp(low), np.exp(high)
        return low, high

    def words(self, level: float) -> str:
        """What intervals at a level promise."""
        if (needed := needed_units(level)) > self.n_units:
            return (
                f"low and high are infinite: intervals of {level:.4g} need "
                f"{needed:,} {'groups' if self.grouped else 'samples'} in training, and there were "
                f"{self.n_units:,}"
            )
        return (
            f"low and high: prediction intervals of {level:.4g} (CV+ of {len(self.models)} models, "
            f"{self.units_text}); for any distribution about {2 * level - 1:.4g} is guaranteed"
        )


def intervals_of(
    model: Procedure, data: Dataset, level: float | None = None
) -> tuple[np.ndarray, np.ndarray] | None:
    """Both ends of a model's intervals for a table's samples. Where no level is named it is 0.95,
    and there are none (None) of a model without intervals, or where the table lacks a column that
    they need.

    Raises
    ------
    ModelError
        A level is named, and there are none.
    """
    own = model.cv_plus
    if own is None:
        if level is None:
            return None
        reason = "run its study with prediction_intervals = true (tamis study --intervals)"
        if model.response != "number":
            reason = "it predicts classes, with probabilities"
        raise ModelError(f"the model has no prediction intervals: {reason}")
    if level is None and own.missing(data):
        return None
    return own.ends(data, USUAL_LEVEL if level is None else level)
