"""Classifiers in scikit-learn's manners."""

from .c45 import C45Classifier
from .c45_text import Rule
from .elastic_net import ElasticNetClassifier
from .elastic_net_path import ElasticNetPath, elastic_net_path
from .hhsvm_path import HHSVMPath, hhsvm_path
from .huberized_svm import HuberizedSVMClassifier
from .shrunken_centroids import ShrunkenCentroidClassifier

__all__ = [
    "C45Classifier",
    "ElasticNetClassifier",
    "ElasticNetPath",
    "HHSVMPath",
    "HuberizedSVMClassifier",
    "Rule",
    "ShrunkenCentroidClassifier",
    "elastic_net_path",
    "hhsvm_path",
]
