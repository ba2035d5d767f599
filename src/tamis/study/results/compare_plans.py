"""Finished studies of one table -> a comparison of their plans, paired by outer folds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..._core.errors import PlanError, counted_noun, listed_names, unbroken_text
from ..._core.first_screen import FirstScreen
from ..._core.pages import report_function
from ...metrics import Difference, Metric
from ...metrics.estimates import estimate_text, plain_number
from ...metrics.holm import holm_adjusted
from ...metrics.number_metrics import NumberMetric
from ...metrics.registry import metric_row
from .comparison_schema import SCHEMA, ComparedStudy, PlansContent, StudyPair
from .first_screen import stability_shown
from .held_out import printed_difference
from .predictions import HEADLINE_KEY, Folds, read_folds, score_folds
from .result import StudyResult
from .schema import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.intervals import IntervalsPicture, MethodRow
    from ...plotting.picture import Picture


TIE_TOLERANCE = 1e-12  # scores nearer than this are one
# how studies are given the same outer folds, by what makes them differ
ALIGNING_OPTIONS = {
    "kind": "[outer] of the plans, or --holdout and --split",
    "folds": "--folds",
    "repeats": "the repeats in [outer] of the plans",
    "seed": "--seed",
    "groups": "--group",
}


@dataclass(frozen=True)
class PlanComparison(FirstScreen):
    """Studies of one table compared; everything is drawn from `to_dict()`.

    Attributes
    ----------
    content : dict
        See docs/methods/comparison.md.
    """

    content: PlansContent

    def __repr__(self) -> str:
        c = self.content
        return (
            f"PlanComparison({c['metric']}: {counted_noun(len(c['studies']), 'study', 'studies')})"
        )

    def to_dict(self) -> PlansContent:
        """The full comparison as plain numbers, text, lists and dictionaries."""
        return self.content

    def frame(self) -> pd.DataFrame:
        """One row a pair: the difference, its interval and p-values (pandas)."""
        import pandas as pd

        table = pd.DataFrame(self.content["pairs"])
        return table.rename(columns={"mean": "difference"}).set_index(["first", "second"])

    def plot(self, kind: str = "differences") -> Picture:
        """A picture of the comparison's page: ``"differences"`` with their intervals, or the
        ``"scores"`` of the studies.

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
        """Scores, differences and what was found, in a few lines."""
        c, data = self.content, self.content["data"]
        metric, width = metric_row(c["metric"]), max(len(one["name"]) for one in c["studies"])
        lines = [
            f"{data['name']}: {counted_noun(data['n_samples'], 'sample')}, "
            f"{counted_noun(data['n_features'], 'feature')}; {len(c['studies'])} studies of this "
            f"table, {metric.brief}:",
            *(f"  {one['name']:<{width}}  {score_words(one)}" for one in c["studies"]),
            "differences over the same outer folds (corrected resampled t-test):",
            *(f"  {_pair_words(pair, len(c['pairs']) > 1)}" for pair in c["pairs"]),
            *(f"note: {remark}" for remark in c["remarks"]),
            *found_words(c),
        ]
        return "\n".join(map(unbroken_text, lines))


def of_one_table(studies: Sequence[StudyResult]) -> bool:
    """Whether all studies are of one table, whatever role they gave its columns."""
    data = [study.content["data"] for study in studies]
    digests = {one["digest"] for one in data}
    values = {one["values"] for one in data}
    return len(digests) == 1 or len(values) == 1


def compare_plans(
    studies: Sequence[StudyResult],
    estimates: Sequence[Estimate],
    metric: Metric | NumberMetric,
    alpha: float,
    versions: dict[str, str],
) -> PlanComparison:
    """Compare the full procedures of studies of one table.

    Parameters
    ----------
    studies : sequence of StudyResult
    estimates : sequence of Estimate
        The score of each full procedure.
    metric : Metric
    alpha : float
        Family-wise error rate of the tests, over all pairs.
    versions : dict of str to str

    Returns
    -------
    PlanComparison

    Raises
    ------
    PlanError
        `alpha` is no level; or the metric is a loss, and the studies have different costs.
    StoreError
        Predictions of a study are missing or damaged.
    """
    if not 0 < alpha < 1:
        raise PlanError(f"alpha is {alpha}: choose a level between 0 and 1, such as 0.05")
    _require_one_loss(studies, metric)
    _require_one_positive(studies, metric)
    order = np.argsort([_rank_value(one, metric) for one in estimates], kind="stable")
    studies, estimates = [studies[k] for k in order], [estimates[k] for k in order]
    names = study_names(studies)
    folds = [read_folds(study, [HEADLINE_KEY])[HEADLINE_KEY] for study in studies]
    entries = [_study_entry(*given) for given in zip(studies, names, estimates, strict=True)]
    both = list(combinations(range(len(studies)), 2))
    found = [
        _study_difference(
            [studies[i], studies[j]],
            [folds[i], folds[j]],
            [_score_or_nan(estimates[i]["mean"]), _score_or_nan(estimates[j]["mean"])],
            metric.name,
        )
        for i, j in both
    ]
    adjusted = map(plain_number, holm_adjusted([difference.p_value for difference, _ in found]))
    pairs: list[StudyPair] = [
        {
            "first": names[i],
            "second": names[j],
            "n_folds": difference.n,
            "mean": plain_number(0.0 if abs(difference.mean) < TIE_TOLERANCE else difference.mean),
            "low": plain_number(difference.low),
            "high": plain_number(difference.high),
            "p_value": plain_number(difference.p_value),
            "p_holm": p,
            "different": None if p is None else p <= alpha,
            "note": note,
        }
        for (i, j), (difference, note), p in zip(both, found, adjusted, strict=True)
    ]
    data = studies[0].content["data"]
    return PlanComparison(
        {
            "schema": SCHEMA,
            "kind": "plans",
            "versions": versions,
            "metric": metric.name,
            "higher_is_better": metric.direction > 0,
            "alpha": alpha,
            "data": {
                "name": data["name"],
                "n_samples": data["n_samples"],
                "n_features": data["n_features"],
                "classes": data["classes"],
            },
            "studies": entries,
            "pairs": pairs,
            "remarks": _plan_remarks(studies, entries, pairs),
        }
    )


def study_names(studies: Sequence[StudyResult]) -> list[str]:
    """The names of the folders; their paths where two are the same."""
    names = [study.folder.resolve().name for study in studies]
    return names if len(set(names)) == len(names) else [str(study.folder) for study in studies]


def same_folds(first: Folds, second: Folds) -> bool:
    """Whether two studies held out the same samples in the same folds."""
    return first.keys() == second.keys() and all(
        set(one.samples) == set(second[key].samples) for key, one in first.items()
    )


def _require_one_loss(studies: Sequence[StudyResult], metric: Metric | NumberMetric) -> None:
    matrices = [_costs_by_class(study) for study in studies]
    if metric.name == "loss" and any(one != matrices[0] for one in matrices):
        raise PlanError(
            "the studies have different costs, so that their losses cannot be compared: give all "
            "the same --cost, or compare another metric"
        )


def _require_one_positive(studies: Sequence[StudyResult], metric: Metric | NumberMetric) -> None:
    positive = dict.fromkeys(c for study in studies for c in study.content["data"]["classes"][-1:])
    if isinstance(metric, Metric) and metric.of_positive and len(positive) > 1:
        raise PlanError(
            f"the studies have different positive classes, {listed_names(positive)}, so that their "
            f"{metric.brief} cannot be compared: give all the same --positive, or compare another "
            "metric"
        )


def _costs_by_class(study: StudyResult) -> dict[tuple[str, str], float] | None:
    """What errors cost, by the names of the classes, whose order is that of a study."""
    costs, names = study.content.get("costs"), study.content["data"]["classes"]
    if costs is None:
        return None
    return {
        (first, second): cost
        for first, row in zip(names, costs["matrix"] or [], strict=True)
        for second, cost in zip(names, row, strict=True)
    }


def _rank_value(estimate: Estimate, metric: Metric | NumberMetric) -> float:
    """Best first; what is undefined comes last."""
    return np.inf if estimate["mean"] is None else -metric.direction * estimate["mean"]


def _score_or_nan(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _study_entry(study: StudyResult, name: str, estimate: Estimate) -> ComparedStudy:
    content = study.content
    protocol, data = content["protocol"], content["data"]
    stability = content["headline"]["stability"]
    shown, folds = stability_shown(content, stability, content["permutation"]["stability"])
    return {
        "name": name,
        "folder": str(study.folder),
        "methods": [method["name"] for method in content["methods"]],
        "outer": protocol["outer"],
        "repeats": protocol["repeats"],
        "seed": content["plan"]["seed"],
        "n_groups": data["n_groups"],
        "tuned_on": protocol["metric"],
        "mean_size": stability["mean_size"],
        "nogueira": shown,
        "nogueira_in": folds,
        "mean": estimate["mean"],
        "low": estimate["low"],
        "high": estimate["high"],
    }


def _study_difference(
    studies: Sequence[StudyResult], folds: Sequence[Folds], means: Sequence[float], metric: str
) -> tuple[Difference, str]:
    """Of two studies, and a word where there is no interval."""
    nan, step = float("nan"), means[0] - means[1]
    if not same_folds(*folds):
        return Difference(
            step, nan, nan, nan, 0
        ), f"different outer folds: {_unlike_settings(*studies)}"
    gaps = np.subtract(*(score_folds(s, f, metric) for s, f in zip(studies, folds, strict=True)))
    sizes = [len(one.samples) for one in folds[0].values()]
    found = printed_difference(step, gaps, sizes, studies[0].content["data"]["n_samples"])
    if found.alike:
        return found, "the same score in every fold"
    if found.p_value != found.p_value:
        if len(sizes) == 1:
            return found, "one test set alone has no spread of differences"
        single = max(sizes) == 1
        return found, "test sets of one sample" if single else "the same difference in every fold"
    return found, ""


def _unlike_settings(first: StudyResult, second: StudyResult) -> str:
    """Which settings make the folds of two studies differ, and how to make them equal."""
    one, other = _splitting_settings(first), _splitting_settings(second)
    unlike = [what for what in ALIGNING_OPTIONS if one[what] != other[what]]
    if not unlike:
        return "align --split, --group, --batch and the version of Tamis"
    said = ", ".join(
        f"{what} {_setting_text(one[what])} and {_setting_text(other[what])}" for what in unlike
    )
    return f"{said}; align {' and '.join(ALIGNING_OPTIONS[what] for what in unlike)}"


def _splitting_settings(study: StudyResult) -> dict[str, str | int | None]:
    """What the outer folds of a study follow from."""
    content = study.content
    plan = content["plan"]
    return {
        "kind": plan["outer"]["kind"],
        "folds": plan["outer"]["folds"],
        "repeats": content["protocol"]["repeats"],
        "seed": plan["seed"],
        "groups": content["data"]["n_groups"],
    }


def _setting_text(value: str | int | None) -> str:
    return "none" if value is None else str(value)


def declining_remarks(studies: Sequence[StudyResult], names: Sequence[str]) -> list[str]:
    """That scores are not those of the first screen where that has accepted samples only."""
    pairs = zip(names, studies, strict=True)
    some = [name for name, study in pairs if study.content["headline"].get("rejection")]
    if not some:
        return []
    return [
        f"Samples may be declined in {listed_names(some)}: scores here are of the labels of all "
        "samples, on a study's own page of those accepted"
    ]


def _plan_remarks(
    studies: Sequence[StudyResult], entries: Sequence[ComparedStudy], pairs: Sequence[StudyPair]
) -> list[str]:
    """What makes the comparison less than it seems."""
    said = []
    if apart := sum(not pair["n_folds"] for pair in pairs):
        said.append(
            f"{counted_noun(apart, 'pair')} of studies cannot be tested: their outer folds held "
            "out different samples, so that their scores stand beside each other unpaired"
        )
    repeated = {one["name"] for one in entries if one["repeats"] > 1}
    tested = [pair for pair in pairs if pair["different"] is not None]
    if len(tested) > 1 and any(pair["first"] in repeated for pair in tested):
        said.append(
            "Several pairs tested over repeated folds: in simulations of equally good plans up to "
            "9 % of such comparisons found a difference at 0.05"
        )
    tuned = dict.fromkeys(one["tuned_on"] for one in entries)
    if len(tuned) > 1:
        said.append(f"The studies were tuned on different metrics: {', '.join(tuned)}")
    said += declining_remarks(studies, [one["name"] for one in entries])
    positive = dict.fromkeys(c for study in studies for c in study.content["data"]["classes"][-1:])
    if len(positive) > 1:
        said.append(
            f"The studies have different positive classes, {listed_names(positive)}: a score of "
            "the positive class, such as f, is not compared"
        )
    return said


def score_words(one: ComparedStudy, digits: int = 3) -> str:
    """``0.975 (0.712 to 0.998), 50.0 features, stability 0.63 of 1 (5 folds)``."""
    parts = [estimate_text(one, digits)]
    if one["mean_size"] is not None:
        parts.append(f"{one['mean_size']:.1f} features")
    if one["nogueira"] is not None:
        parts.append(f"stability {one['nogueira']:.2f} of 1 ({one['nogueira_in']})")
    return ", ".join(parts)


def _pair_words(pair: StudyPair, several: bool) -> str:
    """A pair on one line; the p-value by Holm where there are others."""
    text = f"{pair['first']} - {pair['second']}: {estimate_text(_noted_estimate(pair))}"
    if pair["p_holm"] is None:
        return f"{text}, not tested"
    p = f"p = {pair['p_value']:.3g}"
    return f"{text}, {p}" + (f", {pair['p_holm']:.3g} by Holm" if several else "")


def _noted_estimate(pair: StudyPair) -> Estimate:
    """With the reason where there is no interval."""
    noted: Estimate = {"mean": pair["mean"], "low": pair["low"], "high": pair["high"]}
    return {**noted, "note": pair["note"]} if pair["note"] else noted


def found_words(c: PlansContent) -> list[str]:
    """What the tests found, in a sentence or two."""
    tested = [pair for pair in c["pairs"] if pair["different"] is not None]
    if not tested:
        return []
    apart = [f"{p['first']} and {p['second']}" for p in tested if p["different"]]
    of = counted_noun(len(tested), "pair")
    level = f"p ≤ {c['alpha']:g}" + (" (Holm)" if len(tested) > 1 else "")
    if apart:
        named = ", ".join(apart[:3]) + (f" and {len(apart) - 3} more" if len(apart) > 3 else "")
        have = "has" if len(apart) == 1 else "have"
        return [f"{len(apart)} of {of} {have} {level}: {named}"]
    equal = "that does not show that the plans are equally good: read the intervals"
    return [f"no pair has {level}; {equal}"]


def difference_rows(c: PlansContent) -> IntervalsPicture:
    """What `tamis.plotting.method_intervals` draws of the differences."""
    rows: list[MethodRow] = [
        {
            "label": f"{pair['first']} − {pair['second']}",
            "headline": bool(pair["different"]),
            "mean": pair["mean"],
            "low": pair["low"],
            "high": pair["high"],
        }
        for pair in c["pairs"]
    ]
    return {
        "metric": f"Difference in {metric_row(c['metric']).brief}",
        "rows": rows,
        "chance": {"mean": 0.0, "label": "no difference"},
    }
