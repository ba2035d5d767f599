"""Matrices and tables that are none: the same values of both, and walks by blocks of columns."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from .._core.interfaces import Columns
from .memory import bytes_text

WIDTH = 4096  # columns of a block, at most
VALUES = 1 << 19  # values of a block, at most: 4 MB

T = TypeVar("T")


def taken(
    X: np.ndarray | Columns, rows: np.ndarray | None, columns: np.ndarray | None
) -> np.ndarray:
    """Some rows and columns, by number, as a matrix of their own in C order; None is all."""
    if not isinstance(X, np.ndarray):
        return X.take(rows, columns)
    if columns is None:
        return X.copy() if rows is None else X[rows]
    return X[:, columns].copy() if rows is None else X[np.ix_(rows, columns)]


def block_width(n: int) -> int:
    """Columns of a block of n rows: `WIDTH`, or a power of two below it.

    Examples
    --------
    >>> block_width(30), block_width(400), block_width(6000)
    (4096, 1024, 64)
    """
    most = max(VALUES // max(n, 1), 1)
    return min(WIDTH, 1 << (most.bit_length() - 1))


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
        return taken(self.table, rows, self.columns if columns is None else self.columns[columns])

    def walk(self, width: int) -> Iterator[tuple[slice, np.ndarray]]:
        """As of any table."""
        for start in range(0, len(self.columns), width):
            own = self.columns[start : start + width]
            yield slice(start, start + len(own)), taken(self.table, None, own)


def narrowed(X: np.ndarray | Columns, columns: np.ndarray) -> np.ndarray | Columns:
    """Some columns, rising: of a matrix as one in C order."""
    if isinstance(X, np.ndarray):
        return np.ascontiguousarray(X[:, columns])
    return SomeColumns(X, columns)


def without(table: Columns, left_out: Sequence[int]) -> Columns:
    """A table but for some of its columns."""
    if not len(left_out):
        return table
    return SomeColumns(table, np.delete(np.arange(table.shape[1]), np.asarray(left_out)))


def missing_values(X: np.ndarray | Columns) -> int:
    """How many there are."""
    if isinstance(X, np.ndarray):
        return int(np.isnan(X).sum())
    return sum(each_block(X, lambda _, block: int(np.isnan(block).sum())))


def row_keys(X: np.ndarray | Columns) -> list[bytes]:
    """What is equal for rows of equal bytes only."""
    if isinstance(X, np.ndarray):
        return [row.tobytes() for row in X]
    hashes = [hashlib.sha256() for _ in range(X.shape[0])]

    def read(_: slice, block: np.ndarray) -> None:
        for one, row in zip(hashes, block, strict=True):
            one.update(row.tobytes())

    each_block(X, read)
    return [one.digest() for one in hashes]


def dense_text(table: Columns) -> str:
    """What a table takes as a matrix, in words."""
    n, p = table.shape
    return f"{n:,} x {p:,} numbers, {bytes_text(8.0 * n * p)} as a matrix"
