"""What `results.json` holds of a number that is predicted."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from ...metrics.schema import NumberPoint


class NumberSummary(TypedDict):
    """A number that is predicted."""

    min: float
    q1: float
    median: float
    q3: float
    max: float
    log: bool  # of the natural logarithms of what the table has


class NumberFit(TypedDict):
    """How held-out predictions of a number go with what was observed."""

    slope: float | None  # of observed on predicted values within folds; 1 is ideal
    points: list[NumberPoint]  # of at most 500 samples, evenly by value
    n: int  # samples


class LevelMean(TypedDict):
    """Samples of a level of a category, and the mean of the number in them."""

    n: int
    mean: float | None


class NumberRelation(TypedDict):
    """A feature beside the number that is predicted, on all samples."""

    pearson: float | None
    spearman: float | None
    points: list[list[float]]  # (feature, number) of at most 240 samples
    levels: NotRequired[dict[str, LevelMean]]  # of a category, in place of the others
