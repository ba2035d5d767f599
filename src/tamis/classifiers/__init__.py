"""Classifiers in scikit-learn's manners."""

from .hhsvm_path import HHSVMPath, hhsvm_path
from .shrunken_centroids import ShrunkenCentroidClassifier

__all__ = ["HHSVMPath", "ShrunkenCentroidClassifier", "hhsvm_path"]
