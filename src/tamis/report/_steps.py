"""What prepared a method's table, in words: only where something did."""

from __future__ import annotations

from .._core.errors import PlanError
from .._core.rows import find_row
from ..study.results.schema import StudyContent
from ._numbers import params_text


def step_words(name: str) -> str:
    """A step in plain names; as the plan calls it where it is not installed here."""
    try:
        return find_row(name, "prepare").title or name
    except PlanError:
        return name


def steps_of(result: StudyContent) -> dict[str, str]:
    """Method -> its steps in words; nothing where there are none at all."""
    found = {}
    for method in result["plan"].get("method", []):
        steps = []
        for one in method.get("prepare") or []:
            given = params_text(one.get("parameters"))
            steps.append(step_words(one["name"]) + (f" ({given})" if given else ""))
        found[method["name"]] = ", ".join(steps)
    return found if any(found.values()) else {}
