"""Cells read back: what every method, and the headline procedure, chose and predicted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .candidates import ranker_key
from .cells import FINAL, Cell, Task
from .plan import MethodPlan, Plan
from .protocol import COMPANION
from .tuning import best


@dataclass(frozen=True)
class Choice:
    """The grid point a procedure took in one outer fold, by inner scores alone.

    Attributes
    ----------
    method, classify, settings : str
    size : int
    inner : float
        Inner score on the study's metric (higher is better).
    features : ndarray
        Columns of the Dataset.
    test, predicted, proba : ndarray
        Rows held out, and what was said of them.
    """

    permutation: int
    repeat: int | str
    fold: int | str
    method: str
    classify: str
    settings: str
    size: int
    inner: float
    features: np.ndarray
    test: np.ndarray
    predicted: np.ndarray
    proba: np.ndarray


@dataclass(frozen=True)
class Curve:
    """Every size of one method in one outer fold: its best inner candidate and predictions."""

    repeat: int | str
    sizes: np.ndarray
    inner: np.ndarray
    test: np.ndarray
    predicted: list[np.ndarray]
    proba: list[np.ndarray]


def choose(task: Task, method: MethodPlan, cell: Cell) -> Choice:
    """The candidate of a method with the best tuning score, ties to the earlier (smaller)."""
    rows = cell.rows_of(method.name)
    row = int(rows[best(cell.columns["tune"][rows])])
    return _choice(task, cell, row)


def _choice(task: Task, cell: Cell, row: int) -> Choice:
    c, features = cell.columns, cell.features(row)  # a cut-off may leave fewer than the size
    tested = len(cell.test) > 0
    return Choice(
        task.permutation, task.repeat, task.fold, c["method"][row], c["classify"][row],
        c["settings"][row], len(features), float(c["inner"][row]), features,
        cell.test, cell.predicted(row),
        cell.proba(row) if tested else np.zeros((0, 0)),
    )  # fmt: skip


def curve(task: Task, method: MethodPlan, cell: Cell) -> Curve:
    """Best inner candidate of each size (of each threshold, where sizes follow from it)."""
    rows = cell.rows_of(method.name)
    sizes = cell.columns["size"][rows]
    inner = cell.columns["inner"][rows]
    if method.sizes:
        steps = [rows[sizes == k][best(inner[sizes == k])] for k in np.unique(sizes)]
    else:
        steps = list(rows)
    return Curve(
        task.repeat,
        cell.columns["size"][steps],
        cell.columns["inner"][steps],
        cell.test,
        [cell.predicted(int(s)) for s in steps],
        [cell.proba(int(s)) for s in steps],
    )


def headline(choices: Sequence[Choice]) -> Choice:
    """The method with the best inner score, ties to the earlier in the plan."""
    return choices[best([c.inner for c in choices])]


@dataclass(frozen=True)
class Collected:
    """All choices of a study.

    Attributes
    ----------
    methods : mapping of method name to list of Choice
        Unpermuted outer folds, in order.
    headline : list of Choice
    permuted : mapping of permutation to (mapping of method to list of Choice)
        With the headline's under the empty name.
    observed : mapping of method to list of Choice
        The run with true labels that has the permuted runs' design, as one of `permuted`.
    curves : mapping of method name to list of Curve
    final : Choice or None
    instead : mapping of method name to number of training parts
        Where the balanced rate decided, for no candidate had the method's criterion.
    stability : mapping of method name to dict
        What stability selection found on all rows (`stability_selection.kept`).
    """

    methods: Mapping[str, list[Choice]]
    headline: list[Choice]
    permuted: Mapping[int, Mapping[str, list[Choice]]]
    observed: Mapping[str, list[Choice]]
    curves: Mapping[str, list[Curve]]
    final: Choice | None
    instead: Mapping[str, int] = field(default_factory=dict)
    stability: Mapping[str, dict[str, Any]] = field(default_factory=dict)


def collect(
    plan: Plan, tasks: Sequence[Task], read: Callable[[str], Cell], observed: int | str = 0
) -> Collected:
    """Read every cell once and keep what the summary needs.

    `observed` is the repeat, of the true labels, that permuted runs are compared with.
    """
    methods: dict[str, list[Choice]] = {m.name: [] for m in plan.method}
    curves: dict[str, list[Curve]] = {m.name: [] for m in plan.method}
    winners: list[Choice] = []
    runs: dict[tuple[int, int | str], dict[str, list[Choice]]] = {}
    final = None
    stability: dict[str, dict[str, Any]] = {}
    instead: dict[str, int] = {}
    for task in tasks:
        cells = {key: read(task.path(key)) for key in task.rankers}
        choices = [choose(task, m, cells[ranker_key(m)]) for m in plan.method]
        winner = headline(choices)
        if task.fold == FINAL:
            final = winner
            for method in plan.method:
                found = cells[ranker_key(method)].stability
                if found is not None:
                    stability[method.name] = found
            continue
        run = runs.setdefault((task.permutation, task.repeat), {"": []})
        run[""].append(winner)
        for choice in choices:
            run.setdefault(choice.method, []).append(choice)
        if task.permutation == 0 and task.repeat != COMPANION:
            winners.append(winner)
            for method, choice in zip(plan.method, choices, strict=True):
                cell = cells[ranker_key(method)]
                methods[method.name].append(choice)
                curves[method.name].append(curve(task, method, cell))
                if method.name in cell.instead:
                    instead[method.name] = instead.get(method.name, 0) + 1
    permuted = {k: run for (k, _), run in runs.items() if k}
    true = runs.get((0, observed), {"": []})
    return Collected(methods, winners, permuted, true, curves, final, instead, stability)
