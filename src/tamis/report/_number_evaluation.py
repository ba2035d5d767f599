"""The page of `tamis evaluate` for a model of a number."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from .. import __version__, plotting
from .._core.errors import shorten_text
from ..metrics.number_metrics import NUMBER_METRICS
from ..model.evaluate_numbers import Figure, NumberEvaluation, intervals_words
from ._assets import render_page
from ._headline import estimate_card
from ._numbers import decimal_text, interval_text, percent_text, plain_json, plural_text
from ._table import Cell, Column, build_table, computed_column

READING_NOTES = (
    "Intervals (95\u00a0%) are of this model's score in the population of these samples. "
    "For other samples they hold only as far as those resemble these.",
    "They assume independent samples, or groups where these were named. The model was fitted "
    "elsewhere: nothing was learnt from these samples.",
    "Q2 and the column of the training mean compare with predicting, for every sample, the mean of "
    "the samples that the model was trained on.",
)


class Row(NamedTuple):
    """A metric."""

    name: str
    meaning: str
    figure: Figure
    chance: float | None


def render_number_evaluation(found: NumberEvaluation) -> str:
    """The page's HTML; every string is escaped."""
    r = cast(NumberEvaluation, plain_json(found))
    name = shorten_text(r["target"])
    name = f"log of {name}" if r["log"] else name
    rows = [
        Row(NUMBER_METRICS[k].heading, NUMBER_METRICS[k].meaning, figure, r["chance"][k])
        for k, figure in r["metrics"].items()
    ]

    def figure_cell(row: Row) -> Cell:
        figure = cast(Any, row.figure)
        text = interval_text(figure) or figure.get("note") or ""
        return Cell(decimal_text(figure["mean"]), text)

    columns = [
        Column("metric", lambda row: row.name, "Metric", numeric=False),
        Column("mean", lambda row: row.figure["mean"], "Estimate", figure_cell),
        computed_column("chance", lambda row: row.chance, "Training mean", decimal_text),
        computed_column(
            "meaning", lambda row: row.meaning, "What it is", lambda text: text, numeric=False
        ),
    ]
    metrics = build_table("metrics", "Every metric of the model", columns, rows)
    pairs = [[p["predicted"], p["observed"]] for p in r["points"]]
    chart = plotting.number_scatter(
        {
            "title": f"Observed against predicted {name}",
            "x": f"predicted {name}",
            "y": f"observed {name}",
            "points": pairs,
            "names": [p["sample"] for p in r["points"]],
            "line": "identity",
        }
    )
    of = "" if r["n_groups"] is None else f" in {plural_text(r['n_groups'], 'group')}"
    return render_page(
        "number_evaluation.html.j2",
        [metrics],
        title=r["data"],
        subtitle=f"{plural_text(r['n_samples'], 'sample')}{of}, {name} predicted",
        version=__version__,
        nav=[("headline", "Answer"), ("metrics", "Metrics"), ("reading", "How to read this")],
        sentences=_sentences(r),
        card=estimate_card(NUMBER_METRICS["q2"].brief, cast(Any, r["metrics"]["q2"]), 2),
        warnings=r["warnings"],
        chart=chart,
        metrics=metrics,
        reading=READING_NOTES,
        notes=r["notes"],
    )


def _sentences(r: NumberEvaluation) -> list[str]:
    """How well, and whether predictions are too extreme or shifted."""
    q2 = cast(Any, r["metrics"]["q2"])
    if q2["mean"] is None:
        said = [f"No Q2: {q2.get('note') or 'it is undefined'}."]
    elif q2["mean"] <= 0:
        said = ["Predicting the mean of the training samples would do as well as this model."]
    else:
        limits = (
            f" (95\u00a0% interval {percent_text(q2['low'])} to {percent_text(q2['high'])})"
            if interval_text(q2)
            else ""
        )
        said = [
            f"This model avoided {percent_text(q2['mean'])} of the squared error of predicting the "
            f"mean of its training samples{limits}."
        ]
    slope = "undefined" if r["slope"] is None else decimal_text(r["slope"], 2)
    bias = f"{r['bias']:+.3g}".replace("-", "−")
    said.append(
        f"Calibration slope {slope} (1 is ideal); predicted less observed values are {bias} on "
        "average."
    )
    if text := intervals_words(r):
        said.append(f"{text}.".replace(" %", "\u00a0%"))
    return said
