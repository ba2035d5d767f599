"""Every method a plan can name: one row each, imported only when used.

To add a method, add a row; the plan's validation, `tamis methods`, the report's citations
and the common tests (leaks, chance, determinism) follow from it.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from .._core.errors import PlanError, nearest

Role = Literal["select", "classify"]


@dataclass(frozen=True)
class Row:
    """One method.

    Attributes
    ----------
    name : str
        As in plans.
    role : "select" or "classify"
    target : str
        ``module:attribute`` of the class (or factory), imported when the method is used.
    summary : str
    fixed : mapping
        Arguments that make this row of a more general class.
    parameters : mapping of name to (type, Field)
        What a plan may set, with pydantic's constraints.
    classify, sizes, tune
        Defaults of a ranker's plan.
    embedded : bool
        The ranker and the classifier are one procedure (PAM).
    sized : bool
        The ranker is cut at the plan's sizes.
    codes : bool
        The ranker takes categories as codes in one column, not spread over 0/1 columns.
    scale : bool
        The classifier wants standardised columns (by the training part's mean and sd).
    own_labels : bool
        Its labels are not simply the most probable class, so both have to be asked for.
    members : int
        Samples of each class that the ranker needs in every training part.
    cite : tuple of str
        Keys of `citations.CITATIONS`.
    title : str
        What people call it, in a few words.
    """

    name: str
    role: Role
    target: str
    summary: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    classify: tuple[str, ...] = ("lda",)
    sizes: tuple[int, ...] = ()
    tune: str = ""
    embedded: bool = False
    sized: bool = True
    codes: bool = False
    scale: bool = False
    own_labels: bool = False
    members: int = 1
    cite: tuple[str, ...] = ()
    title: str = ""

    def load(self) -> Any:
        """The class or factory."""
        module, _, attribute = self.target.partition(":")
        return getattr(importlib.import_module(module), attribute)


def _filter(
    name: str, title: str, summary: str, *cite: str, tests: bool = False, codes: bool = False
) -> Row:
    """A univariate filter; with `tests` it has p-values to cut by."""
    cuts: dict[str, Any] = {"threshold": (float, Field(ge=0, allow_inf_nan=False))}
    if tests:
        share = (float, Field(gt=0, le=1))
        cuts |= {"max_p": share, "max_fdr": share}
    if name in ("mtd", "mutual_information"):
        cuts["n_permutations"] = (int, Field(ge=20))
    return Row(
        name, "select", "tamis.selection._filter_selector:FilterSelector", summary,
        fixed={"score_func": name}, parameters=cuts, codes=codes, cite=cite, title=title,
    )  # fmt: skip


_penalty = (float, Field(gt=0, le=1e6))  # beyond, libsvm may not end
_positive = (float, Field(gt=0, allow_inf_nan=False))
_count = (int, Field(ge=1))
_whole = Annotated[int, Field(ge=1, strict=True)]
_share = Annotated[float, Field(gt=0, lt=1)]
_weight = (Literal["balanced"], ...)
_priors = (Literal["empirical", "equal"], ...)
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
_MAKERS = "tamis.study.classify"

ROWS: tuple[Row, ...] = (
    _filter("pearson", "Pearson",
            "absolute correlation with the class; correlation ratio for more classes",
            tests=True),
    _filter("welch_t", "Welch t", "Welch's t; Welch's F for more classes", "welch1951", tests=True),
    _filter("moderated_t", "limma t",
            "limma's moderated t; moderated F for more classes", "smyth2004",
            tests=True),
    _filter("wilcoxon", "Wilcoxon",
            "Wilcoxon rank sum; Kruskal-Wallis for more classes", "mann1947",
            "kruskal1952", tests=True),
    _filter("chi2", "chi-square",
            "chi-square of independence, each value a category", "pearson1900",
            tests=True, codes=True),
    _filter("fold_change", "difference of means",
            "distance between class means (fold change, of log data)"),
    _filter("mutual_information", "mutual information",
            "mutual information, nearest-neighbour estimator", "ross2014",
            codes=True),
    _filter("mtd", "mass transport distance",
            "mass transport distance between the class distributions", "villani2009",
            codes=True),
    _filter("mutual_information_discrete", "mutual information of categories",
            "mutual information, each value a category",
            codes=True),
    _filter("mtd_discrete", "mass transport distance of categories",
            "mass transport distance, each value a category", "villani2009",
            codes=True),
    _filter("hsic", "HSIC", "Hilbert-Schmidt independence criterion, linear kernel", "gretton2005"),
    _filter("hsic_unbiased", "unbiased HSIC", "the same, unbiased", "song2012"),
    _filter("hsic_gaussian", "Gaussian HSIC", "the same, Gaussian kernel", "gretton2005"),
    Row(
        "mtfc", "select", "tamis.selection._mtfc:ModeratedFoldChangeSelector",
        "moderated-t gate, then distance between class means; size by mean(AUC)/(sd(AUC)+.01)",
        parameters={"gate": (float, Field(gt=0, le=1))},
        classify=("lda_equal",), sizes=tuple(range(2, 21)), tune="auc_ratio",
        cite=("tarca2013", "smyth2004"), title="moderated t, then difference of means",
    ),
    Row(
        "svm_rfe", "select", "tamis.selection._elimination:EliminationSelector",
        "recursive elimination by the weights of a linear support vector machine",
        parameters={"step": (float, Field(ge=1e-6, le=1e6)), "C": _penalty}, cite=("guyon2002",),
        title="SVM-RFE",
    ),
    Row(
        "hhsvm", "select", "tamis.selection._huberized_selector:HuberizedSVMSelector",
        "order of entry into the path of the hybrid huberised support vector machine; "
        "size by the mean of AUPRC, BCM and CCEM",
        parameters={**_huberized, "min_ratio": (float, Field(gt=0, lt=1))},
        sizes=tuple(range(1, 21)), tune="bcm_ccem_auprc", cite=("wang2008",), title="huberised SVM",
    ),
    Row(
        "rfs", "select", "tamis.selection._robust:RobustFeatureSelector",
        "robust feature selection: stability selection along the paths of the hybrid huberised "
        "support vector machine on halves of the samples; size by the mean of AUPRC, BCM and CCEM",
        fixed={"n_jobs": 1},  # the study has processes of its own
        parameters={**_huberized, **_halves}, members=2,
        sizes=tuple(range(1, 21)), tune="bcm_ccem_auprc",
        cite=("wang2008", "meinshausen2010", "shah2013"), title="robust feature selection",
    ),
    Row(
        "mcfs", "select", "tamis.selection._monte_carlo:MonteCarloSelector",
        "Monte Carlo feature selection: relative importance in many small C4.5 trees",
        fixed={"interactions": False, "n_jobs": 1},
        parameters={
            "m": (Literal["sqrt"] | _whole | _share, Field(union_mode="left_to_right")),
            "s": (Literal["auto"] | _whole, Field(union_mode="left_to_right")),
            "t": _count, "u": (float, Field(ge=0, le=100)), "v": (float, Field(ge=0, le=100)),
        },
        cite=("draminski2008",), title="Monte Carlo feature selection",
    ),
    Row(
        "pam", "select", "tamis.selection._shrunken_centroid_selector:ShrunkenCentroidSelector",
        "nearest shrunken centroids: selector and classifier in one",
        parameters={"thresholds": (int, Field(ge=2))},
        classify=("pam",), tune="accuracy", embedded=True, sized=False, cite=("tibshirani2002",),
        title="shrunken centroids (PAM)",
    ),
    Row("all", "select", f"{_MAKERS}:no_ranker", "no selection: every feature",
        sized=False, title="all features"),
    Row("covariates", "select", f"{_MAKERS}:no_ranker",
        "the covariates alone: the baseline a signature has to beat", sized=False,
        title="covariates alone"),
    Row("lda", "classify", f"{_MAKERS}:make_lda", "linear discriminant analysis",
        parameters={"priors": _priors}, cite=("fisher1936",), title="LDA"),
    Row("lda_equal", "classify", f"{_MAKERS}:make_lda",
        "linear discriminant analysis with equal priors",
        fixed={"priors": "equal"}, cite=("fisher1936",), title="LDA with equal priors"),
    Row("logistic", "classify", f"{_MAKERS}:make_logistic", "logistic regression, ridge penalty",
        parameters={"C": _penalty, "class_weight": _weight}, scale=True,
        title="logistic regression"),
    Row("svm_linear", "classify", f"{_MAKERS}:make_svm", "linear support vector machine",
        fixed={"kernel": "linear"}, parameters={"C": _penalty, "class_weight": _weight},
        scale=True, own_labels=True, cite=("cortes1995", "platt1999"), title="linear SVM"),
    Row("svm_rbf", "classify", f"{_MAKERS}:make_svm", "support vector machine, Gaussian kernel",
        fixed={"kernel": "rbf"},
        parameters={"C": _penalty, "gamma": _positive, "class_weight": _weight},
        scale=True, own_labels=True, cite=("cortes1995", "platt1999"), title="Gaussian SVM"),
    Row("knn", "classify", f"{_MAKERS}:make_knn", "k nearest neighbours, l1 or l2 distance",
        parameters={"n_neighbors": _count, "metric": (Literal["l1", "l2"], ...)},
        scale=True, title="nearest neighbours"),
    Row("tree", "classify", f"{_MAKERS}:make_tree", "decision tree",
        parameters={"max_depth": _count, "min_samples_leaf": _count,
                              "class_weight": _weight}, cite=("breiman1984",),
        title="decision tree"),
    Row("forest", "classify", f"{_MAKERS}:make_forest", "random forest",
        parameters={"n_estimators": _count, "max_depth": _count,
                              "min_samples_leaf": _count, "class_weight": _weight},
        cite=("breiman2001",), title="random forest"),
    Row("naive_bayes", "classify", f"{_MAKERS}:make_naive_bayes", "Gaussian naive Bayes",
        parameters={"var_smoothing": _positive}, title="naive Bayes"),
    Row("pam", "classify", f"{_MAKERS}:no_ranker", "nearest shrunken centroids (with select = pam)",
        cite=("tibshirani2002",), title="shrunken centroids (PAM)"),
)  # fmt: skip


EMBEDDED = tuple(row.name for row in ROWS if row.embedded)


def names(role: Role) -> list[str]:
    """Plan names of one role, in registry order."""
    return [row.name for row in ROWS if row.role == role]


def row(name: str, role: Role) -> Row:
    """The row of a plan name.

    Raises
    ------
    PlanError
        With the nearest valid name.
    """
    for candidate in ROWS:
        if candidate.name == name and candidate.role == role:
            return candidate
    raise PlanError(f"unknown name {role} = {name!r}: {nearest(name, names(role))}")


def validated(method: Row, values: Any) -> dict[str, Any]:
    """Parameter values checked against the row; unknown names and bad values are refused."""
    if not isinstance(values, Mapping):
        raise PlanError(f"parameters of {method.name!r} must be a table, not {values!r}")
    for key in values:
        if key not in method.parameters:
            allowed = list(method.parameters)
            hint = nearest(key, allowed) if allowed else "it takes none"
            raise PlanError(f"{method.name!r} has no parameter {key!r}: {hint}")
    fields = {key: method.parameters[key] for key in values}
    model: type[BaseModel] = create_model(
        method.name, __config__=ConfigDict(extra="forbid"), **fields
    )
    try:
        return model.model_validate(dict(values)).model_dump()
    except ValidationError as error:
        faults = error.errors(include_url=False)
        key = str(faults[0]["loc"][0])
        words = dict.fromkeys(f["msg"] for f in faults if f["loc"][0] == key)  # of a union: all
        value = values[key]
        raise PlanError(f"{method.name}: {key} = {value!r}: {'; or '.join(words)}") from error
