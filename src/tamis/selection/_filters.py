"""Univariate filters: one row each, and all that anything needs to know of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from .._core.errors import MethodError, PlanError, nearest_hint
from .._core.parameters import Parameters, ParameterTypes, runs_field, takes_argument
from .._core.row_groups import Display, SelectorPromises, SelectorTakes
from .._core.rows import RankerRow
from ._chi2 import chi2, chi2_counts
from ._fold_change import fold_change, fold_change_score
from ._hsic import hsic, linear_hsic
from ._moderated import moderated_p_values, moderated_statistic, moderated_t
from ._moments import ClassMoments
from ._mtd import mtd, mtd_counts, mtd_parts
from ._mutual_information import (
    information_counts,
    information_of_categories,
    mutual_information,
)
from ._parts import Leading, TrainingParts
from ._pearson import pearson, pearson_statistic
from ._trend import trend, trend_counts, trend_p_values, trend_statistic
from ._welch import welch_statistic, welch_t
from ._wilcoxon import wilcoxon, wilcoxon_parts

MIXED_PERMUTATIONS = 200  # for ranking a table of categories and numbers, in every part
_share = (float, Field(gt=0, le=1))
_threshold = (float, Field(ge=0, allow_inf_nan=False))
CUT_TYPES: ParameterTypes = {"threshold": _threshold, "max_p": _share, "max_fdr": _share}


@dataclass(frozen=True)
class FilterTakes(SelectorTakes):
    """What a filter takes.

    Attributes
    ----------
    discrete : str
        The filter that takes each value as a category; with it numbers and categories of one
        table are ranked by permutation p-values.
    needs_all_columns : bool
        The scores of some columns depend on the others.
    """

    discrete: str = ""
    needs_all_columns: bool = False


@dataclass(frozen=True)
class FilterPromises(SelectorPromises):
    """What a filter promises.

    Attributes
    ----------
    tests : bool
        `score` gives p-values.
    signed : bool
        Statistics below 0 are poor, not far from 0.
    unit : bool
        The score has the unit of the column.
    """

    own_size: bool = True
    tests: bool = False
    signed: bool = False
    unit: bool = False


@dataclass(frozen=True)
class Shortcuts:
    """Faster ways to what `score` gives.

    Attributes
    ----------
    moments : callable or None
        From class moments to statistics: all training sets come from one pass over X.
    p_values : callable or None
        From class moments to p-values: cut-offs by them need no pass of each part. A filter that
        tests and needs all columns must have it for tables that are no matrix.
    parts : callable or None
        From `TrainingParts` to statistics (n_parts, p): parts are sorted together.
    leading : callable or None
        From the `TrainingParts` of many runs and a number k to the k best columns in each, where
        that needs no statistic of most columns (`moderated_leading`).
    counts : callable or None
        From counts (m, C, V + 1) of a table that counts its own values (`kernels.counted`) to what
        `score` gives of its columns, missing values left out.
    """

    moments: Callable[[ClassMoments], np.ndarray] | None = None
    p_values: Callable[[ClassMoments], np.ndarray] | None = None
    parts: Callable[[TrainingParts], np.ndarray] | None = None
    leading: Callable[[Sequence[TrainingParts], int], Leading] | None = None
    counts: Callable[[np.ndarray], Any] | None = None


@dataclass(frozen=True)
class FilterRow(RankerRow):
    """A score of each column by itself, as a ranker of plans; with tests it has p-values to cut by.

    Attributes
    ----------
    score : callable
        (X, y) -> scores, or (statistics, p-values); statistics rank by absolute value. One that has
        an argument `random_state` is given it.
    """

    role: ClassVar[str] = "filter"
    heading: ClassVar[str] = "filters: select = ..."

    target: str = "tamis.selection._filter_ranker:FilterRanker"
    score: Callable[..., Any] | None = None
    takes: FilterTakes = FilterTakes()
    promises: FilterPromises = FilterPromises()
    shortcuts: Shortcuts = Shortcuts()

    def __post_init__(self) -> None:
        parameters, fixed = {name: CUT_TYPES[name] for name in self.cuts}, {}
        if self.takes.discrete:
            parameters["n_permutations"] = runs_field(20)
            fixed["n_permutations"] = MIXED_PERMUTATIONS
        object.__setattr__(self, "parameters", parameters)
        object.__setattr__(self, "fixed", fixed)

    @property
    def cuts(self) -> tuple[str, ...]:
        """A threshold of the score, and of p-values."""
        return ("threshold", "max_p", "max_fdr") if self.promises.tests else ("threshold",)

    def build(self, parameters: Parameters) -> Any:
        """The selector with this score; one of this room by its name, as errors tell it."""
        known = FILTERS.get(self.name) is self
        score = self.name if known else self
        return self.load()(score, **{**self.fixed, **parameters})

    def title_for(self, n_classes: int) -> str:
        """What people call it with so many classes."""
        return (n_classes > 2 and self.display.title_of_many) or self.title

    def title_with(self, n_classes: int) -> str:
        """The same, and its measure."""
        title = self.title_for(n_classes)
        return f"{title}, {self.display.measure}" if self.display.measure else title

    @property
    def draws(self) -> bool:
        """Whether it draws random numbers."""
        return self.score is not None and takes_argument(self.score, "random_state")

    @property
    def walks(self) -> bool:
        """Whether blocks of columns are enough."""
        fast = self.shortcuts
        return not self.takes.needs_all_columns or None not in (fast.moments, fast.p_values)

    def upwards(self, statistics: np.ndarray) -> np.ndarray:
        """Statistics as scores: higher is better."""
        return statistics if self.promises.signed else np.abs(statistics)

    def statistics(self, X: np.ndarray, y: np.ndarray, seed: Any) -> Any:
        """What `score` gives."""
        assert self.score is not None
        return self.score(X, y, random_state=seed) if self.draws else self.score(X, y)

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
        assert self.shortcuts.counts is not None
        return self._upwards(self.shortcuts.counts(counts))

    def _upwards(self, found: Any) -> tuple[np.ndarray, Any]:
        statistics, p_values = found if self.promises.tests else (found, None)
        return self.upwards(statistics), p_values


def _leading_moderated(runs: Sequence[TrainingParts], most: int) -> Leading:
    """`moderated_leading`, imported where it is called: pages need none of it."""
    from ._moderated_leading import moderated_leading

    return moderated_leading(runs, most)


_TESTS, _SIGNED = FilterPromises(tests=True), FilterPromises(signed=True)
FILTERS: dict[str, FilterRow] = {
    one.name: replace(one, sklearn=False)
    for one in (
        FilterRow(
            "moderated_t", title="moderated t",
            summary="limma's moderated t; moderated F for more classes",
            cite=("smyth2004",), page="moderated_t.md", score=moderated_t,
            shortcuts=Shortcuts(
                moderated_statistic, moderated_p_values, leading=_leading_moderated
            ), promises=_TESTS,
            takes=FilterTakes(needs_all_columns=True),
            display=Display(title_of_many="moderated F", show_in_report=True),
        ),
        FilterRow(
            "limma_trend", title="limma-trend t",
            summary="moderated t whose prior variance follows the mean; moderated F for more "
            "classes", cite=("law2014", "smyth2004"), page="moderated_t.md",
            score=partial(moderated_t, trend=True),
            shortcuts=Shortcuts(
                partial(moderated_statistic, trend=True), partial(moderated_p_values, trend=True)
            ), promises=_TESTS, takes=FilterTakes(needs_all_columns=True),
            display=Display(title_of_many="limma-trend F"),
        ),
        FilterRow(
            "welch_t", title="Welch's t", summary="Welch's t; Welch's F for more classes",
            cite=("welch1951",), page="filters.md", score=welch_t,
            shortcuts=Shortcuts(welch_statistic), promises=_TESTS,
            display=Display(title_of_many="Welch's F", show_in_report=True),
        ),
        FilterRow(
            "pearson", title="Pearson correlation",
            summary="absolute correlation with the class; correlation ratio for more classes",
            page="filters.md", score=pearson, shortcuts=Shortcuts(pearson_statistic),
            promises=_TESTS,
            display=Display(title_of_many="correlation ratio", show_in_report=True),
        ),
        FilterRow(
            "wilcoxon", title="Wilcoxon rank sum",
            summary="Wilcoxon rank sum; Kruskal-Wallis for more classes",
            cite=("mann1947", "kruskal1952"), page="wilcoxon.md", score=wilcoxon,
            shortcuts=Shortcuts(parts=wilcoxon_parts), promises=_TESTS,
            display=Display(title_of_many="Kruskal-Wallis", show_in_report=True),
        ),
        FilterRow(
            "chi2", title="chi-square",
            summary="chi-square of independence, each value a category", cite=("pearson1900",),
            page="chi2.md", score=chi2, shortcuts=Shortcuts(counts=chi2_counts), promises=_TESTS,
            takes=FilterTakes(codes=True), display=Display(measure="each value a category"),
        ),
        FilterRow(
            "trend", title="Cochran-Armitage trend",
            summary="Cochran-Armitage trend of allele counts or other scores",
            cite=("cochran1954", "armitage1955"), page="filters.md", score=trend,
            shortcuts=Shortcuts(trend_statistic, trend_p_values, counts=trend_counts),
            promises=_TESTS, display=Display(measure="chi-square"),
        ),
        FilterRow(
            "fold_change", title="difference of means",
            summary="distance between class means (fold change, of log data)", page="filters.md",
            score=fold_change, shortcuts=Shortcuts(fold_change_score),
            promises=FilterPromises(unit=True),
            display=Display(title_of_many="largest difference of means", show_in_report=True),
        ),
        FilterRow(
            "mutual_information", title="mutual information",
            summary="mutual information, nearest-neighbour estimator", cite=("ross2014",),
            page="mutual_information.md", score=mutual_information,
            takes=FilterTakes(codes=True, discrete="mutual_information_discrete"),
            display=Display(measure="nats", show_in_report=True),
        ),
        FilterRow(
            "mtd", title="mass transportation distance",
            summary="mass transportation distance between the class distributions",
            cite=("villani2009",), page="mtd.md", score=mtd, shortcuts=Shortcuts(parts=mtd_parts),
            takes=FilterTakes(codes=True, discrete="mtd_discrete"),
            display=Display(show_in_report=True),
        ),
        FilterRow(
            "mutual_information_discrete", title="mutual information of categories",
            summary="mutual information, each value a category", page="mutual_information.md",
            score=information_of_categories, shortcuts=Shortcuts(counts=information_counts),
            takes=FilterTakes(codes=True), display=Display(measure="nats"),
        ),
        FilterRow(
            "mtd_discrete", title="mass transportation distance of categories",
            summary="mass transportation distance, each value a category", cite=("villani2009",),
            page="mtd.md", score=partial(mtd, discrete_features=True),
            shortcuts=Shortcuts(counts=mtd_counts), takes=FilterTakes(codes=True),
        ),
        FilterRow(
            "hsic", title="HSIC", summary="Hilbert-Schmidt independence criterion, linear kernel",
            cite=("gretton2005",), page="hsic.md", score=hsic, shortcuts=Shortcuts(linear_hsic),
            promises=_SIGNED,
        ),
        FilterRow(
            "hsic_unbiased", title="unbiased HSIC",
            summary="Hilbert-Schmidt independence criterion, linear kernel, unbiased",
            cite=("song2012",), page="hsic.md", score=partial(hsic, unbiased=True),
            shortcuts=Shortcuts(partial(linear_hsic, unbiased=True)), promises=_SIGNED,
        ),
        FilterRow(
            "hsic_gaussian", title="Gaussian HSIC",
            summary="Hilbert-Schmidt independence criterion, Gaussian kernel",
            cite=("gretton2005",), page="hsic.md", score=partial(hsic, kernel="gaussian"),
            promises=_SIGNED,
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
