"""Rankers that a plan can name: one row each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from .._core.rows import Row

_penalty = (float, Field(gt=0, le=1e6))  # beyond, libsvm may not end
_positive = (float, Field(gt=0, allow_inf_nan=False))
_count = (int, Field(ge=1))
_whole = Annotated[int, Field(ge=1, strict=True)]
_share = Annotated[float, Field(gt=0, lt=1)]
_huberized: dict[str, Any] = {
    "lambda2": (float, Field(ge=0, allow_inf_nan=False)),
    "delta": _positive,
    "n_lambdas": (int, Field(ge=2)),
    "standardize": (bool, ...),
}
_halves: dict[str, Any] = {
    "n_pairs": _count,
    "q": _count,
    "threshold": (float, Field(gt=0.5, le=1)),
    "pfer": _positive,
    "bound": (Literal["meinshausen_buhlmann", "unimodal", "r_concave"], ...),
    "stratified": (bool, ...),
}
MIXED_PERMUTATIONS = 200  # for ranking a table of categories and numbers, in every part


def _filter(
    name: str, title: str, summary: str, *cite: str, tests: bool = False, codes: bool = False,
    mixes: bool = False, **more: Any,
) -> Row:  # fmt: skip
    """A univariate filter; with `tests` it has p-values to cut by, with `mixes` it ranks numbers
    and categories on one scale."""
    cuts: dict[str, Any] = {"threshold": (float, Field(ge=0, allow_inf_nan=False))}
    if tests:
        share = (float, Field(gt=0, le=1))
        cuts |= {"max_p": share, "max_fdr": share}
    parameters, fixed = dict(cuts), {"score_func": name}
    if mixes:
        parameters["n_permutations"] = (int, Field(ge=20))
        fixed["n_permutations"] = MIXED_PERMUTATIONS
    return Row(
        name, "select", "tamis.selection._filter_selector:FilterSelector", summary, title,
        fixed, parameters, cite, codes=codes, cuts=tuple(cuts), own=True, **more,
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _filter("moderated_t", "limma t", "limma's moderated t; moderated F for more classes",
            "smyth2004", tests=True, standard=("lda", "knn")),
    _filter("welch_t", "Welch t", "Welch's t; Welch's F for more classes", "welch1951",
            tests=True, standard=("naive_bayes",)),
    _filter("pearson", "Pearson",
            "absolute correlation with the class; correlation ratio for more classes", tests=True),
    _filter("wilcoxon", "Wilcoxon", "Wilcoxon rank sum; Kruskal-Wallis for more classes",
            "mann1947", "kruskal1952", tests=True, presorts=True),
    _filter("chi2", "chi-square", "chi-square of independence, each value a category",
            "pearson1900", tests=True, codes=True),
    _filter("fold_change", "difference of means",
            "distance between class means (fold change, of log data)", standard=("lda",)),
    _filter("mutual_information", "mutual information",
            "mutual information, nearest-neighbour estimator", "ross2014", codes=True, mixes=True),
    _filter("mtd", "mass transport distance",
            "mass transport distance between the class distributions", "villani2009",
            codes=True, mixes=True, presorts=True, standard=("lda",)),
    _filter("mutual_information_discrete", "mutual information of categories",
            "mutual information, each value a category", codes=True),
    _filter("mtd_discrete", "mass transport distance of categories",
            "mass transport distance, each value a category", "villani2009", codes=True),
    _filter("hsic", "HSIC", "Hilbert-Schmidt independence criterion, linear kernel", "gretton2005"),
    _filter("hsic_unbiased", "unbiased HSIC", "the same, unbiased", "song2012"),
    _filter("hsic_gaussian", "Gaussian HSIC", "the same, Gaussian kernel", "gretton2005"),
    Row(
        "mtfc", "select", "tamis.selection._mtfc:ModeratedFoldChangeSelector",
        "moderated-t gate, then distance between class means; size by mean(AUC)/(sd(AUC)+.01)",
        "moderated t, then difference of means",
        parameters={"gate": (float, Field(gt=0, le=1))},
        classify=("lda_equal",), sizes=tuple(range(2, 21)), tune="auc_ratio",
        cite=("tarca2013", "smyth2004"), standard=("lda_equal",),
    ),
    Row(
        "svm_rfe", "select", "tamis.selection._elimination:EliminationSelector",
        "recursive elimination by the weights of a linear support vector machine", "SVM-RFE",
        parameters={"step": (float, Field(ge=1e-6, le=1e6)), "C": _penalty}, cite=("guyon2002",),
    ),
    Row(
        "hhsvm", "select", "tamis.selection._huberized_selector:HuberizedSVMSelector",
        "order of entry into the path of the hybrid huberised support vector machine; "
        "size by the mean of AUPRC, BCM and CCEM", "huberised SVM",
        parameters={**_huberized, "min_ratio": (float, Field(gt=0, lt=1))},
        sizes=tuple(range(1, 21)), tune="bcm_ccem_auprc", cite=("wang2008",), own=True,
    ),
    Row(
        "rfs", "select", "tamis.selection._robust:RobustFeatureSelector",
        "robust feature selection: stability selection along the paths of the hybrid huberised "
        "support vector machine on halves of the samples; size by the mean of AUPRC, BCM and CCEM",
        "robust feature selection",
        fixed={"n_jobs": 1},  # the study has processes of its own
        parameters={**_huberized, **_halves}, members=2, told=("n_pairs",), own=True,
        sizes=tuple(range(1, 21)), tune="bcm_ccem_auprc",
        cite=("wang2008", "meinshausen2010", "shah2013"),
    ),
    Row(
        "mcfs", "select", "tamis.selection._monte_carlo:MonteCarloSelector",
        "Monte Carlo feature selection: relative importance in many small C4.5 trees",
        "Monte Carlo feature selection",
        fixed={"n_jobs": 1}, cite=("draminski2008",), own=True,
        parameters={
            "m": (Literal["sqrt"] | _whole | _share, Field(union_mode="left_to_right")),
            "s": (Literal["auto"] | _whole, Field(union_mode="left_to_right")),
            "t": _count, "u": (float, Field(ge=0, le=100)), "v": (float, Field(ge=0, le=100)),
            "interactions": (bool, ...),
        },
    ),
    Row("all", "select", "", "no selection: every feature", "all features", sized=False),
    Row("covariates", "select", "",
        "the covariates alone: the baseline a signature has to beat", "covariates alone",
        sized=False),
)  # fmt: skip
