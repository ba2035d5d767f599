"""Methods side by side, and the warning that goes with the best row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

from ..metrics.differences import LEAST_RUNS
from ..metrics.registry import metric_row
from ..plotting.intervals import Chance, Interval
from ..study.results.first_screen import any_declined, chance_of, stability_shown
from ..study.results.schema import (
    Coverage,
    Difference,
    Estimate,
    MethodEntry,
    Repeatability,
    Stability,
    StudyContent,
)
from ._coverage import class_names, coverage_column
from ._decisions import decisions_of, steps_of
from ._numbers import UNDEFINED_MARK, count_text, decimal_text, interval_text, mean_of, p_text
from ._page import MethodsView
from ._table import Cell, Column, TableView, build_table, computed_column
from ._words import METRIC_WORDS, metric_name, metric_short

PROCEDURE_NAME = "Procedure: everything chosen inside"


def methods_view(result: StudyContent) -> MethodsView:
    """The table of methods, the dot plot's data and the explanation."""
    metric = result["protocol"]["metric"]
    head = result["headline"]
    decisions, steps = decisions_of(result), steps_of(result)
    rows = [
        Procedure(
            PROCEDURE_NAME,
            "headline",
            result["metrics"],
            head["coverage"],
            [fold["size"] for fold in head["folds"] if fold["size"] is not None],
            head["stability"],
            result["permutation"]["stability"],
        ),
        *(
            Procedure(
                m["label"],
                m["name"],
                m["metrics"],
                m["coverage"],
                m["sizes"],
                m["stability"],
                m["repeatability"],
                m,
                decisions.get(m["name"], ""),
                steps.get(m["name"], ""),
            )
            for m in result["methods"]
        ),
    ]
    return {
        "several": sum(not m["reference"] for m in result["methods"]) > 1,
        "table": build_table("methods", "Methods", _method_columns(result), rows, lambda r: r.head),
        "spread": _spread_table(result),
        "chart": {
            "metric": metric_name(metric),
            "rows": [
                {"label": row.label, "headline": row.head, **_metric_ends(row, metric)}
                for row in rows
            ],
            "chance": _chance_line(result, metric),
        },
        "explanation": _quoted_number_words(result, metric),
        "differences": any(
            m["difference"] is not None and m["difference"]["p_value"] is not None
            for m in result["methods"]
        ),
        "optimistic": any(m["optimistic"] is not None for m in result["methods"]),
        "notes": _undefined_reasons(rows),
    }


@dataclass(frozen=True)
class Procedure:
    """A row of the table: the full procedure, or a method."""

    label: str
    name: str
    metrics: Mapping[str, Estimate]
    coverage: Coverage
    sizes: list[int]
    stability: Stability
    again: Repeatability
    method: MethodEntry | None = None
    decision: str = ""
    steps: str = ""

    @property
    def head(self) -> bool:
        """Whether this is the full procedure."""
        return self.method is None

    @property
    def optimistic(self) -> float | None:
        """Best outer score of a size."""
        return None if self.method is None else self.method["optimistic"]

    @property
    def difference(self) -> Difference | None:
        """To the best method."""
        return None if self.method is None else self.method["difference"]


def _metric_ends(row: Procedure, metric: str) -> Interval:
    found = row.metrics[metric]
    return {"mean": found["mean"], "low": found["low"], "high": found["high"]}


def _undefined_reasons(rows: list[Procedure]) -> list[str]:
    """Why numbers of the table are undefined, each reason once."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        for short, found in row.metrics.items():
            if found["mean"] is None and found.get("note"):
                reasons.setdefault(found["note"], []).append(metric_short(short))
    return [f"{', '.join(dict.fromkeys(of))}: {note}" for note, of in reasons.items()]


def _chance_line(result: StudyContent, metric: str) -> Chance:
    """The line of chance, and the range of the permuted runs where they are enough."""
    value, _ = chance_of(result, metric)
    runs = result["chance"][metric]["permuted"]
    if runs is None or (runs["n"] or 0) < LEAST_RUNS:
        return {"mean": value}
    return {"mean": value, "low": runs["least"], "high": runs["most"]}


def _method_columns(result: StudyContent) -> list[Column]:
    tuned, winners = result["protocol"]["metric"], result["headline"]["winners"]
    columns = [
        Column("method", lambda r: r.label, "Method", _label_cell, numeric=False),
        Column("name", lambda r: r.name),
        *([Column("decision", lambda r: r.decision)] if decisions_of(result) else []),
        *([Column("prepare", lambda r: r.steps)] if steps_of(result) else []),
        *_metric_columns(tuned),
        *_difference_columns(result),
    ]
    for short in result["metrics"]:
        columns += [] if short == tuned else _metric_columns(short)
    if any_declined(result):
        columns += coverage_column(lambda r: r.coverage, class_names(result))
    columns += [
        Column(
            "wins",
            lambda r: winners.get(r.name),
            "Wins",
            lambda r: UNDEFINED_MARK if r.head else count_text(winners.get(r.name, 0)),
            help="outer training sets in which this method was chosen",
        ),
        Column(
            "median_size",
            lambda r: median(r.sizes) if r.sizes else None,
            "Size",
            _size_cell,
            help="features kept: median and range over the outer folds",
        ),
        computed_column(
            "nogueira",
            lambda r: stability_shown(result, r.stability, r.again)[0],
            "Stability",
            lambda v: decimal_text(v, 2),
            help="Nogueira's measure: 1 the same features in every fold, 0 as random",
        ),
    ]
    if any(m["optimistic"] is not None for m in result["methods"]):
        columns.append(
            computed_column(
                "optimistic",
                lambda r: r.optimistic,
                "Optimistic",
                decimal_text,
                help="best size found on the outer test samples: do not quote",
            )
        )
    return columns


def _label_cell(row: Procedure) -> Cell:
    words = [f"after {row.steps}"] if row.steps else []
    words += [f"deciding by {row.decision}"] if row.decision else []
    return Cell(row.label, "; ".join(words))


def _metric_columns(short: str) -> list[Column]:
    def metric_entry(key: Literal["mean", "low", "high"]) -> Callable[[Procedure], float | None]:
        return lambda row: row.metrics[short][key]

    return [
        Column(
            short,
            metric_entry("mean"),
            metric_short(short),
            lambda r: _number_cell(r.metrics[short]),
            help=": ".join(filter(None, METRIC_WORDS.get(short, (short, "")))),
        ),
        Column(f"{short}_low", metric_entry("low")),
        Column(f"{short}_high", metric_entry("high")),
    ]


def _number_cell(estimate: Estimate | Difference | None) -> Cell:
    return Cell(decimal_text(mean_of(estimate)), interval_text(estimate))


def _size_cell(row: Procedure) -> Cell:
    sizes = row.sizes
    if not sizes:
        return Cell(UNDEFINED_MARK)
    same = min(sizes) == max(sizes)
    return Cell(
        count_text(median(sizes)),
        "" if same else f"{count_text(min(sizes))} to {count_text(max(sizes))}",
    )


def _difference_columns(result: StudyContent) -> list[Column]:
    Key = Literal["mean", "low", "high", "p_value", "against"]

    def difference_entry(key: Key) -> Callable[[Procedure], Any]:
        return lambda row: None if row.difference is None else row.difference[key]

    if all(m["difference"] is None or m["difference"]["mean"] is None for m in result["methods"]):
        return []
    return [
        Column(
            "difference",
            difference_entry("mean"),
            "To best",
            lambda r: _number_cell(r.difference),
            help="score less that of the best row, and its interval over the outer folds",
        ),
        Column("difference_low", difference_entry("low")),
        Column("difference_high", difference_entry("high")),
        Column("difference_against", difference_entry("against")),
        computed_column(
            "difference_p",
            difference_entry("p_value"),
            "p",
            p_text,
            help="corrected resampled t test (Nadeau and Bengio 2003)",
        ),
    ]


def _spread_table(result: StudyContent) -> TableView:
    """Mean and standard deviation over the outer folds, for those who report them."""
    columns = [Column("method", lambda r: r["label"], "Method", numeric=False)]
    for short in result["metrics"]:

        def fold_mean(row: MethodEntry, short: str = short) -> float | None:
            return row["per_fold"][short]["mean"]

        def fold_deviation(row: MethodEntry, short: str = short) -> float | None:
            return row["per_fold"][short]["sd"]

        def spread_cell(row: MethodEntry, short: str = short) -> Cell:
            found = row["per_fold"][short]
            sd = "" if found["sd"] is None else f"± {decimal_text(found['sd'])}"
            return Cell(decimal_text(found["mean"]), sd)

        columns.append(Column(short, fold_mean, metric_short(short), spread_cell))
        columns.append(Column(f"{short}_sd", fold_deviation))
    return build_table(
        "per_fold", "Mean and standard deviation over folds", columns, result["methods"]
    )


def _quoted_number_words(result: StudyContent, metric: str) -> str:
    """Why the number to quote is not the best number in the table."""
    head = mean_of(result["metrics"].get(metric))
    rivals = [m for m in result["methods"] if not m["reference"]]
    means = [(mean_of(m["metrics"].get(metric)), m["label"]) for m in rivals]
    scored = [(mean, label) for mean, label in means if mean is not None]
    if head is None or not scored:
        return ""
    sign = metric_row(metric).direction
    score, best = max(scored, key=lambda row: sign * row[0])
    what = "method and size" if len(rivals) > 1 else "the number of features"
    rule = (
        f"The headline chooses {what} on the inner folds of each training set, and is judged on "
        "samples that took no part in the choice: it is the number to quote."
    )
    if len(rivals) == 1:
        return rule
    if len(scored) > 1 and sign * score > sign * head:
        return (
            f"{rule} The best row, {best}, has {decimal_text(score)} against "
            f"{decimal_text(head)}, but it was found by looking at the test samples: the best "
            f"of {len(scored)} rows is partly the luckiest one, and its lead shrinks on new "
            "samples (the winner's curse)."
        )
    return (
        f"{rule} Single rows are judged outside too, but the best of them, picked "
        "afterwards, looks too good (the winner's curse)."
    )
