"""What a plan for a number leaves open, resolved; and what only classes have, refused."""

from __future__ import annotations

from typing import Any

from ..._core.errors import PlanError
from ..._core.registry import NO_RECALIBRATION
from ...metrics.number_metrics import NUMBER_METRICS
from .parts import DecisionPlan, RecalibratePlan

USUAL_METRIC = "q2"
# keys of a plan that are about classes
CLASS_KEYS = ("costs", "recalibrate", "decide", "reject", "bootstrap", "learning_curve")


def resolve_numbers(plan: Any) -> None:
    """Fill in what follows from the rest of the plan.

    Raises
    ------
    PlanError
        The plan names what only classes have.
    """
    metric, own = plan.metric, NUMBER_METRICS[USUAL_METRIC].decide
    usual = {"decide": own, "recalibrate": NO_RECALIBRATION}
    for key in CLASS_KEYS:
        value = getattr(plan, key)
        if key in plan.model_fields_set and getattr(value, "name", value) != usual.get(key):
            raise _for_classes(key)
        for method in plan.method:
            value = getattr(method, key, None)
            if value is not None and getattr(value, "name", value) != usual.get(key):
                raise _for_classes(key, f"method {method.name!r}: ")
    if plan.prediction_intervals:
        _check_intervals(plan)
    if "metric" not in plan.model_fields_set:
        metric = USUAL_METRIC
    plan.fill(
        metric=metric,
        decide=DecisionPlan(name=own),
        recalibrate=RecalibratePlan(name=NO_RECALIBRATION),
        tune=plan.tune or NUMBER_METRICS[metric].tune,
    )


def _check_intervals(plan: Any) -> None:
    """Refuse prediction intervals that there is nothing to make of."""
    if not plan.final:
        raise PlanError("prediction_intervals are kept in the saved model: leave out final = false")
    if plan.outer.kind == "holdout":
        raise PlanError(
            "prediction_intervals need every sample held out once: use folds, not a holdout"
        )


def _for_classes(key: str, where: str = "") -> PlanError:
    return PlanError(f"{where}{key} is for classes, and a number is predicted here: leave it out")
