"""Methods with and without a step of quality control, side by side."""

from __future__ import annotations

from ..study.results.columns_schema import FilteredPair, PairedDifference, UnlikeShare
from ..study.results.schema import Estimate, MethodEntry, StudyContent
from ._blocks import table_name
from ._numbers import (
    UNDEFINED_MARK,
    count_text,
    decimal_text,
    interval_text,
    mean_of,
    p_text,
    percent_text,
    plural_text,
)
from ._page import FilteredView
from ._table import Cell, Column, build_table, computed_column, field_column
from ._words import metric_name

FIRST_REASON = "each for the first reason that applies, by all samples"
Line = tuple[str, Estimate, Estimate, PairedDifference]


def filtered_views(result: StudyContent) -> list[FilteredView]:
    """One for each pair of methods."""
    pairs = result.get("filtered", [])
    return [_filtered_view(pair, result, k) for k, pair in enumerate(pairs, 1)]


def _filtered_view(pair: FilteredPair, result: StudyContent, number: int) -> FilteredView:
    entries = {m["name"]: m for m in result["methods"]}
    without, filtered = entries[pair["without"]], entries[pair["filtered"]]
    return {
        "title": f"{filtered['name']} against {without['name']}",
        "said": [*_kept_words(pair), *_missing_words(pair, result)],
        "scores": _filtered_score_table(pair, without, filtered, number),
        "left_out": build_table(
            table_name("left_out_by_step", number),
            "Left out by the step, by reason",
            [
                field_column("reason", "Left out for", numeric=False),
                field_column("n", "Features", count_text, help=FIRST_REASON),
                computed_column(
                    "share",
                    lambda row: row["n"] / pair["n_features"],
                    "Share",
                    lambda v: percent_text(v, 1),
                ),
            ],
            pair["left_out"],
        ),
    }


def _filtered_score_table(
    pair: FilteredPair, without: MethodEntry, filtered: MethodEntry, number: int
):
    lines: list[Line] = [
        (name, without["metrics"][name], filtered["metrics"][name], difference)
        for name, difference in pair["differences"].items()
    ]
    columns = [
        Column("metric", lambda row: metric_name(row[0]), "Metric", numeric=False),
        *_estimate_columns("without", 1, "Without"),
        *_estimate_columns("with", 2, "With"),
        Column(
            "difference",
            lambda row: row[3]["mean"],
            "Difference",
            lambda row: _difference_cell(row[3]),
            help="with less without, over the outer folds; corrected t of Nadeau and Bengio",
        ),
        Column("difference_low", lambda row: row[3]["low"]),
        Column("difference_high", lambda row: row[3]["high"]),
        computed_column("p", lambda row: row[3]["p_value"], "p", p_text),
    ]
    return build_table(table_name("filtered", number), "With and without the step", columns, lines)


def _estimate_columns(key: str, at: int, title: str) -> list[Column]:
    """A score as it is shown, and its limits for the download."""
    return [
        Column(
            key,
            lambda row: row[at]["mean"],
            title,
            lambda row: Cell(decimal_text(mean_of(row[at])), interval_text(row[at], 2)),
        ),
        Column(f"{key}_low", lambda row: row[at]["low"]),
        Column(f"{key}_high", lambda row: row[at]["high"]),
    ]


def _difference_cell(difference: PairedDifference) -> Cell:
    if difference["mean"] is None:
        return Cell(UNDEFINED_MARK)
    sign = "+" if difference["mean"] > 0 else ""
    return Cell(sign + decimal_text(difference["mean"]), interval_text(difference, 2))


def _kept_words(pair: FilteredPair) -> list[str]:
    kept, p = pair["kept"], pair["n_features"]
    least, most = count_text(kept["least"]), count_text(kept["most"])
    parts = plural_text(kept["n_parts"], "training set")
    least_to_most = f"{least} to {most} (on average {count_text(round(kept['mean']))})"
    return [
        f"In {parts} the step {pair['step']} keeps {least if least == most else least_to_most} of "
        f"{plural_text(p, 'feature')}; of all samples it would keep {count_text(pair['n_kept'])}. "
        "The table of reasons is of all samples: a description, from which nothing was learnt."
    ]


def _missing_words(pair: FilteredPair, result: StudyContent) -> list[str]:
    """How many of what either method chose is missing more in one class."""
    by_class = result.get("missing_by_class")
    if by_class is None:
        return ["No value is missing, so none can be missing more in one class."]
    without, filtered = (by_class["methods"][pair[key]] for key in ("without", "filtered"))
    words = (
        f"Missing more in one class (false discovery rate 5\u00a0% among all, on all samples): "
        f"{_unlike_of_chosen(without)} chosen without the step, {_unlike_of_chosen(filtered)} "
        f"chosen with it, and {count_text(by_class['unlike'])} of all "
        f"{count_text(by_class['tested'])}."
    )
    if without["unlike"]:
        words += (
            " Where such features are chosen, a score that falls with the step came at least in "
            "part of how samples were handled."
        )
    return [words]


def _unlike_of_chosen(share: UnlikeShare) -> str:
    return f"{count_text(share['unlike'])} of {plural_text(share['chosen'], 'feature')}"
