"""Every method of the registry at reduced size, for tests that hold for all of them."""

from __future__ import annotations

from common.own_estimators import own_methods
from tamis._core.registry import find_row, row_names, selecting_row
from tamis._core.rows import (
    ClassifierRow,
    DecisionRow,
    RankerRow,
    RecalibrationRow,
    SelectingRow,
)

QUICK_SETTINGS = {
    "forest": {"n_estimators": [5]},
    "bagging": {"n_estimators": [3]},
    "adaboost": {"max_rounds": [12]},
    "logitboost": {"max_rounds": [20]},
    "svm_grid": {"levels": [1], "step": [14.0]},
    "costing": {"n_estimators": [3]},
    "metacost": {"n_estimators": [3]},
    "aode": {"min_support": [5.0]},
    "aodesr": {"min_support": [5.0], "subsumption_support": [4.0]},
}
_TREES = {"n_trees": 8, "depth": 5, "branch": 2}
QUICK_PARAMETERS = {
    "pam": {"n_thresholds": 6},
    "hhsvm": {"n_lambdas": 10},
    "mcfs": {"s": 20, "t": 1},
    "irf": {"n_estimators": 5, "n_trees": 20, "n_bootstraps": 2, "n_iterations": 2},
    "covrit": _TREES | {"screened": [3, 6], "epsilons": [0.3]},
    "discrit": _TREES | {"screened": [3, 6], "discretizers": ["equal_frequency"]},
    "relrit": _TREES | {"screened": [3, 6], "epsilons": [1.0]},
    "rit": _TREES | {"discretizer": "equal_frequency"},
    "rfs": {"n_lambdas": 6, "n_pairs": 3},
    "elastic_net_stability": {"n_lambdas": 6, "n_pairs": 3},
    "forward": {"max_size": 5, "cv": 2},
    "stepwise": {"max_size": 5, "cv": 2},
    "backward": {"candidates": 8, "cv": 2},
    "genetic": {"population": 6, "generations": 4, "cv": 2},
    "vote": {
        "selectors": ["moderated_t", "wilcoxon", {"name": "svm_rfe", "step": 0.5}],
        "weights": "stability",
        "n_subsamples": 4,
    },
}


# What those need that charge costs; nothing else about a plan changes.
PRICED = {"costs": "class_sizes", "metric": "bcr", "decide": "arg_max"}


def every_method(own=True, thresholds=False):
    """Each ranker with its own classifier, each classifier and each decision on one ranking; and
    some of a user's own. With `thresholds` also the decisions that are between two classes."""
    methods = []
    for name in row_names(SelectingRow):
        if name == "covariates":
            continue
        row = selecting_row(name)
        method = {"name": name, "select": name}
        if isinstance(row, RankerRow) and name != "all":
            method["sizes"] = [2, 5]
        if name in QUICK_PARAMETERS:
            method["parameters"] = QUICK_PARAMETERS[name]
        methods.append(method)
    for name in row_names(ClassifierRow):
        classify = name
        if find_row(name, ClassifierRow).takes.is_meta_estimator:
            classify = {"name": name, "of": "naive_bayes"}
        methods.append(
            {
                "name": f"by {name}",
                "select": "moderated_t",
                "sizes": [3],
                "classify": classify,
                "grid": QUICK_SETTINGS.get(name, {}),
            }
        )
    for name in row_names(DecisionRow):
        two = find_row(name, DecisionRow).two_classes
        if name != "arg_max" and (thresholds or not two):  # arg_max: of all the others
            methods.append(
                {
                    "name": f"{name} decides",
                    "select": "moderated_t",
                    "sizes": [2, 4],
                    "decide": name,
                }
            )
    methods += [
        {
            "name": f"recalibrated by {name}",
            "select": "moderated_t",
            "sizes": [2, 4],
            "recalibrate": name,
        }
        for name in row_names(RecalibrationRow)
        if name != "slope"  # of all the others
    ]
    return [*methods, *own_methods()] if own else methods
