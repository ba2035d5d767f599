"""Filters and selectors: score functions, and rankers with scikit-learn's manners."""

from ._base import Ranker, Ranking
from .filter_selector import FilterSelector
from .fold_change import fold_change
from .moderated import moderated_t
from .mtd import mtd
from .mtfc import ModeratedFoldChangeSelector
from .mutual_information import mutual_information
from .pearson import pearson
from .shrunken_centroid_selector import ShrunkenCentroidSelector
from .welch import welch_t

__all__ = [
    "FilterSelector",
    "ModeratedFoldChangeSelector",
    "Ranker",
    "Ranking",
    "ShrunkenCentroidSelector",
    "fold_change",
    "moderated_t",
    "mtd",
    "mutual_information",
    "pearson",
    "welch_t",
]
