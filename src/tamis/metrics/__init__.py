"""Scores of predictions, their intervals, and the stability of selection.

On labels: `balanced_classification_rate` and its neighbours. On class codes, for studies:
`METRICS`, `HeldOut` with its estimates, and the points of curves. Importing this room loads
NumPy only.
"""

from .comparison import MethodComparison, compare_methods
from .confusion_matrix import confusion
from .cost_curve import cost_curve_points
from .cost_matrix import CostMatrix
from .curves import (
    calibration_points,
    decision_curve_points,
    pr_points,
    roc_points,
    wilson_interval,
)
from .differences import Difference, nadeau_bengio, permutation_p_value
from .held_out import Estimate, HeldOut
from .intervals import Sampling, effective_units
from .rank_tests import (
    FriedmanTest,
    friedman_chi2,
    friedman_tests,
    iman_davenport,
    nemenyi_critical_difference,
    nemenyi_quantile,
)
from .registry import CRITERIA, METRICS, Metric, criterion_label, get_metric, loss_metric
from .rejection import Rejections
from .risk_coverage import RiskCoverage, risk_coverage_curve
from .scores import (
    accuracy,
    area_under_pr,
    area_under_roc,
    balanced_classification_rate,
    belief_confusion_metric,
    correct_class_enrichment,
    expected_loss,
    f_measure,
    matthews,
)
from .stability import (
    NogueiraStability,
    StabilitySummary,
    common_feature_stability,
    common_features,
    kuncheva_index,
    lustgarten_stability,
    nogueira_stability,
    stability_summary,
)
from .threshold_curve import threshold_points
from .win_loss import WinLossTable, win_loss_table

__all__ = [
    "CRITERIA",
    "METRICS",
    "CostMatrix",
    "Difference",
    "Estimate",
    "FriedmanTest",
    "HeldOut",
    "MethodComparison",
    "Metric",
    "NogueiraStability",
    "Rejections",
    "RiskCoverage",
    "Sampling",
    "StabilitySummary",
    "WinLossTable",
    "accuracy",
    "area_under_pr",
    "area_under_roc",
    "balanced_classification_rate",
    "belief_confusion_metric",
    "calibration_points",
    "common_feature_stability",
    "common_features",
    "compare_methods",
    "confusion",
    "correct_class_enrichment",
    "cost_curve_points",
    "criterion_label",
    "decision_curve_points",
    "effective_units",
    "expected_loss",
    "f_measure",
    "friedman_chi2",
    "friedman_tests",
    "get_metric",
    "iman_davenport",
    "kuncheva_index",
    "loss_metric",
    "lustgarten_stability",
    "matthews",
    "nadeau_bengio",
    "nemenyi_critical_difference",
    "nemenyi_quantile",
    "nogueira_stability",
    "permutation_p_value",
    "pr_points",
    "risk_coverage_curve",
    "roc_points",
    "stability_summary",
    "threshold_points",
    "wilson_interval",
    "win_loss_table",
]
