"""Classifiers in scikit-learn's manners."""

from .shrunken_centroids import ShrunkenCentroidClassifier

__all__ = ["ShrunkenCentroidClassifier"]
