"""From a plan to a defended result: nested protocol, result store, final model."""

from .interact import Interactions, find_interactions, open_interactions
from .plan import Plan
from .results.compare import StudyComparison, compare_studies
from .results.result import StudyResult, open_study
from .run import run_study

__all__ = [
    "Interactions",
    "Plan",
    "StudyComparison",
    "StudyResult",
    "compare_studies",
    "find_interactions",
    "open_interactions",
    "open_study",
    "run_study",
]
