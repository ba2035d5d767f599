"""What sheets leave behind in a table: columns without a name, rows without a value."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from .._core.errors import counted_noun, listed_names
from .faults import Fault
from .raw import Raw


def name_unnamed(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names with a stand-in where there is none, and the stand-ins.

    Examples
    --------
    >>> name_unnamed(["id", "", "column 4", ""])
    (['id', 'column 2', 'column 4', 'column 4_'], ['column 2', 'column 4_'])
    """
    if "" not in names:
        return list(names), []
    known, stand_ins = set(names), dict[int, str]()
    for k, name in enumerate(names):
        if not name:
            new = f"column {k + 1:,}"
            while new in known:
                new += "_"
            stand_ins[k] = new
    return [stand_ins.get(k, name) for k, name in enumerate(names)], list(stand_ins.values())


def unnamed_column(stand_in: str, moved: bool = False) -> Fault:
    """A column with values and no name; the last, where the names may have `moved` by one because
    that of the first column is not there."""
    if moved:
        return Fault(
            f"{stand_in!r}, the last, has no name in the header: if the first name is of the "
            "second column, put one for the first before it; else name the last, or remove it from "
            "the file",
            alike=("unnamed, the last", stand_in),
        )
    return Fault(
        f"{stand_in!r} has no name in the header: name it, or leave it out with "
        f"drop=[{stand_in!r}]",
        remedy={"drop": (stand_in,)},
        alike=("unnamed", stand_in),
    )


def settle_unnamed(raw: Raw, unnamed: Sequence[str], requested: Collection[str]) -> None:
    """Leave out columns that have neither a name nor a value; others without a name are faults,
    unless they are `requested` by their stand-ins."""
    place = {name: k for k, name in enumerate(raw.columns)} if unnamed else {}
    here = [name for name in unnamed if name in place and name not in requested]
    empty = {name for name in here if _has_no_value(raw, name, place[name])}
    raw.faults += [unnamed_column(name) for name in here if name not in empty]
    if not empty:
        return
    keep = [k for k, name in enumerate(raw.columns) if name not in empty]
    raw.X = np.ascontiguousarray(raw.X[:, keep])
    raw.columns = [raw.columns[k] for k in keep]
    raw.text = {name: text for name, text in raw.text.items() if name not in empty}
    have = counted_noun(len(empty), "column has", "columns have")
    raw.notes.append(
        f"{have} neither a name nor a value ({listed_names(sorted(empty), 3)}): left out"
    )


def _has_no_value(raw: Raw, name: str, place: int) -> bool:
    text = raw.text.get(name)
    return bool((np.isnan(raw.X[:, place]) if text is None else text.codes < 0).all())


def without_empty_rows(raw: Raw, id: str | None, all_columns: bool) -> Raw:
    """The same without rows that have neither an id nor any value. Where no text names the samples
    a row is empty only if `all_columns` were read."""
    ids = next((c for c in (id, raw.index, raw.maybe_index) if c in raw.text), None)
    if ids is None and not all_columns:
        return raw
    empty = np.ones(len(raw.X), bool) if ids is None else raw.text[ids].codes < 0
    for text in raw.text.values():
        empty &= text.codes < 0
    if raw.columns:
        empty &= np.isnan(raw.X[:, 0])
    if not empty.any():
        return raw
    empty[empty] = np.isnan(raw.X[empty]).all(axis=1)
    if not empty.any() or empty.all():
        return raw
    kept = np.flatnonzero(~empty)
    left = raw.take(kept)
    left.rows = kept + 1
    left.notes = [*raw.notes, f"{counted_noun(int(empty.sum()), 'row')} without any value left out"]
    return left
