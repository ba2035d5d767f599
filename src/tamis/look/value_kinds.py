"""What the numbers of a table look like: logarithms, counts, intensities, shares and others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data.dataset import Dataset
from ..data.unlogged import LEAST_COLUMNS, LONG_TAIL, WIDE_RANGE, Scale, some_values
from ..data.walks import narrowed_columns
from .columns import ColumnFacts
from .histograms import histogram_of, quantiles_of
from .schema import ValuesSeen

KIND_WORDS = {
    "none": "no numbers",
    "constant": "numbers that do not differ between samples",
    "binary": "two values in each column, such as 0 and 1",
    "copies": "0, 1 and 2, such as copies of an allele",
    "counts": "raw counts",
    "intensities": "raw intensities or counts, not logarithms",
    "whole": "whole numbers",
    "standardised": "standardised columns (mean 0, standard deviation 1)",
    "shares": "numbers from 0 to 1, such as shares or beta values",
    "ratios": "numbers about 0 on one scale, such as logarithms of ratios",
    "logarithms": "numbers on one scale, such as logarithms",
    "skewed": "positive numbers with a long upper tail, such as ratios: not logarithms",
    "single": "one measurement",
    "mixed": "columns on different scales",
    "few": "columns that may be on different scales",
}
UNLIKE_KINDS = ("mixed", "few")  # whose columns are not drawn together
PICTURE_SCALES = ("as is", "log2", "standardised")  # log2 of max(x, 1); each column by itself
MIN_COLUMN_SHARE = 0.95  # of the columns, that what is said of all holds for
NEAR_MEAN, NEAR_SD = 0.02, 0.05  # of a standardised column
MAX_SPREAD_RATIO = 30.0  # times the spread of columns, from their 10 % to their 90 % quantile
LOOKED_AT = 4096  # columns that values are taken of


def values_seen(data: Dataset, facts: ColumnFacts, scales: Sequence[Scale]) -> list[ValuesSeen]:
    """Of each block, or of all features where there are none."""
    blocks = data.blocks or {"": data.ranked}
    return [_of_columns(data, facts, scale, blocks[scale.block]) for scale in scales]


def _of_columns(data: Dataset, facts: ColumnFacts, of: Scale, columns: np.ndarray) -> ValuesSeen:
    numbers = columns[facts.numeric[columns] & ~facts.empty[columns]]
    found: ValuesSeen = {
        "block": of.block,
        "columns": len(numbers),
        "kind": "none",
        "text": KIND_WORDS["none"],
        "values": None,
        "columns_mean": None,
        "columns_sd": None,
        "scale": PICTURE_SCALES[0],
        "histogram": None,
        "step": of.step,
        "unclear": of.unclear,
    }
    if not len(numbers):
        return found
    some = numbers[np.linspace(0, len(numbers) - 1, min(len(numbers), LOOKED_AT)).astype(int)]
    table = narrowed_columns(data.X, some)
    values = some_values(table)
    values = values[np.isfinite(values)]
    kind = kind_of(facts, numbers)
    text, least, largest = KIND_WORDS[kind], facts.low[numbers].min(), facts.high[numbers].max()
    raw = of.raw
    if raw is not None:
        kind = "counts" if raw.kind == "counts" else "intensities"
        median = float(f"{raw.median:.2g}")
        text = f"{KIND_WORDS[kind]} (median about {median:,g}, largest {largest:,.6g})"
    elif kind == "logarithms" and least >= 0 and _has_tail(values):
        kind, text = "skewed", KIND_WORDS["skewed"]
    scale, cut = scale_of([kind]), quantiles_of(values)
    drawn = on_log2(values) if scale == "log2" else values
    found |= {
        "kind": kind,
        "text": text,
        "columns_mean": quantiles_of(facts.mean[numbers]),
        "columns_sd": quantiles_of(facts.sd[numbers]),
        "scale": PICTURE_SCALES[scale == "log2"],
        "histogram": None if kind in UNLIKE_KINDS else histogram_of(drawn),
        "values": None if cut is None else {**cut, "low": float(least), "high": float(largest)},
    }
    return found


def scale_of(kinds: Sequence[str]) -> str:
    """On which of `PICTURE_SCALES` the samples of a table can be compared."""
    if all(kind in ("counts", "intensities") for kind in kinds):
        return "log2"
    return "standardised" if len(kinds) > 1 or kinds[0] in ("single", *UNLIKE_KINDS) else "as is"


def on_log2(values: np.ndarray) -> np.ndarray:
    """Raw values as logarithms, those below 1 as 0."""
    return np.log2(np.maximum(values, 1.0))


def _has_tail(values: np.ndarray) -> bool:
    """Whether values reach much farther up than down, as raw values do."""
    low, middle, high = np.quantile(values, [0.01, 0.5, 0.99])
    return bool(high - middle > LONG_TAIL * (middle - low))


def kind_of(facts: ColumnFacts, columns: np.ndarray) -> str:
    """A key of `KIND_WORDS`, by what columns of numbers hold; raw values are known by their
    `Scale`.
    """
    columns = columns[facts.varying[columns]]
    if not len(columns):
        return "constant"
    low, high = facts.low[columns], facts.high[columns]
    mean, sd = facts.mean[columns], facts.sd[columns]
    if _holds_for_most(facts.two[columns]):
        return "binary"
    if _holds_for_most(facts.integer[columns] & (low >= 0) & (high <= 2)):
        return "copies"
    if _holds_for_most(facts.integer[columns]) and len(columns) >= LEAST_COLUMNS:
        return "whole"
    if _holds_for_most((np.abs(mean) < NEAR_MEAN) & (np.abs(sd - 1) < NEAR_SD)):
        return "standardised"
    if low.min() >= 0 and high.max() <= 1:
        return "shares"
    narrow, wide = np.quantile(sd, [0.1, 0.9])
    alike = wide <= MAX_SPREAD_RATIO * max(narrow, np.finfo(float).tiny)
    if len(columns) == 1:
        return "single"
    if not alike or np.median(high - low) > WIDE_RANGE:
        return "mixed"
    if len(columns) < LEAST_COLUMNS:
        return "few"
    return "ratios" if np.abs(np.median(mean)) < np.median(sd) / 2 else "logarithms"


def _holds_for_most(found: np.ndarray) -> bool:
    return bool(found.mean() >= MIN_COLUMN_SHARE)
