"""Decisions and steps of methods, in words: only where they are not what goes without saying."""

from __future__ import annotations

from typing import Any

from .._core.errors import PlanError
from .._core.registry import find_row
from .._core.rows import DecisionRow, Row, StepRow
from ..study.plan import ARG_MAX
from ..study.results.plan_schema import PartContent
from ..study.results.schema import StudyContent
from ._numbers import params_text


def part_words(
    name: str, kind: type[Row], parameters: dict[str, Any] | None = None, block: str = ""
) -> str:
    """A decision or a step in plain names; as the plan calls it where it is not installed here."""
    try:
        title = find_row(name, kind).title or name
    except PlanError:
        title = name
    given = params_text(parameters)
    return title + (f" of {block}" if block else "") + (f" ({given})" if given else "")


def decisions_of(result: StudyContent) -> dict[str, str]:
    """Method -> its decision in words; nothing where all take the likeliest class."""
    plan = result["plan"]
    default = plan.get("decide") or PartContent(name=ARG_MAX)
    chosen = {m["name"]: m.get("decide") or default for m in plan["method"]}
    if all(one["name"] == ARG_MAX for one in chosen.values()):
        return {}
    return {
        k: part_words(one["name"], DecisionRow, one.get("parameters")) for k, one in chosen.items()
    }


def steps_of(result: StudyContent) -> dict[str, str]:
    """Method -> the steps before its ranking in words; nothing where there are none at all."""
    found = {
        method["name"]: ", ".join(
            part_words(one["name"], StepRow, one.get("parameters"), one.get("block", ""))
            for one in method.get("prepare") or []
        )
        for method in result["plan"]["method"]
    }
    return found if any(found.values()) else {}
