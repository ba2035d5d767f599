"""Classifiers, paths and decisions that a plan can name: one row each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from .._core.rows import Row

_penalty = (float, Field(gt=0, le=1e6))  # beyond, libsvm may not end
_positive = (float, Field(gt=0, allow_inf_nan=False))
_count = (int, Field(ge=1))
_weight = (Literal["balanced"], ...)
_priors = (Literal["empirical", "equal"], ...)
_LDA = "tamis.classifiers.standard.lda:DiscriminantAnalysis"
_SVM = "tamis.classifiers.standard.support_vectors:SupportVectors"
_TREES = "tamis.classifiers.standard.trees"
_DECISIONS = "tamis.classifiers.decisions"
_leaves: dict[str, Any] = {
    "max_depth": _count,
    "min_samples_leaf": _count,
    "class_weight": _weight,
}

_SETS = "tamis.classifiers.intersection_trees"
_Cuts = Literal["ameva", "caim", "chimerge", "equal_frequency", "equal_width", "mdl"]


def _several(kind: Any) -> tuple[Any, Any]:
    """A list of some, one at least."""
    return (list[kind], Field(min_length=1))


_sizes = _several(Annotated[int, Field(ge=1)])
_spans = _several(Annotated[float, Field(gt=0, allow_inf_nan=False)])
_share = (float, Field(ge=0, le=1))
_trees: dict[str, Any] = {
    "n_trees": _count, "depth": _count, "branch": (float, Field(ge=1, le=1000)),
    "min_size": _count, "theta": (Literal["auto"] | Annotated[float, Field(ge=0, le=1)], ...),
    "theta_out": _share, "rule": (Literal["matched", "bernoulli"], ...), "max_sets": _count,
}  # fmt: skip

ROWS: tuple[Row, ...] = (
    Row(
        "pam", "method", "tamis.classifiers.shrunken_centroid_steps:ShrunkenCentroids",
        "nearest shrunken centroids: selector and classifier in one", "shrunken centroids (PAM)",
        parameters={"thresholds": (int, Field(ge=2))},
        tune="accuracy", covariates=False, cite=("tibshirani2002",), standard=("pam",),
    ),
    Row(
        "elastic_net", "method", "tamis.classifiers.elastic_net_steps:ElasticNet",
        "logistic regression with an elastic net, its penalty along the path", "elastic net",
        parameters={
            "alpha": (float, Field(ge=0, le=1)),
            "n_lambdas": (int, Field(ge=2, le=1000)),
            "min_ratio": (float, Field(gt=0, lt=1)),
        },
        cite=("friedman2010",),
    ),
    Row(
        "rit", "method", f"{_SETS}.rit_path:RIT",
        "random intersection trees: sets of 0/1 features that a class shares and others do not",
        "random intersection trees",
        parameters={**_trees, "signed": (bool, ...), "discretizer": (_Cuts, ...)},
        covariates=False, cite=("shah2014",),
    ),
    Row(
        "discrit", "method", f"{_SETS}.discrit_path:DiscRIT",
        "random intersection trees on intervals of the features that differ most", "discRIT",
        parameters={**_trees, "discretizers": _several(_Cuts), "screened": _sizes},
        covariates=False, cite=("shah2014",),
    ),
    Row(
        "covrit", "method", f"{_SETS}.covrit_path:CovRIT",
        "random intersection trees whose intervals cover the rows met", "covRIT",
        parameters={**_trees, "epsilons": _spans, "screened": _sizes},
        covariates=False, cite=("shah2014",),
    ),
    Row(
        "relrit", "method", f"{_SETS}.relrit_path:RelRIT",
        "random intersection trees on nearness to the values of a row", "relRIT",
        parameters={**_trees, "epsilons": _spans, "radius": _positive, "screened": _sizes},
        covariates=False, cite=("shah2014",),
    ),
    Row(
        "irf", "method", "tamis.classifiers.iterative_forest_steps:IterativeForestSteps",
        "iterative random forests: a forest on the features of the interactions that they are "
        "stable in", "iterative random forests",
        parameters={
            "n_iterations": _count, "n_estimators": _count, "n_trees": _count, "depth": _count,
            "branch": (float, Field(ge=1, le=1000)), "n_bootstraps": _count,
            "stability": (float, Field(gt=0, le=1)), "signed": (bool, ...),
        },
        covariates=False, cite=("basu2018", "shah2014"),
    ),
    Row("lda", "classify", _LDA, "linear discriminant analysis", "LDA",
        parameters={"priors": _priors}, cite=("fisher1936",)),
    Row("lda_equal", "classify", _LDA, "linear discriminant analysis with equal priors",
        "LDA with equal priors", fixed={"priors": "equal"}, cite=("fisher1936",)),
    Row("logistic", "classify", "tamis.classifiers.standard.logistic:RidgeLogistic",
        "logistic regression, ridge penalty", "logistic regression",
        parameters={"C": _penalty, "class_weight": _weight}),
    Row("svm_linear", "classify", _SVM, "linear support vector machine", "linear SVM",
        fixed={"kernel": "linear"}, parameters={"C": _penalty, "class_weight": _weight},
        cite=("cortes1995", "platt1999")),
    Row("svm_rbf", "classify", _SVM, "support vector machine, Gaussian kernel", "Gaussian SVM",
        fixed={"kernel": "rbf"},
        parameters={"C": _penalty, "gamma": _positive, "class_weight": _weight},
        cite=("cortes1995", "platt1999")),
    Row("knn", "classify", "tamis.classifiers.standard.neighbours:NearestNeighbours",
        "k nearest neighbours, l1 or l2 distance", "nearest neighbours",
        parameters={"n_neighbors": _count, "metric": (Literal["l1", "l2"], ...)}),
    Row("tree", "classify", f"{_TREES}:DecisionTree", "decision tree", "decision tree",
        parameters=_leaves, cite=("breiman1984",), raw=True),
    Row("forest", "classify", f"{_TREES}:RandomForest", "random forest", "random forest",
        parameters={"n_estimators": _count, **_leaves}, cite=("breiman2001",), raw=True),
    Row("c45", "classify", "tamis.classifiers.standard.c45:C45",
        "C4.5 decision tree, categories and missing values as they are", "C4.5",
        parameters={
            "prune": (bool, ...), "collapse": (bool, ...), "laplace": (bool, ...),
            "subtree_raising": (bool, ...), "confidence": (float, Field(gt=0, le=0.5)),
            "min_samples_leaf": (float, Field(ge=1, allow_inf_nan=False)),
        },
        cite=("quinlan1993",), raw=True),
    Row("naive_bayes", "classify", "tamis.classifiers.standard.naive_bayes:NaiveBayes",
        "Gaussian naive Bayes", "naive Bayes", parameters={"var_smoothing": _positive}),
    Row("bagging", "classify", "tamis.classifiers.standard.bagging:Bagging",
        "mean of a classifier on bootstrap samples", "bagging",
        parameters={"n_estimators": _count}, cite=("breiman1996",), wraps=True,
        raw=True),
    Row("arg_max", "decide", f"{_DECISIONS}.arg_max:ArgMax", "the likeliest class",
        "the likeliest class", beliefs="labels"),
    Row("platt", "decide", f"{_DECISIONS}.platt:Platt",
        "the likeliest class after Platt's sigmoid of the margin", "Platt scaling",
        cite=("platt1999",), beliefs="order", believes=True),
    Row("isotonic", "decide", f"{_DECISIONS}.isotonic:Isotonic",
        "the likeliest class after isotonic regression on the margin", "isotonic recalibration",
        cite=("zadrozny2002",), beliefs="order", believes=True),
    Row("temperature", "decide", f"{_DECISIONS}.temperature:Temperature",
        "the likeliest class, its probability recalibrated by one slope", "temperature scaling",
        cite=("guo2017",), beliefs="order", believes=True),
)  # fmt: skip
