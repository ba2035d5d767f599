"""Conditions of rules while they are learned: column numbers and codes in place of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Condition = tuple[int, str, float]  # column, "<=", ">" or "=", limit or code
Conditions = tuple[Condition, ...]


def meets(X: np.ndarray, rows: np.ndarray, conditions: Conditions) -> np.ndarray:
    """Which of the rows meet all conditions (k,); NaN meets none."""
    met = np.ones(len(rows), dtype=bool)
    for j, op, value in conditions:
        column = X[rows, j]
        met &= column == value if op == "=" else column <= value if op == "<=" else column > value
    return met


def in_words(
    conditions: Conditions, names: Sequence[str], categories: Mapping[int, Sequence[Any]]
) -> tuple[tuple[str, str, Any], ...]:
    """With names; of several limits on one side of a feature only the last, the tightest."""
    limits = {(j, op): value for j, op, value in conditions}
    return tuple(
        (names[j], op, categories[j][int(value)] if op == "=" else value)
        for (j, op), value in limits.items()
    )
