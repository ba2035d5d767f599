"""Finished studies -> a comparison: of their methods over data sets, or of the plans of one
table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..._core.checked_json import fitting_together
from ..._core.errors import PlanError, listed_names
from ..._core.first_screen import FirstScreen
from ..._core.pages import report_function
from ...metrics import (
    MethodComparison,
    Metric,
    WinLossTable,
    compare_methods,
    get_metric,
    win_loss_table,
)
from ...metrics.number_metrics import NumberMetric, get_number_metric
from ...metrics.registry import metric_row
from ...metrics.schema import DifferenceContent
from .compare_plans import PlanComparison, compare_plans, declining_remarks, of_one_table
from .comparison_schema import SCHEMA, ComparedData, ComparisonContent, LeftOut, ReadStudy
from .predictions import HEADLINE_KEY, fold_scores
from .result import StudyResult, open_study
from .schema import Estimate
from .sources import sources_of

# what studies are compared by where nothing is said
USUAL_METRIC, USUAL_NUMBER_METRIC = "bcr", "q2"

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture


@dataclass(frozen=True)
class StudyComparison(FirstScreen):
    """Methods of several studies compared; everything is drawn from `to_dict()`.

    Attributes
    ----------
    content : dict
        See docs/methods/comparison.md.
    ranks : MethodComparison
        Of the scores with their intervals in `content`.
    win_loss, win_loss_corrected : WinLossTable
        From the scores of single folds: plain paired t-tests, and those of Nadeau and Bengio.
    """

    content: ComparisonContent
    ranks: MethodComparison
    win_loss: WinLossTable
    win_loss_corrected: WinLossTable

    def __repr__(self) -> str:
        return f"StudyComparison({self.content['metric']}: {self.ranks!r})"

    def to_dict(self) -> ComparisonContent:
        """The full comparison as plain numbers, text, lists and dictionaries."""
        return self.content

    def frame(self) -> pd.DataFrame:
        """Scores, one row a data set and one column a method (pandas)."""
        import pandas as pd

        table = pd.DataFrame(self.ranks.scores, list(self.ranks.datasets), list(self.ranks.names))
        table.index.name = "dataset"
        return table

    def plot(self, kind: str = "diagrams") -> Picture:
        """A picture of the comparison's page: ``"diagrams"`` of critical differences, or the
        ``"scatter"`` of each method against the best.

        Raises
        ------
        PlanError
            There is none of that kind.
        """
        picture: Picture = report_function("comparison_picture")(self.content, kind)
        return picture

    def write_report(self, path: str | os.PathLike[str]) -> Path:
        """Write the page (`tamis.report.write_comparison`); its path."""
        written: Path = report_function("write_comparison")(self.content, path)
        return written

    def summary(self) -> str:
        """Ranks, tests, groups, wins and losses in a few lines."""
        lines = [f"metric {self.content['metric']}: {metric_row(self.content['metric']).label}"]
        for entry in self.content["left_out"]:
            lines.append(
                f"left out: {entry['name']} (not in {listed_names(entry['missing_in'], most=3)})"
            )
        lines += [f"note: {remark}" for remark in self.content["remarks"]]
        return "\n".join([*lines, self.ranks.summary(), self.win_loss_corrected.summary()])


def compare_studies(
    folders: Sequence[str | Path],
    metric: str | None = None,
    sources: Mapping[str, str] | None = None,
    alpha: float = 0.05,
) -> StudyComparison | PlanComparison:
    """Compare finished studies.

    Studies of several data sets are compared by the methods that all have, ranked over the data
    sets; the headline, the procedure that picks a method by inner score, is one more. Studies of
    one table are compared by their headlines, in pairs over the same outer folds.

    Parameters
    ----------
    folders : sequence of path-like
        Result folders: one a data set, or several of one table.
    metric : str, optional
        Short name; by default "bcr", and "q2" of studies of a number.
    sources : mapping of str to str, optional
        Data set (or its folder) -> the source it derives from; see `compare_methods`.
    alpha : float, default=0.05
        Level of the tests.

    Returns
    -------
    StudyComparison, or PlanComparison
        The second of studies of one table.

    Raises
    ------
    PlanError
        Unknown metric, fewer than two folders, one method alone, a source that names no data set
        or is given for one table, or losses under different costs on one table.
    StoreError
        A folder is not that of a finished study.
    DataError
        No common method, or a score that is undefined on a data set.

    Examples
    --------
    >>> compare_studies(["studies/alon"])
    Traceback (most recent call last):
    ...
    tamis._core.errors.PlanError: 1 result folder: compare needs at least 2 studies
    """
    if len(folders) < 2:
        raise PlanError(f"{len(folders)} result folder: compare needs at least 2 studies")
    paths = [Path(folder).resolve() for folder in folders]
    twice = [str(f) for f, p in zip(folders, paths, strict=True) if paths.count(p) > 1]
    if twice:
        raise PlanError(f"the folder {twice[0]!r} is given twice: give each study once")
    studies = [open_study(folder, ReadStudy) for folder in folders]
    chosen = _chosen_metric(studies, metric)
    with fitting_together(", ".join(map(str, folders))):
        if of_one_table(studies):
            if sources:
                raise PlanError("all studies are of one table: leave out the sources")
            scores = [_method_estimates(study, HEADLINE_KEY)[chosen.name] for study in studies]
            return compare_plans(studies, scores, chosen, alpha, _versions_used())
        return _compared_studies(studies, paths, chosen, sources, alpha)


def _chosen_metric(studies: Sequence[StudyResult], name: str | None) -> Metric | NumberMetric:
    """The metric of a name, for the outcome that all studies have."""
    kinds = {study.content["plan"].get("response", "class") for study in studies}
    if len(kinds) > 1:
        raise PlanError("some studies predict classes and some a number: compare those of one kind")
    if kinds == {"number"}:
        return get_number_metric(name or USUAL_NUMBER_METRIC)
    return get_metric(name or USUAL_METRIC)


def _compared_studies(
    studies: Sequence[StudyResult],
    paths: Sequence[Path],
    chosen: Metric | NumberMetric,
    sources: Mapping[str, str] | None,
    alpha: float,
) -> StudyComparison:
    """Studies that are open, at these places."""
    names = _dataset_names(studies)
    origin = sources_of(sources or {}, names, paths)
    common, left_out = _common_methods(studies, names)
    choices = {m["name"] for s in studies for m in s.content["methods"] if not m["reference"]}
    # of one method the headline is the same numbers, and would be ranked against itself
    if len(choices) == 1 and len(common) == 1:
        raise PlanError(
            f"all studies have one method, {common[0]}, which has nothing to be ranked against: "
            "study the tables with several, such as those of --plan thorough"
        )
    methods = common if len(choices) == 1 and len(common) > 1 else [HEADLINE_KEY, *common]
    estimates = {
        name: {m: _method_estimates(study, m)[chosen.name] for m in methods}
        for name, study in zip(names, studies, strict=True)
    }
    ranks = compare_methods(
        {d: {m: _number_or_nan(e["mean"]) for m, e in row.items()} for d, row in estimates.items()},
        names=methods,
        sources=origin,
        alpha=alpha,
        higher_is_better=chosen.direction > 0,
    )
    folds = {n: fold_scores(s, methods, chosen.name) for n, s in zip(names, studies, strict=True)}
    # the score of a fold of one sample is right or wrong, whatever the metric is called
    scores = {
        name: {m: one if test > 1 else np.full_like(one, np.nan) for m, one in found.items()}
        for name, (found, test) in folds.items()
    }
    held = np.array([test for _, test in folds.values()])
    sizes = np.array([study.content["data"]["n_samples"] for study in studies])
    better = chosen.direction > 0
    plain = win_loss_table(scores, methods, alpha=alpha, higher_is_better=better)
    corrected = win_loss_table(
        scores,
        methods,
        alpha=alpha,
        corrected=True,
        n_train=sizes - held,
        n_test=held,
        higher_is_better=better,
    )
    content: ComparisonContent = {
        "schema": SCHEMA,
        "versions": _versions_used(),
        "metric": chosen.name,
        "alpha": alpha,
        "datasets": [
            _dataset_entry(study, name, origin) for name, study in zip(names, studies, strict=True)
        ],
        "methods": [
            {
                "name": m,
                "average_rank": float(ranks.average_ranks[j]),
                "mean_score": float(ranks.scores[:, j].mean()),
                "best_on": int((ranks.ranks[:, j] == ranks.ranks.min(axis=1)).sum()),
            }
            for j, m in enumerate(methods)
        ],
        "left_out": left_out,
        "scores": [
            {"dataset": d, "method": m, **estimates[d][m], "rank": float(ranks.ranks[i, j])}
            for i, d in enumerate(names)
            for j, m in enumerate(methods)
        ],
        "ranks": ranks.to_dict(),
        "win_loss": plain.to_dict(),
        "win_loss_corrected": corrected.to_dict(),
        "differences": [
            {
                "dataset": d,
                "first": methods[i],
                "second": methods[j],
                **_signed_difference(corrected.differences[n][i, j].to_dict(), chosen.direction),
            }
            for n, d in enumerate(names)
            for i, j in combinations(range(len(methods)), 2)
        ],
        "remarks": _comparison_remarks(studies, names, common, origin),
    }
    return StudyComparison(content, ranks, plain, corrected)


def _dataset_names(studies: Sequence[StudyResult]) -> list[str]:
    """The data sets' own names; the folders' where two are the same."""
    own = [str(s.content["data"]["name"]) for s in studies]
    folders = [s.folder.resolve().name for s in studies]
    paths = [str(s.folder) for s in studies]
    for names in (own, folders):
        if len(set(names)) == len(names):
            return names
    return paths


def _common_methods(
    studies: Sequence[StudyResult], names: Sequence[str]
) -> tuple[list[str], list[LeftOut]]:
    """Methods that every study has, in the first one's order, and the others."""
    has = [[m["name"] for m in study.content["methods"]] for study in studies]
    every = list(dict.fromkeys(name for row in has for name in row))
    common = [name for name in every if all(name in row for row in has)]
    left_out: list[LeftOut] = [
        {"name": m, "missing_in": [d for d, row in zip(names, has, strict=True) if m not in row]}
        for m in every
        if m not in common
    ]
    if not common:
        raise PlanError(
            f"no method is in all {len(studies)} studies: {listed_names(every)} are in some only; "
            "run the studies with one plan"
        )
    return common, left_out


def _method_estimates(study: StudyResult, method: str) -> dict[str, Estimate]:
    """Every metric of a method, at full coverage where a rule declines samples."""
    content = study.content
    if method == HEADLINE_KEY:
        rejection = content["headline"].get("rejection")
        return {**content["metrics"], **(rejection["full"] if rejection else {})}
    one = next(m for m in content["methods"] if m["name"] == method)
    return {**one["metrics"], **(one["rejection"]["full"] if "rejection" in one else {})}


def _number_or_nan(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _signed_difference(difference: DifferenceContent, direction: int) -> DifferenceContent:
    """In the metric's own direction: the first's score less the second's."""
    if direction > 0:
        return difference
    ends = (difference["mean"], difference["high"], difference["low"])
    mean, low, high = (None if end is None else 0.0 - end for end in ends)
    return {"mean": mean, "low": low, "high": high, "p_value": difference["p_value"]}


def _dataset_entry(
    study: StudyResult, name: str, origin: Mapping[str, str | None] | None
) -> ComparedData:
    data, protocol = study.content["data"], study.content["protocol"]
    return {
        "name": name,
        "folder": str(study.folder),
        "source": (origin or {}).get(name),
        "digest": data["digest"],
        "n_samples": data["n_samples"],
        "n_features": data["n_features"],
        "classes": data["classes"],
        "outer": protocol["outer"],
        "repeats": protocol["repeats"],
        "tuned_on": protocol["metric"],
    }


def _versions_used() -> dict[str, str]:
    from ... import __version__

    return {"tamis": __version__, "numpy": np.__version__}


def _comparison_remarks(
    studies: Sequence[StudyResult],
    names: Sequence[str],
    common: Sequence[str],
    origin: Mapping[str, str | None] | None,
) -> list[str]:
    """What makes the comparison less than it seems."""
    said = []
    digests: dict[str, list[str]] = {}
    for name, study in zip(names, studies, strict=True):
        digests.setdefault(study.content["data"]["digest"], []).append(name)
    for same in digests.values():
        given = {(origin or {}).get(name) for name in same}
        if len(same) > 1 and (None in given or len(given) > 1):
            said.append(f"{listed_names(same)} hold the same data: give them one source")
    for method in common:
        plans = [_method_definition(study, method) for study in studies]
        differing = sorted({k for p in plans for k in p if p[k] != plans[0].get(k)})
        if differing:
            said.append(
                f"{method!r} is not the same in all studies: {', '.join(differing)} "
                f"{'differ' if len(differing) > 1 else 'differs'}"
            )
    choices = [{m["name"] for m in s.content["methods"] if not m["reference"]} for s in studies]
    if any(choice != choices[0] for choice in choices):
        said.append("The headline picks among other methods in some studies than in others")
    for key, words in (
        ("metric", "tuned metric"),
        ("outer", "outer split"),
        ("inner", "inner split"),
    ):
        values = dict.fromkeys(str(dict(s.content["protocol"])[key]) for s in studies)
        if len(values) > 1:
            said.append(f"The studies differ in the {words}: {'; '.join(values)}")
    said += declining_remarks(studies, names)
    if len(studies) < 10:
        said.append(f"With {len(studies)} data sets the rank tests find large differences only")
    return said


def _method_definition(study: StudyResult, method: str) -> dict[str, object]:
    plan = study.content["plan"]["method"]
    return dict(next((m for m in plan if m["name"] == method), {}))
