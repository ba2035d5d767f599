"""Categories as 0/1 columns."""

from __future__ import annotations

import numpy as np

from .dataset import Dataset


def spread_columns(data: Dataset, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numeric columns (n, P) of some Dataset columns, and the Dataset column behind each."""
    if not data.levels or not any(int(j) in data.levels for j in columns):
        if isinstance(data.X, np.ndarray) and len(columns) == data.shape[1]:
            X = data.X
        else:
            X = data.take(None, columns)
        return np.ascontiguousarray(X, dtype=np.float64), np.asarray(columns)
    blocks, owner = [], []
    for j in columns:
        values = data.column(int(j))
        levels = data.levels.get(int(j), ())
        codes = range(1, 2) if len(levels) == 2 else range(len(levels))
        block = [values] if not levels else [_level_indicator(values, code) for code in codes]
        blocks += block
        owner += [int(j)] * len(block)
    stacked = np.column_stack(blocks) if blocks else np.zeros((data.shape[0], 0))
    return np.ascontiguousarray(stacked), np.array(owner, dtype=np.int64)


def spread_width(n_levels: int) -> int:
    """Columns of a feature with so many levels: one of a number (0) or two levels, else one each.

    Examples
    --------
    >>> spread_width(0), spread_width(2), spread_width(3)
    (1, 1, 3)
    """
    return 1 if n_levels in (0, 2) else n_levels


def _level_indicator(values: np.ndarray, code: int) -> np.ndarray:
    return np.where(np.isnan(values), np.nan, (values == code).astype(float))
