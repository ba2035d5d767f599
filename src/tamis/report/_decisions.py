"""Decisions and steps of methods, in words: only where they are not what goes without saying."""

from __future__ import annotations

from collections.abc import Mapping

from .._core.errors import PlanError
from .._core.registry import ARG_MAX, find_row
from .._core.rows import DecisionRow, Row, StepRow
from ..study.results.schema import StudyContent
from ._numbers import params_text


def part_words(
    name: str, kind: type[Row], parameters: Mapping[str, object] | None = None, block: str = ""
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
    chosen = {m["name"]: m["decide"] or plan["decide"] for m in plan["method"]}
    if all(one["name"] == ARG_MAX for one in chosen.values()):
        return {}
    return {k: part_words(one["name"], DecisionRow, one["parameters"]) for k, one in chosen.items()}


def steps_of(result: StudyContent) -> dict[str, str]:
    """Method -> the steps before its ranking in words; nothing where there are none at all."""
    found = {
        method["name"]: ", ".join(
            part_words(one["name"], StepRow, one["parameters"], one.get("block", ""))
            for one in method["prepare"]
        )
        for method in result["plan"]["method"]
    }
    return found if any(found.values()) else {}
