"""From a plan's [[method]] to what the engine runs: the one place that knows both shapes."""

from __future__ import annotations

from ..._core.registry import selecting_row
from ..._core.rows import PathRow
from ..plan import MethodPlan
from .candidates import Method
from .paths import OnPath
from .ranked import Ranked


def method_of(plan: MethodPlan) -> Method:
    """What runs a method: a ranking with classifiers, or a classifier along its own path."""
    alone = isinstance(selecting_row(plan.select), PathRow)
    return OnPath(plan) if alone else Ranked(plan)
