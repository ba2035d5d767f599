"""Points of the curves of held-out predictions."""

from __future__ import annotations

from typing import cast

from ...metrics import (
    METRICS,
    HeldOut,
    VarianceInflation,
    calibration_points,
    cost_curve_points,
    decision_curve_points,
    pr_points,
    roc_points,
    threshold_points,
)
from ...metrics.registry import kind_suffices
from ..protocol.error_costs import Costs
from .curve_schema import CalibrationPoint, CostPoint, Curves, DecisionPoint, ThresholdPoint

CURVE_POINTS = 200
MAX_THRESHOLDS, MAX_COST_POINTS = 100, 51  # fewer, for their points are six and four numbers


def curve_points(held: HeldOut, sampling: VarianceInflation, costs: Costs | None = None) -> Curves:
    """ROC, PR, calibration and decision-curve points; of two classes those of thresholds and costs.

    With `costs` the thresholds have a mean cost.
    """
    predictions = (held.codes, held.proba)
    ordered = (held.codes, held.beliefs_for(METRICS["auc"]))
    inflation = len(held.rows) / max(sampling.units.sum(), 1.0) * sampling.recall
    found: Curves = {"roc": [], "pr": [], "calibration": [], "decision": []}
    if kind_suffices(held.known, "order"):
        found["roc"] = roc_points(*ordered, held.folds, CURVE_POINTS)
    if kind_suffices(held.known, "proba"):
        found["pr"] = pr_points(*ordered, CURVE_POINTS)
        points = calibration_points(*predictions, inflation=inflation)
        found["calibration"] = cast(list[CalibrationPoint], points)
        found["decision"] = cast(list[DecisionPoint], decision_curve_points(*predictions))
    if held.n_classes == 2 and kind_suffices(held.known, "proba"):
        own = None if costs is None else costs.of(held.rows)
        charged = costs.matrix if own is None and costs is not None else own
        thresholds = threshold_points(*predictions, charged, MAX_THRESHOLDS)
        found["thresholds"] = cast(list[ThresholdPoint], thresholds)
        found["cost"] = cast(list[CostPoint], cost_curve_points(*predictions, MAX_COST_POINTS))
    return found
