"""Filters and selectors: score functions, and rankers with scikit-learn's manners."""

from ._base import Ranker, Ranking
from ._filter_selector import FilterSelector
from ._fold_change import fold_change
from ._moderated import moderated_t
from ._mtd import mtd
from ._mtfc import ModeratedFoldChangeSelector
from ._mutual_information import mutual_information
from ._pearson import pearson
from ._shrunken_centroid_selector import ShrunkenCentroidSelector
from ._welch import welch_t

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
