"""The page that compares methods over data sets: summarise its dictionary, then render."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal, TypedDict, cast
from urllib.parse import quote

from .. import plotting
from .._core.errors import StoreError, listed_names
from .._core.inside import Inside
from .._core.written_schema import require_schema
from ..plotting.critical_difference import RankDiagram
from ..plotting.pairwise_scatter import PairPicture, ScorePair
from ..study.results.comparison_schema import SCHEMA, ComparisonContent, RankTests, WinLoss
from ._assets import STYLE_FILES, render_page
from ._comparison_words import PaperText, comparison_sentences, counted_outcomes, paper_texts
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
from ._words import METRIC_WORDS, inline_name, metric_name

RESULT_KEYS = (
    "versions",
    "metric",
    "alpha",
    "datasets",
    "methods",
    "left_out",
    "scores",
    "ranks",
    "win_loss",
    "win_loss_corrected",
    "differences",
    "remarks",
)
DIRECTION_SENTENCES = {True: "Higher is better.", False: "Lower is better."}


class Scatters(TypedDict):
    """The best-ranked method against each of the others."""

    charts: list[PairPicture]
    best: str


class BestDifferences(TypedDict):
    """Every method less the best-ranked one."""

    table: TableView
    best: str
    n: str


class WinLossView(TableView):
    """The table, and how many comparisons could not be made."""

    undefined: int


class ComparisonPage(TypedDict):
    """Everything that the page says."""

    title: str
    subtitle: str
    metric: str
    metric_inline: str
    direction: str
    alpha: str
    sentences: list[str]
    remarks: list[str]
    left_out: list[str]
    diagrams: list[RankDiagram]
    ranking: TableView
    tests: TableView
    differences_at: list[str]
    pairs: TableView
    scatter: Scatters
    win_loss: list[WinLossView]
    scores: TableView
    to_best: BestDifferences
    datasets: TableView
    by_source: bool
    text: PaperText
    version: str


def render_comparison(comparison: Mapping[str, object], target: Path) -> str:
    """The page's HTML; only charts and assets pass unescaped."""
    page = comparison_page(comparison, target)
    return render_page(
        "comparison.html.j2",
        comparison_tables(page),
        (*STYLE_FILES, "comparison.css"),
        **page,
        svg=comparison_charts(page),
        nav=_comparison_nav(page),
    )


def comparison_page(comparison: Mapping[str, object], target: Path) -> ComparisonPage:
    """The page's content as short formatted strings."""
    _check_comparison(comparison)
    c = cast(ComparisonContent, plain_json(comparison))
    metric = metric_name(c["metric"])
    once = c["ranks"]["by_source"]
    return {
        "title": f"{counted_outcomes(c)} on {plural_text(len(c['datasets']), 'data set')}",
        "subtitle": metric
        + (f": {METRIC_WORDS[c['metric']][1]}" if c["metric"] in METRIC_WORDS else ""),
        "metric": metric,
        "metric_inline": inline_name(metric),
        "direction": DIRECTION_SENTENCES[c["ranks"]["higher_is_better"]],
        "alpha": f"{c['alpha']:g}",
        "sentences": comparison_sentences(c),
        "remarks": c["remarks"],
        "left_out": [
            f"{one['name']}: not in {listed_names(one['missing_in'])}" for one in c["left_out"]
        ],
        "diagrams": [_critical_difference_data(one) for one in (c["ranks"], once) if one],
        "ranking": _ranking_table(c),
        "tests": _test_table(c),
        "differences_at": _critical_difference_words(c),
        "pairs": _win_loss_matrix(c),
        "scatter": _pairwise_scatters(c, metric),
        "win_loss": [
            _win_loss(c, c["win_loss"], "win_loss"),
            _win_loss(c, c["win_loss_corrected"], "win_loss_corrected"),
        ],
        "scores": _score_table(c),
        "to_best": _to_best(c),
        "datasets": _dataset_table(c, target),
        "by_source": once is not None,
        "text": paper_texts(c),
        "version": c["versions"].get("tamis", ""),
    }


def check_schema(comparison: Mapping[str, object]) -> None:
    """Refuse what another version compared."""
    require_schema(comparison.get("schema"), SCHEMA, "the comparison", "run `tamis compare` again")


def _check_comparison(comparison: Mapping[str, object]) -> None:
    check_schema(comparison)
    lacking = [key for key in RESULT_KEYS if key not in comparison]
    if lacking:
        raise StoreError(f"comparison lacks {listed_names(lacking)}; run `tamis compare` again")


def best_first(ranks: RankTests) -> list[int]:
    """Methods from the best average rank to the worst."""
    return sorted(range(len(ranks["methods"])), key=lambda j: ranks["average_ranks"][j])


def _critical_difference_data(ranks: RankTests) -> RankDiagram:
    """What `plotting.critical_difference` draws."""
    cd = next(d for d in ranks["critical_differences"] if d["alpha"] == ranks["alpha"])
    return {
        "methods": [
            {"name": ranks["methods"][j], "rank": ranks["average_ranks"][j]}
            for j in best_first(ranks)
        ],
        "groups": ranks["groups"],
        "critical_difference": cd["value"],
        "alpha": ranks["alpha"],
        "n_sets": len(ranks["datasets"]),
    }


def _ranking_table(c: ComparisonContent) -> TableView:
    once, n = c["ranks"]["by_source"], len(c["datasets"])
    columns = [
        Column("method", lambda j: c["methods"][j]["name"], "Method", numeric=False),
        computed_column(
            "average_rank",
            lambda j: c["methods"][j]["average_rank"],
            "Rank",
            lambda v: decimal_text(v, 2),
            help="average over the data sets; 1 is best",
        ),
        computed_column(
            "mean_score", lambda j: c["methods"][j]["mean_score"], "Mean score", decimal_text
        ),
        computed_column(
            "best_on",
            lambda j: c["methods"][j]["best_on"],
            "Best on",
            lambda v: f"{v} of {n}",
            help="data sets on which no method scores better; ties count for each",
        ),
    ]
    if once:
        columns.insert(
            2,
            computed_column(
                "rank_by_source",
                lambda j: once["average_ranks"][j],
                "By source",
                lambda v: decimal_text(v, 2),
                help="average rank with each source counted once",
            ),
        )
    return build_table("ranking", "Average ranks", columns, best_first(c["ranks"]))


def _ranks_over(c: ComparisonContent) -> Iterator[tuple[RankTests, str]]:
    """Ranks over all data sets and, if some share a source, over sources; and which these are."""
    yield c["ranks"], f"{len(c['ranks']['datasets'])} data sets"
    if once := c["ranks"]["by_source"]:
        yield once, f"{len(once['datasets'])} sources"


def _test_table(c: ComparisonContent) -> TableView:
    """Both conventions for ties, with all data sets and with each source once."""
    rows: list[tuple[str, str, str, float | None, str, float]] = []
    for ranks, over in _ranks_over(c):
        for t, ties in (
            (ranks["friedman"], "no correction for ties"),
            (ranks["friedman_corrected"], "corrected for ties"),
        ):
            rows.append(("Friedman", over, ties, t["chi2"], count_text(t["df"]), t["p_value"]))
            df = f"{count_text(t['df1'])} and {count_text(t['df2'])}"
            rows.append(("Iman-Davenport", over, ties, t["F"], df, t["F_p_value"]))
        if ranks["wilcoxon"]:
            w = ranks["wilcoxon"]
            signed = "Wilcoxon signed-rank"
            rows.append(
                (signed, over, "zeros shared", w["statistic"], UNDEFINED_MARK, w["p_value"])
            )
    columns = [
        Column(
            "test", lambda r: r[0], "Test", lambda r: Cell(r[0], f"{r[1]}, {r[2]}"), numeric=False
        ),
        Column("over", lambda r: r[1]),
        Column("ties", lambda r: r[2]),
        computed_column(
            "statistic",
            lambda r: r[3],
            "Statistic",
            lambda v: "infinite" if v is None else decimal_text(v, 2),
        ),
        Column("df", lambda r: r[4], "df"),
        computed_column("p_value", lambda r: r[5], "p", p_text),
    ]
    return build_table("tests", "Tests that all methods rank alike", columns, rows)


def _critical_difference_words(c: ComparisonContent) -> list[str]:
    """Nemenyi's differences at every level, in words."""
    said = []
    for ranks, over in _ranks_over(c):
        values = ", ".join(
            f"{decimal_text(d['value'])} at {d['alpha']:g} (q = {decimal_text(d['q'])})"
            for d in ranks["critical_differences"]
        )
        said.append(f"Critical difference over {over}: {values}.")
    return said


def _win_counts(c: ComparisonContent) -> dict[tuple[str, str], tuple[int, int, int]]:
    """(method, other) -> data sets on which it is better, the same, worse."""
    found = {}
    for p in c["ranks"]["pairs"]:
        found[p["first"], p["second"]] = p["above"], p["on"], p["below"]
        found[p["second"], p["first"]] = p["below"], p["on"], p["above"]
    return found


def _method_matrix(
    name: str, caption: str, names: list[str], counts: dict[tuple[str, str], tuple[int, int, int]]
) -> TableView:
    """Methods against methods: three counts a cell, and their sums."""

    def counts_text(a: str, b: str) -> str | None:
        return None if a == b else "–".join(map(str, counts[a, b]))

    def total_count(a: str, which: int) -> int:
        return sum(counts[a, b][which] for b in names if b != a)

    columns = [
        Column("method", lambda a: a, "Method", numeric=False),
        computed_column("more", lambda a: total_count(a, 0), "Wins", count_text),
        computed_column("less", lambda a: total_count(a, 2), "Losses", count_text),
    ]
    for other in names:

        def cell_value(a: str, b: str = other) -> str | None:
            return counts_text(a, b)

        columns.append(Column(f"against {other}", cell_value, other, help=f"against {other}"))
    return build_table(name, caption, columns, names)


def _win_loss_matrix(c: ComparisonContent) -> TableView:
    names = [c["ranks"]["methods"][j] for j in best_first(c["ranks"])]
    return _method_matrix("pairs", "Data sets better, same, worse", names, _win_counts(c))


def _win_loss(c: ComparisonContent, found: WinLoss, key: str) -> WinLossView:
    names, wins, ties = found["methods"], found["wins"], found["ties"]
    counts = {
        (a, b): (wins[i][j], ties[i][j], wins[j][i])
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i != j
    }
    ordered = [c["ranks"]["methods"][j] for j in best_first(c["ranks"])]
    caption = "Significant wins, ties and losses"
    caption += ", corrected" if found["corrected"] else ""
    return {**_method_matrix(key, caption, ordered, counts), "undefined": found["undefined"]}


def _pairwise_scatters(c: ComparisonContent, metric: str) -> Scatters:
    """The best-ranked method against each of the others, all on the same scale."""
    ranks = c["ranks"]
    order, values = best_first(ranks), [v for row in ranks["scores"] for v in row]
    best, counts = order[0], _win_counts(c)
    charts: list[PairPicture] = []
    for j in order[1:]:
        first, second = ranks["methods"][best], ranks["methods"][j]
        above, on, below = counts[first, second]
        if not ranks["higher_is_better"]:  # above the diagonal is a higher score, so worse
            above, below = below, above
        points: list[ScorePair] = [
            {"label": d, "first": row[best], "second": row[j]}
            for d, row in zip(ranks["datasets"], ranks["scores"], strict=True)
        ]
        charts.append(
            {
                "first": first,
                "second": second,
                "metric": metric,
                "points": points,
                "above": above,
                "on": on,
                "below": below,
                "domain": (min(values), max(values)),
            }
        )
    return {"charts": charts, "best": ranks["methods"][best]}


def _score_table(c: ComparisonContent) -> TableView:
    """Data sets by methods: score, interval and rank."""
    at = {(s["dataset"], s["method"]): s for s in c["scores"]}
    columns = [computed_column("dataset", lambda d: d, "Data set", Cell, numeric=False)]
    for j in best_first(c["ranks"]):
        method = c["ranks"]["methods"][j]

        def score_entry(
            key: Literal["mean", "low", "high", "rank"], method: str = method
        ) -> Callable[[str], float | None]:
            return lambda d: at[d, method][key]

        def score_cell(d: str, method: str = method) -> Cell:
            s = at[d, method]
            rank = decimal_text(s["rank"], 1).removesuffix(".0")
            return Cell(f"{decimal_text(s['mean'])} ({rank})", interval_text(s, 2))

        columns.append(Column(method, score_entry("mean"), method, score_cell, help=method))
        columns += [
            Column(f"{method} low", score_entry("low")),
            Column(f"{method} high", score_entry("high")),
            Column(f"{method} rank", score_entry("rank")),
        ]
    return build_table(
        "scores", "Scores of every data set", columns, [d["name"] for d in c["datasets"]]
    )


def _to_best(c: ComparisonContent) -> BestDifferences:
    """Every method less the best-ranked one, on every data set."""
    best = c["ranks"]["methods"][best_first(c["ranks"])[0]]
    rows = []
    for d in c["differences"]:
        if d["second"] == best:
            rows.append({**d, "method": d["first"]})
        elif d["first"] == best:
            turned = {"mean": d["mean"], "low": d["high"], "high": d["low"]}
            minus = {k: None if v is None else 0.0 - v for k, v in turned.items()}
            rows.append({**d, **minus, "method": d["second"]})
    columns = [
        field_column("dataset", "Data set", numeric=False),
        field_column("method", "Method", numeric=False),
        Column(
            "difference",
            lambda r: r["mean"],
            "Difference",
            lambda r: Cell(decimal_text(r["mean"]), interval_text(r)),
        ),
        field_column("low"),
        field_column("high"),
        field_column("p_value", "p", p_text),
    ]
    table = build_table("differences", f"Differences to {best}", columns, rows, search=True)
    return {"table": table, "best": best, "n": count_text(len(rows))}


def _dataset_table(c: ComparisonContent, target: Path) -> TableView:
    columns = [
        linked_column("dataset", "Data set", target),
        field_column("source", "Source", numeric=False),
        computed_column("samples", lambda d: d["n_samples"], "Samples", count_text),
        computed_column("features", lambda d: d["n_features"], "Features", count_text),
        computed_column(
            "classes", lambda d: len(d["classes"]), "Classes", count_text, help="number of classes"
        ),
        field_column("outer", "Outer split", numeric=False),
        field_column("tuned_on", "Tuned by", metric_name, numeric=False),
        field_column("digest"),
    ]
    return build_table("datasets", "Data sets", columns, c["datasets"])


def linked_column(key: str, head: str, target: Path) -> Column:
    """Names of studies, each with a link to its report."""
    return Column(
        key,
        lambda one: one["name"],
        head,
        lambda one: _report_link(one["name"], one["folder"], target),
        numeric=False,
    )


def _report_link(name: str, folder: str, target: Path) -> Cell:
    """A study's name, with a link from the page to its report if there is one."""
    report = Inside(Path(folder), "report.html")
    if not report.exists():
        return Cell(name)
    seen = os.path.relpath(os.path.realpath(report), os.path.dirname(os.path.realpath(target)))
    return Cell(name, href="./" + quote(Path(seen).as_posix(), safe="/"))


def comparison_tables(page: ComparisonPage) -> Iterator[TableView]:
    """Every table of the page."""
    yield from (page["ranking"], page["tests"], page["pairs"], page["scores"], page["datasets"])
    yield page["to_best"]["table"]
    yield from page["win_loss"]


def comparison_charts(page: ComparisonPage) -> dict[str, list[str]]:
    """Every chart of the page, drawn."""
    return {
        "diagrams": [plotting.critical_difference(d) for d in page["diagrams"]],
        "scatter": [plotting.pairwise_scatter(s) for s in page["scatter"]["charts"]],
    }


def _comparison_nav(page: ComparisonPage) -> list[tuple[str, str]]:
    entries = [
        ("ranking", "Answer", True),
        ("remarks", "Remarks", bool(page["remarks"] or page["left_out"])),
        ("tests", "Tests", True),
        ("pairs", "Pairs of methods", True),
        ("win-loss", "Wins and losses", True),
        ("scores", "Scores", True),
        ("differences", "Differences", True),
        ("datasets", "Data sets", True),
        ("text", "For the paper", True),
    ]
    return [(name, title) for name, title, there in entries if there]
