"""Classifiers, paths and decisions that a plan can name: one row each."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictBool

from .._core.parameters import (
    MOST_ITEMS,
    MOST_RUNS,
    ParameterTypes,
    items_field,
    runs_field,
)
from .._core.response import NUMBERS
from .._core.row_groups import (
    ClassifierPromises,
    ClassifierTakes,
    Display,
    PlanDefaults,
    SelectorPromises,
    SelectorTakes,
)
from .._core.rows import (
    ClassifierRow,
    DecisionRow,
    PathRow,
    RecalibrationRow,
    Row,
    RuleRow,
)

_penalty = (float, Field(gt=0, le=1e6))  # beyond, libsvm may not end
_prior_variance = (Literal["analytic"] | Annotated[float, Field(gt=0, le=1e6)], ...)
_positive = (float, Field(gt=0, allow_inf_nan=False))
_weight = (Literal["balanced"], ...)
_priors = (Literal["empirical", "equal"], ...)
_CLASSIFIERS = "tamis.classifiers"
_COSTS = "tamis.classifiers.costs"
_LDA = "tamis.classifiers.lda:DiscriminantAnalysis"
_SHRINKAGE = "tamis.classifiers.shrinkage_discriminant:ShrinkageDiscriminant"
_DIAGONAL = "tamis.classifiers.diagonal_discriminant:DiagonalDiscriminant"
_SVM = "tamis.classifiers.support_vectors:SupportVectors"
_TREES = "tamis.classifiers.trees"
_DECISIONS = "tamis.classifiers.decisions"
_RECALIBRATIONS = "tamis.classifiers.recalibrations"
_REJECTION = "tamis.classifiers.rejection"
_leaves: ParameterTypes = {
    "max_depth": items_field(),
    "min_samples_leaf": items_field(),
    "class_weight": _weight,
}

_net: ParameterTypes = {
    "alpha": (float, Field(ge=0, le=1)),
    "n_lambdas": (int, Field(ge=2, le=1000)),
    "min_ratio": (float, Field(gt=0, lt=1)),
}
_aode: ParameterTypes = {
    "min_support": _positive,
    "m_estimate": (float, Field(ge=1e-9, allow_inf_nan=False)),
}
_rounds: ParameterTypes = {
    "rounds": (Literal["cv"] | Annotated[int, Field(ge=1, le=MOST_RUNS)], ...),
    "max_rounds": runs_field(),
}

_SETS = "tamis.classifiers.intersection_trees"
_Cuts = Literal["ameva", "caim", "chimerge", "equal_frequency", "equal_width", "mdl"]


def _only_off(value: bool) -> bool:
    """False; a number says how much."""
    if value:
        raise ValueError("give a number between 0 and 1, or false")
    return value


def _list_of_several(kind: Any) -> tuple[Any, Any]:
    """A list of some, one at least."""
    return (list[kind], Field(min_length=1))


_sizes = _list_of_several(Annotated[int, Field(ge=1, le=MOST_ITEMS)])
_spans = _list_of_several(Annotated[float, Field(gt=0, allow_inf_nan=False)])
_share = (float, Field(ge=0, le=1))
_inside = (float, Field(gt=0, lt=1))
_wished: ParameterTypes = {"at": _inside, "confidence": _inside}
_Off = Annotated[StrictBool, AfterValidator(_only_off)]
_gathering: ParameterTypes = {
    "significance": (_Off | Annotated[float, Field(gt=0, lt=1)], ...),
    "most": _inside,
}
_trees: ParameterTypes = {
    "n_trees": runs_field(),
    "depth": runs_field(),
    "branch": (float, Field(ge=1, le=1000)),
    "min_size": items_field(),
    "theta": (Literal["auto"] | Annotated[float, Field(ge=0, le=1)], ...),
    "theta_out": _share,
    "rule": (Literal["matched", "bernoulli"], ...),
    "max_sets": items_field(),
}

_no_covariates = SelectorTakes(covariates=False)
_rough_path = SelectorPromises(poorly_calibrated=True)
_number = ClassifierTakes(outcomes=NUMBERS)
_weights = ClassifierTakes(accepts_sample_weight=True)
_raw = ClassifierTakes(raw=True, accepts_sample_weight=True)
_around_costs = ClassifierTakes(raw=True, is_meta_estimator=True, costs=True)
_around_weights = replace(_around_costs, sets_sample_weight=True)
_unnatural = ClassifierPromises(natural=False)
_rough = ClassifierPromises(poorly_calibrated=True)
_order = ClassifierPromises(beliefs="order")
_few_features = ClassifierPromises(max_features_per_sample=0.5)
_at = Display(text_parameters=("at",))

ROWS: tuple[Row, ...] = (
    PathRow(
        "pam", "tamis.classifiers.shrunken_centroids:ShrunkenCentroids",
        "nearest shrunken centroids: selector and classifier in one", "shrunken centroids (PAM)",
        parameters={"n_thresholds": runs_field(2)},
        plan_defaults=PlanDefaults(tune="accuracy"), takes=_no_covariates, cite=("tibshirani2002",),
        display=Display(fits="one path"), page="shrunken_centroids.md",
    ),
    PathRow(
        "elastic_net", "tamis.classifiers.elastic_net.steps:ElasticNet",
        "logistic regression with an elastic net, its penalty along the path", "elastic net",
        parameters=_net, cite=("friedman2010",),
        display=Display(fits="one path"), page="elastic_net.md",
    ),
    PathRow(
        "elastic_net", "tamis.classifiers.elastic_net.steps:ElasticNet",
        "linear regression with an elastic net, its penalty along the path", "elastic net",
        parameters=_net, cite=("friedman2010",), takes=SelectorTakes(outcomes=NUMBERS),
        display=Display(fits="one path"), page="regression.md",
    ),
    PathRow(
        "rit", f"{_SETS}.rit:RIT",
        "random intersection trees: sets of 0/1 features that a class shares and others do not",
        "random intersection trees",
        parameters={**_trees, "signed": (bool, ...), "discretizer": (_Cuts, ...)},
        takes=_no_covariates, promises=_rough_path, cite=("shah2014",),
        page="intersection_trees.md",
    ),
    PathRow(
        "discrit", f"{_SETS}.discrit:DiscRIT",
        "random intersection trees on intervals of the features that differ most", "discRIT",
        parameters={**_trees, "discretizers": _list_of_several(_Cuts), "screened": _sizes},
        takes=_no_covariates, promises=_rough_path, cite=("shah2014",),
        page="intersection_trees.md",
    ),
    PathRow(
        "covrit", f"{_SETS}.covrit:CovRIT",
        "random intersection trees whose intervals cover the rows met", "covRIT",
        parameters={**_trees, "epsilons": _spans, "screened": _sizes},
        takes=_no_covariates, promises=_rough_path, cite=("shah2014",),
        page="intersection_trees.md",
    ),
    PathRow(
        "relrit", f"{_SETS}.relrit:RelRIT",
        "random intersection trees on nearness to the values of a row", "relRIT",
        parameters={**_trees, "epsilons": _spans, "radius": _positive, "screened": _sizes},
        takes=_no_covariates, promises=_rough_path, cite=("shah2014",),
        page="intersection_trees.md",
    ),
    PathRow(
        "irf", "tamis.classifiers.iterative_forest:IterativeForestMethod",
        "iterative random forests: a forest on the features of the interactions that they are "
        "stable in", "iterative random forests",
        parameters={
            "n_iterations": runs_field(), "n_estimators": runs_field(), "n_trees": runs_field(),
            "depth": runs_field(),
            "branch": (float, Field(ge=1, le=1000)), "n_bootstraps": runs_field(),
            "stability": (float, Field(gt=0, le=1)), "signed": (bool, ...),
        },
        takes=_no_covariates, promises=_rough_path, cite=("basu2018", "shah2014"),
        display=Display(fits="a forest an iteration"), page="iterative_forest.md",
    ),
    ClassifierRow("lda", _LDA, "linear discriminant analysis", "LDA",
        parameters={"priors": _priors}, cite=("fisher1936",), promises=_few_features,
        page="discriminants.md"),
    ClassifierRow("lda_equal", _LDA, "linear discriminant analysis with equal priors",
        "LDA with equal priors", fixed={"priors": "equal"}, cite=("fisher1936",),
        promises=_few_features, page="discriminants.md"),
    ClassifierRow("shrinkage_discriminant", _SHRINKAGE,
        "shrinkage discriminant analysis: correlations, variances and class frequencies shrunk",
        "shrinkage discriminant",
        parameters={"priors": (Literal["shrunken", "empirical", "equal"], ...)},
        cite=("ahdesmaki2010", "schafer2005", "opgenrhein2007", "hausser2009"),
        page="discriminants.md"),
    ClassifierRow("diagonal_discriminant", _DIAGONAL,
        "diagonal linear discriminant analysis: pooled variances, no correlations",
        "diagonal discriminant", parameters={"priors": _priors}, cite=("dudoit2002",),
        page="discriminants.md"),
    ClassifierRow("logistic", "tamis.classifiers.ridge_logistic:RidgeLogistic",
        "logistic regression, ridge penalty", "ridge logistic regression",
        parameters={"C": _prior_variance, "class_weight": (Literal["balanced", "none"], ...)},
        cite=("lecessie1992",), takes=_weights, page="ridge_logistic.md", sklearn=False),
    ClassifierRow("svm_linear", _SVM, "linear support vector machine", "linear SVM",
        fixed={"kernel": "linear"}, parameters={"C": _penalty, "class_weight": _weight},
        cite=("cortes1995", "platt1999"), takes=_weights, promises=_unnatural,
        page="classifiers.md"),
    ClassifierRow("svm_rbf", _SVM, "support vector machine, Gaussian kernel", "Gaussian SVM",
        fixed={"kernel": "rbf"},
        parameters={"C": _penalty, "gamma": _positive, "class_weight": _weight},
        cite=("cortes1995", "platt1999"), takes=_weights, promises=_unnatural,
        page="classifiers.md"),
    ClassifierRow("svm_grid", "tamis.classifiers.svm_grid:SVMGrid",
        "support vector machine, Gaussian kernel, C and gamma by a grid refined on inner folds",
        "Gaussian SVM by grid",
        parameters={
            "step": (float, Field(gt=0, le=32)), "levels": (int, Field(ge=1, le=5)),
            "tune_on": items_field(10),
        },
        cite=("cortes1995", "platt1999"), takes=_weights, promises=_unnatural, page="svm_grid.md"),
    ClassifierRow("knn", "tamis.classifiers.nearest_neighbours:NearestNeighbours",
        "k nearest neighbours, l1 or l2 distance", "nearest neighbours",
        parameters={"n_neighbors": items_field(), "metric": (Literal["l1", "l2"], ...)},
        promises=_rough, page="classifiers.md"),
    ClassifierRow("tree", f"{_TREES}:DecisionTree", "decision tree", "decision tree",
        parameters=_leaves, cite=("breiman1984",), takes=_raw, promises=_rough,
        page="classifiers.md"),
    ClassifierRow("forest", f"{_TREES}:RandomForest", "random forest", "random forest",
        parameters={"n_estimators": runs_field(), **_leaves}, cite=("breiman2001",), takes=_raw,
        page="classifiers.md"),
    ClassifierRow("c45", "tamis.classifiers.c45.predictor:C45",
        "C4.5 decision tree, categories and missing values as they are", "C4.5",
        parameters={
            "prune": (bool, ...), "collapse": (bool, ...), "laplace": (bool, ...),
            "subtree_raising": (bool, ...), "confidence": (float, Field(gt=0, le=0.5)),
            "min_samples_leaf": (float, Field(ge=1, allow_inf_nan=False)),
        },
        cite=("quinlan1993",), takes=_raw, promises=_rough, page="c45.md"),
    ClassifierRow("aode", "tamis.classifiers.aode.predictor:AODE",
        "averaged one-dependence estimators on categories and MDL intervals", "AODE",
        parameters=_aode, cite=("webb2005", "fayyad1993"), takes=_raw, page="aode.md"),
    ClassifierRow("aodesr", "tamis.classifiers.aode.predictor:AODE",
        "AODE without values that others of the sample imply (subsumption resolution)", "AODEsr",
        fixed={"subsumption": True},
        parameters={**_aode, "subsumption_support": (float, Field(ge=0, allow_inf_nan=False))},
        cite=("zheng2006", "webb2005", "fayyad1993"), takes=_raw, page="aode.md"),
    ClassifierRow("c44", "tamis.classifiers.c45.predictor:C45",
        "C4.4 probability tree: C4.5 without pruning, Laplace's correction in its leaves", "C4.4",
        fixed={"prune": False, "collapse": False, "laplace": True},
        parameters={"min_samples_leaf": (float, Field(ge=1, allow_inf_nan=False))},
        cite=("provost2003", "quinlan1993"), takes=_raw, promises=_rough, page="c45.md"),
    ClassifierRow("adaboost", "tamis.classifiers.adaboost:AdaBoost",
        "AdaBoost over C4.4 trees, rounds by inner folds", "AdaBoost over C4.4",
        parameters={**_rounds, "min_samples_leaf": (float, Field(ge=1, allow_inf_nan=False))},
        cite=("freund1997", "zhu2009", "provost2003", "platt1999"), takes=_raw, promises=_unnatural,
        page="boosting.md"),
    ClassifierRow("logitboost", "tamis.classifiers.logit_boost:LogitBoost",
        "LogitBoost: additive logistic regression by stumps, rounds by inner folds", "LogitBoost",
        parameters=_rounds, cite=("friedman2000",), takes=_raw, page="boosting.md"),
    ClassifierRow("naive_bayes", "tamis.classifiers.naive_bayes:NaiveBayes",
        "Gaussian naive Bayes", "naive Bayes", parameters={"var_smoothing": _positive},
        takes=_weights, promises=_rough, page="classifiers.md"),
    ClassifierRow("bagging", "tamis.classifiers.bagging:Bagging",
        "mean of a classifier on bootstrap samples", "bagging",
        parameters={"n_estimators": runs_field()}, cite=("breiman1996",),
        takes=ClassifierTakes(is_meta_estimator=True, raw=True), page="classifiers.md"),
    ClassifierRow("cost_weighted", f"{_COSTS}.cost_weighted:CostWeighted",
        "a classifier of rows that weigh what errors on their class cost", "cost weights",
        cite=("elkan2001",), takes=_around_weights, page="costs.md"),
    ClassifierRow("cost_resampled", f"{_COSTS}.cost_resampled:CostResampled",
        "a classifier of classes copied or thinned to the ratio of their costs",
        "cost resampling", parameters={"method": (Literal["over", "under"], ...)},
        cite=("elkan2001",), takes=_around_costs, page="costs.md"),
    ClassifierRow("cost_smote", f"{_COSTS}.cost_resampled:CostSmote",
        "a classifier of classes grown to the ratio of their costs by rows between others",
        "SMOTE by costs", parameters={"k_neighbors": items_field()},
        cite=("chawla2002", "elkan2001"), takes=ClassifierTakes(is_meta_estimator=True, costs=True),
        page="costs.md"),
    ClassifierRow("costing", f"{_COSTS}.costing:Costing",
        "mean of a classifier on rows kept in proportion to their costs", "costing",
        parameters={"n_estimators": runs_field()}, cite=("zadrozny2003",), takes=_around_costs,
        page="costs.md"),
    ClassifierRow("metacost", f"{_COSTS}.meta_cost:MetaCost",
        "a classifier of rows that bagging has relabelled by least cost", "MetaCost",
        parameters={"n_estimators": runs_field()}, cite=("domingos1999",),
        takes=ClassifierTakes(is_meta_estimator=True, costs=True, raw=True, needs="proba"),
        promises=_order, page="costs.md"),
    ClassifierRow("data_space_expansion", f"{_COSTS}.data_space_expansion:DataSpaceExpansion",
        "a classifier of copies of rows, weighted by what their label saves",
        "data-space expansion", cite=("abe2004",), takes=_around_weights, promises=_order,
        page="costs.md"),
    ClassifierRow("with_novelty", f"{_CLASSIFIERS}.with_novelty:WithNovelty",
        "a classifier, and how far samples are from the classes it has seen", "novelty beside",
        cite=("lee2018", "ledoit2004"), takes=ClassifierTakes(is_meta_estimator=True),
        page="rejection.md"),
    ClassifierRow("as_categories", f"{_CLASSIFIERS}.as_categories:AsCategories",
        "a classifier that sees columns of few values, such as genotypes, as unordered categories",
        "categorical view", parameters={"most": items_field(2)},
        takes=ClassifierTakes(is_meta_estimator=True, raw=True, accepts_sample_weight=True),
        page="as_categories.md"),
    ClassifierRow("ridge", f"{_CLASSIFIERS}.ridge_regression:RidgeRegression",
        "ridge regression, its penalty by leave-one-out", "ridge regression",
        parameters={"penalty": (Literal["loo"] | Annotated[float, Field(ge=0, le=1e12)], ...)},
        cite=("hoerl1970", "golub1979"), takes=_number, promises=_unnatural, page="regression.md",
        sklearn=False),
    ClassifierRow("pls", f"{_CLASSIFIERS}.partial_least_squares:PartialLeastSquares",
        "partial least squares regression", "partial least squares",
        parameters={"n_components": items_field()}, cite=("wold2001",), takes=_number,
        promises=_unnatural, page="regression.md", sklearn=False),
    ClassifierRow("forest", f"{_TREES}:RegressionForest", "random forest of regression trees",
        "random forest",
        parameters={
            "n_estimators": runs_field(), "max_depth": items_field(),
            "min_samples_leaf": items_field(),
        },
        cite=("breiman2001",), takes=replace(_number, raw=True), promises=_unnatural,
        page="regression.md"),
    ClassifierRow("knn", "tamis.classifiers.nearest_neighbours:NearestNeighboursMean",
        "mean of the k nearest neighbours, l1 or l2 distance", "nearest neighbours",
        parameters={"n_neighbors": items_field(), "metric": (Literal["l1", "l2"], ...)},
        takes=_number, promises=_unnatural, page="regression.md", sklearn=False),
    ClassifierRow("svr", "tamis.classifiers.support_vector_regression:SupportVectorRegression",
        "support vector regression, Gaussian or linear kernel", "support vector regression",
        parameters={
            "kernel": (Literal["rbf", "linear"], ...), "C": _penalty,
            "epsilon": (float, Field(ge=0, allow_inf_nan=False)), "gamma": _positive,
        },
        cite=("smola2004",), takes=_number, promises=_unnatural, page="regression.md"),
    ClassifierRow("bagging", "tamis.classifiers.bagging:BaggedRegression",
        "mean of a predictor on bootstrap samples", "bagging",
        parameters={"n_estimators": runs_field()}, cite=("breiman1996",),
        takes=replace(_number, is_meta_estimator=True, raw=True), promises=_unnatural,
        page="regression.md"),
    RecalibrationRow("slope", f"{_RECALIBRATIONS}.slope:Slope",
        "one slope of the log odds and an offset for each class", "one slope and offset",
        cite=("cox1958",), sklearn=False, page="calibration.md"),
    RecalibrationRow("temperature", f"{_RECALIBRATIONS}.temperature:Temperature",
        "one slope of the log odds (temperature scaling)", "temperature scaling",
        cite=("guo2017",), sklearn=False, page="calibration.md"),
    RecalibrationRow("platt", f"{_RECALIBRATIONS}.platt:Platt",
        "Platt's sigmoid of the margin, for each class", "Platt scaling",
        cite=("platt1999",), sklearn=False, page="calibration.md"),
    RecalibrationRow("isotonic", f"{_RECALIBRATIONS}.isotonic:Isotonic",
        "isotonic regression on the margin, for each class", "isotonic recalibration",
        cite=("zadrozny2002",), page="calibration.md"),
    RecalibrationRow("none", f"{_RECALIBRATIONS}.unchanged:Unchanged",
        "the classifier's own probabilities", "none", sklearn=False, page="calibration.md"),
    DecisionRow("arg_max", f"{_DECISIONS}.arg_max:ArgMax", "the likeliest class",
        "the likeliest class", beliefs="labels", sklearn=False, page="decisions.md"),
    DecisionRow("as_predicted", f"{_DECISIONS}.as_predicted:AsPredicted",
        "the number as it is predicted", "as predicted", beliefs="labels", sklearn=False,
        page="regression.md", outcomes=NUMBERS),
    DecisionRow("balanced", f"{_DECISIONS}.balanced:Balanced",
        "the class whose probability before recalibration is largest relative to its share of the "
        "training samples", "a cut-off adjusted for class sizes", cite=("menon2013",),
        beliefs="labels", sklearn=False, page="decisions.md"),
    DecisionRow("minimum_risk", f"{_COSTS}.minimum_risk:MinimumRisk",
        "the class of least expected cost", "minimum risk",
        cite=("elkan2001",), costs=True,
        page="decisions.md"),
    DecisionRow("least_loss", f"{_DECISIONS}.least_loss:LeastLoss",
        "a threshold of least cost on held-out samples", "empirical threshold",
        cite=("sheng2006",), costs=True, beliefs="order", two_classes=True, page="decisions.md"),
    DecisionRow("youden", f"{_DECISIONS}.youden:Youden",
        "the threshold of the largest sensitivity plus specificity", "Youden's threshold",
        cite=("youden1950",), beliefs="order", two_classes=True, sklearn=False,
        page="decisions.md"),
    DecisionRow("best_f", f"{_DECISIONS}.best_f:BestF",
        "the threshold of the largest F-measure", "threshold by F",
        parameters={"beta": _positive}, beliefs="order", two_classes=True, sklearn=False,
        page="decisions.md"),
    DecisionRow("sensitivity", f"{_DECISIONS}.target_rate:TargetSensitivity",
        "the threshold at a target sensitivity", "threshold at a sensitivity",
        parameters=_wished, display=_at, cite=("tong2018",), beliefs="order", two_classes=True,
        page="decisions.md"),
    DecisionRow("specificity", f"{_DECISIONS}.target_rate:TargetSpecificity",
        "the threshold at a target specificity", "threshold at a specificity",
        parameters=_wished, display=_at, cite=("tong2018",), beliefs="order", two_classes=True,
        page="decisions.md"),
    RuleRow("nobody", f"{_REJECTION}.accept_all:AcceptAll",
        "no sample for lack of certainty", "nobody", page="rejection.md"),
    RuleRow("f_beta", f"{_REJECTION}.f_beta:FBeta",
        "samples below the certainty where errors gather, by the F of catching them",
        "threshold of certainty by F", parameters={"beta": _positive, **_gathering},
        cite=("rijsbergen1979",), page="rejection.md"),
    RuleRow("fisher", f"{_REJECTION}.fisher:Fisher",
        "samples below the certainty where errors gather, by Fisher's exact test",
        "threshold of certainty by Fisher's test", parameters=_gathering, cite=("fisher1922",),
        page="rejection.md"),
    RuleRow("coverage", f"{_REJECTION}.coverage:Coverage",
        "the least certain samples, at a target coverage", "target coverage",
        parameters={"at": _inside}, display=_at, page="rejection.md"),
    RuleRow("cost", f"{_REJECTION}.cost:Cost",
        "samples on which deciding is expected to cost more than declining (Chow's rule)",
        "Chow's rule", parameters={"at": _positive}, display=_at, cite=("chow1970",),
        page="rejection.md"),
    RuleRow("risk", f"{_REJECTION}.risk:Risk",
        "the least certain samples, until the error rate of the others is low with confidence",
        "target error rate", parameters=_wished,
        display=Display(text_parameters=("at", "confidence")),
        cite=("geifman2017",), page="rejection.md"),
    RuleRow("conformal", f"{_REJECTION}.conformal:Conformal",
        "samples to which not one class alone conforms", "conformal abstention",
        parameters={"at": _inside}, display=_at, cite=("vovk2005", "sadinle2019"),
        page="rejection.md"),
)  # fmt: skip
