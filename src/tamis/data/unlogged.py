"""Whether a table holds raw intensities or counts, whose logarithms were meant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd

import numpy as np

from .._core.tables import Columns
from .checks import summarize_columns
from .counted import counted_table
from .dataset import Dataset
from .walks import each_block, narrowed_columns, table_behind

LEAST_COLUMNS = 50  # narrower tables are measurements of different things
WIDE_RANGE = 30.0  # of a column: a factor of 2^30 if it were a log2
WIDE_SHARE = 0.5  # of the columns
LONG_TAIL = 4.0  # median to 99 %, over 1 % to median
BEYOND = 1.5  # largest value over the 99 % quantile
SAMPLE = 1 << 16  # values, about, that quantiles are taken of
TakesLogs = Callable[[str], bool]  # whether every method takes logarithms of a block


def looks_unlogged(X: np.ndarray) -> bool:
    """Whether like-scaled columns have the range and the long right tail of raw intensities.

    All of: at least 50 columns vary; half of these range over more than 30 (as a log2 that is
    a factor of a thousand million); from the median to the 99 % quantile of all values is more
    than four times as far as from the 1 % quantile to the median; the largest value is more
    than 1.5 times the 99 % quantile, so not piled up at a ceiling as in pictures or per cent.
    Values below zero do not matter: arrays of the first generations have differences of probes.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> logs = rng.normal(8, 2, (40, 100))
    >>> looks_unlogged(logs), looks_unlogged(2**logs)
    (False, True)
    """
    return raw_values(X) is not None


@dataclass(frozen=True)
class RawValues:
    """What values that look raw are like; `counts`: whole numbers whose least is 0 or 1."""

    median: float
    largest: float
    counts: bool

    @property
    def words(self) -> str:
        """For the head of a warning."""
        kind = "counts (whole numbers, " if self.counts else "intensities or counts ("
        median = _number_text(float(f"{self.median:.2g}"))  # of some of the values
        largest = _number_text(self.largest)
        return f"Values look like raw {kind}median about {median}, largest {largest})"


def raw_values(X: np.ndarray | Columns) -> RawValues | None:
    """What there is to say of values that look like raw intensities or counts; None of others."""
    if counted_table(table_behind(X)) is not None:  # few whole numbers
        return None
    columns = summarize_columns(X)
    ranges = columns.high - columns.low
    varying = ranges > 0
    if varying.sum() < LEAST_COLUMNS or (ranges[varying] > WIDE_RANGE).mean() < WIDE_SHARE:
        return None
    values = some_values(X)
    low, middle, high = np.nanquantile(values, [0.01, 0.5, 0.99])
    tail = high - middle > LONG_TAIL * (middle - low)
    largest = float(np.nanmax(columns.high))
    if not tail or largest <= BEYOND * high:
        return None
    whole = bool((np.isnan(values) | (np.floor(values) == values)).all())
    return RawValues(float(middle), largest, whole and np.nanmin(columns.low) in (0, 1))


def unlogged_warning(data: Dataset, logged: TakesLogs | None = None) -> str | None:
    """What to tell the user of a table of raw intensities or counts; None of any other.

    `logged` is asked about each block; about "" where there are none.
    """
    told = unlogged_advice(data, logged)
    if told is not None or logged is None:
        return told
    raw = _raw_columns(data, np.zeros(0, dtype=np.int64))
    return (
        None
        if raw is None
        else (
            f"{raw.words}: methods take logarithms, but what is shown of each feature is of the "
            "values as they are; differences of means are not log fold changes."
        )
    )


def unlogged_advice(data: Dataset, logged: TakesLogs | None = None) -> str | None:
    """What to do about raw intensities or counts of which methods take no logarithms."""
    blocks = data.blocks or {"": data.ranked}
    done = [columns for block, columns in blocks.items() if logged is not None and logged(block)]
    raw = _raw_columns(data, np.concatenate([np.zeros(0, dtype=np.int64), *done]))
    if raw is None:
        return None
    if raw.counts:
        return (
            f"{raw.words}: differences of means are not log fold changes, and depend on how deep "
            "samples were sequenced; give the study a plan (--plan FILE) with the line prepare = "
            '["log_cpm"], or for intensities prepare = ["log2"].'
        )
    return (
        f"{raw.words}: differences of means are not log fold changes; take log2 "
        "first (the step log2 of a plan, which is log2 of max(x, 1))."
    )


def _raw_columns(data: Dataset, others: np.ndarray) -> RawValues | None:
    """Of the numeric columns but `others`."""
    if not data.levels and not len(others):
        return raw_values(data.X)
    kept = np.delete(np.arange(data.shape[1]), [*data.levels, *others.tolist()])
    return raw_values(narrowed_columns(data.X, kept)) if len(kept) >= LEAST_COLUMNS else None


def some_values(X: np.ndarray | Columns) -> np.ndarray:
    """The values; of a large table those at evenly spaced places."""
    n, p = X.shape
    step = -(-n * p // SAMPLE)
    while gcd(step, 2 * n * p) > 1:  # or they would be of few rows or columns
        step += 1
    if isinstance(X, np.ndarray):
        return X.ravel(order="K")[::step]
    return np.concatenate(
        each_block(X, lambda at, block: block.ravel()[-n * at.start % step :: step].copy())
    )


def _number_text(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
