"""Many sets of whole numbers as two arrays, read like a tuple of tuples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np

from ..._core.arrays import taken_lists


@dataclass(frozen=True, eq=False, repr=False)
class FlatSets(Sequence[Any]):
    """Sets one after the other. Tuples are made of those that are read.

    Attributes
    ----------
    items : ndarray of int64
        Of all sets.
    starts : ndarray of shape (S + 1,) of int64
        Where each set begins.

    Examples
    --------
    >>> sets = FlatSets(np.array([3, 5, 7]), np.array([0, 2, 3]))
    >>> sets, sets[-1], len(sets), sets == ((3, 5), (7,))
    (((3, 5), (7,)), (7,), 2, True)
    """

    items: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, sets: Iterable[Sequence[int]]) -> FlatSets:
        """These sets."""
        if isinstance(sets, FlatSets):
            return sets
        sets = list(sets)
        starts = np.cumsum([0, *map(len, sets)]).astype(np.int64)
        return cls(np.fromiter(chain.from_iterable(sets), np.int64, starts[-1]), starts)

    @classmethod
    def joined(cls, parts: Sequence[FlatSets]) -> FlatSets:
        """The sets of one after those of the other."""
        sizes = np.concatenate([part.sizes for part in parts])
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return cls(np.concatenate([part.items for part in parts]), starts)

    @property
    def sizes(self) -> np.ndarray:
        """Items of each set (S,)."""
        return np.diff(self.starts)

    @property
    def holders(self) -> np.ndarray:
        """The set of each item."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def take(self, chosen: np.ndarray) -> FlatSets:
        """Some of the sets, in this order."""
        places, starts = taken_lists(self.starts, chosen)
        return FlatSets(self.items[places], starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, s: Any) -> Any:
        if isinstance(s, slice):
            return tuple(self.take(np.arange(len(self))[s]))
        s = range(len(self))[s]
        return tuple(self.items[self.starts[s] : self.starts[s + 1]].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        items = self.items.tolist()
        return (tuple(items[a:b]) for a, b in pairwise(self.starts.tolist()))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, FlatSets) else other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
