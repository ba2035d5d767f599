"""Samples declined: how many, of which class, and what is then said of labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypedDict

from ..data.class_heading import class_heading
from ..metrics import METRICS
from ..study.results.first_screen import any_declined
from ..study.results.schema import Coverage, StudyContent
from ._numbers import UNDEFINED_MARK, count_text, decimal_text, interval_text, percent_text
from ._table import Cell, Column, TableView, build_table, computed_column
from ._words import metric_short

COVERAGE_MEANING = "share of the samples that were given a class; the others were declined"


class DeclinedView(TypedDict):
    """The part of the headline about samples declined."""

    sentences: list[str]
    table: TableView


def of_labels(metric: str) -> bool:
    """Whether a metric is of labels, and so of samples that were given one."""
    return metric in METRICS and METRICS[metric].needs == "labels"


def share_of(value: float | None) -> str:
    """A share in per cent that is 0 or 100 only where it is exactly so."""
    if value is not None and 0 < value < 0.01:
        return "under " + percent_text(0.01)
    if value is not None and 0.99 < value < 1:
        return "over " + percent_text(0.99)
    return percent_text(value)


def rest_of(value: float | None) -> str:
    """The share that is declined, of the share given."""
    return share_of(None if value is None else 1 - value)


def labels_note(result: StudyContent, metric: str) -> str:
    """What a score of labels is of, where samples were declined; else nothing."""
    if not any_declined(result) or not of_labels(metric):
        return ""
    return "Of the samples that were given a class: others were declined."


def coverage_column(of: Callable[[Any], Coverage], names: list[tuple[str, str]]) -> list[Column]:
    """A column of shares given a class, with those of each class; `of` takes them from a row."""

    def coverage_cell(row: Any) -> Cell:
        given = of(row)
        more = [(shown, share_of(given["by_class"].get(name))) for name, shown in names]
        return Cell(share_of(given["mean"]), more=more)

    columns = [
        Column(
            "coverage", lambda row: of(row)["mean"], "Decided", coverage_cell, help=COVERAGE_MEANING
        )
    ]
    for name, _ in names:

        def of_class(row: Any, name: str = name) -> float | None:
            return of(row)["by_class"].get(name)

        columns.append(Column(f"coverage {name}", of_class))
    return columns


def class_names(result: StudyContent) -> list[tuple[str, str]]:
    """Each class, and what it is called on the page."""
    given = result["data"]
    return [(name, class_heading(given["target"], name)) for name in given["classes"]]


def declined_view(result: StudyContent) -> DeclinedView | None:
    """Whom the headline procedure declined; None where neither it nor a method declined any."""
    if not any_declined(result):
        return None
    head, names = result["headline"], class_names(result)
    given = head["coverage"]
    labels = [name for name in result["metrics"] if of_labels(name)]
    beliefs = [name for name in result["metrics"] if name not in labels]
    if given["mean"] == 1:
        sentence = "The procedure declined no sample held out; single methods did."
    elif given["mean"] == 0:
        sentence = (
            "The procedure declined every sample held out, so no metric of labels is defined."
        )
    else:
        sentence = (
            f"The procedure gave a class to {share_of(given['mean'])} of the samples held out and "
            f"declined {rest_of(given['mean'])}."
        )
    what = (
        f"{_listed_metrics(labels)}, recalls and errors by class are of the samples that were "
        f"given a class; {_listed_metrics(beliefs)} and the curves are of all, those declined too."
    )
    rows = list(zip(names, head["declined"], strict=True))
    columns = [
        Column("class", lambda r: r[0][0], "Class", lambda r: r[0][1], numeric=False),
        computed_column(
            "declined",
            lambda r: r[1],
            "Declined",
            _rounded_count,
            help="samples, mean over repeats",
        ),
        computed_column(
            "coverage",
            lambda r: given["by_class"].get(r[0][0]),
            "Decided",
            share_of,
            help=COVERAGE_MEANING,
        ),
        Column(
            "recall",
            lambda r: result["recalls"][r[0][0]]["mean"],
            "Recall",
            lambda r: _recall_cell(result, r[0][0]),
            help="share predicted right of those that were given a class",
        ),
    ]
    return {
        "sentences": [sentence, what],
        "table": build_table("declined", "Samples declined by class", columns, rows),
    }


def _recall_cell(result: StudyContent, name: str) -> Cell:
    found = result["recalls"][name]
    return Cell(decimal_text(found["mean"], 2), interval_text(found, 2) or found.get("note", ""))


def _listed_metrics(metrics: list[str]) -> str:
    return ", ".join(map(metric_short, metrics))


def _rounded_count(value: float | None) -> str:
    return UNDEFINED_MARK if value is None else count_text(round(value, 1))
