"""Classifiers by sets that random intersection trees find."""

from .covrit import CovRITClassifier
from .discrit import DiscRITClassifier
from .relrit import RelRITClassifier

__all__ = ["CovRITClassifier", "DiscRITClassifier", "RelRITClassifier"]
