"""The page of `tamis genome clump`."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from .. import __version__, plotting
from ..genome.scans.clump_schema import ClumpContent
from ._assets import render_page
from ._numbers import count_text, plain_json, plural_text
from ._table import Column, TableView, build_table

COLUMN_NAMES = ("CHR", "SNP", "BP", "P", "TOTAL", "S0001", "SP2", "GENES", "DISTANCE")
LIST_COLUMNS = ("SP2", "GENES")
TEXT_COLUMNS = ("CHR", "SNP", *LIST_COLUMNS)
MAX_LISTED_ITEMS = 5  # members and genes of a cell


def render_clumps(result: ClumpContent, name: str) -> str:
    """The page's HTML; only the chart and assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``results.json`` has it.
    name : str
        Of the cohort.
    """
    r = cast(ClumpContent, plain_json(result))
    clumps = _clump_table(r)
    return render_page(
        "clumps.html.j2",
        (clumps,),
        title=f"Clumps of {name}",
        subtitle=f"{plural_text(r['n_clumps'], 'clump')}, {plural_text(r['samples'], 'founder')}",
        version=__version__,
        nav=[("headline", "Answer"), ("clumps", "Clumps"), ("reading", "How to read this")],
        sentences=_clump_sentences(r),
        reading=_how_to_read_clumps(r),
        clumps=clumps,
        chart=plotting.manhattan(r["picture"], None, "−log10 p of index variants"),
        note=f"A dot a clump: its index variant.{_shown_of(r)}",
    )


def _clump_sentences(r: ClumpContent) -> list[str]:
    found = [
        f"{plural_text(r['n_significant'], 'variant')} with p up to {r['p1']:g} "
        f"{'is' if r['n_significant'] == 1 else 'are'} in {plural_text(r['n_clumps'], 'clump')}."
    ]
    if not r["n_clumps"]:
        return [f"No variant has a p-value of {r['p1']:g} or less: there are no clumps."]
    if unknown := r["rows"]["unknown"]:
        found.append(
            f"{count_text(unknown)} of {plural_text(r['rows']['read'], 'row')} name no variant of "
            f"the genotypes, {count_text(r['rows']['unknown_top'])} of them with p up to "
            f"{r['p1']:g}."
        )
    return found


def _how_to_read_clumps(r: ClumpContent) -> list[str]:
    return [
        "Neighbours in linkage disequilibrium are significant together. A clump has the most "
        f"significant of them, its index variant, and those with r² above {r['r2']:g} nearer than "
        f"{r['kb']:g} thousand base pairs: one signal, as a rule. The rules are PLINK 1.9's.",
        "TOTAL counts the members, S0001 those with p below .0001; SP2 names those below "
        f"{r['p2']:g}.",
        "The index variant need not be the one that acts, nor the gene nearest to it the one that "
        "is acted on.",
    ]


def _shown_of(r: ClumpContent) -> str:
    shown = len(r["picture"]["dots"])
    return f" The first {count_text(shown)}." if shown < r["n_clumps"] else ""


def _clump_table(r: ClumpContent) -> TableView:
    there = [
        name for name in COLUMN_NAMES if any(name in row for row in r["clumps"][:1])
    ] or COLUMN_NAMES[:-2]
    columns = [
        Column(
            name,
            partial(_clump_value, name),
            name,
            partial(_clump_cell, name),
            name not in TEXT_COLUMNS,
        )
        for name in there
    ]
    return build_table("clumps", "Clumps", columns, r["clumps"])


def _clump_value(name: str, row: dict[str, Any]) -> Any:
    return ",".join(row[name]) if name in LIST_COLUMNS else row[name]


def _clump_cell(name: str, row: dict[str, Any]) -> str:
    """Of the column of this name."""
    value = row[name]
    if name in LIST_COLUMNS:
        more = (
            f" and {len(value) - MAX_LISTED_ITEMS:,} more" if len(value) > MAX_LISTED_ITEMS else ""
        )
        return ", ".join(value[:MAX_LISTED_ITEMS]) + more
    if name == "P":
        return f"{value:.2g}"
    if name in TEXT_COLUMNS:
        return str(value)
    return "" if value is None else count_text(value)
