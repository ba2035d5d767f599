"""From a plan to a defended result: nested protocol, result store, final model."""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from ..discovery import Interactions, find_interactions, open_interactions
    from .plan import Method, Plan
    from .results.compare import StudyComparison, compare_studies
    from .results.compare_plans import PlanComparison
    from .results.result import StudyResult, open_study
    from .run import run_study

_HOME = {
    "Method": "plan",
    "Plan": "plan",
    "PlanComparison": "results.compare_plans",
    "StudyComparison": "results.compare",
    "StudyResult": "results.result",
    "compare_studies": "results.compare",
    "open_study": "results.result",
    "run_study": "run",
}
__all__ = list(_HOME)
# Until the next major version, the names that `tamis.discovery` has now.
_MOVED = dict.fromkeys(("Interactions", "find_interactions", "open_interactions"), ".discovery")


__getattr__ = lazy_names(__name__, {**_HOME, **_MOVED})


def __dir__() -> list[str]:
    return sorted(__all__)
