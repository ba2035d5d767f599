"""Classifiers in scikit-learn's manners."""

from ..metrics.cost_matrix import CostMatrix
from .adaboost import AdaBoostC44Classifier
from .aode import AODEClassifier
from .c45 import C45Classifier, Rule
from .costs import (
    CostingClassifier,
    CostResampledClassifier,
    CostWeightedClassifier,
    DataSpaceExpansionClassifier,
    MetaCostClassifier,
    MinimumRiskClassifier,
)
from .diagonal_discriminant import DiagonalDiscriminantClassifier
from .elastic_net.classifier import ElasticNetClassifier
from .elastic_net.path import ElasticNetPath, elastic_net_path
from .huberized_svm import HHSVMPath, HuberizedSVMClassifier, hhsvm_path
from .intersection_trees import CovRITClassifier, DiscRITClassifier, RelRITClassifier
from .logit_boost import LogitBoostClassifier
from .rejection import RejectingClassifier
from .shrinkage_discriminant import ShrinkageDiscriminantClassifier
from .shrunken_centroids import ShrunkenCentroidClassifier
from .svm_grid import SVMGridClassifier

__all__ = [
    "AODEClassifier",
    "AdaBoostC44Classifier",
    "C45Classifier",
    "CostMatrix",
    "CostResampledClassifier",
    "CostWeightedClassifier",
    "CostingClassifier",
    "CovRITClassifier",
    "DataSpaceExpansionClassifier",
    "DiagonalDiscriminantClassifier",
    "DiscRITClassifier",
    "ElasticNetClassifier",
    "ElasticNetPath",
    "HHSVMPath",
    "HuberizedSVMClassifier",
    "LogitBoostClassifier",
    "MetaCostClassifier",
    "MinimumRiskClassifier",
    "RejectingClassifier",
    "RelRITClassifier",
    "Rule",
    "SVMGridClassifier",
    "ShrinkageDiscriminantClassifier",
    "ShrunkenCentroidClassifier",
    "elastic_net_path",
    "hhsvm_path",
]
