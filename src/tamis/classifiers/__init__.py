"""Classifiers in scikit-learn's manners."""

from .hhsvm_path import HHSVMPath, hhsvm_path
from .huberized_svm import HuberizedSVMClassifier
from .shrunken_centroids import ShrunkenCentroidClassifier

__all__ = ["HHSVMPath", "HuberizedSVMClassifier", "ShrunkenCentroidClassifier", "hhsvm_path"]
