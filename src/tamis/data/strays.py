"""What sheets leave behind in a table: columns without a name, rows without a value."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from .._core.errors import listing, plural
from .faults import Fault
from .raw import Raw


def name_unnamed(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names with a stand-in where there is none, and the stand-ins.

    Examples
    --------
    >>> name_unnamed(["id", "", "g1"])
    (['id', 'column 2', 'g1'], ['column 2'])
    """
    if "" not in names:
        return list(names), []
    stand_ins = {k: f"column {k + 1:,}" for k, name in enumerate(names) if not name}
    return [stand_ins.get(k, name) for k, name in enumerate(names)], list(stand_ins.values())


def settle_unnamed(raw: Raw, unnamed: Sequence[str], asked: Collection[str]) -> None:
    """Leave out columns that have neither a name nor a value; others without a name are faults,
    unless they are `asked` for by their stand-ins."""
    place = {name: k for k, name in enumerate(raw.columns)} if unnamed else {}
    here = [name for name in unnamed if name in place and name not in asked]
    empty = {name for name in here if _has_no_value(raw, name, place[name])}
    raw.faults += [
        Fault(
            f"{name!r} has no name in the header: name it, or leave it out with drop=[{name!r}]",
            remedy={"drop": (name,)}, alike=("unnamed", name),
        )
        for name in here if name not in empty
    ]  # fmt: skip
    if not empty:
        return
    keep = [k for k, name in enumerate(raw.columns) if name not in empty]
    raw.X = np.ascontiguousarray(raw.X[:, keep])
    raw.columns = [raw.columns[k] for k in keep]
    raw.text = {name: text for name, text in raw.text.items() if name not in empty}
    have = plural(len(empty), "column has", "columns have")
    raw.notes.append(f"{have} neither a name nor a value ({listing(sorted(empty), 3)}): left out")


def _has_no_value(raw: Raw, name: str, place: int) -> bool:
    text = raw.text.get(name)
    return bool((np.isnan(raw.X[:, place]) if text is None else text.codes < 0).all())


def without_empty_rows(raw: Raw, id: str | None) -> Raw:
    """The same without rows that have neither an id nor any value."""
    ids = next((c for c in (id, raw.index, raw.maybe_index) if c in raw.text), None)
    if ids is None:
        return raw
    empty = raw.text[ids].codes < 0
    if not empty.any():
        return raw
    for text in raw.text.values():
        empty &= text.codes < 0
    empty[empty] = np.isnan(raw.X[empty]).all(axis=1)
    if not empty.any() or empty.all():
        return raw
    left = raw.take(np.flatnonzero(~empty))
    left.notes = [*raw.notes, f"{plural(int(empty.sum()), 'row')} without any value left out"]
    return left
