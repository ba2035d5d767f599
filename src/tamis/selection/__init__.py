"""Filters and selectors: score functions, and rankers with scikit-learn's manners."""

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

__all__ = [
    "ClusterRanking",
    "ClusterSelector",
    "EliminationSelector",
    "FilterSelector",
    "GeneticSelector",
    "HuberizedSVMSelector",
    "IntersectionSelector",
    "ModeratedFoldChangeSelector",
    "MonteCarloSelector",
    "Ranker",
    "Ranking",
    "RobustFeatureSelector",
    "Separability",
    "SequentialSelector",
    "ShrunkenCentroidSelector",
    "StabilityRanking",
    "StabilitySelector",
    "VotingRanking",
    "VotingSelector",
    "benjamini_hochberg",
    "chi2",
    "fold_change",
    "hsic",
    "mixed_scores",
    "moderated_t",
    "mtd",
    "mutual_information",
    "pearson",
    "permutation_p_values",
    "separability",
    "trend",
    "voom_weights",
    "welch_t",
    "wilcoxon",
]
