"""The page of `tamis genome kin`."""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import Any, cast

from .. import __version__, plotting
from ..genome.structure.degrees import DEGREE_BORDERS, RELATIONS
from ..genome.structure.relatives_schema import RelativesContent
from ..genome.structure.relatives_words import relatives_sentences
from ._assets import render_page
from ._numbers import count_text, decimal_text, plain_json, plural_text
from ._table import Column, TableView, build_table, computed_column

COLUMN_NAMES = ("FID1", "IID1", "FID2", "IID2", "NSNP", "HETHET", "IBS0", "KINSHIP", "RELATION")
NUMBER_COLUMNS = COLUMN_NAMES[4:8]


def render_relatives(result: RelativesContent, name: str) -> str:
    """The page's HTML; only charts and assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``results.json`` has it.
    name : str
        Of the cohort.
    """
    r = cast(RelativesContent, plain_json(result))
    closest, relations = _closest_table(r), _relation_counts(r)
    return render_page(
        "kinship.html.j2",
        (closest, relations),
        title=f"Relatives in {name}",
        subtitle=f"{plural_text(r['samples'], 'sample')}, {plural_text(r['variants'], 'variant')}",
        version=__version__,
        nav=[
            ("headline", "Answer"),
            ("closest", "Closest pairs"),
            ("reading", "How to read this"),
        ],
        sentences=relatives_sentences(r),
        reading=_how_to_read_kinship(r),
        closest=closest,
        relations=relations,
        bars=plotting.kinship_bars(r["picture"]["counts"], DEGREE_BORDERS),
        scatter=plotting.kinship_scatter(r["picture"], RELATIONS),
        note=_kinship_note(r),
    )


def _relation_counts(r: RelativesContent) -> TableView:
    columns = [
        Column("relation", itemgetter(0), "Relation", numeric=False),
        computed_column("pairs", itemgetter(1), "Pairs", count_text),
    ]
    rows = list(r["relations"].items())
    return build_table("relations", "Pairs of relatives, by relation", columns, rows)


def _closest_table(r: RelativesContent) -> TableView:
    columns = [
        Column(name, itemgetter(name), name, partial(_kinship_cell, name), name in NUMBER_COLUMNS)
        for name in COLUMN_NAMES
    ]
    return build_table("closest", "Closest pairs", columns, r["top"])


def _kinship_cell(name: str, row: dict[str, Any]) -> str:
    if name == "NSNP":
        return count_text(row[name])
    return decimal_text(row[name], 4) if name in NUMBER_COLUMNS else str(row[name])


def _kinship_note(r: RelativesContent) -> str:
    shown, of = len(r["picture"]["dots"]), r["picture"]["of"]
    what = (
        "A dot a pair listed" if shown == of else f"{count_text(shown)} of {count_text(of)} pairs"
    )
    return f"{what}. Parent and child share an allele everywhere: no opposite homozygotes."


def _how_to_read_kinship(r: RelativesContent) -> list[str]:
    return [
        "Kinship is 1/2 for one person twice or for identical twins, 1/4 for parent and child or "
        "full siblings, 1/8 for the second degree (half siblings, grandparents, uncles and aunts), "
        "1/16 for the third (first cousins), and 0 for unrelated people. Dashed lines are the "
        "borders between the degrees. KING-robust needs no allele frequencies: people of different "
        "populations come out below 0, not as relatives.",
        "Relatives share effects of all their genes, and their environment. A test that takes them "
        "for independent finds too much: scan with `tamis genome mixed`, or leave relatives out "
        "(unrelated.keep is as PLINK's --keep takes it; `--unrelated` of other commands does it). "
        "`tamis genome study` keeps families together, `--group FAMILY` these of families.tsv.",
        f"Kinship is estimated with a standard error of {decimal_text(r['standard_error'], 4)} "
        "here, linkage disequilibrium included. Pairs count as relatives from "
        f"{decimal_text(r['smallest'], 4)} on, which no pair of unrelated people reaches in 999 of "
        "1000 such cohorts. In a small or isolated population, all are distant relatives, and "
        "families run into one another.",
    ]
