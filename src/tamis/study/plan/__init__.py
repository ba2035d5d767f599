"""What a plan may say: the schema, what each name stands for, and its references."""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .checks import OWN
    from .dataset import DatasetPlan
    from .method import MethodPlan
    from .parts import DecisionPlan, RejectPlan, StepPlan
    from .schema import ARG_MAX, Method, Plan, Split, merged_tables

_HOME = {
    "ARG_MAX": "schema",
    "DatasetPlan": "dataset",
    "DecisionPlan": "parts",
    "Method": "schema",
    "MethodPlan": "method",
    "OWN": "checks",
    "Plan": "schema",
    "RejectPlan": "parts",
    "Split": "schema",
    "StepPlan": "parts",
    "merged_tables": "schema",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
