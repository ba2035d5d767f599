"""Steps one after the other, fitted to one training set and carried to every other row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, cast

import numpy as np

from .._core.arrays import checked_integers, unfit_part_error
from .._core.errors import MethodError, counted_noun
from .._core.interfaces import Arrays, BatchedStep, FittedStep
from .._core.method_data import has_interface
from .._core.parameters import Parameters
from .._core.registry import find_row
from .._core.rows import StepRow
from .count_tables import require_counts, require_intensities


@dataclass(frozen=True)
class NamedStep:
    """A step as a plan names it.

    Attributes
    ----------
    name : str
    parameters : mapping
    block : str
        The block whose columns enter; empty: those of all.
    """

    name: str
    parameters: Parameters = field(default_factory=dict)
    block: str = ""

    @property
    def row(self) -> StepRow:
        """Its row of the registry."""
        return find_row(self.name, StepRow)

    @property
    def unseen(self) -> str:
        """What it does with batches not seen, "refuse" or "keep"; empty: it looks at none."""
        return self.row.build(self.parameters).unseen if self.row.learns_by("batch") else ""


@dataclass(frozen=True)
class Link:
    """A fitted step among the columns of a table, of which some pass it by.

    Attributes
    ----------
    named : NamedStep
    step : FittedStep
    width : int
        Columns of the table.
    entering : ndarray
        Those that enter the step, in its order.
    order : ndarray
        Which of [what the step gives, what passes] each output is.
    unseen : str
        As of `named`.
    counts : bool
        Whether it must be given sequencing counts.
    """

    named: NamedStep
    step: FittedStep
    width: int
    entering: np.ndarray
    order: np.ndarray
    unseen: str = ""
    counts: bool = False

    @property
    def passing(self) -> np.ndarray:
        """Columns of the table that do not enter, rising."""
        return np.delete(np.arange(self.width), self.entering)

    @property
    def plain(self) -> bool:
        """Whether all columns enter as they stand, and come out as the step gives them."""
        every = np.arange(self.width)
        return np.array_equal(self.entering, every) and np.array_equal(
            self.order, np.arange(len(self.step.columns))
        )

    def transform(self, X: np.ndarray, batch: np.ndarray | None) -> np.ndarray:
        """The outputs for rows of the table X (m, width), each row by itself."""
        values = _taken_columns(X, self.entering)
        if self.counts:
            require_counts(self.named.name, values)
        given = self.step.transform(values, *_given_beside(self.unseen, batch))
        return _put_together(given, X, self.passing, self.order)

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The link for some of its outputs, in this order, and the columns it needs, rising."""
        n_given = len(self.step.columns)
        places = self.order[outputs]
        given, passing = np.unique(places[places < n_given]), np.unique(places[places >= n_given])
        step, wanted = self.step.only(given)
        entering, beside = self.entering[wanted], self.passing[passing - n_given]
        inputs = np.sort(np.concatenate([entering, beside]))
        order = np.searchsorted(np.concatenate([given, passing]), places)
        places = np.searchsorted(inputs, entering)
        few = replace(self, step=step, width=len(inputs), entering=places, order=order)
        return few, inputs


@dataclass(frozen=True)
class Chain:
    """Fitted steps; numeric columns enter, 0/1 columns of categories those that are for them."""

    links: tuple[Link, ...]

    def transform(self, X: np.ndarray, batch: np.ndarray | None = None) -> np.ndarray:
        """The outputs for rows of the table X (m, p) and their batches, each row by itself."""
        for link in self.links:
            X = link.transform(X, batch)
        return np.ascontiguousarray(X)

    @property
    def by_batch(self) -> bool:
        """Whether a step looks at the samples' batches."""
        return any(link.unseen for link in self.links)

    def unseen(self, batch: np.ndarray, refused: bool) -> np.ndarray:
        """Which samples are of a batch that a step does not know (m,): one that refuses such
        samples, or one that leaves them as they are."""
        lost = np.zeros(len(batch), dtype=bool)
        for link in self.links:
            if link.unseen == ("refuse" if refused else "keep"):
                lost |= ~cast(BatchedStep, link.step).knows(batch)
        return lost

    def followed_by(self, after: Self) -> Self:
        """Both as one."""
        return type(self)((*self.links, *after.links))

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The chain for some of its outputs, in this order, and the columns that it needs.

        These are rising, and the chain's table is made of them.
        """
        slim: list[Link] = []
        for link in reversed(self.links):
            less, outputs = link.only(outputs)
            slim.append(less)
        return type(self)(tuple(reversed(slim))), outputs

    def among(self, columns: np.ndarray, wider: np.ndarray) -> Self:
        """The chain on `columns` of a table as one on `wider`, which hold them; both rising."""
        first, n = self.links[0], len(self.links[0].step.columns)
        at = np.searchsorted(wider, columns)
        link = replace(first, width=len(wider), entering=at[first.entering])
        passing = first.order >= n
        order = first.order.copy()
        order[passing] = n + np.searchsorted(link.passing, at[first.passing[order[passing] - n]])
        return type(self)((replace(link, order=order), *self.links[1:]))

    def to_arrays(self) -> list[Arrays]:
        """Those of each step, and of each where its columns stand."""
        found: list[Arrays] = []
        for link in self.links:
            places = {"entering": link.entering, "order": link.order}
            found += [link.step.to_arrays(), {k: v.astype(np.float64) for k, v in places.items()}]
        return found


@dataclass(frozen=True)
class Fitted:
    """Steps fitted to training rows.

    Attributes
    ----------
    chain : Chain
    X : ndarray of shape (n, k)
        What it makes of the rows.
    columns : ndarray of shape (k,)
        The column of the table behind each output; p and more for those created, in the order
        of their names.
    same : ndarray of shape (k,) of bool
        Whether an output has the numbers of the column behind it, where that has no missing value.
    """

    chain: Chain
    X: np.ndarray
    columns: np.ndarray
    same: np.ndarray


def fit_chain(
    steps: Sequence[NamedStep],
    X: np.ndarray,
    y: np.ndarray,
    numeric: np.ndarray,
    batch: np.ndarray | None = None,
    blocks: Mapping[str, np.ndarray] | None = None,
    created: Sequence[str] = (),
    known: Mapping[int, FittedStep] | None = None,
    names: Sequence[str] = (),
    groups: np.ndarray | None = None,
) -> Fitted:
    """Fit each step to what those before it give.

    Parameters
    ----------
    steps : sequence of NamedStep
    X : ndarray of shape (n, p)
        Training rows; categories spread over 0/1 columns.
    y : ndarray of shape (n,)
        Class codes.
    numeric : ndarray of shape (p,) of bool
        The others are 0/1 columns of categories.
    batch : ndarray of shape (n,) or None
        Codes of batches, from 0.
    blocks : mapping of name to ndarray
        Columns of each block.
    created : sequence of str
        Names of columns that steps may create.
    known : mapping of place to FittedStep, optional
        Steps that are fitted already.
    names : sequence of str
        Names of the columns of X, for steps that look at them.
    groups : ndarray of shape (n,) of int, optional
        Which rows belong together, for steps that leave rows out; None: each is by itself.

    Raises
    ------
    MethodError
        A step gives other columns than it says, or no number where it was given one.
    DataError
        A step that takes counts or intensities is given something else.
    """
    p, columns, links = X.shape[1], np.arange(X.shape[1]), []
    every_name = [*names, *created]
    groups = np.arange(len(X)) if groups is None else groups
    numeric = np.concatenate([numeric, np.ones(len(created), dtype=bool)])
    same = np.ones(p, dtype=bool)
    for at, named in enumerate(steps):
        wanted = numeric[columns] == (named.row.enter != "categories")
        if named.block:
            wanted &= np.isin(columns, (blocks or {})[named.block])
        entering, unseen = np.flatnonzero(wanted), named.unseen
        beside = _given_beside(unseen, batch)
        values = _taken_columns(X, entering)
        if named.row.enter == "counts":
            require_counts(named.name, values)
        if named.row.enter == "intensities":
            require_intensities(named.name, values)
        if known and at in known:
            step = known[at]
        else:
            called = _names_for(named.row, every_name, columns[entering])
            called |= groups_for(named.row, groups)
            step = named.row.build(named.parameters).learn(values, y, *beside, **called)
        has_interface(named.name, step, FittedStep, "learn")
        given = step.transform(values, *beside) if step.training is None else step.training
        made = [created.index(name) + p for name in created_by(named)]
        _check_outputs(named.name, step.columns, given, len(entering) + len(made))
        _check_numbers(named.name, step.columns, given, values)
        behind = np.concatenate([columns[entering], np.array(made, dtype=np.int64)])
        all_columns = np.concatenate([behind[step.columns], columns[~wanted]])
        order = np.argsort(all_columns, kind="stable")
        link = Link(named, step, X.shape[1], entering, order, unseen, named.row.enter == "counts")
        X = _put_together(given, X, link.passing, order)
        columns = all_columns[order]
        same = np.concatenate([_kept_numbers(step, same[entering]), same[~wanted]])[order]
        links.append(link)
    return Fitted(Chain(tuple(links)), np.ascontiguousarray(X), columns, same)


def _check_outputs(name: str, columns: np.ndarray, given: np.ndarray, n_inputs: int) -> None:
    """Refuse a step whose `columns` are not those that it gives."""
    rising = (np.diff(columns) > 0).all() and (columns[:1] >= 0).all()
    if not rising or (columns[-1:] >= n_inputs).any():
        raise MethodError(
            f"prepare: `columns` of {name!r} must be rising numbers below {n_inputs}: of its "
            "inputs, then of the columns that it names in `created`"
        )
    if given.shape[1] != len(columns):
        raise MethodError(
            f"prepare: {name!r} gives {counted_noun(given.shape[1], 'column')} and says that they "
            f"are {len(columns)}: let `columns` tell which inputs it keeps"
        )


def _check_numbers(name: str, columns: np.ndarray, given: np.ndarray, values: np.ndarray) -> None:
    """Refuse a step that gives no number where its input is one; a column that it creates must
    have a number wherever all inputs have."""
    lost = ~np.isfinite(given)
    if not lost.any():
        return
    known, p = np.isfinite(values), values.shape[1]
    lost[:, columns < p] &= known[:, columns[columns < p]]
    lost[:, columns >= p] &= known.all(axis=1)[:, None]
    n = int(lost.any(axis=0).sum())
    if n:
        raise MethodError(
            f"prepare: {name!r} makes missing values in {n} of "
            f"{counted_noun(given.shape[1], 'column')}, where the training rows have numbers: "
            "leave missing values out of what it learns "
            '(np.nanquantile, not np.quantile), or put "impute_median" before it',
            "missing-made",
        )


def _kept_numbers(step: FittedStep, before: np.ndarray) -> np.ndarray:
    """Which outputs of a step have the numbers of the table's column behind them, where its inputs
    do or do not."""
    own = step.columns < len(before)  # the others it creates
    kept = np.zeros(len(own), dtype=bool)
    kept[own] = before[step.columns[own]]
    kept[step.changed()] = False
    return kept


def created_by(named: NamedStep) -> list[str]:
    """Names of the columns that a step may create; with its block, if it is of one."""
    names = named.row.build(named.parameters).created
    return [f"{named.block}:{name}" if named.block else name for name in names]


def _given_beside(unseen: str, batch: np.ndarray | None) -> tuple[Any, ...]:
    """What a step is given beside rows: their batches, if it looks at them."""
    return (batch,) if unseen else ()


def _names_for(row: StepRow, names: Sequence[str], columns: np.ndarray) -> dict[str, object]:
    """What a step is given of its columns' names, if it looks at them."""
    return {"names": [names[j] for j in columns]} if row.learns_by("names") else {}


def groups_for(row: StepRow, groups: np.ndarray) -> dict[str, object]:
    """What a step is given of the groups of its rows, if it leaves rows out."""
    return {"groups": groups} if row.learns_by("groups") else {}


def _taken_columns(X: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Some columns of X; X itself where they are all."""
    return X if len(columns) == X.shape[1] else X[:, columns]


def _put_together(
    given: np.ndarray, X: np.ndarray, passing: np.ndarray, order: np.ndarray
) -> np.ndarray:
    """What a step gives and what passes it by, in order."""
    if not len(passing) and np.array_equal(order, np.arange(given.shape[1])):
        return given
    return np.hstack([given, X[:, passing]])[:, order]


def chain_from_arrays(names: Sequence[NamedStep], arrays: Sequence[Arrays], width: int) -> Chain:
    """A chain on so many columns from its arrays, each step by its row.

    Raises
    ------
    ModelError, PlanError
        They do not fit together, or no such step is installed.
    """
    if len(arrays) != 2 * len(names):
        raise unfit_part_error("steps")
    links = []
    for named, own, places in zip(names, arrays[::2], arrays[1::2], strict=True):
        entering = _index_array(places, "entering", width)
        if len(np.unique(entering)) != len(entering):
            raise unfit_part_error("entering")
        made = named.row.build(named.row.validated(named.parameters))
        step = made.from_arrays(dict(own), len(entering))
        order = _index_array(places, "order", len(step.columns) + width - len(entering))
        counts = named.row.enter == "counts"
        links.append(Link(named, step, width, entering, order, named.unseen, counts))
        width = len(order)
    return Chain(tuple(links))


def _index_array(arrays: Arrays, name: str, below: int) -> np.ndarray:
    given = arrays.get(name)
    if not (type(given) is np.ndarray and given.dtype == np.float64 and given.ndim == 1):
        raise unfit_part_error(name)
    return checked_integers(given, 0, below, name)
