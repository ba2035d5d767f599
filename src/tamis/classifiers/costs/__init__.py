"""Classifiers that weigh what errors cost, around any other."""

from .cost_resampled import CostResampledClassifier
from .cost_weighted import CostWeightedClassifier
from .costing import CostingClassifier
from .data_space_expansion import DataSpaceExpansionClassifier
from .meta_cost import MetaCostClassifier
from .minimum_risk import MinimumRiskClassifier

__all__ = [
    "CostResampledClassifier",
    "CostWeightedClassifier",
    "CostingClassifier",
    "DataSpaceExpansionClassifier",
    "MetaCostClassifier",
    "MinimumRiskClassifier",
]
