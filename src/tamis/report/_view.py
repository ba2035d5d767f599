"""Summarise: a study's result -> everything that the page says, as short formatted strings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NotRequired, cast, get_origin, get_type_hints
from urllib.parse import quote

from .._core.errors import StoreError, listed_names
from .._core.written_schema import require_schema
from ..data.class_heading import class_heading
from ..data.labels import with_labels
from ..metrics import criterion_label
from ..metrics.estimates import calibration_words
from ..plotting._axes import Series
from ..plotting.sizes import Reference, SizePicture
from ..study.results.curve_schema import Curves
from ..study.results.first_screen import any_declined
from ..study.results.schema import SCHEMA, Estimate, SizePoint, StudyContent
from . import _sections
from ._chart_titles import curve_titles, size_title
from ._costs import costs_view
from ._coverage import labels_note
from ._evidence import evidence_sections
from ._features import features_view
from ._filtered import filtered_views
from ._headline import headline_view
from ._learning import learning_view
from ._methods import PROCEDURE_NAME, methods_view
from ._number_fit import fit_view, outcome_name
from ._numbers import count_text, decimal_text, interval_text, mean_of, plain_json, plural_text
from ._page import CurvesView, FileLink, Page, SizesView
from ._places import places_view
from ._rejection import rejection_view
from ._table import Cell, Column, TableView, build_table, computed_column
from ._words import METRIC_WORDS, inline_name, metric_name

PREDICTIONS_TABLE = "tables/predictions.tsv"
CONTENT_TYPES = get_type_hints(StudyContent, include_extras=True)
CONTENT_KEYS = tuple(
    key for key, kind in CONTENT_TYPES.items() if get_origin(kind) is not NotRequired
)


def check_result(result: Mapping[str, object]) -> None:
    """Refuse what is not a result, naming what it lacks."""
    require_schema(result.get("schema"), SCHEMA, "the result", "run `tamis study` again")
    lacking = [key for key in CONTENT_KEYS if key not in result]
    if lacking:
        raise StoreError(
            f"result lacks {listed_names(lacking)}; pass the full dictionary of results.json"
        )


def study_page(given_result: Mapping[str, object], folder: str = ".") -> Page:
    """The page's content; `folder` is where the study's files lie, seen from the page."""
    check_result(given_result)
    result = cast(StudyContent, with_labels(plain_json(given_result)))
    given = result["data"]
    return {
        "title": given["name"],
        "subtitle": ", ".join(
            [
                plural_text(given["n_samples"], "sample"),
                plural_text(given["n_features"], "feature"),
                plural_text(len(given["classes"]), "class", "classes")
                if given["classes"]
                else f"{outcome_name(given)} predicted",
            ]
        ),
        "procedure": _procedure_words(result),
        "headline": headline_view(result),
        "warnings": result["warnings"],
        "methods": methods_view(result),
        "sizes": _sizes_view(result),
        "learning": learning_view(result),
        "curves": _curves_view(result),
        "fit": fit_view(result),
        "costs": costs_view(result, _curve_series(result, "cost")),
        "rejection": rejection_view(result),
        "confusion": _sections.confusion_view(result),
        "features": features_view(result),
        "places": places_view(result),
        "filtered": filtered_views(result),
        "evidence": evidence_sections(result),
        "stability": _sections.stability_view(result),
        "permutation": _sections.permutation_view(result),
        "folds": _sections.folds_view(result),
        "data": _sections.data_view(result),
        "methods_text": result["methods_text"],
        "citations": _sections.citation_links(result),
        "files": _file_links(result, folder),
        "version": result["versions"].get("tamis", ""),
    }


def _inner_criterion(result: StudyContent) -> str:
    by = result["plan"]["tune"] or result["protocol"]["metric"]
    return inline_name(metric_name(by)) if by in METRIC_WORDS else criterion_label(by)


def _size_rule(result: StudyContent) -> str:
    """By which score sizes are chosen, and which is shown."""
    by, shown = _inner_criterion(result), inline_name(metric_name(result["protocol"]["metric"]))
    words = f"The number of features is chosen by the inner {by}"
    return f"{words}." if by == shown else f"{words}; the inner scores shown are the {shown}."


def _procedure_words(result: StudyContent) -> str:
    protocol, plan = result["protocol"], result["plan"]
    n = sum(not m["reference"] for m in result["methods"])
    choice = f"the number of features is chosen by the inner {_inner_criterion(result)}"
    if n > 1:
        how = (
            "the best inner score wins"
            if plan["choose"] == "best"
            else ("the first is taken unless another is clearly better")
        )
        choice += f", and of {n} methods {how}"
    return (
        f"In each training set {choice}, and tested on held-out samples. "
        f"Outer: {protocol['outer']}. Inner: {protocol['inner']}."
    )


def _sizes_view(result: StudyContent) -> SizesView | None:
    """Size curves of the methods that have one, all on the same scale."""
    metric = metric_name(result["protocol"]["metric"])
    there = [m for m in result["methods"] if m["size_curve"]]
    points = [p for m in there for p in m["size_curve"]]
    scores = [s for p in points for s in (p["inner"], p["outer"]) if s is not None]
    beside: list[Reference] = [
        {"label": m["label"], "score": outer}
        for m in there
        for p in m["size_curve"]
        if m["reference"] and (outer := p["outer"]) is not None
    ]
    if not scores:
        return None
    domain = (min(scores), max(scores))
    # the covariates alone have no axis
    drawn = [m for m in there if not m["reference"] and any(p["size"] for p in m["size_curve"])]
    charts: list[SizePicture] = [
        {
            "label": m["label"],
            "metric": metric,
            "points": m["size_curve"],
            "domain": domain,
            "chosen": m["sizes"],
            "optimistic": m["optimistic"],
            "beside": beside,
        }
        for m in drawn
    ]
    rows = [(m["label"], p) for m in there for p in m["size_curve"]]
    columns = [
        Column("method", lambda r: r[0], "Method", numeric=False),
        Column("size", lambda r: r[1]["size"], "Size", lambda r: _size_cell(r[1])),
        *([Column("own", lambda r: r[1]["own"])] if any(p["own"] for p in points) else []),
        computed_column("inner", lambda r: r[1]["inner"], "Inner", decimal_text),
        computed_column("outer", lambda r: r[1]["outer"], "Outer", decimal_text),
    ]
    table = build_table("size_curve", "Score by number of features", columns, rows)
    notes = [labels_note(result, result["protocol"]["metric"])]
    if any(p["own"] for p in points):
        notes.append("A size that is the method's own stands at its mean over the training sets.")
    note = " ".join(filter(None, notes))
    titles = [size_title(m, result["protocol"]["metric"]) for m in drawn]
    return {
        "titles": titles,
        "charts": charts,
        "metric": metric,
        "chosen_by": _size_rule(result),
        "note": note,
        "table": table,
    }


def _size_cell(point: SizePoint) -> Cell:
    return Cell(count_text(point["size"]), "its own, mean" if point["own"] else "")


def _curves_view(result: StudyContent) -> CurvesView | None:
    """Series of the charts of predictions."""
    scored = {"roc": "auc", "pr": "auprc", "calibration": "", "decision": "", "thresholds": ""}
    charts = {kind: _curve_series(result, kind, metric) for kind, metric in scored.items()}
    if not any(series["points"] for chart in charts.values() for series in chart):
        return None
    head, classes = result["headline"], result["data"]["classes"]
    counts = zip(*head["confusion"], head["declined"], strict=True)  # by true class
    judged = [sum(cell or 0.0 for cell in own) for own in counts]
    prevalence = None
    if sum(judged):  # one-vs-rest pooled: one positive a sample among C
        prevalence = judged[-1] / sum(judged) if len(classes) == 2 else 1 / len(classes)
    costs = result.get("costs")
    return {
        "titles": curve_titles(result),
        "charts": charts,
        "prevalence": prevalence,
        "several": len(classes) > 2,
        "positive": class_heading(result["data"]["target"], classes[-1]) if classes else "",
        "methods": [m["label"] for m in result["methods"]],
        "headline": any(chart[0]["points"] for chart in charts.values()),
        "ordered": any(series["points"] for series in charts["roc"]),
        "note": "They use the scores of all samples, including those declined."
        if any_declined(result)
        else "",
        "threshold": costs["threshold"] if costs else None,
        "constant": costs["constant"]["loss"] if costs else None,
        "chosen": [f["threshold"] for f in result["headline"]["folds"] if "threshold" in f],
        "calibration": _calibration_text(result),
    }


def _calibration_text(result: StudyContent) -> str:
    """Slope and index of the headline's held-out probabilities."""
    found = result["headline"].get("calibration")
    if not found:
        return ""
    words = calibration_words(found, 2)
    if found["index"]["mean"] is None:  # for the same reason as the slope
        del words["calibration index"]
    return " ".join(f"{name.capitalize()}: {text}." for name, text in words.items())


def _curve_series(result: StudyContent, kind: str, metric: str = "") -> list[Series]:
    """Curves of a kind: the headline, then the methods in plan order."""
    sources: list[tuple[str, Curves, dict[str, Estimate]]] = [
        (PROCEDURE_NAME, result["headline"]["curves"], result["metrics"]),
        *((m["label"], m["curves"], m["metrics"]) for m in result["methods"]),
    ]
    return [
        {
            "label": label,
            "headline": i == 0,
            "points": dict(given or {}).get(kind) or [],
            "note": _metric_note(metrics, metric),
        }
        for i, (label, given, metrics) in enumerate(sources)
    ]


def _metric_note(metrics: dict[str, Estimate], name: str) -> str:
    estimate = metrics.get(name)
    if mean_of(estimate) is None:
        return ""
    limits = interval_text(estimate)
    return f"{metric_name(name)} {decimal_text(mean_of(estimate))}" + (
        f" ({limits})" if limits else ""
    )


def _file_links(result: StudyContent, folder: str) -> list[FileLink]:
    """Links, relative to the page, to the files of the study."""
    given = [(t["title"], t["file"]) for t in result["tables"]]
    if any_declined(result):
        more = "; samples declined have no class there"
        given = [(f"{t}{more}" if f == PREDICTIONS_TABLE else t, f) for t, f in given]
    given += [("The full result (JSON)", "results.json"), ("The plan (JSON)", "plan.json")]
    if result["final"] and result["final"]["path"]:
        given.append(("The final model", result["final"]["path"]))
    return [{"title": t, "file": file, "href": _relative_link(folder, file)} for t, file in given]


def _relative_link(folder: str, file: str) -> str:
    joined = os.path.normpath(os.path.join(folder, file))
    return "./" + quote(Path(joined).as_posix(), safe="/")


def page_tables(page: Page) -> Iterator[TableView]:
    """Every table of a page."""
    yield page["headline"]["table"]
    if page["headline"]["declined"]:
        yield page["headline"]["declined"]["table"]
    if page["methods"]["several"]:
        yield page["methods"]["table"]
        yield page["methods"]["spread"]
    for section in (
        page["sizes"],
        page["learning"],
        page["features"],
        page["stability"],
        page["permutation"],
    ):
        if section:
            yield section["table"]
    yield page["folds"]["table"]
    if page["costs"]:
        yield page["costs"]["table"]
    if page["rejection"]:
        yield page["rejection"]["table"]
        yield page["rejection"]["full"]
    yield from (t for one in page["filtered"] for t in (one["scores"], one["left_out"]))
    yield from (t for one in page["evidence"] for block in one["blocks"] for t in block["tables"])
