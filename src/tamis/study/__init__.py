"""From a plan to a defended result: nested protocol, result store, final model."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .._core.parts import Part as Part
    from .._core.parts import PartResult as PartResult
    from .parts import join_parts as join_parts
    from .parts import run_part as run_part
    from .plan import Method as Method
    from .plan import Plan as Plan
    from .results.compare import StudyComparison as StudyComparison
    from .results.compare import compare_studies as compare_studies
    from .results.compare_plans import PlanComparison as PlanComparison
    from .results.result import StudyResult as StudyResult
    from .results.result import open_study as open_study
    from .run import run_study as run_study
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
