"""Classifiers in scikit-learn's manners."""

from .c45 import C45Classifier, Rule
from .huberized_svm import HHSVMPath, HuberizedSVMClassifier, hhsvm_path
from .shrunken_centroids import ShrunkenCentroidClassifier

__all__ = [
    "C45Classifier",
    "HHSVMPath",
    "HuberizedSVMClassifier",
    "Rule",
    "ShrunkenCentroidClassifier",
    "hhsvm_path",
]
