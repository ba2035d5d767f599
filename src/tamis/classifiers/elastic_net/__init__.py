"""Logistic regression with an elastic net."""

from .classifier import ElasticNetClassifier
from .path import ElasticNetPath, elastic_net_path

__all__ = ["ElasticNetClassifier", "ElasticNetPath", "elastic_net_path"]
