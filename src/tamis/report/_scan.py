"""The page of `tamis genome mtd`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, cast

from .. import __version__, plotting
from .._core.errors import listed_parts, shorten_text
from ..genome.quality.inflation import inflation_text
from ..genome.quality.inflation_schema import Quantiles
from ..genome.scans.scan_result import INFLATION_ADVICE
from ..genome.scans.scan_schema import ScanContent
from ._assets import render_page
from ._numbers import count_text, decimal_text, plain_json, plural_text
from ._table import Column, TableView, build_table, computed_column

SPANS_NOTE = (
    "Variants in their order. Bars: from the 5\u00a0% to the 95\u00a0% quantile of a stretch, "
    "with the median; dots: the largest."
)
TEXT_COLUMNS = ("CHR", "SNP", "A1", "A2")
COLUMN_NAMES = ("CHR", "SNP", "BP", "A1", "A2", "MTD", "P", "P_MAXT")


def render_scan(result: ScanContent, name: str) -> str:
    """The page's HTML; only the chart and assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``results.json`` has it.
    name : str
        Of the cohort.
    """
    r = cast(ScanContent, plain_json(result))
    return render_variant_page(
        r,
        COLUMN_NAMES,
        title=f"Variants of {name}",
        subtitle=_scan_subtitle(r),
        sentences=_scan_sentences(r),
        reading=_how_to_read_scan(r),
        chart=plotting.manhattan(r["picture"], r["threshold"]),
        note=_manhattan_note(r),
        file="mtd.tsv",
    )


def render_variant_page(
    r: Mapping[str, Any], columns: Sequence[str], *, sentences: Sequence[str], **more: object
) -> str:
    """The page of a scan with a row for each variant: its best variants, and those left out."""
    best, left_out = best_table(r["top"], columns), left_out_table(r["left_out"])
    return render_page(
        "scan.html.j2",
        (best, left_out),
        version=__version__,
        nav=[
            ("headline", "Answer"),
            ("best", "Best variants"),
            ("left-out", "Left out"),
            ("reading", "How to read this"),
        ],
        sentences=[*sentences, *r["remarks"]],
        best=best,
        left_out=left_out,
        quantiles=quantile_chart(r["quantiles"]),
        **more,
    )


def _scan_subtitle(r: ScanContent) -> str:
    sizes = listed_parts(
        f"{shorten_text(c['name'])} ({count_text(c['size'])})" for c in r["classes"]
    )
    strata = (
        f"; {plural_text(len(r['strata']), 'stratum', 'strata')}" if len(r["strata"]) > 1 else ""
    )
    return f"{plural_text(r['variants'], 'variant')}; classes: {sizes}{strata}"


def _scan_sentences(r: ScanContent) -> list[str]:
    if not r["top"]:
        return ["No variant has a score."]
    first = r["top"][0]
    found = [
        f"The largest distance is {decimal_text(first['MTD'], 3)}, of {first['SNP']} on chromosome "
        f"{first['CHR']} at {count_text(first['BP'])}."
    ]
    if r["lambda_gc"] is not None:
        text = inflation_text(r["lambda_gc"], r["autosomal"], INFLATION_ADVICE)
        found.append(f"{text[0].upper()}{text[1:]}.")
    if r["threshold"] is None:
        return [*found, "Without 19 permutations at least nothing is said of chance."]
    n, B = r["above"] or 0, r["permutations"]
    what = "No variant is" if n == 0 else f"{plural_text(n, 'variant')} {'is' if n == 1 else 'are'}"
    return [
        *found,
        f"{what} above {decimal_text(r['threshold'], 3)}, which the largest of all distances "
        f"exceeds in at most 5\u00a0% of {count_text(B)} permutations of the labels"
        + (" inside the strata." if len(r["strata"]) > 1 else "."),
    ]


def quantile_chart(quantiles: Quantiles | None) -> str:
    """p-values against uniform ones, or nothing where there are none."""
    if quantiles is None:
        return ""
    return plotting.quantile_plot(
        {"kept": quantiles}, "p-values against uniform ones", "−log10 p if all were chance"
    )


def _how_to_read_scan(r: ScanContent) -> list[str]:
    strata = (
        " Differences are taken inside each stratum and averaged (weights of Mantel and Haenszel)."
        if len(r["strata"]) > 1
        else ""
    )
    return [
        "The mass transportation distance is the sum over the three genotypes of the difference "
        "between their frequencies in two classes, among the samples called: 0 where they are "
        "alike, 2 where no genotype is in both." + strata,
        "P is each variant's own, from permuted labels. P_MAXT is that among all variants: the "
        "share of permutations whose largest distance is as large. It controls family-wise error, "
        "whatever the variants have in common, if samples are exchangeable: relatives, and several "
        "populations in one stratum, are not. MTD has no form that takes them into account; a "
        "mixed model does (`tamis genome mixed`). Permuting inside strata keeps what differs "
        "between them, and nothing that differs inside.",
        "Classes that differ in origin, or in how well their samples were called, differ in many "
        "variants for that reason: look at strata and at the quality of calls before a single one.",
    ]


def _manhattan_note(r: ScanContent) -> str:
    line = "" if r["threshold"] is None else " Dashed: family-wise 5\u00a0% threshold under chance."
    return f"{SPANS_NOTE}{line}"


def best_table(top: list[dict[str, Any]], names: Sequence[str]) -> TableView:
    """The best variants; those of the columns that there are."""
    there = [name for name in names if not top or name in top[0]]
    columns = [
        Column(name, itemgetter(name), name, partial(_scan_cell, name), name not in TEXT_COLUMNS)
        for name in there
    ]
    return build_table("best", "Best variants", columns, top)


def _scan_cell(name: str, row: dict[str, Any]) -> str:
    """A cell of the column of this name."""
    value = row[name]
    if name in TEXT_COLUMNS:
        return str(value)
    if name == "BP":
        return count_text(value)
    return f"{value:.2g}" if name in ("P", "P_MAXT") else decimal_text(value, 3)


def left_out_table(left_out: dict[str, int]) -> TableView:
    """Variants left out, by reason."""
    rows = list(left_out.items())
    columns = [
        Column("reason", lambda row: row[0], "Reason", numeric=False),
        computed_column("variants", lambda row: row[1], "Variants", count_text),
    ]
    return build_table("left_out", "Variants left out, by reason", columns, rows)
