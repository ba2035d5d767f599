"""Steps on a table that is no matrix: by blocks of columns, until a filter leaves few of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.interfaces import Arrays, Columns
from .._core.rows import find_row
from ..data.blocks import dense_text, each_block
from .chain import Chain, Named, fit_chain
from .step import Kept


@dataclass(frozen=True)
class Transformed:
    """A table as steps make it that see one value at a time; never as a whole."""

    table: Columns
    chain: Chain

    @property
    def shape(self) -> tuple[int, int]:
        """As of the table."""
        return self.table.shape

    def take(self, rows: np.ndarray | None, columns: np.ndarray | None) -> np.ndarray:
        """As of any table."""
        chain, inputs = self.chain.only(np.arange(self.shape[1]) if columns is None else columns)
        return chain.transform(self.table.take(rows, inputs))

    def walk(self, width: int) -> Iterator[tuple[slice, np.ndarray]]:
        """As of any table."""
        for at, block in self.table.walk(width):
            chain, _ = self.chain.only(np.arange(at.start, at.stop))
            yield at, chain.transform(block)
            del block  # before the next is made


def transformed(steps: Sequence[Named], table: Columns) -> tuple[Transformed, Chain]:
    """A table behind steps that learn nothing, and these.

    Raises
    ------
    PlanError
        One of them looks at more than a column.
    """
    for (name, _), step in zip(steps, _built(steps), strict=True):
        if not _by_column(step):
            raise _needs_matrix(name, table)
    p = table.shape[1]
    chain, _ = fit_chain(
        steps, np.zeros((0, p)), np.zeros(0, dtype=np.int64), np.ones(p, dtype=bool)
    )
    return Transformed(table, chain), chain


def fit_on_table(
    steps: Sequence[Named], table: Columns, y: np.ndarray, parts: Sequence[np.ndarray]
) -> list[Chain]:
    """Steps fitted to the rows of each part, from one walk for each filter that leads them.

    Parameters
    ----------
    steps : sequence of (name, parameters)
    table : Columns
    y : ndarray of shape (n,)
        Class codes.
    parts : sequence of ndarray
        Rows of each.

    Returns
    -------
    list of Chain
        The columns that the filters keep are those that enter them.

    Raises
    ------
    PlanError
        Columns are looked at together, or learnt from, before a filter has kept some of them.
    """
    made = _built(steps)
    first = next((k for k, step in enumerate(made) if not _by_column(step)), len(made))
    filters = [k for k, step in enumerate(made[:first]) if hasattr(step, "finish")]
    if not filters:
        raise _needs_matrix(steps[min(first, len(made) - 1)][0], table)
    kept = [np.arange(table.shape[1])] * len(parts)
    for place in filters:
        before = [step for k, step in enumerate(made[:place]) if k not in filters]
        kept = _narrowed(made[place], before, table, y, parts, kept)
    chains = []
    for rows, own in zip(parts, kept, strict=True):
        known = dict.fromkeys(filters, Kept(np.arange(len(own)), len(own)))
        every = np.ones(len(own), dtype=bool)
        chain, _ = fit_chain(steps, table.take(rows, own), y[rows], every, known)
        chains.append(replace(chain, numeric=own))
    return chains


def _narrowed(
    step: Any,
    before: Sequence[Any],
    table: Columns,
    y: np.ndarray,
    parts: Sequence[np.ndarray],
    kept: Sequence[np.ndarray],
) -> list[np.ndarray]:
    """Of the columns that each part has kept so far those that a filter keeps."""

    def seen(at: slice, block: np.ndarray) -> list[Arrays]:
        found = []
        for rows, own in zip(parts, kept, strict=True):
            here = own[slice(*np.searchsorted(own, [at.start, at.stop]))] - at.start
            values = block[rows][:, here]
            for one in before:
                values = one.learn(values, y[rows]).transform(values)
            found.append(step.statistics(values, y[rows]))
        return found

    narrower = []
    by_part = zip(*each_block(table, seen), strict=True)
    for rows, own, blocks in zip(parts, kept, by_part, strict=True):
        statistics = {k: np.concatenate([block[k] for block in blocks]) for k in blocks[0]}
        narrower.append(own[step.finish(statistics, len(rows)).columns])
    return narrower


def _built(steps: Sequence[Named]) -> list[Any]:
    return [find_row(name, "prepare").build(parameters) for name, parameters in steps]


def _by_column(step: Any) -> bool:
    return getattr(step, "by_column", False)


def _needs_matrix(name: str, table: Columns) -> PlanError:
    return PlanError(
        f"prepare: {name!r} needs the whole table ({dense_text(table)}), which is not held as one: "
        'put a step before it that keeps some columns, such as {name = "variance", share = 0.01}'
    )
