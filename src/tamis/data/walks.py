"""Matrices and tables that are none: the same values of both, and walks by blocks of columns."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from .._core.column_ids import ColumnIds
from .._core.tables import Columns, Table
from .counted import all_row_counts, counted_table
from .memory import bytes_text

MAX_BLOCK_COLUMNS = 4096  # columns of a block, at most
DISTINCT_ROW_COLUMNS = 1000  # columns in which no two rows are alike by chance, of few values too
MAX_BLOCK_VALUES = 1 << 19  # values of a block, at most: 4 MB

T = TypeVar("T")


def taken_submatrix(
    X: np.ndarray | Columns, rows: np.ndarray | None, columns: np.ndarray | None
) -> np.ndarray:
    """Some rows and columns, by number, as a matrix of their own in C order; None is all."""
    if not isinstance(X, np.ndarray):
        return X.take(rows, columns)
    if columns is None:
        return X.copy() if rows is None else X[rows]
    if rows is None:
        if len(columns) > 1 and (np.diff(columns) == 1).all():
            return X[:, columns[0] : columns[-1] + 1].copy()
        return X[:, columns].copy()
    if not X.flags.c_contiguous:
        return X[np.ix_(rows, columns)]
    return X.reshape(-1).take(np.asarray(rows)[:, None] * X.shape[1] + columns)  # twice as quick


def block_width(n: int) -> int:
    """Columns of a block of n rows: `MAX_BLOCK_COLUMNS`, or a power of two below it.

    Examples
    --------
    >>> block_width(30), block_width(400), block_width(6000)
    (4096, 1024, 64)
    """
    most = max(MAX_BLOCK_VALUES // max(n, 1), 1)
    return min(MAX_BLOCK_COLUMNS, 1 << (most.bit_length() - 1))


def each_block(
    table: Columns, function: Callable[[slice, np.ndarray], T], width: int | None = None
) -> list[T]:
    """What a function makes of every block of columns, one block at a time.

    Examples
    --------
    >>> some = SomeColumns(np.arange(10.0).reshape(2, 5), np.array([1, 2, 4]))
    >>> each_block(some, lambda at, block: (at.start, block.sum()), width=2)
    [(0, np.float64(16.0)), (2, np.float64(13.0))]
    """
    found = []
    for at, block in table.walk(block_width(table.shape[0]) if width is None else width):
        found.append(function(at, block))
        del block  # before the next is made
    return found


@dataclass(frozen=True)
class SomeColumns:
    """Some of the columns, by blocks again."""

    table: np.ndarray | Columns
    columns: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """(n, how many)."""
        return self.table.shape[0], len(self.columns)

    def take(self, rows: np.ndarray | None, columns: np.ndarray | None) -> np.ndarray:
        """As of any table."""
        return taken_submatrix(
            self.table, rows, self.columns if columns is None else self.columns[columns]
        )

    def walk(self, width: int) -> Iterator[tuple[slice, np.ndarray]]:
        """As of any table."""
        for start in range(0, len(self.columns), width):
            own = self.columns[start : start + width]
            yield slice(start, start + len(own)), taken_submatrix(self.table, None, own)


def gathered_columns(X: np.ndarray | Columns, columns: np.ndarray) -> np.ndarray:
    """Some columns as a matrix; of a table that is none, a block at a time.

    Examples
    --------
    >>> gathered_columns(np.arange(6.0).reshape(2, 3), np.array([2, 0])).tolist()
    [[2.0, 0.0], [5.0, 3.0]]
    """
    if isinstance(X, np.ndarray):
        return taken_submatrix(X, None, columns)
    parts = each_block(SomeColumns(X, columns), lambda _, block: block.copy())
    return np.hstack(parts) if parts else np.empty((X.shape[0], 0))


@dataclass(frozen=True)
class ExtendedTable:
    """A table with columns of a matrix behind its own."""

    table: Table
    values: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """(n, p)."""
        return self.table.shape[0], self.table.shape[1] + self.values.shape[1]

    def take(self, rows: np.ndarray | None, columns: np.ndarray | None) -> np.ndarray:
        """As of any table."""
        columns = np.arange(self.shape[1]) if columns is None else np.asarray(columns)
        p = self.table.shape[1]
        own = columns < p
        found = np.empty((self.shape[0] if rows is None else len(rows), len(columns)))
        found[:, own] = self.table.take(rows, columns[own])
        found[:, ~own] = taken_submatrix(self.values, rows, columns[~own] - p)
        return found

    def walk(self, width: int) -> Iterator[tuple[slice, np.ndarray]]:
        """As of any table; no block has columns of both."""
        yield from self.table.walk(width)
        p, q = self.table.shape[1], self.values.shape[1]
        for start in range(0, q, width):
            stop = min(start + width, q)
            yield slice(p + start, p + stop), self.values[:, start:stop].copy()

    def digest(self) -> str:
        """Of both."""
        values = self.values + 0.0
        values[np.isnan(values)] = np.nan
        found = hashlib.sha256(self.table.digest().encode())
        found.update(values.astype("<f8").tobytes())
        return found.hexdigest()


def table_behind(X: np.ndarray | Columns) -> np.ndarray | Columns:
    """The table that columns of a matrix stand beside, if they do."""
    return table_behind(X.table) if isinstance(X, ExtendedTable) else X


def narrowed_columns(X: np.ndarray | Columns, columns: np.ndarray) -> np.ndarray | Columns:
    """Some columns, rising: of a matrix as one in C order, of a table as one of its kind if it
    can."""
    if isinstance(X, np.ndarray):
        return np.ascontiguousarray(X[:, columns])
    if isinstance(X, ExtendedTable) and (not len(columns) or columns[-1] < X.table.shape[1]):
        return narrowed_columns(X.table, columns)
    if len(columns) == X.shape[1]:
        return X
    table = counted_table(X)
    return SomeColumns(X, columns) if table is None else table.only(columns)


def picked_columns(X: np.ndarray | Columns, columns: np.ndarray) -> np.ndarray | Columns:
    """Some columns in any order: a table of its kind where they rise."""
    if isinstance(X, np.ndarray) or (np.diff(columns) > 0).all():
        return narrowed_columns(X, columns)
    return SomeColumns(X, columns)


def column_ids_of(X: np.ndarray | Columns, columns: np.ndarray) -> ColumnIds | None:
    """What a table says some of its own columns are, if it does."""
    table = counted_table(table_behind(X))
    return None if table is None else table.column_ids(columns)


def table_without(table: Columns, left_out: Sequence[int]) -> Columns:
    """A table but for some of its columns."""
    kept = narrowed_columns(
        table, np.delete(np.arange(table.shape[1]), np.asarray(left_out, dtype=int))
    )
    assert not isinstance(kept, np.ndarray)
    return kept


def missing_values(X: np.ndarray | Columns) -> int:
    """How many there are."""
    if isinstance(X, np.ndarray):
        return int(np.count_nonzero(np.isnan(X))) if np.isnan(X.min(initial=0.0)) else 0
    if isinstance(X, ExtendedTable):
        return missing_values(X.table) + missing_values(X.values)
    if (table := counted_table(X)) is not None:
        return sum(int(counts[:, -1].sum()) for _, counts in all_row_counts(table))
    return sum(each_block(X, lambda _, block: int(np.isnan(block).sum())))


def row_keys(X: np.ndarray | Columns) -> list[bytes]:
    """What is equal for rows of equal bytes only, if they have values; of a table that counts its
    own values rows that are equal in 4,096 columns are, and none of few columns, where many rows
    are alike."""
    X = table_behind(X)
    if (table := counted_table(X)) is not None:
        n, p = table.shape
        if p < DISTINCT_ROW_COLUMNS:
            return [str(i).encode() for i in range(n)]
        X = table.take(None, np.unique(np.linspace(0, p - 1, MAX_BLOCK_COLUMNS).astype(np.int64)))
    if isinstance(X, np.ndarray):
        heads = [row.tobytes() for row in X[:, :DISTINCT_ROW_COLUMNS]]
        times = Counter(heads)  # a row that begins as no other does has no equal
        pairs = zip(heads, X, strict=True)
        keys = [row.tobytes() if times[head] > 1 else head for head, row in pairs]
        for i in np.flatnonzero(np.isnan(X[:, :1]).all(axis=1)).tolist():
            if np.isnan(X[i]).all():  # nothing was measured twice
                keys[i] = str(i).encode()
        return keys
    hashes = [hashlib.sha256() for _ in range(X.shape[0])]

    def hash_rows(_: slice, block: np.ndarray) -> None:
        for one, row in zip(hashes, block, strict=True):
            one.update(row.tobytes())

    each_block(X, hash_rows)
    return [one.digest() for one in hashes]


def dense_text(table: Columns) -> str:
    """What a table takes as a matrix, in words."""
    n, p = table.shape
    return f"{n:,} x {p:,} numbers, {bytes_text(8.0 * n * p)} as a matrix"
