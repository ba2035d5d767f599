"""What a search chooses among, and the folds it is judged by."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.errors import DataError
from ..._core.interfaces import Part, Seeds
from ...classifiers.base.folds import Splits, splits_of
from .._filter_ranker import FilterRanker


def candidate_columns(part: Part, most: int | None, ranking: str) -> np.ndarray:
    """Columns of a training set that vary, rising; the best `most` of them by a filter."""
    varies = np.flatnonzero((part.X[:1] != part.X).any(axis=0))
    if most is None or most >= len(varies):
        return varies
    scores = FilterRanker(ranking).rank(part, [1], Seeds(0)).scores
    order = np.argsort(-scores[varies], kind="stable")[:most]
    found: np.ndarray = np.sort(varies[order])
    return found


def searched_table(X: np.ndarray, columns: np.ndarray, estimator: Any) -> np.ndarray:
    """Those columns. For a learner that is named, tables of far-off magnitude are in other units, a
    power of two for all; what the settings of an estimator mean may depend on the units."""
    from ...kernels.units import in_units, table_units

    table = np.ascontiguousarray(X[:, columns])
    return in_units(table, table_units(table)) if isinstance(estimator, str) else table


def inner_splits(cv: Any, part: Part, stream: Seeds) -> Splits:
    """Stratified folds of a training set, or those that `cv` gives.

    Raises
    ------
    DataError
        Every class has a single sample.
    """
    seed = int(stream.generate_state(1)[0])
    splits = splits_of(cv, part.y, part.y, np.arange(len(part.y)), seed, part.X)
    if not splits:
        raise DataError("every class has a single sample: a search needs two of one class at least")
    return splits
