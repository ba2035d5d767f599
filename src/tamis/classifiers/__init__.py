"""Classifiers in scikit-learn's manners."""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from ..metrics.cost_matrix import CostMatrix
    from .adaboost import AdaBoostC44Classifier
    from .aode.classifier import AODEClassifier
    from .c45.classifier import C45Classifier
    from .c45.text import Rule
    from .costs.cost_resampled import CostResampledClassifier
    from .costs.cost_weighted import CostWeightedClassifier
    from .costs.costing import CostingClassifier
    from .costs.data_space_expansion import DataSpaceExpansionClassifier
    from .costs.meta_cost import MetaCostClassifier
    from .costs.minimum_risk import MinimumRiskClassifier
    from .diagonal_discriminant import DiagonalDiscriminantClassifier
    from .elastic_net.classifier import ElasticNetClassifier
    from .elastic_net.path import ElasticNetPath, elastic_net_path
    from .huberized_svm.classifier import HuberizedSVMClassifier
    from .huberized_svm.path import HHSVMPath, hhsvm_path
    from .intersection_trees.covrit import CovRITClassifier
    from .intersection_trees.discrit import DiscRITClassifier
    from .intersection_trees.relrit import RelRITClassifier
    from .logit_boost import LogitBoostClassifier
    from .rejection.classifier import RejectingClassifier
    from .shrinkage_discriminant import ShrinkageDiscriminantClassifier
    from .shrunken_centroids import ShrunkenCentroidClassifier
    from .svm_grid import SVMGridClassifier

_HOME = {
    "AODEClassifier": "aode.classifier",
    "AdaBoostC44Classifier": "adaboost",
    "C45Classifier": "c45.classifier",
    "CostMatrix": ".metrics.cost_matrix",
    "CostResampledClassifier": "costs.cost_resampled",
    "CostWeightedClassifier": "costs.cost_weighted",
    "CostingClassifier": "costs.costing",
    "CovRITClassifier": "intersection_trees.covrit",
    "DataSpaceExpansionClassifier": "costs.data_space_expansion",
    "DiagonalDiscriminantClassifier": "diagonal_discriminant",
    "DiscRITClassifier": "intersection_trees.discrit",
    "ElasticNetClassifier": "elastic_net.classifier",
    "ElasticNetPath": "elastic_net.path",
    "HHSVMPath": "huberized_svm.path",
    "HuberizedSVMClassifier": "huberized_svm.classifier",
    "LogitBoostClassifier": "logit_boost",
    "MetaCostClassifier": "costs.meta_cost",
    "MinimumRiskClassifier": "costs.minimum_risk",
    "RejectingClassifier": "rejection.classifier",
    "RelRITClassifier": "intersection_trees.relrit",
    "Rule": "c45.text",
    "SVMGridClassifier": "svm_grid",
    "ShrinkageDiscriminantClassifier": "shrinkage_discriminant",
    "ShrunkenCentroidClassifier": "shrunken_centroids",
    "elastic_net_path": "elastic_net.path",
    "hhsvm_path": "huberized_svm.path",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
