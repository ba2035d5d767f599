"""A look at a table or a cohort before any study: what it holds, and what is odd about it.

Nothing here estimates how well a class can be predicted.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .cohort import look_at_cohort
    from .cohort_result import CohortLook
    from .result import TableLook
    from .table import look_at

_HOME = {
    "CohortLook": "cohort_result",
    "TableLook": "result",
    "look_at": "table",
    "look_at_cohort": "cohort",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
