"""Classifiers around classifiers: ``{name = "bagging", of = "naive_bayes"}`` is one label,
``bagging(naive_bayes)``, in plans, cells, results and models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.errors import PlanError, nearest
from .._core.rows import Row, find_row

KEYS = ("name", "of", "grid")


def wrapped_label(table: Mapping[str, Any]) -> str:
    """The label of a table with ``name`` and ``of``, which may be such a table again.

    Raises
    ------
    PlanError
        An unknown key or name, or a classifier that wraps nothing.
    """
    for key in table:
        if key not in KEYS:
            raise PlanError(f"classify has no key {key!r}: {nearest(key, KEYS)}")
    name, of = table.get("name"), table.get("of")
    if not isinstance(name, str):
        raise PlanError(f"classify = {dict(table)!r}: give the table a name")
    if of is None:
        return name
    inner = wrapped_label(of) if isinstance(of, Mapping) else str(of)
    label = f"{name}({inner})"
    parts_of(label)
    return label


def parts_of(label: str) -> list[Row]:
    """The rows of a label, the outermost first.

    Raises
    ------
    PlanError
        A name is unknown, wraps nothing, or has nothing to wrap.
    """
    names = label.rstrip(")").split("(")
    rows = [find_row(name, "classify") for name in names]
    for row in rows[:-1]:
        if not row.wraps:
            raise PlanError(f"classify: {row.name!r} is no classifier around another: leave out of")
    if rows[-1].wraps:
        raise PlanError(
            f"classify = {rows[-1].name!r} is one around another: "
            f'write {{name = "{rows[-1].name}", of = "..."}}'
        )
    return rows


def build_classifier(label: str, settings: Mapping[str, Any]) -> Any:
    """The classifier of a label with its grid point; a key belongs to the outermost that has it."""
    rows = parts_of(label)
    taken: list[dict[str, Any]] = [{} for _ in rows]
    for key, value in settings.items():
        owner = next((i for i, row in enumerate(rows) if key in row.parameters), 0)
        taken[owner][key] = value
    found: Any = None
    for row, own in zip(reversed(rows), reversed(taken), strict=True):
        found = row.build({**own, "of": found} if row.wraps else own)
    return found


def title_of(label: str) -> str:
    """What people call it: ``bagging of naive Bayes``."""
    return " of ".join(row.title for row in parts_of(label))
