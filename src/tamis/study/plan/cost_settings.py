"""What a plan may say of costs, before the classes of a table are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from ..._core.errors import PlanError, value_text
from ..._core.registry import find_row
from ..._core.rows import DecisionRow
from ...classifiers.classifier_labels import takes_costs
from ...metrics.cost_matrix import CLASS_SIZES


def checked_costs(said: Any) -> Any:
    """Costs as a plan says them: a table of classes with a number each, or with tables of true
    classes with a number, or the name of a column; or "class_sizes".

    Raises
    ------
    PlanError
        They are something else.
    """
    if said is None or said == CLASS_SIZES:
        return said
    if not isinstance(said, Mapping) or not said:
        raise PlanError(
            f"costs = {value_text(said)}: give a table, such as costs = {{ sick = 10, well = 1 }}, "
            f'or "{CLASS_SIZES}"'
        )
    return {str(name): _checked_cell(found, str(name)) for name, found in said.items()}


def _checked_cell(found: Any, name: str, inside: bool = False) -> Any:
    if isinstance(found, Mapping) and not inside:
        return {str(k): _checked_cell(one, f"{name}.{k}", True) for k, one in found.items()}
    if isinstance(found, str) and found:
        return found
    if isinstance(found, bool) or not isinstance(found, Real) or not np.isfinite(float(found)):
        raise PlanError(
            f"costs: {name} = {value_text(found)}: give a number, or the name of a column"
        )
    return float(found)


def require_costs(classifiers: Sequence[str], decisions: Sequence[str]) -> None:
    """Refuse a plan without costs whose methods have to know them."""
    named = [f"classify = {label!r}" for label in classifiers if takes_costs(label)]
    named += [f"decide = {name!r}" for name in decisions if find_row(name, DecisionRow).costs]
    if named:
        raise PlanError(
            f"{named[0]} has to know what errors cost: give the plan costs, such as "
            f'[costs] with a number for each class, or costs = "{CLASS_SIZES}"'
        )
