"""Averaged one-dependence estimators as a classifier."""

from .classifier import AODEClassifier

__all__ = ["AODEClassifier"]
