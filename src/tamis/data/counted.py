"""Tables that count their own values: counts of training parts, from one walk for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np

from .._core.interfaces import Columns, CountedTable


def counted(X: np.ndarray | Columns) -> CountedTable | None:
    """The table, if it is one that counts."""
    return cast(CountedTable, X) if hasattr(X, "counts") else None


def whole_counts(table: CountedTable) -> Iterator[tuple[slice, np.ndarray]]:
    """Of all rows (width, n_values + 1), block after block."""
    for at, counts in table.counts(np.zeros(table.shape[0], dtype=np.int64), 1):
        yield at, counts[:, 0]


def part_counts(
    table: CountedTable, y: np.ndarray, parts: Sequence[np.ndarray], n_classes: int
) -> Iterator[tuple[slice, np.ndarray]]:
    """Of each part's rows by class, (n_parts, width, n_classes, n_values + 1), block after block.

    Rows that no part tells apart are counted together, once.
    """
    from ..kernels.counted import add_atoms
    from ..kernels.moments import atoms_of

    group, member = atoms_of(table.shape[0], y, list(parts), n_classes)
    for at, counts in table.counts(group, member.shape[1] * n_classes):
        yield at, add_atoms(counts, member, n_classes)
