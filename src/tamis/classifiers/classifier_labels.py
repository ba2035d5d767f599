"""Classifiers around classifiers: ``{name = "bagging", of = "naive_bayes"}`` is one label,
``bagging(naive_bayes)``, in plans, cells, results and models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .._core.errors import PlanError, listed_names, nearest_hint, shorten_text
from .._core.interfaces import BELIEF_KINDS, Kind
from .._core.own_code import given_name, is_own
from .._core.registry import find_row, rows_of
from .._core.rows import ClassifierRow, PlanRow

NAMING_KEYS = ("name", "of", "grid")
MOST_DEEP = 5


def wrapped_label(table: Mapping[str, object], depth: int = 0, response: str | None = None) -> str:
    """The label of a table with ``name`` and ``of``, which may be such a table again.

    Raises
    ------
    PlanError
        An unknown key or name, or a classifier that wraps nothing.
    """
    for key in table:
        if key not in NAMING_KEYS:
            raise PlanError(
                f"classify has no key {key!r}: {nearest_hint(key, NAMING_KEYS)}; a parameter is "
                "given as "
                f"grid = {{ {key} = [...] }}"
            )
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
        of = wrapped_label(of, depth + 1, response)
    of = given_name(of, "classify: of")
    label = f"{name}({of})"
    parts_of(label, response)
    return label


def parts_of(label: str, response: str | None = None) -> list[ClassifierRow]:
    """The rows of a label, the outermost first; for an outcome, if one is given.

    Raises
    ------
    PlanError
        A name is unknown, wraps nothing, or has nothing to wrap.
    """
    names = label.rstrip(")").split("(")
    if label != "(".join(names) + ")" * (len(names) - 1) or len(names) > MOST_DEEP + 1:
        raise PlanError(
            f"classify = {shorten_text(label)!r}: write a name, or a table with name and of"
        )
    rows = [find_row(name, ClassifierRow, response) for name in names]
    for row in rows[:-1]:
        if not row.takes.is_meta_estimator:
            raise PlanError(f"classify: {row.name!r} is no classifier around another: leave out of")
    weighs = False
    for row, of in pairwise(rows):
        if of.takes.costs:
            raise PlanError(
                f"classify: {of.name!r} charges costs, and inside {row.name!r} they would be lost "
                f"or counted twice: write {of.name!r} outermost"
            )
        if BELIEF_KINDS.index(of.promises.beliefs) < BELIEF_KINDS.index(row.takes.needs):
            raise PlanError(
                f"classify: {row.name!r} weighs costs by probabilities, and {of.name!r} gives "
                "none: choose another, or cost_resampled or costing around it"
            )
        takes = row.takes
        weighs = takes.sets_sample_weight or (weighs and takes.accepts_sample_weight)
        if weighs and not of.takes.accepts_sample_weight:
            able = [row.name for row in rows_of(ClassifierRow) if row.takes.accepts_sample_weight]
            raise PlanError(
                f"classify: {of.name!r} takes no weights, which {row.name!r} gives: choose one of "
                f"{listed_names(able, len(able))}, or draw samples (cost_resampled, costing)"
            )
    if rows[-1].takes.is_meta_estimator:
        raise PlanError(
            f"classify = {rows[-1].name!r} is one around another: "
            f'write {{name = "{rows[-1].name}", of = "..."}}'
        )
    return rows


def owner_of(rows: Sequence[PlanRow], key: str) -> tuple[int, str]:
    """Which row a key of a grid is of, and the parameter: the outermost that has it, or the one
    it names, ``naive_bayes.var_smoothing``."""
    name, dot, parameter = key.partition(".")
    if dot:
        for at, row in enumerate(rows):
            if row.name == name:
                return at, parameter
    return next((at for at, row in enumerate(rows) if key in row.parameters), 0), key


def takes_raw(label: str, response: str | None = None) -> bool:
    """Whether a classifier takes a table as it is; one around another if that does too."""
    return all(row.takes.raw for row in parts_of(label, response))


def saved_label(label: str) -> str:
    """The label in a model file, which does not name the user's own code."""
    for row in parts_of(label):
        if is_own(row.name):
            label = label.replace(row.name, "own:Raw" if row.takes.raw else "own:Filled")
    return label


def short_label(label: str) -> str:
    """The label with the user's own code by its short names."""
    for row in parts_of(label):
        if is_own(row.name):
            label = label.replace(row.name, row.title)
    return label


def beliefs_of(label: str) -> Kind:
    """What a classifier says of samples, "proba", "order" or "labels"; one around another no more
    than that does."""
    return min((row.promises.beliefs for row in parts_of(label)), key=BELIEF_KINDS.index)


def takes_costs(label: str) -> bool:
    """Whether a classifier, or one that it is around, has to know what errors cost."""
    return any(row.takes.costs for row in parts_of(label))


def is_natural(label: str) -> bool:
    """Whether a classifier's probabilities stand for the training set's class shares, so that a
    decision may ask how far they are from these.

    Examples
    --------
    >>> is_natural("logistic"), is_natural("svm_linear"), is_natural("costing(logistic)")
    (True, False, False)
    """
    return all(
        row.promises.natural and not row.takes.costs and row.promises.beliefs == "proba"
        for row in parts_of(label)
    )


def is_rough(label: str) -> bool:
    """Whether a classifier's probabilities, or those of what it is around, say little of how well
    it does (`ClassifierPromises.poorly_calibrated`)."""
    return any(row.promises.poorly_calibrated for row in parts_of(label))


def build_classifier(
    label: str,
    settings: Mapping[str, object],
    costs: np.ndarray | None = None,
    response: str | None = None,
) -> Any:
    """The classifier of a label with its grid point; `costs` (C, C) for those that take them."""
    rows = parts_of(label, response)
    taken: list[dict[str, object]] = [{} for _ in rows]
    for key, value in settings.items():
        at, parameter = owner_of(rows, key)
        taken[at][parameter] = value
    found: Any = None
    for row, own in zip(reversed(rows), reversed(taken), strict=True):
        given = {**own, "of": found} if row.takes.is_meta_estimator else own
        found = row.build({**given, "costs": costs} if row.takes.costs else given)
    return found


def title_of(label: str, response: str | None = None) -> str:
    """What people call it: ``bagging of naive Bayes``."""
    return " of ".join(row.title for row in parts_of(label, response))
