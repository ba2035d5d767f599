"""Whether a table holds raw intensities or counts, whose logarithms were meant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import gcd

import numpy as np

from .._core.tables import Columns
from .cautions import Cautions
from .checks import Summary, summarize_columns
from .count_evidence import are_counts, holds_whole_numbers, may_be_counts
from .counted import counted_table
from .dataset import Dataset
from .walks import each_block, narrowed_columns, table_behind
from .zeros import FarZeros, far_zeros

LEAST_COLUMNS = 50  # narrower tables are measurements of different things
WIDE_RANGE = 30.0  # of a column: a factor of 2^30 if it were a log2
WIDE_SHARE = 0.5  # of the columns
CLEAR_SHARE = 0.8  # from which they are clearly of one kind, not lab values of many
LEAST_VALUES = 20  # different ones: fewer are doses, or answers
NARROW_RANGE, NARROW_SHARE = 2.0, 0.1  # columns of intensities do not range over less than 2
# columns of counts that reach so far: not answers and an income
MIN_SPREAD_RATIO, MIN_SPREAD_COLUMNS = 10.0, 10
LONG_TAIL = 4.0  # median to 99 %, over 1 % to median
MAX_OUTLIER_RATIO = 1.5  # largest value over the 99 % quantile
QUANTILE_SAMPLE = 1 << 16  # values, about, that quantiles are taken of
STEP_BY_KIND = {"counts": "log_cpm", "intensities": "log2"}  # of a plan, where the kind is clear
TakesLogs = Callable[[str], bool]  # whether every method takes logarithms of a block


def looks_unlogged(X: np.ndarray) -> bool:
    """Whether like-scaled columns are raw intensities or counts.

    At least 50 columns vary, and either the values are counts of reads (`count_evidence`), or
    columns have the range and the long right tail of intensities: half of them range over more
    than 30 (as a log2 that is a factor of a thousand million), and at most one in ten over less
    than 2; from the median to the 99 % quantile
    of all values is more than four times as far as from the 1 % quantile to the median; the largest
    value is more than 1.5 times the 99 % quantile, so not piled up at a ceiling as in pictures or
    per cent. Values below zero do not matter: arrays of the first generations have differences of
    probes.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> logs = rng.normal(8, 2, (40, 100))
    >>> looks_unlogged(logs), looks_unlogged(2**logs)
    (False, True)
    """
    return scale_of_values(X).raw is not None


@dataclass(frozen=True)
class RawValues:
    """What values that look raw are like.

    Attributes
    ----------
    median, largest : float
    kind : {"counts", "intensities", "unsure"}
        "unsure": may be either.
    clear: bool
        Whether that is clear enough for a step of a plan.
    """

    median: float
    largest: float
    kind: str
    clear: bool = True

    @property
    def words(self) -> str:
        """For the head of a warning."""
        counts = self.kind == "counts"
        kind = "counts (whole numbers, " if counts else "intensities or counts ("
        median = _number_text(float(f"{self.median:.2g}"))  # of some of the values
        largest = _number_text(self.largest)
        return f"Values look like raw {kind}median about {median}, largest {largest})"

    @property
    def advice(self) -> str:
        """What to do about them, in words of a plan."""
        means = f"{self.words}: differences of means are not log fold changes"
        if self.kind == "counts":
            return (
                f"{means}, and depend on how deep samples were sequenced; take log2 counts per "
                "million with prepare=['log_cpm']."
            )
        if self.kind == "unsure":
            return (
                f"{means}; if they are counts of reads, take log2 counts per million with "
                "prepare=['log_cpm'], if intensities, log2 of max(x, 1) with prepare=['log2']."
            )
        return f"{means}; take log2 first with prepare=['log2'], which is log2 of max(x, 1)."


@dataclass(frozen=True)
class Scale:
    """What the numbers of a block, or of a table without blocks (""), are measured in."""

    block: str = ""
    raw: RawValues | None = None
    zeros: FarZeros | None = None

    @property
    def step(self) -> str:
        """The step of a plan that takes their logarithms, where it is clear which."""
        return STEP_BY_KIND[self.raw.kind] if self.raw is not None and self.raw.clear else ""

    @property
    def unclear(self) -> bool:
        """Whether it is for the user to say what they are before they are studied."""
        return self.zeros is not None or (self.raw is not None and not self.raw.clear)


def scales_of(data: Dataset) -> list[Scale]:
    """Of the numeric features of each block, or of all where there are no blocks."""
    if not (data.blocks or data.levels or data.covariates):
        return [scale_of_values(data.X)]
    blocks = data.blocks or {"": data.ranked}
    found = []
    for name, columns in blocks.items():
        kept = np.setdiff1d(columns, [*data.levels])
        few = len(kept) < LEAST_COLUMNS
        found.append(Scale(name) if few else scale_of_values(narrowed_columns(data.X, kept), name))
    return found


def scale_of_values(X: np.ndarray | Columns, block: str = "") -> Scale:
    """What there is to say of values that look raw, or whose zeros lie far from all others."""
    if counted_table(table_behind(X)) is not None:  # few whole numbers
        return Scale(block)
    columns = summarize_columns(X)
    ranges = columns.high - columns.low
    varying = ranges > 0
    if varying.sum() < LEAST_COLUMNS:
        return Scale(block)
    wide = float((ranges[varying] > WIDE_RANGE).mean())
    if (ranges[varying] < NARROW_RANGE).mean() > NARROW_SHARE:
        wide = 0.0
    least, largest = float(np.nanmin(columns.low)), float(np.nanmax(columns.high))
    if wide < WIDE_SHARE and least != 0 and (least != 1 or largest <= WIDE_RANGE):
        return Scale(block)
    values = some_values(X)
    zeros = far_zeros(columns, values) if least == 0 else None
    raw = _raw_values(X, columns, values, wide)
    if raw is not None and zeros is not None:  # those of counts are not far from 1
        raw = replace(raw, kind="intensities", clear=wide >= CLEAR_SHARE)
    return Scale(block, raw, zeros)


def _raw_values(
    X: np.ndarray | Columns, columns: Summary, values: np.ndarray, wide: float
) -> RawValues | None:
    """What values are like that look raw; `values` are some of them, `wide` the share of columns
    with a wide range."""
    low, middle, high = np.nanquantile(values, [0.01, 0.5, 0.99])
    least, largest = float(np.nanmin(columns.low)), float(np.nanmax(columns.high))
    if largest <= MAX_OUTLIER_RATIO * high or len(np.unique(values)) < LEAST_VALUES:
        return None
    counted = (
        largest > WIDE_RANGE
        and (columns.high - least > MIN_SPREAD_RATIO).sum() >= MIN_SPREAD_COLUMNS
    )
    if counted and are_counts(X, values, least):
        all_integers = holds_whole_numbers(X)  # else estimated, which the step of counts refuses
        return RawValues(
            float(middle), largest, "counts" if all_integers else "unsure", all_integers
        )
    if wide < WIDE_SHARE or high - middle <= LONG_TAIL * (middle - low):
        return None
    if may_be_counts(values, least):
        return RawValues(float(middle), largest, "unsure", False)
    return RawValues(float(middle), largest, "intensities", wide >= CLEAR_SHARE)


def scale_cautions(
    data: Dataset,
    logged: TakesLogs | None = None,
    shown: bool = False,
    scales: list[Scale] | None = None,
) -> Cautions:
    """What to warn the user of: raw intensities or counts, and zeros that may mean "not measured".

    Parameters
    ----------
    data : Dataset
    logged : callable, optional
        Whether methods take logarithms of a block; called with "" where there are none.
    shown : bool
        Also warn where they do, of what is shown of features.
    scales : list of Scale, optional
        Those of the data, if they are known.
    """
    for scale in scales_of(data) if scales is None else scales:
        of = f"block {scale.block!r}: " if scale.block else ""
        if scale.zeros is not None:
            yield "zeros", of + scale.zeros.words
        if scale.raw is None:
            continue
        if logged is None or not logged(scale.block):
            text = scale.raw.advice
            if scale.zeros is not None:
                text = text.replace("take log2 first", "once that is settled, take log2")
            yield "unlogged", of + text
        elif shown:
            yield (
                "unlogged",
                f"{of}{scale.raw.words}: methods take logarithms, but what is shown of each "
                "feature is of the values as they are; differences of means are not log fold "
                "changes.",
            )


def some_values(X: np.ndarray | Columns) -> np.ndarray:
    """The values; of a large table those at evenly spaced places."""
    n, p = X.shape
    step = -(-n * p // QUANTILE_SAMPLE)
    while gcd(step, 2 * n * p) > 1:  # or they would be of few rows or columns
        step += 1
    if isinstance(X, np.ndarray):
        return X.ravel(order="K")[::step]
    return np.concatenate(
        each_block(X, lambda at, block: block.ravel()[-n * at.start % step :: step].copy())
    )


def _number_text(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
