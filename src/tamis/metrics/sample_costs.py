"""Costs by cells: each a number, or the name of a column in which every sample has its own."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

Cells = tuple[tuple[float | str, ...], ...]  # rows predicted, columns true


def cost_columns(cells: Cells) -> list[str]:
    """The columns that cells name, each once.

    Examples
    --------
    >>> cost_columns(((0.0, "amount"), (1.0, 0.0)))
    ['amount']
    """
    return list(dict.fromkeys(c for row in cells for c in row if isinstance(c, str)))


def sample_costs(cells: Cells, columns: Mapping[str, np.ndarray], n: int) -> np.ndarray:
    """Costs of n samples (n, C, C) from cells and the columns (n,) that they name."""
    C = len(cells)
    found = np.empty((n, C, C))
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            found[:, i, j] = columns[cell] if isinstance(cell, str) else cell
    return found
