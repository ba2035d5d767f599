"""Training sets of a table that is no matrix: filters go through it block by block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import PlanError
from .._core.interfaces import Seeds
from .._core.tables import Columns
from ..data.counted import counted_table, part_counts
from ..data.walks import dense_text, each_block
from ._moments import ClassMoments, joined_moments, moments_of_counts
from ._parts import T, TrainingParts

if TYPE_CHECKING:
    from ._filters import FilterRow


class TableParts(TrainingParts):
    """As `TrainingParts`, of which no more than a block of columns is ever a matrix.

    Parameters
    ----------
    table : Columns
    y, rows, incomplete, units, n_classes
        As there; none is optional but the last.
    """

    def __init__(
        self,
        table: Columns,
        y: np.ndarray,
        rows: Sequence[np.ndarray],
        incomplete: np.ndarray,
        units: np.ndarray,
        n_classes: int | None = None,
    ):
        self.table, self.y, self.units, self.incomplete = table, y, units, incomplete
        self.X: Any = table  # its shape
        self.rows = [np.asarray(r) for r in rows]
        self.n_classes = int(y.max()) + 1 if n_classes is None else n_classes

    def matrix(self, part: int) -> np.ndarray:
        """Refused."""
        raise PlanError(
            f"a ranker that looks at all columns at once cannot have this table "
            f"({dense_text(self.table)}): let a step keep some of them"
        )

    def by_block(self, function: Callable[[TrainingParts], T]) -> list[T]:
        """What a function makes of the parts of every block of columns, from one walk."""

        def apply_to_block(at: slice, block: np.ndarray) -> T:
            own = slice(*np.searchsorted(self.incomplete, [at.start, at.stop]))
            missing = self.incomplete[own] - at.start
            units, n_classes = self.units[at], self.n_classes
            return function(TrainingParts(block, self.y, self.rows, missing, units, n_classes))

        return each_block(self.table, apply_to_block)

    @property
    def counts(self) -> bool:
        """Whether the table counts its own values."""
        return counted_table(self.table) is not None

    def by_count(self, function: Callable[[np.ndarray], T]) -> list[list[T]]:
        """What a function makes of the counts (width, C, values + 1) of each part in every block of
        columns, from one walk."""
        table = counted_table(self.table)
        assert table is not None
        walk = part_counts(table, self.y, self.rows, self.n_classes)
        return [[function(part) for part in counts] for _, counts in walk]

    @cached_property
    def moments(self) -> list[ClassMoments]:
        """Class moments of every part, from one walk."""
        blocks = (
            self.by_count(moments_of_counts)
            if self.counts
            else self.by_block(lambda block: block.moments)
        )
        return [joined_moments(part) for part in zip(*blocks, strict=True)]

    def scored(
        self, used: FilterRow, streams: Sequence[Seeds]
    ) -> list[tuple[np.ndarray, np.ndarray | None]]:
        """Scores and p-values of every part, as `FilterRow.scored` gives them of its matrix."""
        parts = range(len(self))
        seeds: list[Any] = [int(stream.generate_state(1)[0]) for stream in streams]
        if used.draws:
            p = self.table.shape[1]
            seeds = [NoiseByRow(seed, len(self.rows[k]), p) for k, seed in enumerate(seeds)]
        if self.counts and used.shortcuts.counts is not None:
            found = self.by_count(used.scored_counts)
        else:
            found = self.by_block(
                lambda block: [
                    used.scored(block.matrix(k), self.labels(k), seeds[k]) for k in parts
                ]
            )
        return [
            (
                np.concatenate([block[k][0] for block in found]),
                np.concatenate([block[k][1] for block in found]) if used.promises.tests else None,
            )
            for k in parts
        ]


class NoiseByRow(np.random.RandomState):
    """Normal draws for a matrix (n, p) by blocks of its columns, as one call would draw them.

    That call goes along the rows: a generator for each row stands where its draws begin.

    Examples
    --------
    >>> full = np.random.RandomState(1).standard_normal((3, 5))
    >>> noise = NoiseByRow(1, 3, 5)
    >>> blocks = [noise.standard_normal((3, 2)), noise.standard_normal((3, 3))]
    >>> bool((np.hstack(blocks) == full).all())
    True
    """

    def __init__(self, seed: int, n: int, p: int):
        super().__init__(seed)
        self._rows = []
        for _ in range(n):
            row = np.random.RandomState()
            row.set_state(self.get_state())
            self._rows.append(row)
            super().standard_normal(p)

    def standard_normal(self, size: Any = None) -> Any:
        """The draws of the next columns, (n, k)."""
        return np.array([row.standard_normal(size[1]) for row in self._rows])
