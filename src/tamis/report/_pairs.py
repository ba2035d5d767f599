"""The page of `tamis genome pairs`."""

from __future__ import annotations

from typing import Any, cast

from .. import __version__
from ..genome.scans.pairs_schema import Grid, PairsContent
from ._assets import render_page
from ._numbers import (
    UNDEFINED_MARK,
    count_text,
    decimal_text,
    p_text,
    percent_text,
    plain_json,
    plural_text,
)
from ._table import Cell, Column, TableView, build_table, field_column

MAX_TABLE_ROWS = 50
NEIGHBOUR_DISTANCE = 1_000_000  # base pairs, within which variants are neighbours


def render_pairs(result: PairsContent, name: str) -> str:
    """The page's HTML; only assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``pairs.json`` has it.
    name : str
        Of the cohort.
    """
    r = cast(PairsContent, plain_json(result))
    best = _best_pair_table(r)
    nav = [
        ("headline", "Answer"),
        ("best", "Best pairs"),
        ("grids", "Genotypes by class"),
        ("reading", "How to read this"),
    ]
    return render_page(
        "pairs.html.j2",
        (best,),
        title=f"Pairs of variants of {name}",
        subtitle=_pair_subtitle(r),
        version=__version__,
        nav=nav,
        sentences=[*_pair_sentences(r), *r["remarks"]],
        reading=_how_to_read_pairs(r),
        best=best,
        grids=[_genotype_grid(one) for one in r["grids"]],
        of=_pairs_shown_words(r),
    )


def _pair_subtitle(r: PairsContent) -> str:
    return f"{plural_text(r['variants'], 'variant')}, {plural_text(r['samples'], 'sample')}"


def _pair_sentences(r: PairsContent) -> list[str]:
    looked = (
        f"All {count_text(r['n_pairs'])} pairs of {plural_text(r['paired'], 'variant')} were "
        "looked at, each by the exact distance of the classes among the samples called in both, "
        f"and ordered by {r['by']}."
    )
    if r["variants"] > r["paired"]:
        left = r["variants"] - r["paired"]
        looked += f" {plural_text(left, 'variant')} could not be read and stayed out."
    first = r["pairs"][0]
    found = [
        looked,
        f"First are {first['SNP_1']} ({_variant_place(first, 1)}) and {first['SNP_2']} "
        f"({_variant_place(first, 2)}): interaction {decimal_text(first['INTERACTION'])}, score "
        f"{decimal_text(first['MTD'])}.",
    ]
    if r["threshold"] is None:
        found.append("Without permutations nothing is said of chance.")
    else:
        n, runs = r["significant"], count_text(r["permutations"])
        many = "No pair is" if not n else f"{plural_text(n, 'pair')} {'is' if n == 1 else 'are'}"
        found.append(
            f"{many} above {decimal_text(r['threshold'])}, which the best of all pairs exceeds in "
            f"at most 5\u00a0% of {runs} scans with permuted labels."
        )
    shown = r["pairs"][:MAX_TABLE_ROWS]
    near = sum(_is_near_pair(row) for row in shown)
    if near:
        found.append(
            f"Of the {plural_text(len(shown), 'pair')} shown {count_text(near)} "
            f"{'is' if near == 1 else 'are'} of variants within a million base pairs of each "
            "other: neighbours in disequilibrium have interactions though no effect depends on "
            "the other."
        )
    return found


def _is_near_pair(row: dict[str, Any]) -> bool:
    return row["CHR_1"] == row["CHR_2"] and abs(row["BP_1"] - row["BP_2"]) <= NEIGHBOUR_DISTANCE


def _variant_place(row: dict[str, Any], k: int) -> str:
    return f"{row[f'CHR_{k}']}:{count_text(row[f'BP_{k}'])}"


def _variant_column(k: int) -> Column:
    return Column(
        f"SNP_{k}",
        lambda row: row[f"SNP_{k}"],
        "First" if k == 1 else "Second",
        lambda row: Cell(row[f"SNP_{k}"], sub=_variant_place(row, k)),
        numeric=False,
    )


def _best_pair_table(r: PairsContent) -> TableView:
    columns = [
        _variant_column(1),
        _variant_column(2),
        *(field_column(f"{what}_{k}") for k in (1, 2) for what in ("CHR", "BP")),
        field_column("INTERACTION", "Interaction", decimal_text),
        field_column("MTD", "Score", decimal_text),
        field_column("MTD_1", "First alone", decimal_text),
        field_column("MTD_2", "Second alone", decimal_text),
        field_column("N", "Samples", count_text),
        field_column("CLASSES", "Classes", numeric=False),
    ]
    if r["permutations"]:
        columns.append(field_column("P_MAXT", "p among all", p_text))
    return build_table("best", "Best pairs", columns, r["pairs"][:MAX_TABLE_ROWS])


def _pairs_shown_words(r: PairsContent) -> str:
    kept, shown = len(r["pairs"]), min(MAX_TABLE_ROWS, len(r["pairs"]))
    return f"{count_text(shown)} of the {plural_text(kept, 'pair')} in pairs.tsv beside this page."


def _genotype_grid(grid: Grid) -> dict[str, object]:
    """Shares of the second class in each cell, above or below its share of all."""
    one, other = grid["counts"]
    both = sum(map(sum, one)) + sum(map(sum, other))
    base = sum(map(sum, other)) / both if both else 0.0
    widest = max(base, 1 - base)
    rows = []
    for i, name in enumerate(grid["genotypes"][0]):
        cells = []
        for j in range(3):
            n = one[i][j] + other[i][j]
            share = other[i][j] / n if n else None
            apart = 0.0 if share is None else (share - base) / widest
            cells.append(
                {
                    "text": UNDEFINED_MARK if share is None else percent_text(share),
                    "counts": f"{count_text(one[i][j])} / {count_text(other[i][j])}",
                    "below": apart < 0,
                    "shade": f"{100 * abs(apart):.0f}",
                }
            )
        rows.append({"name": name, "cells": cells})
    return {
        "title": f"{grid['variants'][0]} × {grid['variants'][1]}",
        "rows": rows,
        "down": grid["variants"][0],
        "across": grid["variants"][1],
        "columns": grid["genotypes"][1],
        "classes": grid["classes"],
        "base": percent_text(base),
    }


def _how_to_read_pairs(r: PairsContent) -> list[str]:
    return [
        "The score is twice the distance between the classes on the grid of both variants' "
        "genotypes, between 0 and 4. The interaction is what is left of it when the scores of the "
        "two alone are taken off: what only both together show.",
        "Permuted labels hold where no variant is associated with the class. They are permuted "
        "among all samples: classes of unlike descent differ in pairs too, and that shows as an "
        "interaction. Look at the first components of the genotypes beside this.",
        "Neighbours on a chromosome say the same twice with errors, which looks like an "
        "interaction. Trust pairs that are far apart, or variants that were thinned.",
        "In the grids a pattern of one row or one column is the effect of one variant; an "
        "interaction is a pattern that neither has. Cells of few samples say little.",
    ]
