"""The page of `tamis evaluate`: one model judged by samples that it never saw."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, cast

from .. import __version__
from ..data.class_heading import class_headings
from ..metrics import METRICS
from ..metrics.estimates import calibration_words, declined_words
from ..model.evaluate import Evaluation, Figure, recall_name
from ..model.evaluate_numbers import NumberEvaluation
from ._assets import render_page
from ._headline import estimate_card
from ._number_evaluation import render_number_evaluation
from ._numbers import decimal_text, interval_text, percent_text, plain_json, plural_text
from ._sections import confusion_of
from ._table import Cell, Column, TableView, build_table, computed_column
from ._top_features import MAX_COUNTED_CLASSES, found_by_class

READING_NOTES = (
    "Intervals (95\u00a0%) are of this model's score in the population of these samples. "
    "For other samples they hold only as far as those resemble these.",
    "They assume independent samples, or groups where these were named. The model was fitted "
    "elsewhere: nothing was learnt from these samples.",
    "Chance is the best expected value of predictions that ignore the features.",
)
OF_FOLDS = re.compile("; (mean over the folds|in a study, .*)")  # of a metric's meaning


class Row(NamedTuple):
    """A metric, or the recall of a class."""

    name: str
    meaning: str
    figure: Figure
    chance: float | None


def render_evaluation(found: Evaluation | NumberEvaluation) -> str:
    """The page's HTML; every string is escaped.

    Parameters
    ----------
    found : dict
        What `tamis.model.evaluate` gives.
    """
    if "points" in found:
        return render_number_evaluation(cast(NumberEvaluation, found))
    r = cast(Evaluation, plain_json(found))
    names = class_headings(r["target"], r["classes"])
    metrics = _metric_table(r, names)
    lows = [cast(float | None, r["recalls"][label]["low"]) for label in r["classes"]]
    balanced = cast(Any, r["metrics"]["bcr"])
    sizes = ", ".join(
        f"{r['counts'][label]:,} {name}" for label, name in zip(r["classes"], names, strict=True)
    )
    return render_page(
        "evaluation.html.j2",
        [metrics],
        title=r["data"],
        subtitle=f"{plural_text(r['n_samples'], 'sample')} ({sizes})"
        + ("" if r["n_groups"] is None else f" in {plural_text(r['n_groups'], 'group')}"),
        version=__version__,
        nav=[("headline", "Answer"), ("metrics", "Metrics"), ("reading", "How to read this")],
        sentences=_sentences(r, names),
        card=estimate_card(METRICS["bcr"].brief, balanced, 2),
        found=found_by_class(r["confusion"], r["declined"], names, lows),
        warnings=r["warnings"],
        confusion=confusion_of(r["confusion"], r["declined"], names),
        metrics=metrics,
        reading=READING_NOTES,
        notes=r["notes"],
    )


def _sentences(r: Evaluation, names: list[str]) -> list[str]:
    """How well, and of the probabilities what can be said."""
    balanced = r["metrics"]["bcr"]
    mean, low, high = (cast(float | None, balanced[key]) for key in ("mean", "low", "high"))
    if mean is None:
        said = [f"No balanced accuracy: {balanced.get('note') or 'it is undefined'}."]
    else:
        limits = (
            f" (95\u00a0% interval {percent_text(low)} to {percent_text(high)})"
            if low is not None and high is not None
            else ""
        )
        # of the classes that are there: a cohort need not hold every one
        chance = percent_text(METRICS["bcr"].chance([r["counts"][label] for label in r["classes"]]))
        said = [
            f"This model classified {percent_text(mean)} of the samples correctly, averaged over "
            f"the classes{limits}; chance is {chance}."
        ]
    if len(names) > MAX_COUNTED_CLASSES:
        said.append(f"Found are shown for the first {MAX_COUNTED_CLASSES} classes, errors for all.")
    if text := declined_words(r["coverage"], names):
        said.append(f"It abstained on {text}.")
    if r["calibration"] is not None:
        slope = calibration_words(r["calibration"], 2)["calibration slope"]
        said.append(f"Calibration slope: {slope}.")
    return said


def _metric_table(r: Evaluation, names: list[str]) -> TableView:
    counts = [r["counts"][label] for label in r["classes"]]
    several = sum(map(bool, counts)) > 1
    rows = [
        Row(
            METRICS[name].heading,
            OF_FOLDS.sub("", METRICS[name].meaning),
            figure,
            METRICS[name].chance(counts) if several and not METRICS[name].of_costs else None,
        )
        for name, figure in r["metrics"].items()
    ]
    rows += [
        Row(recall_name(k, names), f"share of {names[k]} classified correctly", figure, None)
        for k, figure in enumerate(r["recalls"].values())
    ]

    def figure_cell(row: Row) -> Cell:
        figure = cast(Any, row.figure)
        text = interval_text(figure) or figure.get("note") or ""
        return Cell(decimal_text(figure["mean"]), text)

    columns = [
        computed_column(
            "metric",
            lambda row: row.name,
            "Metric",
            lambda name: name[:1].upper() + name[1:],
            numeric=False,
        ),
        Column("mean", lambda row: row.figure["mean"], "Estimate", figure_cell),
        computed_column("chance", lambda row: row.chance, "Chance", decimal_text),
        computed_column(
            "meaning", lambda row: row.meaning, "What it is", lambda text: text, numeric=False
        ),
    ]
    return build_table("metrics", "Every metric of the model", columns, rows)
