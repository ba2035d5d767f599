"""Scores of predictions, their intervals, and the stability of selection.

On labels: `balanced_classification_rate` and its neighbours. On class codes, for studies:
`METRICS`, `pooled_scores`, `bootstrap_intervals` and the points of curves. Importing this
room loads NumPy only.
"""

from .bootstrap import bootstrap_intervals, pooled_scores
from .confusion_matrix import confusion
from .curves import calibration_points, pr_points, roc_points, wilson_interval
from .differences import Difference, nadeau_bengio, permutation_p_value
from .registry import METRICS, Metric, get_metric, loss_metric
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

__all__ = [
    "METRICS",
    "Difference",
    "Metric",
    "NogueiraStability",
    "StabilitySummary",
    "accuracy",
    "area_under_pr",
    "area_under_roc",
    "balanced_classification_rate",
    "belief_confusion_metric",
    "bootstrap_intervals",
    "calibration_points",
    "common_feature_stability",
    "common_features",
    "confusion",
    "correct_class_enrichment",
    "expected_loss",
    "f_measure",
    "get_metric",
    "kuncheva_index",
    "loss_metric",
    "lustgarten_stability",
    "matthews",
    "nadeau_bengio",
    "nogueira_stability",
    "permutation_p_value",
    "pooled_scores",
    "pr_points",
    "roc_points",
    "stability_summary",
    "wilson_interval",
]
