"""Filters and selectors: score functions, and rankers with scikit-learn's manners."""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .._core.interfaces import Ranker, Ranking
    from ._chi2 import chi2
    from ._cluster_ranking import ClusterRanking
    from ._clusters import ClusterSelector
    from ._cutoffs import benjamini_hochberg, mixed_scores, permutation_p_values
    from ._elimination import EliminationSelector
    from ._filter_selector import FilterSelector
    from ._fold_change import fold_change
    from ._genetic import GeneticSelector
    from ._hsic import hsic
    from ._huberized_selector import HuberizedSVMSelector
    from ._intersection_selector import IntersectionSelector
    from ._moderated import moderated_t
    from ._monte_carlo import MonteCarloSelector
    from ._mtd import mtd
    from ._mtfc import ModeratedFoldChangeSelector
    from ._mutual_information import mutual_information
    from ._pearson import pearson
    from ._robust import RobustFeatureSelector
    from ._separability import separability
    from ._separability_result import Separability
    from ._sequential import SequentialSelector
    from ._shrunken_centroid_selector import ShrunkenCentroidSelector
    from ._stability import StabilitySelector
    from ._stability_ranking import StabilityRanking
    from ._trend import trend
    from ._voom import voom_weights
    from ._voting import VotingSelector
    from ._voting_ranking import VotingRanking
    from ._welch import welch_t
    from ._wilcoxon import wilcoxon

_HOME = {
    "ClusterRanking": "_cluster_ranking",
    "ClusterSelector": "_clusters",
    "EliminationSelector": "_elimination",
    "FilterSelector": "_filter_selector",
    "GeneticSelector": "_genetic",
    "HuberizedSVMSelector": "_huberized_selector",
    "IntersectionSelector": "_intersection_selector",
    "ModeratedFoldChangeSelector": "_mtfc",
    "MonteCarloSelector": "_monte_carlo",
    "Ranker": "._core.interfaces",
    "Ranking": "._core.interfaces",
    "RobustFeatureSelector": "_robust",
    "Separability": "_separability_result",
    "SequentialSelector": "_sequential",
    "ShrunkenCentroidSelector": "_shrunken_centroid_selector",
    "StabilityRanking": "_stability_ranking",
    "StabilitySelector": "_stability",
    "VotingRanking": "_voting_ranking",
    "VotingSelector": "_voting",
    "benjamini_hochberg": "_cutoffs",
    "chi2": "_chi2",
    "fold_change": "_fold_change",
    "hsic": "_hsic",
    "mixed_scores": "_cutoffs",
    "moderated_t": "_moderated",
    "mtd": "_mtd",
    "mutual_information": "_mutual_information",
    "pearson": "_pearson",
    "permutation_p_values": "_cutoffs",
    "separability": "_separability",
    "trend": "_trend",
    "voom_weights": "_voom",
    "welch_t": "_welch",
    "wilcoxon": "_wilcoxon",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
