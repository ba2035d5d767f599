"""The other sections' views: stability, permutations, folds, errors, data, citations."""

from __future__ import annotations

import json
import re
from typing import Any

from ..data.class_heading import class_heading
from ..metrics.differences import LEAST_RUNS
from ._methods import PROCEDURE
from ._numbers import NONE, amount, decimal, mean_of, p_text, params, percent, plural
from ._table import Cell, Column, build
from ._words import STABILITY, metric_name, metric_short


def stability(result: dict[str, Any]) -> dict[str, Any]:
    """The headline's stability in words, and every method's in a table."""
    own = result["headline"]["stability"]
    values = {
        "nogueira": decimal(mean_of(own["nogueira"]), 2), "asm": decimal(own["asm"], 2),
        "jaccard": decimal(own["jaccard"], 2), "common": amount(own["common"]),
        "mean_size": decimal(own["mean_size"], 1), "n_sets": amount(own["n_sets"]),
    }  # fmt: skip
    cards = [
        {"name": STABILITY[key][0], "help": STABILITY[key][1], "value": value}
        for key, value in values.items()
    ]

    def of(key: str):
        return lambda row: row["stability"].get(key)

    def shown(key: str, digits: int):
        return lambda row: decimal(of(key)(row), digits)

    columns = [
        Column("method", lambda r: r["label"], "Method", numeric=False),
        Column("nogueira", lambda r: mean_of(of("nogueira")(r)), "Nogueira",
               lambda r: decimal(mean_of(of("nogueira")(r)), 2)),
        Column("companion", lambda r: r["again"]["observed"], "In the companion run",
               lambda r: decimal(r["again"]["observed"], 2),
               help="Nogueira's measure in the design of the permuted runs"),
        Column("permuted_median", lambda r: r["again"]["median"], "Permuted labels",
               lambda r: Cell(decimal(r["again"]["median"], 2), _most(r["again"])),
               help="median and most of the permuted runs"),
        Column("permuted_most", lambda r: r["again"]["most"]),
        Column("excess", lambda r: r["again"]["excess"], "Beyond chance",
               lambda r: decimal(r["again"]["excess"], 2),
               help="the companion run less the median of the permuted runs"),
        Column("asm", of("asm"), "ASM", shown("asm", 2)),
        Column("jaccard", of("jaccard"), "Jaccard", shown("jaccard", 2)),
        Column("common", of("common"), "In half", shown("common", 0),
               help="features chosen in at least half of the outer folds"),
        Column("mean_size", of("mean_size"), "Mean size", shown("mean_size", 1)),
    ]  # fmt: skip
    found = result["permutation"]["stability"]
    rows = [{"label": PROCEDURE, "stability": own, "again": found, "head": True}]
    rows += [{**m, "again": m["repeatability"]} for m in result["methods"]]
    pairs = own.get("undefined_pairs") or 0
    return {
        "cards": cards,
        "verdict": _verdict(result),
        "note": f"{plural(pairs, 'pair')} with an empty or a full selection "
        f"{'was' if pairs == 1 else 'were'} left out of the ASM." if pairs else "",
        "table": build("stability", "Stability of each method", columns, rows,
                       lambda r: bool(r.get("head"))),
    }  # fmt: skip


def _most(found: dict[str, Any]) -> str:
    return "" if found["most"] is None else f"at most {decimal(found['most'], 2)}"


def _verdict(result: dict[str, Any]) -> str:
    """Whether the selection is more stable than that of permuted labels, in words."""
    found, n = result["permutation"]["stability"], result["permutation"]["n"]
    if found["above"] is None:
        return (
            f"There is no verdict on stability: it takes {LEAST_RUNS} permuted runs and selections "
            "of two training parts. Selections of overlapping training parts agree even in noise."
        )
    most = "" if found["most"] is None else f", at most {decimal(found['most'], 2)}"
    numbers = (
        f"Nogueira's measure is {decimal(found['observed'], 2)} in "
        f"{result['permutation']['outer_short']}, and {decimal(found['median'], 2)} (median{most}) "
        f"in the {n} runs with permuted labels of the same design"
    )
    if found["above"]:
        return f"More stable than with permuted labels: {numbers}."
    return f"Not shown to be more stable than with permuted labels: {numbers}."


def permutation(result: dict[str, Any]) -> dict[str, Any] | None:
    """The permuted runs, or None when there were none."""
    given = result["permutation"]
    if not given["values"]:
        return None
    columns = [
        Column("permutation", lambda r: r[0], "Run", lambda r: amount(r[0])),
        Column(given["metric"], lambda r: r[1], metric_name(given["metric"]),
               lambda r: decimal(r[1])),
        Column("nogueira", lambda r: r[2], "Nogueira", lambda r: decimal(r[2], 2)),
    ]  # fmt: skip
    rows = zip(range(1, given["n"] + 1), given["values"], given["stability"]["values"], strict=True)
    return {
        "chart": {**given, "metric": metric_name(given["metric"])},
        "design": given["outer_short"], "outer": given["outer"],
        "n": amount(given["n"]), "p": "" if given["p_value"] is None else p_text(given["p_value"]),
        "floor": p_text(1 / (1 + given["n"])) if given["n"] else NONE,
        "without": (
            f"Fewer than {LEAST_RUNS} permuted runs cannot reach p = 0.05: there is no p-value and "
            "no verdict on stability."
            if given["n"] < LEAST_RUNS
            else "The score is undefined in this design: there is no p-value."
        ),
        "table": build("permutations", "Permuted runs", columns, rows),
    }  # fmt: skip


def folds(result: dict[str, Any]) -> dict[str, Any]:
    """What happened in every outer fold."""
    columns = [
        Column("repeat", lambda f: f["repeat"], "Repeat"),
        Column("fold", lambda f: f["fold"], "Fold"),
        Column("method", lambda f: f["method"], "Method", numeric=False),
        Column("classify", lambda f: f["classify"], "Classifier", numeric=False),
        Column("params", lambda f: params(f["params"]), "Parameters", numeric=False),
        Column("size", lambda f: f["size"], "Size", lambda f: amount(f["size"])),
        Column("inner", lambda f: f["inner"], "Inner score", lambda f: decimal(f["inner"])),
    ]
    for short in result["metrics"]:

        def value(f: dict[str, Any], short: str = short) -> float | None:
            return f.get(short)

        def show(f: dict[str, Any], value: Any = value) -> str:
            return decimal(value(f))

        columns.append(Column(short, value, metric_short(short), show))
    rows = result["headline"]["folds"]
    return {"table": build("folds", "Outer folds", columns, rows), "n": amount(len(rows))}


def confusion(result: dict[str, Any]) -> dict[str, Any] | None:
    """Predicted by true class; each column's shares show where that class goes."""
    table, classes = result["headline"]["confusion"], result["data"]["classes"]
    target = result["data"]["target"]
    if not table:
        return None
    totals = [sum(row[j] or 0 for row in table) for j in range(len(classes))]
    rows = [
        {"label": class_heading(target, label), "cells": [
            {"text": decimal(value, 1).removesuffix(".0"), "right": i == j,
             "share": percent(value / total if total else None),
             "shade": round(100 * value / total) if total else 0}
            for j, (value, total) in enumerate(zip(table[i], totals, strict=True))
        ]}
        for i, label in enumerate(classes)
    ]  # fmt: skip
    return {"classes": [class_heading(target, label) for label in classes], "rows": rows}


def data(result: dict[str, Any]) -> dict[str, Any]:
    """The table that was studied and the protocol it went through."""
    given, protocol = result["data"], result["protocol"]
    total = sum(given["counts"].values())
    cells = given["n_samples"] * given["n_features"]
    share = f" ({percent(given['n_missing'] / cells, 2)})" if cells and given["n_missing"] else ""
    facts = [
        ("Samples", amount(given["n_samples"])), ("Features", amount(given["n_features"])),
        ("Class column", given["target"]),
        ("Missing values", amount(given["n_missing"]) + share),
        ("Categorical columns", amount(given["n_categorical"])),
        ("Groups", "none" if given["n_groups"] is None else amount(given["n_groups"])),
        ("Covariates", ", ".join(given["covariates"]) or "none"),
        ("Outer", protocol["outer"]), ("Inner", protocol["inner"]),
        ("Repeats", amount(protocol["repeats"])),
        ("Permutations", amount(protocol["permutations"]) if protocol["permutations"] else "none"),
        ("Tuned on", metric_name(protocol["metric"])), ("Fits", amount(protocol["n_fits"])),
    ]  # fmt: skip
    last = len(given["classes"]) - 1
    classes = [
        {"label": class_heading(given["target"], label), "n": amount(given["counts"].get(label)),
         "share": percent(given["counts"].get(label, 0) / total if total else None),
         "positive": last == 1 and i == last}
        for i, label in enumerate(given["classes"])
    ]  # fmt: skip
    return {
        "facts": facts, "classes": classes, "notes": given["notes"], "digest": given["digest"],
        "versions": list(result["versions"].items()),
        "plan": pretty(result["plan"]),
    }  # fmt: skip


def pretty(value: Any) -> str:
    """Indented JSON with lists of plain values on one line.

    Examples
    --------
    >>> print(pretty({"sizes": [2, 5]}))
    {
      "sizes": [2, 5]
    }
    """
    text = json.dumps(value, indent=2, ensure_ascii=False)

    def one_line(found: re.Match[str]) -> str:  # a line break is never inside a JSON string
        return "[" + re.sub(r",\n *", ", ", found.group(1)) + "]"

    return re.sub(r"\[\n *([^\[\]{}]*?)\n *\]", one_line, text)


def citations(result: dict[str, Any]) -> list[dict[str, str]]:
    """Texts, and the address of those that carry a DOI."""
    out = []
    for one in result["citations"]:
        found = re.search(r"\b10\.\d{4,9}/[^\s\"'<>]*[^\s\"'<>.,;)]", one["text"])
        out.append({
            "key": one["key"], "text": one["text"],
            "url": f"https://doi.org/{found.group()}" if found else "",
        })  # fmt: skip
    return out
