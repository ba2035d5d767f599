"""The table of univariate filters: one row each, and all that anything needs to know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .._core.errors import PlanError, nearest
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


@dataclass(frozen=True)
class Filter:
    """A score of each column by itself.

    Attributes
    ----------
    name, title, summary : str
        In plans; for people; in a sentence.
    score : callable
        (X, y) -> scores, or (statistics, p-values); statistics rank by absolute value.
    cite : tuple of str
    moments : callable or None
        From class moments to statistics: all training parts come from one pass over X.
    parts : callable or None
        From `TrainingParts` to statistics (n_parts, p): one presorted order for all parts.
    tests : bool
        `score` gives p-values.
    signed : bool
        Statistics below 0 are poor, not far from 0.
    random : bool
        `score` takes a `random_state`.
    codes : bool
        Categories are taken as codes, not spread over 0/1 columns.
    discrete : str
        The filter that takes each value as a category; with it numbers and categories of one
        table are ranked by permutation p-values.
    shown : tuple of str
        What pages call it with two classes, and with more, where they give it for the features
        they show; empty: they do not, for it says nothing of its own about any column.
    whole : bool
        The scores of some columns depend on the others.
    p_values : callable or None
        From class moments to p-values: cut-offs by them need no pass of each part. A filter that
        is `whole` and `tests` must have it for tables that are no matrix.
    counts : callable or None
        From counts (m, C, V + 1) of a table that counts its own values (`kernels.counted`) to what
        `score` gives of its columns, missing values left out.
    unit : bool
        The score has the unit of the column.
    """

    name: str
    title: str
    summary: str
    score: Callable[..., Any]
    cite: tuple[str, ...] = ()
    moments: Callable[[ClassMoments], np.ndarray] | None = None
    parts: Callable[[TrainingParts], np.ndarray] | None = None
    tests: bool = False
    signed: bool = False
    random: bool = False
    codes: bool = False
    discrete: str = ""
    shown: tuple[str, ...] = ()
    whole: bool = False
    p_values: Callable[[ClassMoments], np.ndarray] | None = None
    counts: Callable[[np.ndarray], Any] | None = None
    unit: bool = False

    @property
    def walks(self) -> bool:
        """Whether blocks of columns are enough."""
        return not self.whole or None not in (self.moments, self.p_values)

    def upwards(self, statistics: np.ndarray) -> np.ndarray:
        """Statistics as scores: higher is better."""
        return statistics if self.signed else np.abs(statistics)

    def scored(self, X: np.ndarray, y: np.ndarray, seed: Any) -> tuple[np.ndarray, Any]:
        """Scores, higher is better, and p-values or None."""
        return self._upwards(
            self.score(X, y, random_state=seed) if self.random else self.score(X, y)
        )

    def scored_counts(self, counts: np.ndarray) -> tuple[np.ndarray, Any]:
        """The same of columns whose values are counted."""
        assert self.counts is not None
        return self._upwards(self.counts(counts))

    def _upwards(self, found: Any) -> tuple[np.ndarray, Any]:
        statistics, p_values = found if self.tests else (found, None)
        return self.upwards(statistics), p_values


FILTERS: dict[str, Filter] = {
    one.name: one
    for one in (
        Filter(
            "moderated_t", "limma t", "limma's moderated t; moderated F for more classes",
            moderated_t, ("smyth2004",), moderated_statistic, tests=True, whole=True,
            p_values=moderated_p_values,
            shown=("Moderated t", "Moderated F"),
        ),
        Filter(
            "welch_t", "Welch t", "Welch's t; Welch's F for more classes", welch_t,
            ("welch1951",), welch_statistic, tests=True, shown=("Welch's t", "Welch's F"),
        ),
        Filter(
            "pearson", "Pearson",
            "absolute correlation with the class; correlation ratio for more classes", pearson,
            (), pearson_statistic, tests=True, shown=("Pearson correlation", "Correlation ratio"),
        ),
        Filter(
            "wilcoxon", "Wilcoxon", "Wilcoxon rank sum; Kruskal-Wallis for more classes",
            wilcoxon, ("mann1947", "kruskal1952"), parts=wilcoxon_parts, tests=True,
            shown=("Wilcoxon rank sum", "Kruskal-Wallis"),
        ),
        Filter(
            "chi2", "chi-square", "chi-square of independence, each value a category", chi2,
            ("pearson1900",), tests=True, codes=True, counts=chi2_counts,
        ),
        Filter(
            "trend", "trend test", "Cochran-Armitage trend of allele counts or other scores", trend,
            ("cochran1954", "armitage1955"), trend_statistic, tests=True, p_values=trend_p_values,
            counts=trend_counts,
        ),
        Filter(
            "fold_change", "difference of means",
            "distance between class means (fold change, of log data)", fold_change, (),
            fold_change_score, unit=True,
            shown=("Difference of means", "Largest difference of means"),
        ),
        Filter(
            "mutual_information", "mutual information",
            "mutual information, nearest-neighbour estimator", mutual_information,
            ("ross2014",), codes=True, random=True, discrete="mutual_information_discrete",
            shown=("Mutual information, nats", ""),
        ),
        Filter(
            "mtd", "mass transport distance",
            "mass transport distance between the class distributions", mtd, ("villani2009",),
            parts=mtd_parts, codes=True, discrete="mtd_discrete",
            shown=("Mass transportation distance", ""),
        ),
        Filter(
            "mutual_information_discrete", "mutual information of categories",
            "mutual information, each value a category",
            partial(mutual_information, discrete_features=True), codes=True,
            counts=information_counts,
        ),
        Filter(
            "mtd_discrete", "mass transport distance of categories",
            "mass transport distance, each value a category",
            partial(mtd, discrete_features=True), ("villani2009",), codes=True, counts=mtd_counts,
        ),
        Filter(
            "hsic", "HSIC", "Hilbert-Schmidt independence criterion, linear kernel", hsic,
            ("gretton2005",), linear_hsic, signed=True,
        ),
        Filter(
            "hsic_unbiased", "unbiased HSIC", "the same, unbiased", partial(hsic, unbiased=True),
            ("song2012",), partial(linear_hsic, unbiased=True), signed=True,
        ),
        Filter(
            "hsic_gaussian", "Gaussian HSIC", "the same, Gaussian kernel",
            partial(hsic, kernel="gaussian"), ("gretton2005",), signed=True,
        ),
    )
}  # fmt: skip


def find_filter(name: str | Filter) -> Filter:
    """The filter of a name; one that is given is returned as it is.

    Raises
    ------
    PlanError
        With the nearest valid name.
    """
    if isinstance(name, Filter):
        return name
    if name not in FILTERS:
        raise PlanError(f"unknown score_func {name!r}: {nearest(name, FILTERS)}")
    return FILTERS[name]
