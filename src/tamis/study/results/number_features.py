"""What the features that a study chose say of a number."""

from __future__ import annotations

import numpy as np

from ...data.dataset import Dataset
from ...data.indicators import spread_columns
from ...data.walks import block_width
from ...kernels.medians import impute_medians
from ...kernels.units import in_units, table_units
from ...metrics.estimates import plain_number
from ...metrics.false_discovery import benjamini_hochberg
from ...metrics.rank_tests import row_midranks
from ...selection._number_filters import NUMBER_FILTERS
from .features import ALL_POINTS, distinguishable_values
from .number_schema import LevelMean, NumberRelation
from .schema import FilterScore


def number_description(
    data: Dataset, values: np.ndarray, feature: int, detailed: bool
) -> dict[str, object]:
    """A feature beside the number: its correlations and points, or the means of its levels."""
    found: dict[str, object] = {"class_means": None, "class_shares": None, "missing_counts": {}}
    if detailed:
        found["kind"] = "categorical" if data.levels.get(feature) else "numeric"
        found["relation"] = _relation(data, values, feature)
    return found


def _relation(data: Dataset, values: np.ndarray, feature: int) -> NumberRelation:
    column = data.column(feature)
    if levels := data.levels.get(feature):
        means: dict[str, LevelMean] = {}
        for code, name in enumerate(levels):
            own = values[column == code]
            means[name] = {"n": len(own), "mean": float(own.mean()) if len(own) else None}
        return {"pearson": None, "spearman": None, "points": [], "levels": means}
    seen = ~np.isnan(column)
    x, y = column[seen], values[seen]
    order = np.argsort(y, kind="stable")
    if len(order) > ALL_POINTS:
        order = order[np.arange(ALL_POINTS) * (len(order) - 1) // (ALL_POINTS - 1)]
    across = distinguishable_values(x[order].tolist()), distinguishable_values(y[order].tolist())
    return {
        "pearson": plain_number(_correlation(x, y)),
        "spearman": plain_number(_correlation(*row_midranks(np.stack([x, y])))) if len(x) else None,
        "points": [list(point) for point in zip(*across, strict=True)],
    }


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def filter_scores(data: Dataset, features: np.ndarray) -> list[dict[str, FilterScore]]:
    """Score, p-value and rank of some features under the filters of numbers, on all samples; as
    `filter_scores.filter_scores` gives them of classes. Tables that are no matrix have those of
    filters of one column alone."""
    shown = [one for one in NUMBER_FILTERS.values() if one.display.show_in_report]
    values = data.response.learnt(data.codes)
    found: list[dict[str, FilterScore]] = [{} for _ in features]
    if not isinstance(data.X, np.ndarray):
        return found
    X, owner = spread_columns(data, data.ranked)
    holes = np.flatnonzero(np.isnan(X).any(axis=0))
    if len(holes):
        X = X.copy() if np.may_share_memory(X, data.X) else X
        impute_medians(X, holes)
    X = in_units(X, table_units(X))
    ranked, starts, widths = np.unique(owner, return_index=True, return_counts=True)
    known = np.isin(features, ranked)
    at = np.searchsorted(ranked, features[known])
    entries = [entry for entry, ok in zip(found, known, strict=True) if ok]
    width = block_width(len(X))
    for one in shown:
        blocks = [X] if one.takes.needs_all_columns else None
        if blocks is None:
            edges = range(0, X.shape[1], width)
            blocks = [np.ascontiguousarray(X[:, start : start + width]) for start in edges]
        parts = [one.statistics(block, values, 0) for block in blocks]
        scores, p_values = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
        size = np.where(np.isnan(scores), -np.inf, np.abs(scores))
        rank = np.empty(len(ranked), dtype=np.int64)
        best = np.maximum.reduceat(size, starts)
        rank[np.argsort(-best, kind="stable")] = np.arange(1, len(ranked) + 1)
        fdr = np.full(len(ranked), np.nan)
        fdr[widths == 1] = benjamini_hochberg(p_values[starts[widths == 1]])
        for entry, i in zip(entries, at, strict=True):
            column = starts[i] + int(np.argmax(size[starts[i] : starts[i] + widths[i]]))
            entry[one.name] = {
                "score": plain_number(scores[column]),
                "p_value": plain_number(p_values[column]) if widths[i] == 1 else None,
                "fdr": plain_number(fdr[i]),
                "rank": int(rank[i]),
            }
    return found
