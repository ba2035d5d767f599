"""C4.5 decision trees as a classifier."""

from .classifier import C45Classifier
from .text import Rule

__all__ = ["C45Classifier", "Rule"]
