"""What a plan for classes leaves open, resolved; and what it asks for that methods cannot give."""

from __future__ import annotations

from typing import Any

from ..._core.errors import PlanError
from ..._core.interfaces import Kind as Belief
from ..._core.registry import ARG_MAX, LEAST_RISK, NO_RECALIBRATION, find_row
from ..._core.rows import DecisionRow, PathRow
from ...classifiers.classifier_labels import beliefs_of, is_rough
from ...metrics import METRICS
from ...metrics.registry import BALANCED_LOG_SCORE, kind_suffices, required_beliefs
from .cost_settings import require_costs
from .method import MethodPlan
from .parts import DecisionPlan, RecalibratePlan
from .rejection import refuse_unsure


def resolve_classes(plan: Any) -> None:
    """Fill in what follows from the rest of the plan.

    Raises
    ------
    PlanError
        What is believed of samples is not enough for what is decided and scored by it.
    """
    if plan.prediction_intervals:
        raise PlanError("prediction_intervals are of a number, and classes are predicted here")
    _fill_recalibration(plan)
    _fill_costs(plan)
    _fill_criterion(plan)
    _refuse_unknown_beliefs(plan)


def own_beliefs(method: MethodPlan) -> dict[str, Belief]:
    """What each classifier of a method says of samples itself."""
    if method.alone:
        return {method.select: "proba"}
    return {label: beliefs_of(label) for label in method.classify}


def has_criterion(plan: Any, method: MethodPlan, criterion: str) -> bool:
    """Whether a logarithmic score of a method's probabilities distinguishes its candidates."""
    rough = (
        find_row(method.select, PathRow).promises.poorly_calibrated
        if method.alone
        else any(map(is_rough, method.classify))
    )
    known = plan.known(method).values()
    scales = criterion != BALANCED_LOG_SCORE or all(plan.natural(method).values())
    return (
        not rough
        and scales
        and all(kind_suffices(kind, required_beliefs(criterion)) for kind in known)
    )


def _fill_recalibration(plan: Any) -> None:
    """None of references, which have no inner folds, nor of margins unless a plan names one."""
    unnamed = "recalibrate" not in plan.model_fields_set
    none = {"recalibrate": RecalibratePlan(name=NO_RECALIBRATION)}

    def without(method: MethodPlan) -> bool:
        margins = unnamed and set(own_beliefs(method).values()) != {"proba"}
        return method.recalibrate is None and (method.reference or margins)

    plan.fill(method=[m.model_copy(update=none) if without(m) else m for m in plan.method])


def _fill_costs(plan: Any) -> None:
    """With costs, what the plan leaves open follows them; without, nothing may need them."""
    given = plan.model_fields_set
    if plan.costs is not None and "metric" not in given:
        plan.fill(metric="loss")
    if plan.costs is None:
        if "decide" not in given:
            plan.fill(decide=DecisionPlan(name=METRICS[plan.metric].decide))
        labels = [k for m in plan.method if not m.alone for k in m.classify]
        require_costs(labels, [plan.decision_of(m).name for m in plan.method])
    elif "decide" not in given:
        plan.fill(decide=DecisionPlan(name=LEAST_RISK))
        plan.fill(
            method=[
                m
                if m.decide is not None or set(plan.known(m).values()) == {"proba"}
                else m.model_copy(update={"decide": DecisionPlan(name=ARG_MAX)})
                for m in plan.method
            ]
        )


def _fill_criterion(plan: Any) -> None:
    """The criterion of the metric's row, for methods whose classifiers say enough for it."""
    criterion = plan.smooth
    if "tune" in plan.model_fields_set or not criterion:
        return
    plan.fill(tune=criterion)
    plan.fill(
        method=[
            m
            if m.tune or has_criterion(plan, m, criterion)
            else m.model_copy(update={"tune": plan.metric})
            for m in plan.method
        ]
    )


def _refuse_unknown_beliefs(plan: Any) -> None:
    """What is believed of samples has to be enough for what is decided and scored by it."""
    for method in plan.method:
        decide = find_row(plan.decision_of(method).name, DecisionRow)
        for label, known in plan.known(method).items():
            given = "labels alone" if known == "labels" else "margins, and no probabilities"
            if not kind_suffices(known, decide.beliefs):
                raise PlanError(
                    f"decide = {decide.name!r} needs more than classify = {label!r} gives "
                    f"({given}): leave it out for that method"
                    + (', or write recalibrate = "platt"' if known == "order" else "")
                )
            layer = plan.recalibration_of(method)
            if layer is not None and known == "labels":
                raise PlanError(
                    f"recalibrate = {layer.name!r} needs more than classify = {label!r} gives "
                    f'({given}): write recalibrate = "{NO_RECALIBRATION}" for that method'
                )
            if (reject := plan.rejection_of(method)) is not None:
                refuse_unsure(reject, "" if method.alone else label, known)
            for name in (method.tune or plan.tune, plan.metric):
                if name and not kind_suffices(known, required_beliefs(name)):
                    raise PlanError(
                        f"{name!r} cannot be had of classify = {label!r}, which gives {given}: "
                        "choose a metric of labels, such as bcr"
                    )
