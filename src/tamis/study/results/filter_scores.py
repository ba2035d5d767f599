"""What every filter says of the features a study shows, on all samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..._core.tables import Columns, CountedTable
from ...data.counted import counted_table, part_counts
from ...data.dataset import Dataset
from ...data.indicators import spread_columns
from ...data.walks import MAX_BLOCK_COLUMNS, each_block, table_behind, table_without
from ...kernels.medians import impute_medians
from ...kernels.units import column_magnitudes, in_units, shared_units, table_units
from ...metrics.false_discovery import benjamini_hochberg
from ...selection._filters import FILTERS, FilterRow
from ...selection._moments import class_moments, joined_moments
from ...selection._table_parts import NoiseByRow
from .schema import FilterScore

Scored = tuple[np.ndarray, np.ndarray | None]  # statistics and p-values of columns


def filter_scores(data: Dataset, features: np.ndarray) -> list[dict[str, FilterScore]]:
    """Score, p-value and rank of some features under every filter, on all samples.

    A description of the finished study, used by nothing that learns. Missing values count as
    the column's median, as in the study; a category of several levels has its best level's
    score and no p-value, which would have to pay for the search. Ranks are among all features
    that selection could choose from, by absolute value, ties by column.
    """
    shown = [one for one in FILTERS.values() if one.display.show_in_report]
    scored: Iterable[Scored]
    if isinstance(data.X, np.ndarray):
        owner, units, scored = _matrix_scores(data, data.X, shown)
    elif (table := counted_table(table_behind(data.X))) is not None:
        shown = [one for one in FILTERS.values() if one.shortcuts.counts is not None]
        owner, units = np.arange(table.shape[1]), np.ones(table.shape[1])
        scored = _counted_scores(table, data.codes, shown)
    else:
        owner = data.ranked
        units, scored = _block_scores(table_without(data.X, data.covariates), data.codes, shown)
    ranked, starts, widths = np.unique(owner, return_index=True, return_counts=True)
    found: list[dict[str, FilterScore]] = [{} for _ in features]
    entries = [entry for entry, j in zip(found, features, strict=True) if j <= ranked[-1]]
    at = np.searchsorted(ranked, features[features <= ranked[-1]])
    single = widths == 1  # columns of one feature
    for one, (scores, p_values) in zip(shown, scored, strict=True):
        if one.promises.unit:
            scores = scores * units
        size = np.where(np.isnan(scores), -np.inf, np.abs(scores))
        best = np.maximum.reduceat(size, starts)
        rank = np.empty(len(ranked), dtype=np.int64)
        rank[np.argsort(-best, kind="stable")] = np.arange(1, len(ranked) + 1)
        fdr = np.full(len(ranked), np.nan)
        if p_values is not None:
            fdr[single] = benjamini_hochberg(p_values[starts[single]])
        for entry, i in zip(entries, at, strict=True):
            column = starts[i] + int(np.argmax(size[starts[i] : starts[i] + widths[i]]))
            p = None if p_values is None or widths[i] > 1 else p_values[column]
            entry[one.name] = {
                "score": _finite_or_none(scores[column]),
                "p_value": _finite_or_none(p),
                "fdr": _finite_or_none(fdr[i]),
                "rank": int(rank[i]),
            }
    return found


def _matrix_scores(
    data: Dataset, matrix: np.ndarray, filters: Sequence[FilterRow]
) -> tuple[np.ndarray, np.ndarray, Iterator[Scored]]:
    """The feature behind each column, the columns' units, and what filters give them."""
    X, owner = spread_columns(data, data.ranked)
    holes = np.flatnonzero(np.isnan(X).any(axis=0))
    if len(holes):
        X = X.copy() if np.may_share_memory(X, matrix) else X
        impute_medians(X, holes)
    units = table_units(X)
    X = in_units(X, units)

    def scored_matrix(one: FilterRow) -> Scored:
        if one.takes.needs_all_columns:
            return one.statistics(X, data.codes, 0)
        starts = range(0, X.shape[1], MAX_BLOCK_COLUMNS)
        blocks = (np.ascontiguousarray(X[:, start : start + MAX_BLOCK_COLUMNS]) for start in starts)
        return _concatenated_scores([_filter_scored(one, block, data.codes) for block in blocks])

    return owner, units, map(scored_matrix, filters)


def _block_scores(
    table: Columns, y: np.ndarray, filters: Sequence[FilterRow]
) -> tuple[np.ndarray, list[Scored]]:
    """The same of a table that is no matrix: its units, and what filters give its columns."""
    n, p = table.shape
    magnitudes = each_block(table, lambda _, block: column_magnitudes(block))
    units = shared_units(np.concatenate(magnitudes))
    noise: Any = None

    def scored_block(at: slice, block: np.ndarray) -> list[Any]:
        nonlocal noise
        if at.start % MAX_BLOCK_COLUMNS == 0:  # where a matrix begins anew
            noise = NoiseByRow(0, n, min(MAX_BLOCK_COLUMNS, p - at.start))
        impute_medians(block, np.flatnonzero(np.isnan(block).any(axis=0)))
        X = in_units(block, units[at])
        return [
            class_moments(X, y) if one.takes.needs_all_columns else _filter_scored(one, X, y, noise)
            for one in filters
        ]

    found: list[Scored] = []
    by_filter = zip(*each_block(table, scored_block), strict=True)
    for one, blocks in zip(filters, by_filter, strict=True):
        if not one.takes.needs_all_columns:
            found.append(_concatenated_scores(blocks))
            continue
        statistics_of, p_values_of = one.shortcuts.moments, one.shortcuts.p_values
        assert statistics_of is not None
        assert p_values_of is not None
        m = joined_moments(blocks)
        found.append((statistics_of(m), p_values_of(m)))
    return units, found


def _counted_scores(
    table: CountedTable, y: np.ndarray, filters: Sequence[FilterRow]
) -> list[Scored]:
    """What filters give the columns of a table that counts its own values."""
    every = [np.arange(len(y))]
    blocks = [
        [one.scored_counts(counts[0]) for one in filters]
        for _, counts in part_counts(table, y, every, int(y.max()) + 1)
    ]
    return [_concatenated_scores(of_one) for of_one in zip(*blocks, strict=True)]


def _filter_scored(one: FilterRow, X: np.ndarray, y: np.ndarray, noise: Any = 0) -> Scored:
    """Statistics of some columns, and p-values where the filter has them."""
    result = one.statistics(X, y, noise)
    return result if one.promises.tests else (result, None)


def _concatenated_scores(blocks: Sequence[Scored]) -> Scored:
    scores = np.concatenate([np.asarray(s, dtype=np.float64) for s, _ in blocks])
    p_values = [p for _, p in blocks if p is not None]
    return scores, np.concatenate(p_values) if p_values else None


def _finite_or_none(value: float | None) -> float | None:
    return float(value) if value is not None and np.isfinite(value) else None
