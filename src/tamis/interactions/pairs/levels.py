"""A table as level codes: categories as they are, numbers cut without a look at the classes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..._core.errors import DataError, PlanError, shorten_text
from ...data.categories import is_frame, read_text


class LevelTable(NamedTuple):
    """Level codes of a table's features.

    Attributes
    ----------
    codes : (p, n) int16
        0 to levels - 1; -1 is missing.
    levels : (p,) int64
        How many each has; 0 where all is missing.
    names : sequence of p
        Of a data frame's columns, otherwise their numbers.
    """

    codes: np.ndarray
    levels: np.ndarray
    names: Sequence[Any]


def read_levels(X: Any, categorical_features: Any, bins: int, most: int) -> LevelTable:
    """Codes of a table's columns.

    Categorical columns, and those of at most `bins` values, keep their values as levels; all
    others get `bins` intervals with about equally many samples.

    Parameters
    ----------
    X : array-like or data frame (n, p)
        NaN is missing.
    categorical_features : None, "from_dtype", mask, column numbers or names
    bins : int
    most : int
        Levels that a column may have.

    Raises
    ------
    PlanError
        `bins` is out of range.
    DataError
        A column has too many levels.
    """
    from sklearn.utils import check_array

    from ...data.equal_bins import EqualFrequencyDiscretizer  # brings scikit-learn

    is_integer = isinstance(bins, int | np.integer) and not isinstance(bins, bool)
    if not is_integer or not 2 <= bins <= most:
        raise PlanError(f"bins={bins!r}: give a whole number of 2 to {most}")
    frame = is_frame(X)
    names = X.columns.tolist() if frame else None
    if frame:
        X, categorical, _ = read_text(X, categorical_features)
    X = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
    if not frame:
        _, categorical, _ = read_text(X, categorical_features)
    n, p = X.shape
    cuts = EqualFrequencyDiscretizer(int(bins), np.flatnonzero(categorical)).fit(X).cuts_
    codes, levels = np.full((p, n), -1, dtype=np.int16), np.zeros(p, dtype=np.int64)
    for j in range(p):
        known = ~np.isnan(X[:, j])
        column = X[known, j]
        values = np.unique(column)
        if categorical[j] or len(values) <= bins:
            if len(values) > most:
                name = j if names is None else shorten_text(names[j])
                raise DataError(
                    f"column {name!r} has {len(values):,} levels: pairs are searched for up to "
                    f"{most}; merge levels, leave it out, or let it be cut as numbers"
                )
            codes[j, known], levels[j] = np.searchsorted(values, column), len(values)
        else:
            codes[j, known] = np.searchsorted(cuts[j], column, side="left")
            levels[j] = len(cuts[j]) + 1
    return LevelTable(codes, levels, range(p) if names is None else names)


def single_scores(table: LevelTable, y: np.ndarray, n_classes: int) -> np.ndarray:
    """`tamis.selection.mtd` of each feature by itself (p,); -1 without two classes.

    Parameters
    ----------
    table : LevelTable
    y : (n,) int64
        Class codes.
    n_classes : int
    """
    scores, most = np.full(len(table.levels), -1.0), max(int(table.levels.max()), 1)
    by_class = (table.codes[:, y == c] for c in range(n_classes))
    counts = np.array([[(own == v).sum(axis=1) for v in range(most)] for own in by_class])
    sizes = counts.sum(axis=1)
    for a, b in combinations(range(n_classes), 2):
        gap, unit = np.abs(counts[a] * sizes[b] - counts[b] * sizes[a]), sizes[a] * sizes[b]
        both = unit > 0
        scores[both] = np.maximum(scores[both], gap.sum(axis=0)[both] / unit[both])
    return scores
