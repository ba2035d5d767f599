"""Tables that count their own values: counts of training sets, from one walk for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .._core.tables import Columns, CountedTable


def counted_table(X: np.ndarray | Columns) -> CountedTable | None:
    """The table, if it is one that counts."""
    return X if isinstance(X, CountedTable) else None


def all_row_counts(table: CountedTable) -> Iterator[tuple[slice, np.ndarray]]:
    """Of all rows (width, n_values + 1), block after block."""
    for at, counts in table.counts(np.zeros(table.shape[0], dtype=np.int64), 1):
        yield at, counts[:, 0]


def part_counts(
    table: CountedTable, y: np.ndarray, parts: Sequence[np.ndarray], n_classes: int
) -> Iterator[tuple[slice, np.ndarray]]:
    """Of each part's rows by class, (n_parts, width, n_classes, n_values + 1), block after block.

    Rows that no part distinguishes are counted together, once; but where that makes more groups
    than there are parts, as repeated splits do, each part is counted by itself.
    """
    from ..kernels.counted import add_atoms
    from ..kernels.moments import atoms_of

    group, member = atoms_of(table.shape[0], y, list(parts), n_classes)
    if member.shape[1] > len(parts):
        walks = [table.counts(_codes_inside(y, rows), n_classes) for rows in parts]
        for blocks in zip(*walks, strict=True):
            yield blocks[0][0], np.stack([counts for _, counts in blocks], dtype=np.int64)
        return
    for at, counts in table.counts(group, member.shape[1] * n_classes):
        yield at, add_atoms(counts, member, n_classes)


def _codes_inside(y: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Class codes of some rows, -1 of the others."""
    found = np.full(len(y), -1, dtype=np.int64)
    found[rows] = y[rows]
    return found
