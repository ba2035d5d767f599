"""A look at a table or a cohort before any study: what it holds, and what is odd about it.

Nothing here estimates how well a class can be predicted.
"""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .cohort import look_at_cohort as look_at_cohort
    from .cohort_result import CohortLook as CohortLook
    from .result import TableLook as TableLook
    from .table import look_at as look_at
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
