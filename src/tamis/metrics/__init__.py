"""Scores of predictions, their intervals, and the stability of selection.

On labels: `balanced_classification_rate` and its neighbours. On class codes, for studies:
`METRICS`, `HeldOut` with its estimates, and the points of curves.
"""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .comparison import MethodComparison as MethodComparison
    from .comparison import compare_methods as compare_methods
    from .confusion_matrix import confusion as confusion
    from .cost_curve import cost_curve_points as cost_curve_points
    from .cost_matrix import CostMatrix as CostMatrix
    from .curves import calibration_points as calibration_points
    from .curves import decision_curve_points as decision_curve_points
    from .curves import pr_points as pr_points
    from .curves import roc_points as roc_points
    from .curves import wilson_interval as wilson_interval
    from .differences import Difference as Difference
    from .differences import nadeau_bengio as nadeau_bengio
    from .differences import permutation_p_value as permutation_p_value
    from .held_out import Estimate as Estimate
    from .held_out import HeldOut as HeldOut
    from .intervals import VarianceInflation as VarianceInflation
    from .intervals import effective_units as effective_units
    from .rank_tests import FriedmanTest as FriedmanTest
    from .rank_tests import friedman_chi2 as friedman_chi2
    from .rank_tests import friedman_tests as friedman_tests
    from .rank_tests import iman_davenport as iman_davenport
    from .rank_tests import nemenyi_critical_difference as nemenyi_critical_difference
    from .rank_tests import nemenyi_quantile as nemenyi_quantile
    from .registry import CRITERIA as CRITERIA
    from .registry import METRICS as METRICS
    from .registry import Metric as Metric
    from .registry import criterion_label as criterion_label
    from .registry import get_metric as get_metric
    from .registry import loss_metric as loss_metric
    from .rejection import Rejections as Rejections
    from .risk_coverage import RiskCoverage as RiskCoverage
    from .risk_coverage import risk_coverage_curve as risk_coverage_curve
    from .scores import accuracy as accuracy
    from .scores import area_under_pr as area_under_pr
    from .scores import area_under_roc as area_under_roc
    from .scores import balanced_classification_rate as balanced_classification_rate
    from .scores import belief_confusion_metric as belief_confusion_metric
    from .scores import brier_score as brier_score
    from .scores import correct_class_enrichment as correct_class_enrichment
    from .scores import expected_loss as expected_loss
    from .scores import f_measure as f_measure
    from .scores import matthews as matthews
    from .scores import scaled_brier_score as scaled_brier_score
    from .stability import NogueiraStability as NogueiraStability
    from .stability import StabilitySummary as StabilitySummary
    from .stability import common_feature_stability as common_feature_stability
    from .stability import common_features as common_features
    from .stability import kuncheva_index as kuncheva_index
    from .stability import lustgarten_stability as lustgarten_stability
    from .stability import nogueira_stability as nogueira_stability
    from .stability import stability_summary as stability_summary
    from .threshold_curve import threshold_points as threshold_points
    from .win_loss import WinLossTable as WinLossTable
    from .win_loss import win_loss_table as win_loss_table
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
