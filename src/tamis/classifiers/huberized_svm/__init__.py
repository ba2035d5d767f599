"""The hybrid huberised SVM: its path over lambda1, and a classifier with chosen penalties."""

from .classifier import HuberizedSVMClassifier
from .inputs import checked_number, lambda_grid
from .path import HHSVMPath, hhsvm_path

__all__ = [
    "HHSVMPath",
    "HuberizedSVMClassifier",
    "checked_number",
    "hhsvm_path",
    "lambda_grid",
]
