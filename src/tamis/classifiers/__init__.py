"""Classifiers in scikit-learn's manners."""

from .c45 import C45Classifier
from .c45_text import Rule
from .hhsvm_path import HHSVMPath, hhsvm_path
from .huberized_svm import HuberizedSVMClassifier
from .shrunken_centroids import ShrunkenCentroidClassifier

__all__ = [
    "C45Classifier",
    "HHSVMPath",
    "HuberizedSVMClassifier",
    "Rule",
    "ShrunkenCentroidClassifier",
    "hhsvm_path",
]
