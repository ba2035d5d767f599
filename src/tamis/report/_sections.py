"""The other sections' views: stability, permutations, folds, errors, data, citations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .._core.errors import listed_parts, shorten_text
from ..data.class_heading import class_heading, class_headings
from ..metrics.differences import LEAST_RUNS
from ..study.results.first_screen import (
    HELD_FAST,
    any_declined,
    held_fast,
    selects_features,
    stability_shown,
)
from ..study.results.schema import (
    FoldEntry,
    Permutation,
    Repeatability,
    Stability,
    StudyContent,
    fold_score,
)
from ._chart_titles import permutation_title, stability_title
from ._coverage import COVERAGE_MEANING, labels_note, share_of
from ._methods import PROCEDURE_NAME
from ._numbers import (
    UNDEFINED_MARK,
    count_text,
    decimal_text,
    p_text,
    params_text,
    percent_text,
    plural_text,
)
from ._page import (
    CitationLink,
    ClassLine,
    ConfusionRow,
    ConfusionView,
    DataView,
    Fact,
    FoldsView,
    PermutationView,
    StabilityView,
)
from ._table import Cell, Column, build_table, computed_column, field_column
from ._words import STABILITY_WORDS, metric_name, metric_short


class Stable(NamedTuple):
    """A row of the table: the full procedure, or a method."""

    label: str
    found: Stability
    again: Repeatability
    head: bool = False


def stability_view(result: StudyContent) -> StabilityView:
    """The headline's stability in words, and every method's in a table."""
    own, found = result["headline"]["stability"], result["permutation"]["stability"]
    shown, folds = stability_shown(result, own, found)
    values = {
        "nogueira": decimal_text(shown, 2),
        "asm": decimal_text(own["asm"], 2),
        "jaccard": decimal_text(own["jaccard"], 2),
        "common": count_text(own["common"]),
        "mean_size": decimal_text(own["mean_size"], 1),
        "n_sets": count_text(own["n_sets"]),
    }
    cards: list[Fact] = [
        {
            "name": STABILITY_WORDS[key][0]
            + f", {folds if key == 'nogueira' and folds else 'the outer folds'}",
            "help": STABILITY_WORDS[key][1],
            "value": value,
        }
        for key, value in values.items()
    ]

    def decimal_column(
        key: str, title: str, value: Callable[[Stable], float | None], digits: int, help: str = ""
    ) -> Column:
        return computed_column(key, value, title, lambda v: decimal_text(v, digits), help=help)

    columns = [
        Column("method", lambda r: r.label, "Method", numeric=False),
        decimal_column(
            "nogueira",
            f"Stability, {folds}" if folds else "Stability",
            lambda r: stability_shown(result, r.found, r.again)[0],
            2,
            f"Nogueira's measure in {folds or 'the outer folds'}",
        ),
        Column(
            "permuted_median",
            lambda r: r.again["median"],
            "Shuffled labels",
            lambda r: Cell(decimal_text(r.again["median"], 2), _at_most_words(r.again)),
            help="median and most of the permuted runs",
        ),
        Column("permuted_most", lambda r: r.again["most"]),
        decimal_column(
            "excess",
            "Beyond chance",
            lambda r: r.again["excess"],
            2,
            "stability less the median of the permuted runs",
        ),
        decimal_column("asm", "ASM", lambda r: r.found["asm"], 2, "in the outer folds"),
        decimal_column("jaccard", "Jaccard", lambda r: r.found["jaccard"], 2, "in the outer folds"),
        decimal_column(
            "common",
            "In half",
            lambda r: r.found["common"],
            0,
            "features chosen in at least half of the outer folds",
        ),
        decimal_column("mean_size", "Mean size", lambda r: r.found["mean_size"], 1),
    ]
    rows = [Stable(PROCEDURE_NAME, own, found, head=True)]
    rows += [Stable(m["label"], m["stability"], m["repeatability"]) for m in result["methods"]]
    pairs = own.get("undefined_pairs") or 0
    return {
        "title": stability_title(result),
        "cards": cards,
        "verdict": _stability_verdict(result),
        "note": f"{plural_text(pairs, 'pair')} with an empty or a full selection "
        f"{'was' if pairs == 1 else 'were'} left out of the ASM."
        if pairs
        else "",
        "table": build_table(
            "stability", "Stability of each method", columns, rows, lambda r: r.head
        ),
    }


def _at_most_words(found: Repeatability) -> str:
    return "" if found["most"] is None else f"at most {decimal_text(found['most'], 2)}"


def _stability_verdict(result: StudyContent) -> str:
    """Whether the selection is more stable than that of permuted labels, in words."""
    found, n = result["permutation"]["stability"], result["permutation"]["n"]
    if not selects_features(result):
        return (
            "At least half of the training sets kept all features, or none: these figures say "
            "nothing of a selection."
        )
    if found["above"] is None and held_fast(result["permutation"].get("moved")):
        return f"There is no verdict on stability: {HELD_FAST}."
    if found["above"] is None:
        return (
            f"There is no verdict on stability: it takes {LEAST_RUNS} permuted runs and selections "
            "of two training sets. Selections of overlapping training sets agree even in noise."
        )
    most = "" if found["most"] is None else f", at most {decimal_text(found['most'], 2)}"
    numbers = (
        f"stability is {decimal_text(found['observed'], 2)} of 1 in the run with true labels, and "
        f"{decimal_text(found['median'], 2)} (median{most}) in the {n} runs with shuffled labels, "
        f"all in {result['permutation']['outer_short']}"
    )
    if found["above"]:
        return f"More stable than with shuffled labels: {numbers}."
    return f"Not shown to be more stable than with shuffled labels: {numbers}."


def _why_no_p_value(given: Permutation) -> str:
    """Of permuted runs that are enough."""
    if held_fast(given.get("moved")):
        return f"{HELD_FAST[0].upper()}{HELD_FAST[1:]}"
    if "shifted" in given:
        return "Groups differ in size by class, so that permuted runs have other class shares"
    return "The score is undefined in this design"


def permutation_view(result: StudyContent) -> PermutationView | None:
    """The permuted runs, or None when there were none."""
    given = result["permutation"]
    if not given["values"]:
        return None
    columns = [
        computed_column("permutation", lambda r: r[0], "Run", count_text),
        computed_column(
            given["metric"], lambda r: r[1], metric_name(given["metric"]), decimal_text
        ),
        computed_column("nogueira", lambda r: r[2], "Stability", lambda v: decimal_text(v, 2)),
    ]
    rows = zip(range(1, given["n"] + 1), given["values"], given["stability"]["values"], strict=True)
    return {
        "title": permutation_title(result),
        "chart": {
            "metric": metric_name(given["metric"]),
            "values": given["values"],
            "observed": given["observed"],
            "p_value": given["p_value"],
        },
        "design": given["outer_short"],
        "outer": given["outer"],
        "n": count_text(given["n"]),
        "p": "" if given["p_value"] is None else p_text(given["p_value"]),
        "floor": p_text(1 / (1 + given["n"])) if given["n"] else UNDEFINED_MARK,
        "without": (
            f"Fewer than {LEAST_RUNS} permuted runs cannot reach p = 0.05: there is no p-value and "
            "no verdict on stability."
            if given["n"] < LEAST_RUNS
            else f"{_why_no_p_value(given)}: there is no p-value."
        ),
        "other_design": given["observed"] != result["metrics"][given["metric"]]["mean"],
        "note": labels_note(result, given["metric"]),
        "table": build_table("permutations", "Permuted runs", columns, rows),
    }


def folds_view(result: StudyContent) -> FoldsView:
    """What happened in every outer fold."""
    columns = [
        field_column("repeat", "Repeat"),
        field_column("fold", "Fold"),
        field_column("method", "Method", numeric=False),
        field_column("classify", "Classifier", numeric=False),
        Column("params", lambda f: params_text(f["params"]), "Parameters", numeric=False),
        Column(
            "size",
            lambda f: f["size"],
            "Size",
            lambda f: Cell(count_text(f["size"]), "its own" if f["own"] else ""),
        ),
        field_column("inner", "Inner score", decimal_text),
    ]
    rows = result["headline"]["folds"]
    if any(fold["own"] for fold in rows):
        columns.append(field_column("own"))
    if any_declined(result):
        columns.append(field_column("coverage", "Decided", share_of, help=COVERAGE_MEANING))
    for short in result["metrics"]:

        def score_of_fold(f: FoldEntry, short: str = short) -> float | None:
            return fold_score(f, short)

        columns.append(computed_column(short, score_of_fold, metric_short(short), decimal_text))
    note = ""
    if any_declined(result):
        note = "Metrics of labels are of the samples of the fold that were given a class."
    table = build_table("folds", "Outer folds", columns, rows)
    return {"table": table, "n": count_text(len(rows)), "note": note}


def confusion_view(result: StudyContent) -> ConfusionView | None:
    """Predicted by true class, and declined if any was: where the samples of each class go."""
    head, data = result["headline"], result["data"]
    names = class_headings(data["target"], data["classes"])
    repeated = result["protocol"]["repeats"] > 1
    if not head["confusion"]:
        return None
    return confusion_of(head["confusion"], head["declined"], names, repeated)


def confusion_of(
    table: Sequence[Sequence[float]],
    declined: Sequence[float],
    names: list[str],
    repeated: bool = False,
) -> ConfusionView:
    """Of counts, rows predicted and columns true."""
    some = any(declined)
    columns = zip(*table, declined, strict=True)
    totals = [sum(value or 0 for value in column) for column in columns]

    def confusion_row(label: str, values: Sequence[float], right: int | None) -> ConfusionRow:
        shares = [
            v / total if v is not None and total else None
            for v, total in zip(values, totals, strict=True)
        ]
        return {
            "label": label,
            "cells": [
                {
                    "text": decimal_text(value, 1).removesuffix(".0"),
                    "right": j == right,
                    "share": percent_text(share),
                    "shade": round(100 * (share or 0)),
                }
                for j, (value, share) in enumerate(zip(values, shares, strict=True))
            ],
        }

    rows = [confusion_row(name, table[i], i) for i, name in enumerate(names)]
    if some:
        rows.append(confusion_row("(abstained)", declined, None))
    return {"classes": names, "rows": rows, "declined": some, "repeated": repeated}


def data_view(result: StudyContent) -> DataView:
    """The table that was studied and the protocol it went through."""
    given, protocol = result["data"], result["protocol"]
    total = sum(given["counts"].values())
    cells = given["n_samples"] * given["n_features"]
    share = (
        f" ({percent_text(given['n_missing'] / cells, 2)})" if cells and given["n_missing"] else ""
    )
    facts = [
        ("Samples", count_text(given["n_samples"])),
        ("Features", count_text(given["n_features"])),
        ("Class column" if given["classes"] else "Number", shorten_text(given["target"])),
        ("Missing values", count_text(given["n_missing"]) + share),
        ("Categorical columns", count_text(given["n_categorical"])),
        ("Groups", "none" if given["n_groups"] is None else count_text(given["n_groups"])),
        ("Covariates", ", ".join(given["covariates"]) or "none"),
        ("Outer", protocol["outer"]),
        ("Inner", protocol["inner"]),
        ("Repeats", count_text(protocol["repeats"])),
        (
            "Permutations",
            count_text(protocol["permutations"]) if protocol["permutations"] else "none",
        ),
        ("Main score", metric_name(protocol["metric"])),
        ("Fits", count_text(protocol["n_fits"])),
    ]
    if "outcome" in given:
        low, middle, high = (f"{given['outcome'][key]:.4g}" for key in ("min", "median", "max"))
        scale = ", natural logarithms" if given["outcome"]["log"] else ""
        facts.insert(3, ("Its values", f"{low} to {high}, median {middle}{scale}"))
    if "n_batches" in given:
        facts.insert(6, ("Batches", count_text(given["n_batches"])))
    if "blocks" in given:
        blocks = listed_parts(
            f"{shorten_text(name)} {count_text(n)}" for name, n in given["blocks"].items()
        )
        facts.insert(2, ("Blocks", blocks))
    last = len(given["classes"]) - 1
    classes: list[ClassLine] = [
        {
            "label": class_heading(given["target"], label),
            "n": count_text(given["counts"].get(label)),
            "share": percent_text(given["counts"].get(label, 0) / total if total else None),
            "positive": last == 1 and i == last,
        }
        for i, label in enumerate(given["classes"])
    ]
    return {
        "facts": facts,
        "classes": classes,
        "notes": given["notes"],
        "digest": given["digest"],
        "versions": list(result["versions"].items()),
        "plan": pretty_json(result["plan"]),
    }


def pretty_json(value: Any) -> str:
    """Indented JSON with lists of plain values on one line.

    Examples
    --------
    >>> print(pretty_json({"sizes": [2, 5]}))
    {
      "sizes": [2, 5]
    }
    """
    text = json.dumps(value, indent=2, ensure_ascii=False)

    def one_line(found: re.Match[str]) -> str:  # a line break is never inside a JSON string
        return "[" + re.sub(r",\n *", ", ", found.group(1)) + "]"

    return re.sub(r"\[\n *([^\[\]{}]*?)\n *\]", one_line, text)


def citation_links(result: StudyContent) -> list[CitationLink]:
    """Texts, and the address of those that carry a DOI."""
    out: list[CitationLink] = []
    for one in result["citations"]:
        found = re.search(r"\b10\.\d{4,9}/[^\s\"'<>]*[^\s\"'<>.,;)]", one["text"])
        url = f"https://doi.org/{found.group()}" if found else ""
        out.append({"key": one["key"], "text": one["text"], "url": url})
    return out
