"""Tables that are no matrix: what a study asks of them, and what they may tell of their columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol, Self

import numpy as np

from .column_ids import ColumnIds


class Columns(Protocol):
    """Numbers by blocks of columns. What is given is float64 in C order, NaN for missing."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n, p)."""
        ...

    def take(self, rows: np.ndarray | None, columns: np.ndarray | None) -> np.ndarray:
        """Some rows and columns by their numbers, in that order; None is all of them."""
        ...

    def walk(self, width: int) -> Iterator[tuple[slice, np.ndarray]]:
        """All rows of every column, `width` columns after `width` columns, the last fewer.

        A block is let go of before the next is requested.
        """
        ...


class Table(Columns, Protocol):
    """What a data set's numbers may be where they are no matrix: packed, compressed, in a file.

    It is pickled to worker processes: what is large should be a file that they open, or arrays,
    which joblib maps.
    """

    def digest(self) -> str:
        """The same for equal numbers, another for others."""
        ...


class CountedTable(Table):
    """A table of few whole numbers, which it counts where they lie: what needs no more than how
    often each occurs in each class never sees a block of it.

    Attributes
    ----------
    n_values : int
        Values are 0 to n_values - 1, or missing.
    has_places : bool
        It has `places`, and `near`: elsewhere columns that tell nearly the same are looked for
        among all.
    """

    n_values: int
    has_places: ClassVar[bool] = False

    def counts(self, groups: np.ndarray, n_groups: int) -> Iterator[tuple[slice, np.ndarray]]:
        """Of all columns, block after block, how many rows of each group have each value, and how
        many none: (width, n_groups, n_values + 1) int32. `groups` (n,) says -1 of rows left out."""
        raise NotImplementedError

    def only(self, columns: np.ndarray) -> Self:
        """The table of some of the columns, given rising."""
        raise NotImplementedError

    def near(self, column: int) -> np.ndarray:
        """Columns (k,), rising, that may tell nearly the same as one, itself among them."""
        raise NotImplementedError

    def places(self, columns: np.ndarray) -> Places:
        """Where some columns are."""
        raise NotImplementedError

    def missing_p(self, y: np.ndarray) -> np.ndarray | None:
        """p (p,) of equally many missing values in all classes y (n,), NaN where there is nothing
        to test; None of a table that does not say."""
        return None

    def baseline(self) -> Mapping[str, object] | None:
        """A method, as a plan has it, of what the table's structure alone says of its rows, which
        stands beside the methods of every study; None of most."""
        return None

    def column_ids(self, columns: np.ndarray) -> ColumnIds | None:
        """What some columns are, by which a model knows them in other files."""
        return None


class Chromosome(NamedTuple):
    """One that columns are on: its first and last position among them, and how many they are."""

    name: str
    first: int
    last: int
    n: int


@dataclass(frozen=True)
class Places:
    """Where k columns are, and what their values count.

    Attributes
    ----------
    chromosomes : sequence of Chromosome
        All that the table has, in order.
    chromosome : ndarray of shape (k,)
        Number among these; -1: unknown.
    position : ndarray of shape (k,)
        Base pairs, where that is known.
    alleles : sequence of (str, str)
        The one whose copies are counted, and the other.
    """

    chromosomes: Sequence[Chromosome]
    chromosome: np.ndarray
    position: np.ndarray
    alleles: Sequence[tuple[str, str]]
