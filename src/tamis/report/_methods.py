"""Methods side by side, and the warning that goes with the best row."""

from __future__ import annotations

from statistics import median
from typing import Any

from ..metrics.differences import LEAST_RUNS
from ..study.results.first_screen import chance_of
from ._numbers import NONE, amount, decimal, interval, mean_of, p_text
from ._table import Cell, Column, build
from ._words import METRICS, metric_name, metric_short

PROCEDURE = "Procedure: method chosen by inner score"


def comparison(result: dict[str, Any]) -> dict[str, Any]:
    """The table of methods, the dot plot's data and the explanation."""
    metric = result["protocol"]["metric"]
    head = {
        "label": PROCEDURE, "metrics": result["metrics"], "head": True, "sizes": [
            fold["size"] for fold in result["headline"]["folds"] if fold["size"] is not None
        ], "stability": result["headline"]["stability"],
    }  # fmt: skip
    rows = [head, *result["methods"]]
    winners = result["headline"]["winners"]
    return {
        "table": build("methods", "Methods", _columns(result, winners), rows, _is_head),
        "spread": _spread(result),
        "chart": {
            "metric": metric_name(metric),
            "rows": [
                {"label": row["label"], "headline": _is_head(row), **_estimate(row, metric)}
                for row in rows
            ],
            "chance": _chance(result, metric),
        },
        "explanation": _explanation(result, metric),
        "differences": any(
            (m["difference"] or {}).get("p_value") is not None for m in result["methods"]
        ),
        "optimistic": any(m["optimistic"] is not None for m in result["methods"]),
    }


def _is_head(row: dict[str, Any]) -> bool:
    return bool(row.get("head"))


def _estimate(row: dict[str, Any], metric: str) -> dict[str, Any]:
    estimate = row["metrics"].get(metric) or {}
    return {key: estimate.get(key) for key in ("mean", "low", "high")}


def _chance(result: dict[str, Any], metric: str) -> dict[str, Any]:
    """The line of chance, and the range of the permuted runs where they are enough."""
    value, _ = chance_of(result, metric)
    runs = (result["chance"].get(metric) or {}).get("permuted") or {}
    if (runs.get("n") or 0) < LEAST_RUNS:
        return {"mean": value}
    return {"mean": value, "low": runs["least"], "high": runs["most"]}


def _columns(result: dict[str, Any], winners: dict[str, int]) -> list[Column]:
    tuned = result["protocol"]["metric"]
    columns = [
        Column("method", lambda r: r["label"], "Method", numeric=False),
        Column("name", lambda r: r.get("name", "headline")),
        *_metric_columns(tuned),
        *_difference_columns(result),
    ]
    for short in result["metrics"]:
        columns += [] if short == tuned else _metric_columns(short)
    columns += [
        Column(
            "wins", lambda r: winners.get(r.get("name", "")), "Wins",
            lambda r: NONE if _is_head(r) else amount(winners.get(r["name"], 0)),
            help="outer folds in which this method had the best inner score",
        ),
        Column(
            "median_size", lambda r: median(r["sizes"]) if r["sizes"] else None, "Size",
            _size_cell, help="features kept: median and range over the outer folds",
        ),
        Column(
            "nogueira", lambda r: mean_of(r["stability"].get("nogueira")), "Stability",
            lambda r: decimal(mean_of(r["stability"].get("nogueira")), 2),
            help="Nogueira's measure: 1 the same features in every fold, 0 as random",
        ),
    ]  # fmt: skip
    if any(m["optimistic"] is not None for m in result["methods"]):
        columns.append(
            Column("optimistic", lambda r: r.get("optimistic"), "Optimistic",
                   lambda r: decimal(r.get("optimistic")),
                   help="best size looked up on the judging samples: do not quote")
        )  # fmt: skip
    return columns


def _metric_columns(short: str) -> list[Column]:
    def of(key: str):
        return lambda row: _estimate(row, short)[key]

    return [
        Column(short, of("mean"), metric_short(short), lambda r: _number_cell(_estimate(r, short)),
               help=": ".join(filter(None, METRICS.get(short, (short, ""))))),
        Column(f"{short}_low", of("low")),
        Column(f"{short}_high", of("high")),
    ]  # fmt: skip


def _number_cell(estimate: dict[str, Any] | None) -> Cell:
    return Cell(decimal(mean_of(estimate)), interval(estimate))


def _size_cell(row: dict[str, Any]) -> Cell:
    sizes = row["sizes"]
    if not sizes:
        return Cell(NONE)
    same = min(sizes) == max(sizes)
    return Cell(
        amount(median(sizes)), "" if same else f"{amount(min(sizes))} to {amount(max(sizes))}"
    )


def _difference_columns(result: dict[str, Any]) -> list[Column]:
    def of(key: str):
        return lambda row: (row.get("difference") or {}).get(key)

    if all(of("mean")(m) is None for m in result["methods"]):
        return []
    return [
        Column("difference", of("mean"), "To best", lambda r: _number_cell(r.get("difference")),
               help="mean difference to the best row over the outer folds, and its interval"),
        Column("difference_low", of("low")),
        Column("difference_high", of("high")),
        Column("difference_against", of("against")),
        Column("difference_p", of("p_value"), "p", lambda r: p_text(of("p_value")(r)),
               help="corrected resampled t test (Nadeau and Bengio 2003)"),
    ]  # fmt: skip


def _spread(result: dict[str, Any]) -> dict[str, Any]:
    """Mean and standard deviation over the outer folds, for those who report them."""
    columns = [Column("method", lambda r: r["label"], "Method", numeric=False)]
    for short in result["metrics"]:

        def of(key: str, short: str = short):
            return lambda row: (row["per_fold"].get(short) or {}).get(key)

        def show(row: Any, of: Any = of) -> Cell:
            sd = of("sd")(row)
            return Cell(decimal(of("mean")(row)), "" if sd is None else f"± {decimal(sd)}")

        columns.append(Column(short, of("mean"), metric_short(short), show))
        columns.append(Column(f"{short}_sd", of("sd")))
    return build("per_fold", "Mean and standard deviation over folds", columns, result["methods"])


def _explanation(result: dict[str, Any], metric: str) -> str:
    """Why the number to quote is not the best number in the table."""
    head = mean_of(result["metrics"].get(metric))
    means = [(mean_of(m["metrics"].get(metric)), m["label"]) for m in result["methods"]]
    scored = [(mean, label) for mean, label in means if mean is not None]
    if head is None or not scored:
        return ""
    sign = -1 if metric == "loss" else 1
    score, best = max(scored, key=lambda row: sign * row[0])
    rule = (
        "The headline picks method and size by inner score, inside each training part, and is "
        "judged on samples that took no part in the choice: it is the number to quote."
    )
    if len(scored) > 1 and sign * score > sign * head:
        return (
            f"{rule} The best row, {best}, has {decimal(score)} against "
            f"{decimal(head)}, but it was found by looking at the judging samples: the best of "
            f"{len(scored)} rows is partly the luckiest one, and its lead shrinks on new samples "
            "(the winner's curse)."
        )
    return (
        f"{rule} Single rows are judged outside too, but picking the best of them afterwards "
        "would flatter (the winner's curse)."
    )
