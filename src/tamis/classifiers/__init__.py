"""Classifiers in scikit-learn's manners."""

from .c45 import C45Classifier, Rule
from .elastic_net import ElasticNetClassifier
from .elastic_net_path import ElasticNetPath, elastic_net_path
from .huberized_svm import HHSVMPath, HuberizedSVMClassifier, hhsvm_path
from .intersection_trees import CovRITClassifier, DiscRITClassifier, RelRITClassifier
from .shrunken_centroids import ShrunkenCentroidClassifier

__all__ = [
    "C45Classifier",
    "CovRITClassifier",
    "DiscRITClassifier",
    "ElasticNetClassifier",
    "ElasticNetPath",
    "HHSVMPath",
    "HuberizedSVMClassifier",
    "RelRITClassifier",
    "Rule",
    "ShrunkenCentroidClassifier",
    "elastic_net_path",
    "hhsvm_path",
]
