"""What columns are: numbers, categories, constant, empty; and which tell the same as others."""

from __future__ import annotations

import numpy as np

from ..data.dataset import Dataset
from ..data.walks import block_width, taken_submatrix
from ..kernels.unit_columns import unit_columns
from .columns import ColumnFacts, Walked
from .near_copies import CopySet, equal_categories, least_correlation, near_copies
from .schema import CategoriesSeen, ColumnsSeen

COLUMN_KINDS = ("numbers", "whole numbers", "two values", "categories", "constant", "empty")
MAX_LISTED_COLUMNS, MAX_LISTED_NAMES = 20, 8  # columns or sets, and names of one


def kinds_of(facts: ColumnFacts) -> np.ndarray:
    """Place of each column's kind among `COLUMN_KINDS` (p,)."""
    return np.select(
        [facts.empty, facts.constant, ~facts.numeric, facts.two, facts.integer], [5, 4, 3, 2, 1], 0
    )


def copies_in(data: Dataset, walked: Walked) -> tuple[list[CopySet], float | None]:
    """Sets of columns that say nearly the same, and from which absolute correlation on."""
    n = data.shape[0]
    looked = int(walked.sketch.any(axis=1).sum())
    least = least_correlation(n, looked)
    found = equal_categories(data)
    if least is not None:
        found += near_copies(
            walked.sketch,
            least,
            lambda columns: unit_columns(taken_submatrix(data.X, None, columns)),
            block_width(n),
        )
    return sorted(found, key=lambda one: -len(one.columns)), least


def columns_seen(
    data: Dataset, facts: ColumnFacts, copies: list[CopySet], least: float | None
) -> ColumnsSeen:
    """Kinds of columns with the first of each, categories, and the largest sets of copies."""
    kinds, names = kinds_of(facts), data.feature_names

    def first_names(columns: np.ndarray | tuple[int, ...]) -> list[str]:
        return [names[j] for j in columns[:MAX_LISTED_NAMES]]

    return {
        "kinds": [
            {"kind": kind, "n": len(own), "names": first_names(own)}
            for k, kind in enumerate(COLUMN_KINDS)
            if len(own := np.flatnonzero(kinds == k))
        ],
        "categories": [
            _categories_seen(data, facts, j) for j in sorted(data.levels)[:MAX_LISTED_COLUMNS]
        ],
        "threshold": least,
        "copies": sum(len(one.columns) - 1 for one in copies),
        "sets": len(copies),
        "largest_sets": [
            {
                "n": len(one.columns),
                "names": first_names(one.columns),
                "least_r": one.least_r,
                "categories": one.categories,
            }
            for one in copies[:MAX_LISTED_COLUMNS]
        ],
    }


def _categories_seen(data: Dataset, facts: ColumnFacts, column: int) -> CategoriesSeen:
    """A categorical column."""
    values = data.column(column)
    counts = np.bincount(
        values[~np.isnan(values)].astype(np.int64), minlength=len(data.levels[column])
    )
    there = int(counts.sum())
    return {
        "name": data.feature_names[column],
        "covariate": column in data.covariates,
        "levels": int((counts > 0).sum()),
        "commonest": data.levels[column][int(counts.argmax())] if there else "",
        "share": float(counts.max() / there) if there else None,
        "missing": float(facts.missing[column] / max(len(values), 1)),
    }
