"""Classifiers around classifiers: ``{name = "bagging", of = "naive_bayes"}`` is one label,
``bagging(naive_bayes)``, in plans, cells, results and models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._core.errors import PlanError, nearest, shorten
from .._core.interfaces import Kind
from .._core.own_code import given_name, is_own
from .._core.rows import Row, find_row

KEYS = ("name", "of", "grid")
MOST_DEEP = 5


def wrapped_label(table: Mapping[str, Any], depth: int = 0) -> str:
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
    if name is None:
        raise PlanError(f"classify = {dict(table)!r}: give the table a name")
    name = given_name(name, "classify")
    if of is None:
        return name
    if depth == MOST_DEEP:
        raise PlanError(f"classify: {name!r} is around more than {MOST_DEEP} others: use fewer")
    if isinstance(of, Mapping):
        if "grid" in of:
            raise PlanError("classify: a grid inside `of`: put it beside the outermost name")
        of = wrapped_label(of, depth + 1)
    of = given_name(of, "classify: of")
    label = f"{name}({of})"
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
    if label != "(".join(names) + ")" * (len(names) - 1) or len(names) > MOST_DEEP + 1:
        raise PlanError(f"classify = {shorten(label)!r}: write a name, or a table with name and of")
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


def owner_of(rows: Sequence[Row], key: str) -> tuple[int, str]:
    """Which row a key of a grid is of, and the parameter: the outermost that has it, or the one
    it names, ``naive_bayes.var_smoothing``."""
    name, dot, parameter = key.partition(".")
    if dot:
        for at, row in enumerate(rows):
            if row.name == name:
                return at, parameter
    return next((at for at, row in enumerate(rows) if key in row.parameters), 0), key


def takes_raw(label: str) -> bool:
    """Whether a classifier takes a table as it is; one around another if that does too."""
    return all(row.raw for row in parts_of(label))


def saved_label(label: str) -> str:
    """The label in a model file, which does not name the user's own code."""
    for row in parts_of(label):
        if is_own(row.name):
            label = label.replace(row.name, "own:Raw" if row.raw else "own:Filled")
    return label


def short_label(label: str) -> str:
    """The label with the user's own code by its short names."""
    for row in parts_of(label):
        if is_own(row.name):
            label = label.replace(row.name, row.title)
    return label


def beliefs_of(label: str) -> Kind:
    """What a classifier says of samples, "proba", "order" or "labels"; one around another makes
    a mean of what that says."""
    return parts_of(label)[-1].beliefs


def build_classifier(label: str, settings: Mapping[str, Any]) -> Any:
    """The classifier of a label with its grid point."""
    rows = parts_of(label)
    taken: list[dict[str, Any]] = [{} for _ in rows]
    for key, value in settings.items():
        at, parameter = owner_of(rows, key)
        taken[at][parameter] = value
    found: Any = None
    for row, own in zip(reversed(rows), reversed(taken), strict=True):
        found = row.build({**own, "of": found} if row.wraps else own)
    return found


def title_of(label: str) -> str:
    """What people call it: ``bagging of naive Bayes``."""
    return " of ".join(row.title for row in parts_of(label))
