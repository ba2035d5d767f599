"""Summarise: a study's result -> everything that the page says, as short formatted strings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .._core.errors import StoreError, listing
from ..data.class_heading import class_heading
from ..study.results.result import SCHEMA
from . import _sections
from ._features import features
from ._headline import headline
from ._methods import PROCEDURE, comparison
from ._numbers import amount, decimal, interval, mean_of, plain, plural
from ._stability_selection import stability_selection
from ._table import Column, build
from ._words import inline, metric_name

KEYS = (
    "versions", "data", "plan", "protocol", "metrics", "recalls", "chance", "permutation",
    "headline", "methods", "features", "n_selected", "final", "warnings", "methods_text",
    "citations", "tables",
)  # fmt: skip


def check(result: dict[str, Any]) -> None:
    """Refuse what is not a result, naming what it lacks."""
    if result.get("schema") != SCHEMA:
        raise StoreError(
            f"result has schema {result.get('schema')!r}, this version writes reports of schema "
            f"{SCHEMA}; "
            "run the study again with this version"
        )
    lacking = [key for key in KEYS if key not in result]
    if lacking:
        raise StoreError(
            f"result lacks {listing(lacking)}; pass the whole dictionary of results.json"
        )


def view(result: dict[str, Any], folder: str = ".") -> dict[str, Any]:
    """The page's content; `folder` is where the study's files lie, seen from the page."""
    check(result)
    result = plain(result)
    given = result["data"]
    return {
        "title": given["name"],
        "subtitle": ", ".join([
            plural(given["n_samples"], "sample"), plural(given["n_features"], "feature"),
            plural(len(given["classes"]), "class", "classes"),
        ]),
        "procedure": _procedure(result),
        "headline": headline(result),
        "warnings": result["warnings"],
        "methods": comparison(result),
        "sizes": _sizes(result),
        "curves": _curves(result),
        "confusion": _sections.confusion(result),
        "features": features(result),
        "stable": stability_selection(result),
        "stability": _sections.stability(result),
        "permutation": _sections.permutation(result),
        "folds": _sections.folds(result),
        "data": _sections.data(result),
        "methods_text": result["methods_text"],
        "citations": _sections.citations(result),
        "files": _files(result, folder),
        "version": result["versions"].get("tamis", ""),
    }  # fmt: skip


def _procedure(result: dict[str, Any]) -> str:
    protocol, n = result["protocol"], len(result["methods"])
    choice = (
        f"the best of {plural(n, 'method')} and their sizes is picked by inner "
        if n > 1 else "the size is picked by inner "
    )  # fmt: skip
    return (
        f"In every training part {choice}{inline(metric_name(protocol['metric']))} and judged on "
        f"the samples left out. Outer: {protocol['outer']}. Inner: {protocol['inner']}."
    )


def _sizes(result: dict[str, Any]) -> dict[str, Any] | None:
    """Size curves of the methods that have one, all on the same scale."""
    metric = metric_name(result["protocol"]["metric"])
    there = [m for m in result["methods"] if m["size_curve"]]
    scores = [
        p[k] for m in there for p in m["size_curve"] for k in ("inner", "outer")
        if p[k] is not None
    ]  # fmt: skip
    if not scores:
        return None
    domain = (min(scores), max(scores))
    charts = [
        {"label": m["label"], "metric": metric, "points": m["size_curve"], "domain": domain,
         "chosen": m["sizes"], "optimistic": m["optimistic"]}
        for m in there
    ]  # fmt: skip
    rows = [(m["label"], p) for m in there for p in m["size_curve"]]
    columns = [
        Column("method", lambda r: r[0], "Method", numeric=False),
        Column("size", lambda r: r[1]["size"], "Size", lambda r: amount(r[1]["size"])),
        Column("inner", lambda r: r[1]["inner"], "Inner",
                         lambda r: decimal(r[1]["inner"])),
        Column("outer", lambda r: r[1]["outer"], "Outer",
                         lambda r: decimal(r[1]["outer"])),
    ]  # fmt: skip
    table = build("size_curve", "Score by number of features", columns, rows)
    return {"charts": charts, "metric": metric, "table": table}


def _curves(result: dict[str, Any]) -> dict[str, Any] | None:
    """Series of the four charts: the headline, then the methods in plan order."""
    head = {"label": PROCEDURE, "headline": True, "metrics": result["metrics"],
            "curves": result["headline"]["curves"]}  # fmt: skip
    sources = [head, *result["methods"]]
    charts = {
        kind: [
            {"label": s["label"], "headline": bool(s.get("headline")),
             "points": (s["curves"] or {}).get(kind) or [], "note": _note(s["metrics"], metric)}
            for s in sources
        ]
        for kind, metric in (("roc", "auc"), ("pr", "auprc"), ("calibration", ""), ("decision", ""))
    }  # fmt: skip
    if not any(series["points"] for chart in charts.values() for series in chart):
        return None
    counts, classes = result["data"]["counts"], result["data"]["classes"]
    total = sum(counts.values())
    prevalence = None
    if total and classes:  # one-vs-rest pooled: one positive a sample among C
        two = len(classes) == 2
        prevalence = counts.get(classes[-1], 0) / total if two else 1 / len(classes)
    return {
        "charts": charts, "prevalence": prevalence, "several": len(classes) > 2,
        "positive": class_heading(result["data"]["target"], classes[-1]) if classes else "",
        "methods": [m["label"] for m in result["methods"]],
        "headline": any(chart[0]["points"] for chart in charts.values()),
        "ordered": any(series["points"] for series in charts["roc"]),
    }  # fmt: skip


def _note(metrics: dict[str, Any], name: str) -> str:
    estimate = metrics.get(name)
    if mean_of(estimate) is None:
        return ""
    limits = interval(estimate)
    return f"{metric_name(name)} {decimal(mean_of(estimate))}" + (f" ({limits})" if limits else "")


def _files(result: dict[str, Any], folder: str) -> list[dict[str, str]]:
    """Links, relative to the page, to the files of the study."""
    given = [(t["title"], t["file"]) for t in result["tables"]]
    given += [("The whole result (JSON)", "results.json"), ("The plan (JSON)", "plan.json")]
    if result["final"] and result["final"]["path"]:
        given.append(("The final model", result["final"]["path"]))
    return [
        {"title": title, "file": file, "href": _href(folder, file)} for title, file in given
    ]  # fmt: skip


def _href(folder: str, file: str) -> str:
    joined = os.path.normpath(os.path.join(folder, file))
    return "./" + quote(Path(joined).as_posix(), safe="/")


def tables(page: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every table of a view."""
    yield page["headline"]["table"]
    yield page["methods"]["table"]
    yield page["methods"]["spread"]
    for section in ("sizes", "features", "stability", "permutation", "folds"):
        if page[section]:
            yield page[section]["table"]
    yield from (one["table"] for one in page["stable"])
