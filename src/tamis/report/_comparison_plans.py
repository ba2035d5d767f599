"""The page that compares studies of one table: summarise its dictionary, then render."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import TypedDict, cast

from .. import plotting
from .._core.citations import CITATIONS
from .._core.errors import StoreError, listed_names, shorten_text
from ..metrics.registry import metric_row
from ..plotting.intervals import IntervalsPicture
from ..study.results.compare_plans import difference_rows, found_words
from ..study.results.comparison_schema import ComparedStudy, PlansContent
from ._assets import STYLE_FILES, render_page
from ._comparison import DIRECTION_SENTENCES, check_schema, linked_column
from ._comparison_words import PaperText, p_of
from ._numbers import (
    UNDEFINED_MARK,
    count_text,
    decimal_text,
    interval_text,
    p_text,
    plain_json,
    plural_text,
)
from ._table import Cell, Column, TableView, build_table, computed_column, field_column
from ._words import inline_name, metric_name

RESULT_KEYS = ("versions", "metric", "alpha", "data", "studies", "pairs", "remarks")


class PlansPage(TypedDict):
    """Everything that the page says."""

    title: str
    subtitle: str
    metric: str
    direction: str
    alpha: str
    several: bool
    sentences: list[str]
    remarks: list[str]
    score_rows: IntervalsPicture
    difference_rows: IntervalsPicture
    studies: TableView
    pairs: TableView
    text: PaperText
    version: str


def render_plans(comparison: Mapping[str, object], target: Path) -> str:
    """The page's HTML; only charts and assets pass unescaped."""
    page = plans_page(comparison, target)
    return render_page(
        "plans.html.j2",
        (page["studies"], page["pairs"]),
        (*STYLE_FILES, "comparison.css"),
        **page,
        svg=plan_charts(page),
        nav=list(_plan_comparison_nav(page)),
    )


def plan_charts(page: PlansPage) -> dict[str, str]:
    """Every chart of the page, drawn."""
    return {
        "scores": plotting.method_intervals(page["score_rows"]),
        "differences": plotting.method_intervals(page["difference_rows"]),
    }


def plans_page(comparison: Mapping[str, object], target: Path) -> PlansPage:
    """The page's content as short formatted strings."""
    check_schema(comparison)
    lacking = [key for key in RESULT_KEYS if key not in comparison]
    if lacking:
        raise StoreError(f"comparison lacks {listed_names(lacking)}; run `tamis compare` again")
    c = cast(PlansContent, plain_json(comparison))
    data, several = c["data"], len(c["pairs"]) > 1
    metric = metric_name(c["metric"])
    return {
        "title": f"{len(c['studies'])} studies of {data['name']}",
        "subtitle": f"{metric}; {plural_text(data['n_samples'], 'sample')}, "
        f"{plural_text(data['n_features'], 'feature')}",
        "metric": metric,
        "direction": DIRECTION_SENTENCES[c["higher_is_better"]],
        "alpha": f"{c['alpha']:g}",
        "several": several,
        "sentences": _plan_sentences(c),
        "remarks": c["remarks"],
        "score_rows": {
            "metric": metric,
            "rows": [
                {
                    "label": s["name"],
                    "headline": False,
                    "mean": s["mean"],
                    "low": s["low"],
                    "high": s["high"],
                }
                for s in c["studies"]
            ],
            "chance": None,
        },
        "difference_rows": difference_rows(c),
        "studies": _study_table(c, target),
        "pairs": _difference_table(c, several),
        "text": _paper_paragraph(c, several),
        "version": c["versions"].get("tamis", ""),
    }


def _plan_sentences(c: PlansContent) -> list[str]:
    """Plain words for whoever reads nothing else."""
    best = c["studies"][0]
    said = []
    if best["mean"] is not None:
        reach = interval_text(best, 2)
        said.append(
            f"{shorten_text(best['name'])} has the best {metric_row(c['metric']).brief}, "
            f"{decimal_text(best['mean'], 2)}" + (f" ({reach})." if reach else ".")
        )
    return said + [f"{text[0].upper()}{text[1:]}." for text in found_words(c)]


def _study_table(c: PlansContent, target: Path) -> TableView:
    columns = [
        linked_column("study", "Study", target),
        Column(
            "score",
            lambda s: s["mean"],
            "Score",
            lambda s: Cell(decimal_text(s["mean"]), interval_text(s)),
        ),
        field_column("low"),
        field_column("high"),
        computed_column(
            "features",
            lambda s: s["mean_size"],
            "Features",
            count_text,
            help="features that a training set chose, on average",
        ),
        computed_column(
            "nogueira",
            lambda s: s["nogueira"],
            "Stability",
            lambda v: decimal_text(v, 2),
            help="Nogueira's measure in the design of the permuted runs, or over the outer folds",
        ),
        computed_column(
            "methods", lambda s: ", ".join(s["methods"]), "Methods", shorten_text, numeric=False
        ),
        field_column("outer", "Outer split", numeric=False),
        computed_column(
            "seed", lambda s: s["seed"], "Seed", lambda v: UNDEFINED_MARK if v is None else str(v)
        ),
        computed_column("groups", lambda s: s["n_groups"], "Groups", count_text),
        field_column("tuned_on", "Tuned by", metric_name, numeric=False),
    ]
    return build_table("studies", "Studies", columns, c["studies"])


def _difference_table(c: PlansContent, several: bool) -> TableView:
    columns = [
        field_column("first", "First", numeric=False),
        field_column("second", "Second", numeric=False),
        Column(
            "difference",
            lambda r: r["mean"],
            "Difference",
            lambda r: Cell(decimal_text(r["mean"]), interval_text(r)),
        ),
        field_column("low"),
        field_column("high"),
        computed_column(
            "folds",
            lambda r: r["n_folds"],
            "Folds",
            count_text,
            help="outer folds in which both have a score",
        ),
        field_column("p_value", "p", p_text),
        field_column("p_holm", "p (Holm)" if several else "", p_text),
        field_column(
            "note", "Note" if any(pair["note"] for pair in c["pairs"]) else "", numeric=False
        ),
    ]
    return build_table("pairs", "Differences", columns, c["pairs"], search=len(c["pairs"]) > 10)


def _outer_split_words(studies: list[ComparedStudy]) -> str:
    splits = {one["outer"] for one in studies}
    return splits.pop() if len(splits) == 1 else "cross-validation"


def _paper_paragraph(c: PlansContent, several: bool) -> PaperText:
    """A paragraph with its sources."""
    data, metric = c["data"], inline_name(metric_name(c["metric"]))
    text = (
        f"{len(c['studies'])} analysis plans were compared on one table "
        f"({plural_text(data['n_samples'], 'sample')}, "
        f"{plural_text(data['n_features'], 'feature')}) by their {metric} in nested "
        f"{_outer_split_words(c['studies'])}. "
    )
    tested = [(pair["p_value"], pair) for pair in c["pairs"] if pair["p_value"] is not None]
    if not tested:
        apart = all(pair["n_folds"] == 0 for pair in c["pairs"])
        why = "Their outer folds differ" if apart else "There is no test of their differences"
        paragraph = f"{text}{why}, so no test was made." if apart else f"{text}{why}."
        return {"paragraph": paragraph, "citations": []}
    text += (
        "Differences were tested over the same outer folds by the corrected resampled t-test "
        "(Nadeau and Bengio)"
    )
    text += ", with p-values adjusted by Holm's method. " if several else ". "
    _, pair = min(tested, key=itemgetter(0))
    p = p_of(pair["p_holm"])
    reach = interval_text(pair)
    text += (
        f"{'The pair with the smallest p-value was' if several else 'The difference of'} "
        f"{shorten_text(pair['first'])} and {shorten_text(pair['second'])}"
        f"{': difference' if several else ' was'} {decimal_text(pair['mean'])}"
        f"{f', 95 % interval {reach}' if reach else ''}, {p}."
    )
    cited = ("nadeau2003", "holm1979") if several else ("nadeau2003",)
    return {"paragraph": text, "citations": [CITATIONS[key] for key in cited]}


def _plan_comparison_nav(page: PlansPage) -> Iterator[tuple[str, str]]:
    yield "answer", "Answer"
    if page["remarks"]:
        yield "remarks", "Remarks"
    yield "differences", "Differences"
    yield "studies", "Studies"
    yield "text", "For the paper"
