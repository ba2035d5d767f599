"""Filters and selectors: score functions, and rankers with scikit-learn's manners."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .._core.interfaces import Ranker as Ranker
    from .._core.interfaces import Ranking as Ranking
    from ._chi2 import chi2 as chi2
    from ._cluster_ranking import ClusterRanking as ClusterRanking
    from ._clusters import ClusterSelector as ClusterSelector
    from ._cutoffs import benjamini_hochberg as benjamini_hochberg
    from ._cutoffs import mixed_scores as mixed_scores
    from ._cutoffs import permutation_p_values as permutation_p_values
    from ._elimination import EliminationSelector as EliminationSelector
    from ._filter_selector import FilterSelector as FilterSelector
    from ._fold_change import fold_change as fold_change
    from ._genetic import GeneticSelector as GeneticSelector
    from ._hsic import hsic as hsic
    from ._huberized_selector import HuberizedSVMSelector as HuberizedSVMSelector
    from ._intersection_selector import IntersectionSelector as IntersectionSelector
    from ._moderated import moderated_t as moderated_t
    from ._monte_carlo import MonteCarloSelector as MonteCarloSelector
    from ._mtd import mtd as mtd
    from ._mtfc import ModeratedFoldChangeSelector as ModeratedFoldChangeSelector
    from ._mutual_information import mutual_information as mutual_information
    from ._number_dependence import distance_correlation as distance_correlation
    from ._number_dependence import information_of_number as information_of_number
    from ._number_filters import correlation as correlation
    from ._number_filters import moderated_regression_t as moderated_regression_t
    from ._number_filters import spearman as spearman
    from ._number_filters import variance as variance
    from ._pearson import pearson as pearson
    from ._robust import RobustFeatureSelector as RobustFeatureSelector
    from ._separability import separability as separability
    from ._separability_result import Separability as Separability
    from ._sequential import SequentialSelector as SequentialSelector
    from ._shrunken_centroid_selector import ShrunkenCentroidSelector as ShrunkenCentroidSelector
    from ._stability import StabilitySelector as StabilitySelector
    from ._stability_ranking import StabilityRanking as StabilityRanking
    from ._trend import trend as trend
    from ._voom import voom_weights as voom_weights
    from ._voting import VotingSelector as VotingSelector
    from ._voting_ranking import VotingRanking as VotingRanking
    from ._welch import welch_t as welch_t
    from ._wilcoxon import wilcoxon as wilcoxon
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
