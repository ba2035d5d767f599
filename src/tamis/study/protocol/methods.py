"""From a plan's [[method]] to what the engine runs: the one place that knows both shapes."""

from __future__ import annotations

from ..plan import MethodPlan
from .candidates import Method
from .paths import OnPath
from .ranked import Ranked


def method_of(plan: MethodPlan) -> Method:
    """What runs a method: a ranking with classifiers, or a classifier along its own path."""
    return OnPath(plan) if plan.alone else Ranked(plan)
