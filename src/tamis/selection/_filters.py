"""Univariate filters: one row each, and all that anything needs to know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from .._core.errors import MethodError, PlanError, nearest_hint
from .._core.parameters import Parameters, runs_field
from .._core.rows import RankerRow
from ._chi2 import chi2, chi2_counts
from ._fold_change import fold_change, fold_change_score
from ._hsic import hsic, linear_hsic
from ._moderated import moderated_p_values, moderated_statistic, moderated_t
from ._moments import ClassMoments
from ._mtd import mtd, mtd_counts, mtd_parts
from ._mutual_information import information_counts, mutual_information
from ._parts import TrainingParts
from ._pearson import pearson, pearson_statistic
from ._trend import trend, trend_counts, trend_p_values, trend_statistic
from ._welch import welch_statistic, welch_t
from ._wilcoxon import wilcoxon, wilcoxon_parts

MIXED_PERMUTATIONS = 200  # for ranking a table of categories and numbers, in every part


@dataclass(frozen=True)
class FilterRow(RankerRow):
    """A score of each column by itself, as a ranker of plans; with tests it has p-values to cut by.

    Attributes
    ----------
    score : callable
        (X, y) -> scores, or (statistics, p-values); statistics rank by absolute value.
    title_of_many : str
        What people call it with more than two classes, where that is another statistic.
    measure : str
        The unit of its score, or what it is a score of, for the page.
    moments : callable or None
        From class moments to statistics: all training sets come from one pass over X.
    parts : callable or None
        From `TrainingParts` to statistics (n_parts, p): parts are sorted together.
    tests : bool
        `score` gives p-values.
    signed : bool
        Statistics below 0 are poor, not far from 0.
    random : bool
        `score` takes a `random_state`.
    discrete : str
        The filter that takes each value as a category; with it numbers and categories of one
        table are ranked by permutation p-values.
    show_in_report : bool
        Pages give it for the features they show; others say nothing of their own about a column.
    needs_all_columns : bool
        The scores of some columns depend on the others.
    p_values : callable or None
        From class moments to p-values: cut-offs by them need no pass of each part. A filter that
        is `needs_all_columns` and `tests` must have it for tables that are no matrix.
    counts : callable or None
        From counts (m, C, V + 1) of a table that counts its own values (`kernels.counted`) to what
        `score` gives of its columns, missing values left out.
    unit : bool
        The score has the unit of the column.
    """

    role: ClassVar[str] = "filter"
    heading: ClassVar[str] = "filters: select = ..."

    target: str = "tamis.selection._filter_ranker:FilterRanker"
    estimator: str = "tamis.selection._filter_selector:FilterSelector"
    score: Callable[..., Any] | None = None
    title_of_many: str = ""
    measure: str = ""
    moments: Callable[[ClassMoments], np.ndarray] | None = None
    parts: Callable[[TrainingParts], np.ndarray] | None = None
    tests: bool = False
    signed: bool = False
    random: bool = False
    discrete: str = ""
    show_in_report: bool = False
    needs_all_columns: bool = False
    p_values: Callable[[ClassMoments], np.ndarray] | None = None
    counts: Callable[[np.ndarray], Any] | None = None
    unit: bool = False

    def __post_init__(self) -> None:
        share = (float, Field(gt=0, le=1))
        cuts: dict[str, tuple[Any, Any]] = {"threshold": (float, Field(ge=0, allow_inf_nan=False))}
        cuts |= {"max_p": share, "max_fdr": share} if self.tests else {}
        parameters = cuts | ({"n_permutations": runs_field(20)} if self.discrete else {})
        derived = {
            "parameters": parameters,
            "fixed": {"n_permutations": MIXED_PERMUTATIONS} if self.discrete else {},
            "cuts": tuple(cuts),
            "own": True,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def build(self, parameters: Parameters) -> Any:
        """The selector with this score; one of this room by its name, as errors tell it."""
        score = self.name if FILTERS.get(self.name) is self else self
        return self.load()(score, **{**self.fixed, **parameters})

    def title_for(self, n_classes: int) -> str:
        """What people call it with so many classes."""
        return self.title_of_many if n_classes > 2 and self.title_of_many else self.title

    def title_with(self, n_classes: int) -> str:
        """The same, and its measure."""
        title = self.title_for(n_classes)
        return f"{title}, {self.measure}" if self.measure else title

    @property
    def walks(self) -> bool:
        """Whether blocks of columns are enough."""
        return not self.needs_all_columns or None not in (self.moments, self.p_values)

    def upwards(self, statistics: np.ndarray) -> np.ndarray:
        """Statistics as scores: higher is better."""
        return statistics if self.signed else np.abs(statistics)

    def statistics(self, X: np.ndarray, y: np.ndarray, seed: Any) -> Any:
        """What `score` gives."""
        assert self.score is not None
        return self.score(X, y, random_state=seed) if self.random else self.score(X, y)

    def scored(self, X: np.ndarray, y: np.ndarray, seed: Any) -> tuple[np.ndarray, Any]:
        """Scores, higher is better, and p-values or None.

        Raises
        ------
        MethodError
            There is not one a column.
        """
        scores, p_values = self._upwards(self.statistics(X, y, seed))
        for found in (scores, p_values):
            if found is not None and np.shape(found) != (X.shape[1],):
                raise MethodError(
                    f"{self.name!r} gives an array of shape {np.shape(found)}: give a number for "
                    f"each of {X.shape[1]} columns, ({X.shape[1]},)"
                )
        return scores, p_values

    def scored_counts(self, counts: np.ndarray) -> tuple[np.ndarray, Any]:
        """The same of columns whose values are counted."""
        assert self.counts is not None
        return self._upwards(self.counts(counts))

    def _upwards(self, found: Any) -> tuple[np.ndarray, Any]:
        statistics, p_values = found if self.tests else (found, None)
        return self.upwards(statistics), p_values


FILTERS: dict[str, FilterRow] = {
    one.name: replace(one, sklearn=False)
    for one in (
        FilterRow(
            "moderated_t", title="moderated t", title_of_many="moderated F",
            summary="limma's moderated t; moderated F for more classes",
            cite=("smyth2004",), page="moderated_t.md", score=moderated_t,
            moments=moderated_statistic, tests=True, needs_all_columns=True,
            p_values=moderated_p_values,
            show_in_report=True,
        ),
        FilterRow(
            "limma_trend", title="limma-trend t", title_of_many="limma-trend F",
            summary="moderated t whose prior variance follows the mean; moderated F for more "
            "classes", cite=("law2014", "smyth2004"), page="moderated_t.md",
            score=partial(moderated_t, trend=True),
            moments=partial(moderated_statistic, trend=True), tests=True, needs_all_columns=True,
            p_values=partial(moderated_p_values, trend=True),
        ),
        FilterRow(
            "welch_t", title="Welch's t", title_of_many="Welch's F",
            summary="Welch's t; Welch's F for more classes", cite=("welch1951",),
            page="filters.md", score=welch_t, moments=welch_statistic, tests=True,
            show_in_report=True,
        ),
        FilterRow(
            "pearson", title="Pearson correlation", title_of_many="correlation ratio",
            summary="absolute correlation with the class; correlation ratio for more classes",
            page="filters.md", score=pearson, moments=pearson_statistic, tests=True,
            show_in_report=True,
        ),
        FilterRow(
            "wilcoxon", title="Wilcoxon rank sum", title_of_many="Kruskal-Wallis",
            summary="Wilcoxon rank sum; Kruskal-Wallis for more classes",
            cite=("mann1947", "kruskal1952"), page="wilcoxon.md", score=wilcoxon,
            parts=wilcoxon_parts, tests=True, show_in_report=True,
        ),
        FilterRow(
            "chi2", title="chi-square", measure="each value a category",
            summary="chi-square of independence, each value a category", cite=("pearson1900",),
            page="chi2.md", score=chi2, tests=True, codes=True, counts=chi2_counts,
        ),
        FilterRow(
            "trend", title="Cochran-Armitage trend", measure="chi-square",
            summary="Cochran-Armitage trend of allele counts or other scores",
            cite=("cochran1954", "armitage1955"), page="filters.md", score=trend,
            moments=trend_statistic, tests=True, p_values=trend_p_values, counts=trend_counts,
        ),
        FilterRow(
            "fold_change", title="difference of means",
            title_of_many="largest difference of means",
            summary="distance between class means (fold change, of log data)", page="filters.md",
            score=fold_change, moments=fold_change_score, unit=True, show_in_report=True,
        ),
        FilterRow(
            "mutual_information", title="mutual information", measure="nats",
            summary="mutual information, nearest-neighbour estimator", cite=("ross2014",),
            page="mutual_information.md", score=mutual_information, codes=True, random=True,
            discrete="mutual_information_discrete", show_in_report=True,
        ),
        FilterRow(
            "mtd", title="mass transportation distance",
            summary="mass transportation distance between the class distributions",
            cite=("villani2009",), page="mtd.md", score=mtd, parts=mtd_parts, codes=True,
            discrete="mtd_discrete", show_in_report=True,
        ),
        FilterRow(
            "mutual_information_discrete", title="mutual information of categories",
            measure="nats", summary="mutual information, each value a category",
            page="mutual_information.md",
            score=partial(mutual_information, discrete_features=True), codes=True,
            counts=information_counts,
        ),
        FilterRow(
            "mtd_discrete", title="mass transportation distance of categories",
            summary="mass transportation distance, each value a category", cite=("villani2009",),
            page="mtd.md", score=partial(mtd, discrete_features=True), codes=True,
            counts=mtd_counts,
        ),
        FilterRow(
            "hsic", title="HSIC", summary="Hilbert-Schmidt independence criterion, linear kernel",
            cite=("gretton2005",), page="hsic.md", score=hsic, moments=linear_hsic, signed=True,
        ),
        FilterRow(
            "hsic_unbiased", title="unbiased HSIC",
            summary="Hilbert-Schmidt independence criterion, linear kernel, unbiased",
            cite=("song2012",), page="hsic.md", score=partial(hsic, unbiased=True),
            moments=partial(linear_hsic, unbiased=True), signed=True,
        ),
        FilterRow(
            "hsic_gaussian", title="Gaussian HSIC",
            summary="Hilbert-Schmidt independence criterion, Gaussian kernel",
            cite=("gretton2005",), page="hsic.md", score=partial(hsic, kernel="gaussian"),
            signed=True,
        ),
    )
}  # fmt: skip


def find_filter(name: str | FilterRow) -> FilterRow:
    """The filter of a name; one that is given is returned as it is.

    Raises
    ------
    PlanError
        With the nearest valid name.
    """
    if isinstance(name, FilterRow):
        return name
    if name not in FILTERS:
        raise PlanError(f"unknown score_func {name!r}: {nearest_hint(name, FILTERS)}")
    return FILTERS[name]
