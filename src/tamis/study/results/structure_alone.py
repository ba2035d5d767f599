"""Whether what steps make of a full table predicts as well as the features that are chosen."""

from __future__ import annotations

from collections.abc import Iterator

from ...metrics.registry import metric_row
from ...preparation.chain import created_by
from ..plan import MethodPlan, Plan
from .cost_saving import digits_of
from .schema import StudyFindings


def structure_cautions(plan: Plan, content: StudyFindings) -> Iterator[tuple[str, str]]:
    """Of references that have no feature of the table, only what steps create: descent, batches.

    Reported where the class can be predicted at all, of methods that have features of the table.
    """
    winners = content["headline"]["winners"]
    if all(_creates_columns(method) for method in plan.method if method.name in winners):
        return
    metric, digits = metric_row(plan.metric), digits_of(content, plan.metric)
    chosen = content["metrics"][plan.metric]["mean"]
    for method, entry in zip(plan.method, content["methods"], strict=True):
        alone = entry["metrics"][plan.metric]["mean"]
        if chosen is None or alone is None or not (method.reference and _creates_columns(method)):
            continue
        if metric.direction * (alone - chosen) >= 0:
            yield (
                "structure-as-good",
                f"{method.name} predicts at least as well ({metric.brief} {alone:.{digits}f}) as "
                f"the features chosen ({chosen:.{digits}f}), which may add nothing to it.",
            )


def _creates_columns(method: MethodPlan) -> bool:
    """Whether a step makes columns of all others."""
    return any(created_by(step.named) for step in method.prepare)
