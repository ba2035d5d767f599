"""How the numbers of each sample are distributed, side by side."""

from __future__ import annotations

import numpy as np

from ..data.dataset import Dataset
from ..data.walks import gathered_columns
from .columns import ColumnFacts
from .schema import Quantiles, SamplesSeen
from .value_kinds import on_log2

QUANTILE_LEVELS = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
MIN_COLUMNS = 5  # columns, of which quantiles say something
MOST_VALUES = 4_000_000  # looked at
MOST_COLUMNS = 20_000
# samples drawn; of these, those whose medians lie farthest from the others
MAX_BOXES, N_OUTLYING_BOXES = 60, 10
OUTLIER_SD = 5.0  # robust standard deviations


def samples_quantiles(data: Dataset, facts: ColumnFacts, scale: str) -> tuple[np.ndarray, int]:
    """Quantiles of each sample (n, 5), NaN where it has no value, and of how many columns."""
    n = data.shape[0]
    columns = data.ranked
    columns = columns[facts.numeric[columns] & facts.varying[columns]]
    most = min(MOST_COLUMNS, max(200, MOST_VALUES // max(n, 1)))
    if len(columns) > most:
        columns = columns[np.linspace(0, len(columns) - 1, most).astype(int)]
    if len(columns) < MIN_COLUMNS:
        return np.full((n, len(QUANTILE_LEVELS)), np.nan), 0
    values = gathered_columns(data.X, columns)
    if scale == "standardised":
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            values = (values - facts.mean[columns]) / facts.sd[columns]
    found = row_quantiles(values)
    return on_log2(found) if scale == "log2" else found, len(columns)


def row_quantiles(values: np.ndarray) -> np.ndarray:
    """Quantiles of each row at `QUANTILE_LEVELS`, missing values left out (n, 5).

    Examples
    --------
    >>> row_quantiles(np.array([[2.0, np.nan, 0.0, 1.0], [np.nan] * 4])).tolist()
    [[0.1, 0.5, 1.0, 1.5, 1.9], [nan, nan, nan, nan, nan]]
    """
    upward = np.sort(values, axis=1)  # NaN last
    last = (~np.isnan(values)).sum(axis=1)[:, None] - 1
    place = QUANTILE_LEVELS * np.maximum(last, 0)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(last, 0))
    low, high = (np.take_along_axis(upward, at, axis=1) for at in (below, above))
    return np.where(last < 0, np.nan, low + (place - below) * (high - low))


def samples_seen(data: Dataset, quantiles: np.ndarray, columns: int, scale: str) -> SamplesSeen:
    """The boxes of some samples, in the order of batches, or of classes where there are none."""
    median = quantiles[:, 2]
    known = np.flatnonzero(np.isfinite(quantiles).all(axis=1))
    far = np.zeros(data.shape[0])
    if len(known):
        off = np.abs(median[known] - np.median(median[known]))
        spread = 1.4826 * float(np.median(off))
        far[known] = off / spread if spread > 0 else 0.0
    drawn = known
    if len(known) > MAX_BOXES:
        outer = known[np.argsort(-far[known], kind="stable")[:N_OUTLYING_BOXES]]
        rest = np.setdiff1d(known, outer)
        even = rest[np.linspace(0, len(rest) - 1, MAX_BOXES - N_OUTLYING_BOXES).astype(int)]
        drawn = np.sort(np.concatenate([outer, even]))
    order = data.batches if data.batches is not None else data.y
    if order is not None:
        drawn = drawn[np.argsort(order[drawn], kind="stable")]
    apart = known[np.argsort(-far[known], kind="stable")][:N_OUTLYING_BOXES]
    return {
        "of": data.shape[0],
        "columns": columns,
        "scale": scale,
        "boxes": [
            {
                "name": data.sample_names[i],
                "label": "" if data.y is None else str(data.y[i]),
                "batch": "" if data.batches is None else str(data.batches[i]),
                "box": _box_quantiles(quantiles[i]),
            }
            for i in drawn
        ],
        "apart": [
            {"name": data.sample_names[i], "median": float(median[i]), "deviations": float(far[i])}
            for i in apart
            if far[i] > OUTLIER_SD
        ],
    }


def _box_quantiles(cuts: np.ndarray) -> Quantiles:
    low, q1, median, q3, high = cuts.tolist()
    return {"low": low, "q1": q1, "median": median, "q3": q3, "high": high}
