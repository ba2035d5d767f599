"""What a method of a plan says of sizes, classifiers and grids, checked and put in order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..._core.errors import PlanError, nearest_hint
from ..._core.own_code import given_name
from ..._core.parameters import MOST_ITEMS
from ..._core.rows import PathRow, SelectingRow
from ...classifiers.classifier_labels import (
    owner_of,
    parts_of,
    takes_costs,
    wrapped_label,
)
from ...metrics import CRITERIA

OWN_SIZE = "own"  # a ranking's own size, among the sizes
DEFAULT_SIZES = [1, 2, 3, 5, 10, 20, 50]
Grid = dict[str, dict[str, list[Any]]]  # classifier -> parameter -> values to try


def checked_criterion(value: str, known: Collection[str] = CRITERIA) -> str:
    if value and value not in known:
        raise PlanError(f"unknown criterion tune = {value!r}: {nearest_hint(value, known)}")
    return value


def classifier_labels(
    classify: Any, grid: Any, response: str
) -> tuple[list[str], dict[str, object]]:
    """Labels of the classifiers, and the grids that they bring themselves or the plan gives."""
    listed = list(classify) if isinstance(classify, list | tuple) else [classify]
    if not isinstance(grid, Mapping):
        raise PlanError(f"grid = {grid!r}: give a table of parameters and lists of values")
    labels, grids = [], dict(grid)
    for one in listed:
        if isinstance(one, Mapping):
            label = wrapped_label(one, response=response)
            if "grid" in one:
                if label in grids:
                    raise PlanError(f"classify: {label!r} has two grids: give one")
                grids[label] = one["grid"]
        else:
            label = given_name(one, "classify")
        if label in labels:
            raise PlanError(f"classify names {label!r} twice: list all values in one grid")
        labels.append(label)
    if len(labels) == 1 and labels[0] not in grids:
        grids = {labels[0]: grids} if grids else {}
    return labels, grids


def checked_sizes(sizes: Any, row: SelectingRow) -> list[Any]:
    """Sizes in rising order, then those by block, then "own"."""
    if not row.sized:
        if sizes:
            raise PlanError(f"method {row.name!r} has no sizes to choose: leave out `sizes`")
        return []
    if sizes is None or sizes == []:
        return [*(row.plan_defaults.sizes or ([] if isinstance(row, PathRow) else DEFAULT_SIZES))]
    listed = sizes if isinstance(sizes, list | tuple) else [sizes]
    by_block = [dict(k) for k in listed if isinstance(k, Mapping)]
    own = [k for k in listed if k == OWN_SIZE][:1]
    numbers = [k for k in listed if k != OWN_SIZE and not isinstance(k, Mapping)]
    counts = [k for size in by_block for k in size.values()]
    if not all(isinstance(name, str) for size in by_block for name in size):
        raise PlanError(f"sizes = {sizes!r}: a size by block names its blocks")
    if not all(type(k) is int and k >= 1 for k in numbers) or not all(
        type(k) is int and k >= 0 for k in counts
    ):
        raise PlanError(f"sizes = {sizes!r}: give a list of whole numbers from 1 up")
    if not all(sum(size.values()) for size in by_block):
        raise PlanError(f"sizes = {sizes!r}: a size by block has at least one feature")
    if (most := max([*numbers, *counts], default=0)) > MOST_ITEMS:
        raise PlanError(f"sizes = {sizes!r}: {most} is too many: give at most {MOST_ITEMS:,}")
    if by_block and isinstance(row, PathRow):
        raise PlanError(f"sizes = {sizes!r}: {row.name!r} has no sizes by block: give numbers")
    if own and not row.promises.own_size:
        raise PlanError(f"sizes = {sizes!r}: {row.name!r} has no size of its own: give numbers")
    by_block.sort(key=lambda size: sum(size.values()))
    return [
        *sorted(set(numbers)),
        *(s for k, s in enumerate(by_block) if s not in by_block[:k]),
        *own,
    ]


def checked_grid(
    grid: Mapping[str, object], classify: list[str], row: SelectingRow, response: str
) -> Grid:
    """``{classifier: {parameter: [values]}}``, checked against the rows."""
    for name in grid:
        if name not in classify:
            raise PlanError(
                f"grid names {name!r}, not a classifier here: {nearest_hint(name, classify)}"
            )
    resolved: Grid = {}
    for label in classify:
        given = grid.get(label, {})
        if not isinstance(given, Mapping):
            raise PlanError(f"grid = {given!r}: give a table of parameters and lists of values")
        rows = [row] if isinstance(row, PathRow) else parts_of(label, response)
        charged = not isinstance(row, PathRow) and takes_costs(label)
        plain = {k: v.tolist() if hasattr(v, "tolist") else v for k, v in given.items()}
        lists = {k: v if isinstance(v, list) else [v] for k, v in plain.items()}
        resolved[label] = {k: [] for k in lists}
        for key, values in lists.items():
            if not values:
                raise PlanError(f"grid of {label!r}: {key} has no value to try")
            at, bare = owner_of(rows, key)
            if bare == "class_weight" and charged:
                raise PlanError(
                    f"grid of {label!r}: class_weight would be counted beside the costs, or undo "
                    'them: leave it out; costs = "class_sizes" weighs all classes the same'
                )
            resolved[label][key] = [rows[at].validated({bare: value})[bare] for value in values]
    return resolved
