"""The selected features: how often, how different between classes, and what could replace them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, cast

from .._core.errors import PlanError, shorten_text
from .._core.registry import ARG_MAX, AS_PREDICTED, find_row
from .._core.rows import DecisionRow, RuleRow
from ..data.class_heading import class_heading
from ..plotting.distribution import MAX_DRAWN_LEVELS, ClassValues, DistributionPicture
from ..selection._filters import FilterRow
from ..study.results.schema import (
    DataSection,
    Distribution,
    FeatureEntry,
    Final,
    Shares,
    StudyContent,
)
from ._decisions import part_words, steps_of
from ._evidence import number_words
from ._groups import group_columns
from ._number_fit import outcome_name, relation_chart
from ._numbers import (
    UNDEFINED_MARK,
    count_text,
    decimal_text,
    magnitude_text,
    params_text,
    percent_text,
    plural_text,
    small_p_text,
)
from ._page import FeaturesView, FeatureView, FilterLine, FinalView, LevelsView
from ._places import missing_columns, place_columns, tells_places
from ._table import Cell, Column, build_table, field_column

LOG_NOTES = (
    "The difference of means is the log fold change where the table holds logarithms",
    "The difference of means is no log fold change here, for the values look like raw intensities",
)
OF_A_CATEGORY = "; of a category the share of the level that differs most between the classes"
CLASS_DRAWING = (
    "Each point is a sample (some, evenly by rank, where a class has many); the box holds the "
    "middle half, the thick line is the median."
)
NUMBER_DRAWING = "Each point is a sample (some, evenly by value, where there are many)."
LEAST_UNITS = 19  # samples, or groups, below which intervals of level .95 are infinite
MAX_LEVEL_LENGTH = 40  # characters of a level in a narrow column
MOST_CLASSES = 5  # more class means than this are downloaded, not shown


class Ranked(FeatureEntry):
    """A row of the table."""

    rank: int


def features_view(result: StudyContent) -> FeaturesView:
    """The features most often chosen, with their near-duplicates and class means."""
    classes, target = result["data"]["classes"], result["data"]["target"]
    labels = {m["name"]: m["label"] for m in result["methods"]}
    shares: list[Column] = []
    linked = tells_places(result["features"])
    columns = [
        field_column("rank", "#"),
        Column(
            "feature",
            lambda f: f["name"],
            "Feature",
            lambda f: Cell(f["name"], href=f"#feature-{f['rank']}" if has_detail(f) else ""),
            numeric=False,
        ),
        field_column(
            "frequency",
            "Selected",
            lambda v: Cell(percent_text(v), bar=v),
            help="share of the outer folds that selected the feature",
        ),
        Column(
            "in_final",
            lambda f: bool(f["in_final"]),
            "Final",
            lambda f: "✓" if f["in_final"] else "",
            help="kept in the final model",
        ),
    ]
    if linked:
        columns += place_columns()
    if "blocks" in result["data"]:
        columns.append(Column("block", _feature_block, "Block", _feature_block, numeric=False))
    categorical = any(level_shares(f) for f in result["features"])
    for label in classes:

        def class_mean(f: FeatureEntry, label: str = label) -> float | None:
            return None if level_shares(f) else (f["class_means"] or {}).get(label)

        def level_share(f: FeatureEntry, label: str = label) -> float | None:
            return level_shares(f).get(label, {}).get(most_different_level(f))

        def class_cell(f: FeatureEntry, label: str = label) -> Cell:
            if level_shares(f):
                value = level_shares(f).get(label, {}).get(most_different_level(f))
                return Cell(
                    percent_text(value), shorten_text(most_different_level(f), MAX_LEVEL_LENGTH)
                )
            return Cell(magnitude_text((f["class_means"] or {}).get(label)))

        heading = class_heading(target, label)
        columns.append(
            Column(
                f"mean {label}",
                class_mean,
                heading if len(classes) <= MOST_CLASSES else "",
                class_cell,
                help="mean in this class" + (OF_A_CATEGORY if categorical else ""),
            )
        )
        shares.append(Column(f"share {label}", level_share))
    if categorical:
        columns += [Column("level", lambda f: most_different_level(f) or None), *shares]
    if not classes:
        columns += _relation_columns(result)
    columns += [*_coefficient_columns(result), *_test_columns(result)]
    columns += _evidence_columns(result["features"], labels)
    columns += [
        field_column(
            "missing",
            "Missing" if any(f["missing"] for f in result["features"]) else "",
            lambda v: percent_text(v, 1),
            help="share of samples without a value",
        ),
        *missing_columns(result["features"]),
        *group_columns(result["features"], linked),
        Column(
            "by_method",
            _by_method_text,
            "Methods" if sum(not m["reference"] for m in result["methods"]) > 1 else "",
            lambda f: _by_method(f, labels),
            numeric=False,
            help="methods that chose it in at least half of their folds",
        ),
    ]
    for name in _filters_of(result["features"]):
        columns += _score_columns(name)
    unlogged = any(one["code"] == "unlogged" for one in result["warnings"])
    rows: list[Ranked] = [{**f, "rank": i + 1} for i, f in enumerate(result["features"])]
    return {
        "table": build_table(
            "features",
            "Selected features",
            columns,
            rows,
            lambda f: bool(f["in_final"]),
            search=True,
        ),
        "n": count_text(result["n_selected"]),
        "shown": count_text(len(rows)),
        "total": count_text(result["data"]["n_features"]),
        "chart": {"features": result["features"]},
        "each": [_feature_detail(f, result) for f in rows],
        "detailed": any(map(has_detail, rows)),
        "ranked": count_text(result["data"]["n_features"] - len(result["data"]["covariates"])),
        "positive": class_heading(target, classes[-1]) if len(classes) == 2 else "",
        "logs": f"{LOG_NOTES[unlogged]}." if classes else "",
        "beside": "by class" if classes else "beside the number",
        "drawn": CLASS_DRAWING if classes else NUMBER_DRAWING,
        "final": _final_view(result),
        "linked": linked,
        "grouped": bool(result["data"]["n_groups"]),
    }


def _relation_columns(result: StudyContent) -> list[Column]:
    """How features go with a number."""

    def of(key: Literal["pearson", "spearman"]) -> Callable[[FeatureEntry], float | None]:
        return lambda f: f["relation"][key] if "relation" in f else None

    name, pearson = outcome_name(result["data"]), of("pearson")
    if not any("relation" in f for f in result["features"]):
        return []
    return [
        Column(
            "pearson",
            pearson,
            "Correlation",
            lambda f: decimal_text(pearson(f), 2),
            help=f"Pearson's correlation with {name}, on all samples",
        ),
        Column("spearman", of("spearman")),
    ]


def _feature_block(feature: FeatureEntry) -> str:
    return feature.get("block", "")


def _final_view(result: StudyContent) -> FinalView | None:
    final = result["final"]
    if final is None:
        return None
    labels = {m["name"]: m["label"] for m in result["methods"] if not m["reference"]}
    own = ", as many as the method itself would choose" if final["own"] else ""
    steps = steps_of(result).get(final["method"], "")
    return {
        "names": final["features"],
        "size": plural_text(len(final["features"]), "feature") + own,
        "label": labels.get(final["method"], final["method"]) if len(labels) > 1 else "",
        "model": final["title"] + (f", after {steps}" if steps else ""),
        "params": params_text(final["params"]),
        "decision": _decision_text(final),
        "intervals": _intervals_text(final),
        "path": final["path"],
    }


def _intervals_text(final: Final) -> str:
    """What prediction intervals of new samples promise, where the model has them."""
    if (kept := final.get("intervals")) is None:
        return ""
    unit = "group" if kept["grouped"] else "sample"
    new = "a sample of a new group" if kept["grouped"] else "a new sample"
    text = (
        f"It has prediction intervals for new samples, by CV+ of {kept['models']} models and "
        f"{plural_text(kept['units'], unit)}: those of level 95\u00a0% hold {new} about as often "
        "in simulations; about 90\u00a0% is guaranteed whatever the distribution, if the "
        "population is the same."
    )
    if kept["units"] < LEAST_UNITS:
        text += f" With fewer than {LEAST_UNITS} {unit}s they are infinite at this level."
    return text


def _decision_text(final: Final) -> str:
    """What decides, and about whom not, and what they learnt; nothing of the likeliest class."""
    usual = (ARG_MAX, AS_PREDICTED)
    words = [] if final["decide"] in usual else [part_words(final["decide"], DecisionRow)]
    if recalibrated := final.get("recalibrated"):
        words.append(recalibrated)
    if "reject" in final:
        words.append(f"declining by {part_words(final['reject'], RuleRow)}")
    learnt = final.get("decided", "")
    return ", ".join(words) + (f" ({learnt})" if words and learnt else "")


def _filter_number(name: str, key: str) -> Callable[[FeatureEntry], float | None]:
    """What a filter gives each feature: "score", "p_value", "fdr" or "rank"; None without."""

    def number(feature: FeatureEntry) -> float | None:
        found = feature.get("scores", {}).get(name)
        return None if found is None else cast(Mapping[str, float | None], found).get(key)

    return number


def _score_columns(name: str) -> list[Column]:
    """A filter's score, p-value, false discovery rate and rank, for the download."""
    keys = {"": "score", "_p": "p_value", "_fdr": "fdr", "_rank": "rank"}
    return [Column(name + end, _filter_number(name, key)) for end, key in keys.items()]


def _filters_of(features: list[FeatureEntry]) -> list[str]:
    """Those that any of the features has a score of."""
    return list(dict.fromkeys(name for f in features for name in f.get("scores", {})))


def _coefficient_columns(result: StudyContent) -> list[Column]:
    """Of a linear final model of two classes."""
    final = result["final"]
    if final is None or "coefficients" not in final:
        return []
    found = dict(zip(final["features"], final["coefficients"], strict=True))
    classes = result["data"]["classes"]
    effect, before = f"change in {outcome_name(result['data'])}", ""
    if classes:
        positive = class_heading(result["data"]["target"], classes[-1])
        effect, before = f"change in the log odds of {positive}", ", before recalibration"
    return [
        Column(
            "coefficient",
            lambda f: found.get(f["name"]),
            "Coefficient",
            lambda f: Cell(magnitude_text(found[f["name"]]) if f["name"] in found else ""),
            help=f"final model: {effect} per standard deviation of the feature{before}",
        )
    ]


def _test_columns(result: StudyContent) -> list[Column]:
    """p and false discovery rate on all samples, under the filter of the final model or another
    that has them. Groups have none here: the tests take samples for independent."""
    tested = {
        name: None
        for f in result["features"]
        for name, score in f.get("scores", {}).items()
        if score["p_value"] is not None and score.get("fdr") is not None
    }
    if not tested or result["data"]["n_groups"]:
        return []
    final = result["final"]["method"] if result["final"] else ""
    chosen = [m["select"] for m in result["methods"] if m["name"] == final]
    name = next(one for one in [*chosen, *tested] if one in tested)

    p_value, false_discovery_rate = (_filter_number(name, key) for key in ("p_value", "fdr"))
    title = _filter_title(name, len(result["data"]["classes"]))
    note = f"{title}, on all samples"
    if result["data"].get("n_batches"):
        note += ", batches not adjusted for"
    of = count_text(result["data"]["n_features"] - len(result["data"]["covariates"]))
    return [
        Column("p", p_value, "p", lambda f: small_p_text(p_value(f)), help=note),
        Column(
            "fdr",
            false_discovery_rate,
            "FDR",
            lambda f: small_p_text(false_discovery_rate(f)),
            help=f"{note}: false discovery rate of Benjamini and Hochberg among {of} features",
        ),
    ]


def _evidence_columns(features: list[FeatureEntry], labels: dict[str, str]) -> list[Column]:
    """One for each number that evidence has of features; by method in the download."""
    columns: list[Column] = []
    titles: dict[str, dict[str, None]] = {}
    for f in features:
        for title, own in f.get("numbers", {}).items():
            titles.setdefault(title, {}).update(dict.fromkeys(own))
    for title, methods in titles.items():

        def largest_number(f: FeatureEntry, title: str = title) -> float | None:
            known = [v for v in f.get("numbers", {}).get(title, {}).values() if v is not None]
            return max(known, default=None)

        def number_cell(
            f: FeatureEntry, title: str = title, several: bool = len(methods) > 1
        ) -> Cell:
            own = f.get("numbers", {}).get(title, {})
            more = [(labels.get(k, k), _significant_digits(v)) for k, v in own.items()]
            text = _significant_digits(largest_number(f, title))
            return Cell(text, more=more) if several else Cell(text)

        heading, of_all = f"{title[:1].upper()}{title[1:]}", "on all samples"
        help = f"{title}, {of_all}" + (", the largest of the methods" if len(methods) > 1 else "")
        columns.append(Column(title, largest_number, heading, number_cell, help=help))
        for name in methods:

            def number_of_method(
                f: FeatureEntry, title: str = title, name: str = name
            ) -> float | None:
                return f.get("numbers", {}).get(title, {}).get(name)

            columns.append(Column(f"{title} ({name})", number_of_method))
    return columns


def level_shares(feature: FeatureEntry) -> Shares:
    """Class -> level -> share of a categorical feature; nothing of a numeric one."""
    return feature["class_shares"] or {}


def most_different_level(feature: FeatureEntry) -> str:
    """The level whose shares in the classes differ most, the first of several."""
    shares = list(level_shares(feature).values())

    def shares_apart(level: str) -> float:
        defined = [v for v in (one.get(level) for one in shares) if v is not None]
        return max(defined, default=0.0) - min(defined, default=0.0)

    return max(shares[0], key=shares_apart, default="") if shares else ""


def has_detail(feature: FeatureEntry) -> bool:
    """Whether the result says more of the feature than a table holds (`describe` of the plan)."""
    return bool(feature.get("distribution") or feature.get("scores"))


def _filter_title(name: str, n_classes: int) -> str:
    """What its row calls a filter, as the plan does where it is not installed here."""
    try:
        title = find_row(name, FilterRow).title_with(n_classes)
    except PlanError:
        return name
    return title[:1].upper() + title[1:]


def _feature_detail(feature: Ranked, result: StudyContent) -> FeatureView:
    """One feature by itself: its chart's data and its scores."""
    data = result["data"]
    scores: list[FilterLine] = [
        {
            "filter": _filter_title(name, len(data["classes"])),
            "score": _significant_digits(s["score"]),
            "p": small_p_text(s["p_value"]),
            "rank": count_text(s["rank"]),
        }
        for name, s in feature.get("scores", {}).items()
    ]
    return {
        "id": f"feature-{feature['rank']}",
        "rank": feature["rank"],
        "name": feature["name"],
        "chosen": f"chosen in {percent_text(feature['frequency'])} of the folds",
        "chart": _feature_chart(feature, data),
        "scatter": relation_chart(feature, data),
        "scores": scores,
        "levels": _levels_view(feature, data),
        "number_words": number_words(feature, result),
    }


def _levels_view(feature: FeatureEntry, data: DataSection) -> LevelsView | None:
    """Every level's share in every class, where the chart has no room for all."""
    shares = level_shares(feature)
    levels = list(dict.fromkeys(level for one in shares.values() for level in one))
    if len(levels) <= MAX_DRAWN_LEVELS:
        return None
    return {
        "classes": [class_heading(data["target"], label) for label in shares],
        "rows": [(v, [percent_text(one.get(v)) for one in shares.values()]) for v in levels],
    }


def _feature_chart(feature: FeatureEntry, data: DataSection) -> DistributionPicture | None:
    given = feature.get("distribution")
    if not given:
        return None
    classes: list[ClassValues] = []
    for label, one in given.items():
        missing = feature["missing_counts"][label]
        own: ClassValues = {
            "label": class_heading(data["target"], label),
            "missing": missing,
            "n": data["counts"][label] - missing,
        }
        if feature.get("kind") == "categorical":
            classes.append({**own, "shares": cast(Mapping[str, float | None], one)})
        else:
            classes.append({**own, **cast(Distribution, one)})
    return {"name": feature["name"], "classes": classes}


def _significant_digits(value: float | None) -> str:
    """Four significant digits, whatever the filter's unit."""
    return UNDEFINED_MARK if value is None else f"{value:.4g}".replace("-", "−")


def _by_method(feature: FeatureEntry, labels: dict[str, str]) -> Cell:
    shares = feature["by_method"] or {}
    if not shares:
        return Cell("")
    more = [(labels.get(name, name), percent_text(share)) for name, share in shares.items()]
    half = sum((share or 0) >= 0.5 for share in shares.values())
    return Cell(f"{half} of {len(shares)}", more=more)


def _by_method_text(feature: FeatureEntry) -> str:
    return "; ".join(f"{n} {decimal_text(s)}" for n, s in (feature["by_method"] or {}).items())
