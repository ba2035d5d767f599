"""Steps on a table that is no matrix: by blocks of columns, until a filter leaves few of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.interfaces import Arrays, FittedStep
from .._core.tables import Columns
from ..data.counted import counted_table
from ..data.walks import dense_text, each_block, narrowed_columns
from .chain import Chain, Link, NamedStep, created_by, fit_chain, groups_for
from .fitted import KeptColumns

ROWS_OF = 1 << 23  # values that rows are made numbers by: 64 MB


@dataclass(frozen=True)
class LeadingSteps:
    """What the steps that go on a table by themselves make of it, fitted to some of its rows.

    Attributes
    ----------
    chain : Chain
    X : Columns or ndarray of shape (n, k)
        The columns kept; or, of all rows, what a step has created in the place of the table.
    columns : ndarray of shape (k,)
        Which of the table's these are; p and more for those created, in the order of their names.
    """

    chain: Chain
    X: Columns | np.ndarray
    columns: np.ndarray


def leading_steps(steps: Sequence[NamedStep]) -> int:
    """How many at the start go on a full table by themselves: those that choose columns, and one
    that creates others (`Step.on_table`)."""
    lead = 0
    while lead < len(steps) and _works_alone(steps[lead], "choose"):
        lead += 1
    return lead + (lead < len(steps) and _works_alone(steps[lead], "create"))


def _works_alone(step: NamedStep, how: str) -> bool:
    return not step.block and step.row.load().on_table == how


def fit_leading_steps(
    steps: Sequence[NamedStep],
    table: Columns,
    rows: np.ndarray,
    y: np.ndarray,
    created: Sequence[str],
    groups: np.ndarray,
) -> LeadingSteps:
    """Such steps fitted to some rows of a table, their class codes and groups, one after the
    other."""
    p = table.shape[1]
    X: Columns | np.ndarray = table
    columns, links = np.arange(p), []
    for named in steps:
        assert not isinstance(X, np.ndarray)
        made, width = named.row.build(named.parameters), X.shape[1]
        if made.on_table == "choose":
            step: FittedStep = KeptColumns(made.choose(X, rows, y), width)
            X = narrowed_columns(X, step.columns)
            columns = columns[step.columns]
        else:
            step = made.learn_table(X, rows, y, **groups_for(named.row, groups))
            X = step.transform_table(X)
            if step.training is not None:
                X[rows] = step.training
            names = [created.index(name) + p for name in created_by(named)]
            columns = np.array(names)[step.columns - width]
        every = np.arange(len(columns))
        links.append(Link(named, step, width, np.arange(width), every))
        if not len(columns):
            raise PlanError(
                f"prepare: {named.name!r} leaves no column in a training set; let it keep more"
            )
    return LeadingSteps(Chain(tuple(links)), X, columns)


def carried_over(
    chain: Chain, X: np.ndarray | Columns, batch: np.ndarray | None = None
) -> np.ndarray:
    """What a chain makes of other rows, (m, k).

    The steps that led a table go on this one too, if it is of that kind; from the first that does
    not, rows are made numbers a few at a time.
    """
    done = 0
    for link in chain.links:
        if isinstance(X, np.ndarray) or not link.plain:
            break
        step = link.step
        if isinstance(step, KeptColumns):
            X = narrowed_columns(X, step.columns)
        elif step.takes_tables and counted_table(X) is not None:
            X = step.transform_table(X)
        else:
            break
        done += 1
    rest = Chain(chain.links[done:])
    if isinstance(X, np.ndarray):
        return rest.transform(X, batch)
    n, width = X.shape[0], max(ROWS_OF // max(X.shape[1], 1), 1)
    blocks = [np.arange(low, min(low + width, n)) for low in range(0, n, width)]
    return np.vstack(
        [
            rest.transform(X.take(rows, None), None if batch is None else batch[rows])
            for rows in blocks
        ]
    )


@dataclass(frozen=True)
class Transformed:
    """A table as steps make it that see one value at a time; never in memory at once."""

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


def transformed_table(steps: Sequence[NamedStep], table: Columns) -> Transformed:
    """A table behind steps that learn nothing.

    Raises
    ------
    PlanError
        One of them looks at more than a column.
    """
    for step in steps:
        if not _by_column(step):
            raise _needs_matrix(step.name, table)
    p = table.shape[1]
    fitted = fit_chain(steps, np.zeros((0, p)), np.zeros(0, dtype=np.int64), np.ones(p, dtype=bool))
    return Transformed(table, fitted.chain)


def kept_on_table(
    steps: Sequence[NamedStep], table: Columns, y: np.ndarray, parts: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Columns that the filters which lead some steps keep in each part, by one walk a filter.

    Parameters
    ----------
    steps : sequence of NamedStep
    table : Columns
    y : ndarray of shape (n,)
        Class codes.
    parts : sequence of ndarray
        Rows of each.

    Raises
    ------
    PlanError
        Columns are looked at together, or learnt from, before a filter has kept some of them.
    """
    filters = _leading_filters(steps)
    if not filters:
        named = next((step for step in steps if not _by_column(step)), steps[-1])
        raise _needs_matrix(named.name, table)
    kept = [np.arange(table.shape[1])] * len(parts)
    made = [step.row.build(step.parameters) for step in steps]
    for place in filters:
        before = [step for k, step in enumerate(made[:place]) if k not in filters]
        kept = _narrowed_by_filter(made[place], before, table, y, parts, kept)
    return kept


def kept_steps(steps: Sequence[NamedStep], k: int) -> dict[int, FittedStep]:
    """Those filters by their places, fitted to the k columns that they have kept."""
    return dict.fromkeys(_leading_filters(steps), KeptColumns(np.arange(k), k))


def on_table(chain: Chain, kept: np.ndarray, table: Columns) -> Chain:
    """A chain on the columns kept of a table, all of which enter its first step, as one on the
    table."""
    first = chain.links[0]
    link = replace(first, width=table.shape[1], entering=kept[first.entering])
    return Chain((link, *chain.links[1:]))


def _narrowed_by_filter(
    step: Any,
    before: Sequence[Any],
    table: Columns,
    y: np.ndarray,
    parts: Sequence[np.ndarray],
    kept: Sequence[np.ndarray],
) -> list[np.ndarray]:
    """Of the columns that each part has kept so far those that a filter keeps."""

    def statistics_of_block(at: slice, block: np.ndarray) -> list[Arrays]:
        found = []
        for rows, own in zip(parts, kept, strict=True):
            here = own[slice(*np.searchsorted(own, [at.start, at.stop]))] - at.start
            values = block[rows][:, here]
            for one in before:
                values = one.learn(values, y[rows]).transform(values)
            found.append(step.statistics(values, y[rows]))
        return found

    narrower = []
    by_part = zip(*each_block(table, statistics_of_block), strict=True)
    for rows, own, blocks in zip(parts, kept, by_part, strict=True):
        statistics = {k: np.concatenate([block[k] for block in blocks]) for k in blocks[0]}
        narrower.append(own[step.finish(statistics, len(rows)).columns])
    return narrower


def _leading_filters(steps: Sequence[NamedStep]) -> list[int]:
    """Places of filters before the first step that does not take each column by itself."""
    first = next((k for k, step in enumerate(steps) if not _by_column(step)), len(steps))
    return [k for k, step in enumerate(steps[:first]) if step.row.load().keeps]


def _by_column(step: NamedStep) -> bool:
    """Whether it takes each column by itself, and all of them."""
    row = step.row
    plain = row.enter != "categories" and not (step.block or row.learns_by("batch"))
    return plain and row.load().by_column


def _needs_matrix(name: str, table: Columns) -> PlanError:
    return PlanError(
        f"prepare: {name!r} needs the full table ({dense_text(table)}), which is not held as one: "
        'put a step before it that keeps some columns, such as {name = "variance", share = 0.01}'
    )
