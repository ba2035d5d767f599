"""Rankers that a plan can name: one row each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from .._core.rows import RankerRow
from ._filters import FILTERS

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

ROWS: tuple[RankerRow, ...] = (
    *FILTERS.values(),
    RankerRow(
        "mtfc", "tamis.selection._mtfc:ModeratedFoldChangeSelector",
        "moderated-t gate, then distance between class means",
        "moderated t, then difference of means",
        parameters={"gate": (float, Field(gt=0, le=1))},
        classify=("lda_equal",), sizes=tuple(range(2, 21)), tune="auc_ratio",
        size_rule="mean(AUC)/(sd(AUC)+.01)",
        cite=("tarca2013", "smyth2004"), page="mtfc.md",
    ),
    RankerRow(
        "svm_rfe", "tamis.selection._elimination:EliminationSelector",
        "recursive elimination by the weights of a linear support vector machine", "SVM-RFE",
        parameters={"step": (float, Field(ge=1e-6, le=1e6)), "C": _penalty}, cite=("guyon2002",),
        page="svm_rfe.md",
    ),
    RankerRow(
        "hhsvm", "tamis.selection._huberized_selector:HuberizedSVMSelector",
        "order of entry into the path of the hybrid huberised support vector machine",
        "huberised SVM", size_rule="the mean of AUPRC, BCM and CCEM",
        parameters={**_huberized, "min_ratio": (float, Field(gt=0, lt=1))},
        classify=("lda",), sizes=tuple(range(1, 21)), tune="bcm_ccem_auprc", cite=("wang2008",),
        own=True, page="hhsvm.md",
    ),
    RankerRow(
        "rfs", "tamis.selection._robust:RobustFeatureSelector",
        "robust feature selection: stability selection along the paths of the hybrid huberised "
        "support vector machine on halves of the samples", "robust feature selection",
        size_rule="the mean of AUPRC, BCM and CCEM",
        fixed={"n_jobs": 1},  # the study has processes of its own
        parameters={**_huberized, **_halves}, members=2, told=("n_pairs",), own=True,
        classify=("lda",), sizes=tuple(range(1, 21)), tune="bcm_ccem_auprc",
        cite=("wang2008", "meinshausen2010", "shah2013"), page="rfs.md",
    ),
    RankerRow(
        "mcfs", "tamis.selection._monte_carlo:MonteCarloSelector",
        "Monte Carlo feature selection: relative importance in many small C4.5 trees",
        "Monte Carlo feature selection",
        fixed={"n_jobs": 1}, cite=("draminski2008",), own=True, raw=True,
        parameters={
            "m": (Literal["sqrt"] | _whole | _share, Field(union_mode="left_to_right")),
            "s": (Literal["auto"] | _whole, Field(union_mode="left_to_right")),
            "t": _count, "u": (float, Field(ge=0, le=100)), "v": (float, Field(ge=0, le=100)),
            "interactions": (bool, ...),
        }, page="mcfs.md",
    ),
    RankerRow("all", "", "no selection: every feature", "all features", sized=False,
        page="filters.md"),
    RankerRow("covariates", "",
        "the covariates alone: the baseline a signature has to beat", "covariates alone",
        sized=False, prepared=False, page="filters.md"),
)  # fmt: skip
