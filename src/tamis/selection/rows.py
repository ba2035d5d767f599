"""Rankers that a plan can name: one row each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from .._core.parameters import MOST_DRAWS, MOST_ITEMS, ParameterTypes, items_field, runs_field
from .._core.response import NUMBERS, RESPONSE_KINDS
from .._core.row_groups import Display, PlanDefaults, SelectorPromises, SelectorTakes
from .._core.rows import RankerRow
from ._filters import FILTERS
from ._number_filters import NUMBER_FILTERS
from ._voting_members import VotingRow

# Those that score numbers, too: the others take each value for a category.
_scores = tuple(f.name for f in FILTERS.values() if f.takes.discrete or not f.takes.codes)
_penalty = (float, Field(gt=0, le=1e6))  # beyond, libsvm may not end
_positive = (float, Field(gt=0, allow_inf_nan=False))
_number = Annotated[int, Field(ge=1, le=MOST_ITEMS, strict=True)]
_draws = Annotated[int, Field(ge=1, le=MOST_DRAWS, strict=True)]
_share = Annotated[float, Field(gt=0, lt=1)]
_huberized: ParameterTypes = {
    "lambda2": (float, Field(ge=0, allow_inf_nan=False)),
    "delta": _positive,
    "n_lambdas": runs_field(2),
    "standardize": (bool, ...),
}
_halves: ParameterTypes = {
    "n_pairs": runs_field(),
    "q": items_field(),
    "threshold": (float, Field(gt=0.5, le=1)),
    "pfer": _positive,
    "bound": (Literal["meinshausen_buhlmann", "unimodal", "r_concave"], ...),
    "stratified": (bool, ...),
}


def _up_to(most: int, least: int = 1) -> Any:
    return (int, Field(ge=least, le=most, strict=True))


_SEQUENTIAL = "tamis.selection._sequential:SequentialSelector"
_subsets: ParameterTypes = {
    "estimator": (
        Literal["lda", "diagonal_discriminant", "ridge", "naive_bayes", "knn", "logistic"],
        ...,
    ),
    "max_size": _up_to(100_000),
    "scoring": (Literal["log_score", "squared_error", "accuracy", "bcr", "auc"], ...),
    "cv": _up_to(1000, 2),
    "candidates": _up_to(10_000_000),
    "ranking": (Literal[_scores], ...),
}
_steps: ParameterTypes = {**_subsets, "patience": _up_to(100_000)}
_own_size = SelectorPromises(own_size=True)
_scored_subsets = Display(text_parameters=("estimator",), fits="none by updates")
_up_to_20 = PlanDefaults(tuple(range(1, 21)))
_on_path = PlanDefaults(
    tuple(range(1, 21)), "bcm_ccem_auprc", "the mean of AUPRC, BCM and CCEM", ("lda",)
)

ROWS: tuple[RankerRow, ...] = (
    *FILTERS.values(),
    *NUMBER_FILTERS.values(),
    RankerRow(
        "mtfc", "tamis.selection._mtfc:ModeratedFoldChangeSelector",
        "moderated-t gate, then distance between class means",
        "moderated t, then difference of means",
        parameters={"gate": (float, Field(gt=0, le=1))},
        plan_defaults=PlanDefaults(
            tuple(range(2, 21)), "auc_ratio", "mean(AUC)/(sd(AUC)+.01)", ("lda_equal",)
        ),
        cite=("tarca2013", "smyth2004"), page="mtfc.md",
    ),
    RankerRow(
        "svm_rfe", "tamis.selection._elimination:EliminationSelector",
        "recursive elimination by the weights of a linear support vector machine", "SVM-RFE",
        parameters={"step": (float, Field(ge=1e-6, le=1e6)), "C": _penalty}, cite=("guyon2002",),
        display=Display(fits="one a round"), page="svm_rfe.md",
    ),
    RankerRow(
        "hhsvm", "tamis.selection._huberized_selector:HuberizedSVMSelector",
        "order of entry into the path of the hybrid huberised support vector machine",
        "huberised SVM", parameters={**_huberized, "min_ratio": (float, Field(gt=0, lt=1))},
        plan_defaults=_on_path, promises=_own_size, display=Display(fits="one path a class"),
        cite=("wang2008",), page="hhsvm.md",
    ),
    RankerRow(
        "rfs", "tamis.selection._robust:RobustFeatureSelector",
        "robust feature selection: stability selection along the paths of the hybrid huberised "
        "support vector machine on halves of the samples", "robust feature selection",
        fixed={"n_jobs": 1},  # the study has processes of its own
        parameters={**_huberized, **_halves}, plan_defaults=_on_path,
        takes=SelectorTakes(members=2), promises=_own_size,
        display=Display(text_parameters=("n_pairs",), fits="two paths a pair"),
        cite=("wang2008", "meinshausen2010", "shah2013"), page="rfs.md",
    ),
    RankerRow(
        "elastic_net_stability", "tamis.selection._elastic_net_stability:ElasticNetStability",
        "stability selection along the paths of the elastic net on halves of the samples",
        "stability selection by the elastic net",
        fixed={"n_jobs": 1},
        parameters={
            "alpha": (float, Field(gt=0, le=1)), "n_lambdas": runs_field(2),
            **{name: kind for name, kind in _halves.items() if name != "stratified"},
        },
        takes=SelectorTakes(outcomes=NUMBERS), promises=_own_size,
        display=Display(text_parameters=("n_pairs",), fits="two paths a pair"),
        cite=("friedman2010", "meinshausen2010", "shah2013"), page="regression.md",
    ),
    RankerRow(
        "mcfs", "tamis.selection._monte_carlo_ranker:MonteCarloRanker",
        "Monte Carlo feature selection: relative importance in many small C4.5 trees",
        "Monte Carlo feature selection",
        fixed={"n_jobs": 1}, cite=("draminski2008",), takes=SelectorTakes(raw=True),
        promises=_own_size,
        parameters={
            "m": (Literal["sqrt"] | _number | _share, Field(union_mode="left_to_right")),
            "s": (Literal["auto"] | _draws, Field(union_mode="left_to_right")),
            "t": runs_field(), "u": (float, Field(ge=0, le=100)), "v": (float, Field(ge=0, le=100)),
            "interactions": (bool, ...), "meetings": _up_to(100_000, 2),
        }, display=Display(fits="s x t trees"), page="mcfs.md",
    ),
    RankerRow(
        "forward", _SEQUENTIAL,
        "forward selection: the feature that helps a classifier most in inner folds, again and "
        "again", "forward selection",
        parameters=_steps, plan_defaults=_up_to_20, promises=_own_size, display=_scored_subsets,
        cite=("kohavi1997",), page="sequential.md",
    ),
    RankerRow(
        "backward", _SEQUENTIAL,
        "backward elimination: among the best by a filter, the feature whose loss hurts a "
        "classifier least in inner folds goes, again and again", "backward elimination",
        fixed={"direction": "backward"}, parameters=_subsets, plan_defaults=_up_to_20,
        promises=_own_size, display=_scored_subsets, cite=("kohavi1997",), page="sequential.md",
    ),
    RankerRow(
        "stepwise", _SEQUENTIAL,
        "floating forward selection: features go again where what is left does better than any "
        "subset of its size before", "floating selection",
        fixed={"floating": True}, parameters=_steps, plan_defaults=_up_to_20, promises=_own_size,
        display=_scored_subsets, cite=("pudil1994", "kohavi1997"), page="sequential.md",
    ),
    RankerRow(
        "genetic", "tamis.selection._genetic:GeneticSelector",
        "genetic search: subsets bred for their score in inner folds; sizes other than its own by "
        "how many of the last subsets hold a feature", "genetic search",
        fixed={"n_jobs": 1},
        parameters={
            **_subsets, "population": _up_to(10_000, 2), "generations": _up_to(10_000),
            "tournament": _up_to(10_000), "crossover": (float, Field(ge=0, le=1)),
            "mutation": (float, Field(ge=0, le=1)), "elite": _up_to(10_000, 0),
            "size_penalty": (float, Field(ge=0, allow_inf_nan=False)), "islands": _up_to(64),
            "migration": _up_to(10_000),
        },
        plan_defaults=PlanDefaults(("own",)), promises=_own_size,
        display=Display(
            text_parameters=("estimator", "population", "generations"), fits="none by products"
        ),
        cite=("goldberg1989", "siedlecki1989"), page="genetic.md",
    ),
    RankerRow(
        "cluster", "tamis.selection._clusters:ClusterSelector",
        "clusters of features by k-means or a self-organising map, one representative of each",
        "representatives of clusters",
        parameters={
            "algorithm": (Literal["kmeans", "som"], ...),
            "representative": (Literal["best", "medoid"], ...),
            "score_func": (Literal[_scores], ...),
            "absolute": (bool, ...),
        },
        display=Display(text_parameters=("algorithm", "representative", "score_func")),
        promises=_own_size,
        cite=("macqueen1967", "kohonen2013", "dhillon2003"), page="cluster.md",
    ),
    VotingRow(
        "vote", "tamis.selection._voting:VotingSelector",
        "vote of several selectors, which rank each training set once", "vote of selectors",
        parameters={
            "selectors": (list[str | dict[str, object]], ...),
            "rule": (Literal["mean_rank", "borda", "kemeny", "majority", "union", "intersection"],
                     ...),
            "top": items_field(), "weights": (Literal["equal", "stability"], ...),
            "n_subsamples": runs_field(2),
        },
        display=Display(text_parameters=("selectors", "rule"), fits="those of its members"),
        takes=SelectorTakes(members=2), promises=_own_size,
        cite=("dwork2001", "saeys2008"), page="vote.md",
    ),
    RankerRow("all", "", "no selection: every feature", "all features",
        takes=SelectorTakes(outcomes=RESPONSE_KINDS), page="filters.md", sklearn=False),
    RankerRow("covariates", "",
        "the covariates alone: the baseline a signature has to beat", "covariates alone",
        takes=SelectorTakes(prepared=False, outcomes=RESPONSE_KINDS), page="filters.md",
        sklearn=False),
)  # fmt: skip
