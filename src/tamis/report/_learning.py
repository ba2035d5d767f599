"""Score against training samples: the chart, and what the last samples added."""

from __future__ import annotations

from ..study.results.estimate_words import learning_curve_words
from ..study.results.first_screen import chance_of
from ..study.results.schema import StudyContent
from ._numbers import count_text, decimal_text, interval_text, percent_text
from ._page import LearningView
from ._table import Cell, Column, build_table, computed_column
from ._words import metric_name


def learning_view(result: StudyContent) -> LearningView | None:
    """The learning curve, or None where the plan does not ask for one."""
    given = result.get("learning_curve")
    if given is None:
        return None
    words = learning_curve_words(result).replace(" %", "\u00a0%")
    columns = [
        computed_column("share", lambda p: p["share"], "Share", percent_text),
        computed_column(
            "n_train", lambda p: round(p["n_train"], 1), "Training samples", count_text
        ),
        Column(
            "mean",
            lambda p: p["mean"],
            "Estimate",
            lambda p: Cell(decimal_text(p["mean"]), interval_text(p) or p.get("note", "")),
            help="and its 95 % interval",
        ),
        Column("low", lambda p: p["low"]),
        Column("high", lambda p: p["high"]),
    ]
    return {
        "metric": metric_name(given["metric"]),
        "sentence": f"{words[:1].upper()}{words[1:]}.",
        "chart": {
            "metric": metric_name(given["metric"]),
            "points": given["points"],
            "chance": chance_of(result, given["metric"])[0],
        },
        "table": build_table(
            "learning_curve", "Score by training samples", columns, given["points"]
        ),
    }
