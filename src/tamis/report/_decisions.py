"""What turns beliefs into labels, in words: only where that is not simply the likeliest class."""

from __future__ import annotations

from .._core.errors import PlanError
from .._core.rows import find_row
from ..study.plan import ARG_MAX
from ..study.results.schema import StudyContent
from ._numbers import params_text


def decision_words(name: str) -> str:
    """A decision in plain names; as the plan calls it where it is not installed here."""
    try:
        return find_row(name, "decide").title or name
    except PlanError:
        return name


def decisions_of(result: StudyContent) -> dict[str, str]:
    """Method -> its decision in words; nothing where all take the likeliest class."""
    plan = result["plan"]
    default = plan.get("decide") or {"name": ARG_MAX}
    chosen = {m["name"]: m.get("decide") or default for m in plan.get("method", [])}
    if all(one["name"] == ARG_MAX for one in chosen.values()):
        return {}
    found = {}
    for method, one in chosen.items():
        given = params_text(one.get("parameters"))
        found[method] = decision_words(one["name"]) + (f" ({given})" if given else "")
    return found
