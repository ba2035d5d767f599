"""From a plan to a defended result: nested protocol, result store, final model."""

from typing import TYPE_CHECKING

from .plan import Method, Plan
from .results.compare import StudyComparison, compare_studies
from .results.result import StudyResult, open_study
from .run import run_study

__all__ = [
    "Method",
    "Plan",
    "StudyComparison",
    "StudyResult",
    "compare_studies",
    "open_study",
    "run_study",
]

# Until the next major version, the names that `tamis.discovery` has now.
if TYPE_CHECKING:
    from ..discovery import Interactions as Interactions
    from ..discovery import find_interactions as find_interactions
    from ..discovery import open_interactions as open_interactions
else:
    MOVED = ("Interactions", "find_interactions", "open_interactions")

    def __getattr__(name):
        if name in MOVED:
            from .. import discovery

            return getattr(discovery, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
