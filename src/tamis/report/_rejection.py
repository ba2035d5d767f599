"""Samples declined: errors of those decided on, of those declined and of all, by method."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .._core.rows import RuleRow
from ..plotting._axes import Series
from ..plotting.risk_coverage import Decided
from ..study.results.plan_schema import PartContent
from ..study.results.schema import Coverage, Estimate, Rejection, StudyContent
from ._coverage import share_of
from ._decisions import part_words
from ._methods import PROCEDURE_NAME
from ._numbers import UNDEFINED_MARK, decimal_text, interval_text, percent_text
from ._page import RejectionView
from ._table import Cell, Column, build_table, computed_column
from ._words import metric_short

Rate = Literal["error", "declined_error", "full_error"]


class Declining(NamedTuple):
    """A row of the table: the full procedure, or a method with a rule."""

    label: str
    name: str
    rule: str
    coverage: Coverage
    found: Rejection
    head: bool = False


def rules_of(result: StudyContent) -> dict[str, str]:
    """Method -> its rule about whom to decline in words; nothing where there is none at all."""
    plan = result["plan"]
    chosen = {m["name"]: m["reject"] or plan["reject"] for m in plan["method"]}
    return (
        {name: rule_words(one) if one else "nobody" for name, one in chosen.items()}
        if any(chosen.values())
        else {}
    )


def rule_words(one: PartContent) -> str:
    """A rule in plain names, with what it was given."""
    beside = {"score": one.get("score"), "novelty": one.get("novelty")}
    more = {k: v for k, v in beside.items() if v not in (None, "auto")}
    return part_words(one["name"], RuleRow, {**one["parameters"], **more})


def rejection_view(result: StudyContent) -> RejectionView | None:
    """The section; None where no method has a rule."""
    rules, head = rules_of(result), result["headline"].get("rejection")
    rows = [
        Declining(m["label"], m["name"], rules.get(m["name"], ""), m["coverage"], m["rejection"])
        for m in result["methods"]
        if "rejection" in m
    ]
    if head is not None:
        same = {row.rule for row in rows}
        rule = same.pop() if len(same) == 1 else "that of the method chosen"
        coverage = result["headline"]["coverage"]
        rows.insert(0, Declining(PROCEDURE_NAME, "headline", rule, coverage, head, True))
    if not rows:
        return None
    lead = rows[0]
    decided: Decided = {
        "coverage": lead.coverage["mean"],
        "error": lead.found["error"]["mean"],
        "low": lead.found["error"]["low"],
        "high": lead.found["error"]["high"],
    }
    found = {row.name: row.found["points"] for row in rows}
    series: list[Series] = [
        {
            "label": PROCEDURE_NAME,
            "headline": True,
            "points": found.get("headline", []),
            "note": "",
        },
        *(
            {"label": m["label"], "headline": False, "points": found.get(m["name"], []), "note": ""}
            for m in result["methods"]
        ),
    ]
    return {
        "sentences": _rejection_sentences(lead),
        "table": build_table(
            "rejection",
            "Errors of the samples decided on, and of those declined",
            _rejection_columns(),
            rows,
            lambda r: r.head,
        ),
        "full": build_table(
            "full", "At full coverage", _full_columns(result), rows, lambda r: r.head
        ),
        "chart": series,
        "decided": decided,
        "points": lead.found["points"],
        "shares": [share for share in lead.found["shares"] if share is not None],
    }


def _rejection_sentences(lead: Declining) -> list[str]:
    """What declining came to for whoever leads the table."""
    given, full = lead.found["error"], lead.found["full_error"]
    zone = lead.found["declined_error"]
    if lead.coverage["mean"] == 1 or zone["mean"] is None:
        return [
            "No sample, or all samples of a repeat, were declined; at full coverage "
            f"{_error_words(full)}."
        ]
    return [
        f"{share_of(lead.coverage['mean'])} of the samples held out were decided on; of these "
        f"{_error_words(given)}. Of those declined {_error_words(zone)}, and of all "
        f"{_error_words(full)}.",
        "The rule was learnt anew in every training set and evaluated on samples that "
        "had no part in it.",
    ]


def _error_words(found: Estimate) -> str:
    if found["mean"] is None:
        return f"the error rate is undefined ({found.get('note', '')})"
    ends = _error_ends(found)
    limits = f" (95\u00a0% interval {ends})" if ends else ""
    return f"{percent_text(found['mean'])} were predicted wrong{limits}"


def _error_ends(found: Estimate) -> str:
    if found["low"] is None or found["high"] is None:
        return ""
    return f"{percent_text(found['low'])} to {percent_text(found['high'])}"


def _rate_columns(key: Rate, title: str, help: str) -> list[Column]:
    """An error rate with its interval."""

    def rate_estimate(row: Declining) -> Estimate:
        return row.found[key]

    def rate_cell(row: Declining) -> Cell:
        found = rate_estimate(row)
        return Cell(percent_text(found["mean"]), _error_ends(found) or found.get("note", ""))

    return [
        Column(key, lambda r: rate_estimate(r)["mean"], title, rate_cell, help=help),
        Column(f"{key}_low", lambda r: rate_estimate(r)["low"]),
        Column(f"{key}_high", lambda r: rate_estimate(r)["high"]),
    ]


def _rejection_columns() -> list[Column]:
    return [
        Column("method", lambda r: r.label, "Method", numeric=False),
        Column("name", lambda r: r.name),
        Column("rule", lambda r: r.rule, "Declines by", numeric=False),
        computed_column(
            "coverage",
            lambda r: r.coverage["mean"],
            "Decided",
            share_of,
            help="share of the samples held out",
        ),
        *_rate_columns("error", "Wrong", "share of the samples decided on"),
        *_rate_columns(
            "declined_error",
            "Wrong if declined",
            "share of the samples declined that would have been predicted wrong",
        ),
        *_rate_columns("full_error", "Wrong of all", "share of all samples"),
        Column(
            "area",
            lambda r: r.found["area"],
            "AURC",
            lambda r: Cell(
                decimal_text(r.found["area"], 3), f"least {decimal_text(r.found['least_area'], 3)}"
            ),
            help="area under the risk-coverage curve; least: the same errors all ranked last",
        ),
    ]


def _full_columns(result: StudyContent) -> list[Column]:
    """Metrics of labels, nobody declined."""
    columns = [Column("method", lambda r: r.label, "Method", numeric=False)]
    names = list(
        dict.fromkeys(k for m in result["methods"] for k in m.get("rejection", {}).get("full", {}))
    )
    for name in names:

        def full_score(row: Declining, name: str = name) -> float | None:
            return row.found["full"][name]["mean"]

        def full_score_cell(row: Declining, name: str = name) -> Cell:
            found = row.found["full"][name]
            text = UNDEFINED_MARK if found["mean"] is None else decimal_text(found["mean"], 3)
            return Cell(text, interval_text(found, 2) or found.get("note", ""))

        columns.append(Column(name, full_score, metric_short(name), full_score_cell))
    return columns
