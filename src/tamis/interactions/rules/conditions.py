"""Conditions of rules while they are learned: column numbers and codes in place of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Condition = tuple[int, str, float]  # column, "<=", ">" or "=", limit or code
Conditions = tuple[Condition, ...]


def meets_all(X: np.ndarray, rows: np.ndarray, conditions: Conditions) -> np.ndarray:
    """Which of the rows meet all conditions (k,); NaN meets none."""
    met = np.ones(len(rows), dtype=bool)
    for j, op, value in conditions:
        column = X[rows, j]
        met &= column == value if op == "=" else column <= value if op == "<=" else column > value
    return met


def shorten_limits(X: np.ndarray, conditions: Conditions) -> Conditions:
    """With limits of few digits, between two values of the column, that part the rows of X alike.

    Limits of C4.5 are values of samples: printed short, or compared with the column in another
    precision, they would part others.
    """
    return tuple(
        (j, op, value if op == "=" else _moved_limit(X[:, j], value)) for j, op, value in conditions
    )


def _moved_limit(column: np.ndarray, limit: float) -> float:
    below, above = column[column <= limit], column[column > limit]
    if not (len(below) and len(above)):
        return limit
    return shortest_between(float(below.max()), float(above.min()))


def shortest_between(low: float, high: float) -> float:
    """In the middle half between two numbers the one of fewest digits; low if there is none.

    Examples
    --------
    >>> shortest_between(61, 62), shortest_between(2575.1001, 2804.97), shortest_between(0.1, 0.3)
    (61.5, 2700.0, 0.2)
    """
    middle, quarter = low / 2 + high / 2, high / 4 - low / 4
    for digits in range(1, 18):
        value = float(f"{middle:.{digits}g}")
        if abs(value - middle) <= quarter and low <= value < high:
            return value
    return low


def in_words(
    conditions: Conditions, names: Sequence[str], categories: Mapping[int, Sequence[Any]]
) -> tuple[tuple[str, str, Any], ...]:
    """With names; of several limits on one side of a feature only the last, the tightest."""
    limits = {(j, op): value for j, op, value in conditions}
    return tuple(
        (names[j], op, categories[j][int(value)] if op == "=" else value)
        for (j, op), value in limits.items()
    )
