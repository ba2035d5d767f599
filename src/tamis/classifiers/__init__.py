"""Classifiers in scikit-learn's manners."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from ..metrics.cost_matrix import CostMatrix as CostMatrix
    from .adaboost import AdaBoostC44Classifier as AdaBoostC44Classifier
    from .aode.classifier import AODEClassifier as AODEClassifier
    from .c45.classifier import C45Classifier as C45Classifier
    from .c45.text import Rule as Rule
    from .costs.cost_resampled import CostResampledClassifier as CostResampledClassifier
    from .costs.cost_weighted import CostWeightedClassifier as CostWeightedClassifier
    from .costs.costing import CostingClassifier as CostingClassifier
    from .costs.data_space_expansion import (
        DataSpaceExpansionClassifier as DataSpaceExpansionClassifier,
    )
    from .costs.meta_cost import MetaCostClassifier as MetaCostClassifier
    from .costs.minimum_risk import MinimumRiskClassifier as MinimumRiskClassifier
    from .diagonal_discriminant import (
        DiagonalDiscriminantClassifier as DiagonalDiscriminantClassifier,
    )
    from .elastic_net.classifier import ElasticNetClassifier as ElasticNetClassifier
    from .elastic_net.path import ElasticNetPath as ElasticNetPath
    from .elastic_net.path import elastic_net_path as elastic_net_path
    from .huberized_svm.classifier import HuberizedSVMClassifier as HuberizedSVMClassifier
    from .huberized_svm.path import HHSVMPath as HHSVMPath
    from .huberized_svm.path import hhsvm_path as hhsvm_path
    from .intersection_trees.covrit import CovRITClassifier as CovRITClassifier
    from .intersection_trees.discrit import DiscRITClassifier as DiscRITClassifier
    from .intersection_trees.relrit import RelRITClassifier as RelRITClassifier
    from .logit_boost import LogitBoostClassifier as LogitBoostClassifier
    from .rejection.classifier import RejectingClassifier as RejectingClassifier
    from .shrinkage_discriminant import (
        ShrinkageDiscriminantClassifier as ShrinkageDiscriminantClassifier,
    )
    from .shrunken_centroids import ShrunkenCentroidClassifier as ShrunkenCentroidClassifier
    from .svm_grid import SVMGridClassifier as SVMGridClassifier
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
