"""The page of `tamis genome qc`."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, cast

from .. import __version__, plotting
from ..genome.quality.quality_schema import QualityContent, QualityNumbers
from ..genome.quality.quality_words import share_text, summary_of
from ._assets import render_page
from ._numbers import UNDEFINED_MARK, count_text, percent_text, plain_json, plural_text
from ._table import Column, TableView, build_table, field_column

READING_NOTES = (
    "Samples are looked at first, by all variants that somebody has a call of; variants then by "
    "the samples kept. Each has the first reason that applies, in the order of the table.",
    "A variant far out of Hardy-Weinberg equilibrium among controls is likely called badly: two "
    "places of the genome taken for one, or one genotype lost. So it is where several populations "
    "are taken together.",
)
MISSINGNESS_NOTE = (
    "Calls that are missing more in one class than in another come of samples handled unlike, and "
    "make differences where there are none. Fisher's test is exact and of counts: where few "
    "calls are missing its p are larger than uniform ones, so that points lie below the dashed "
    "line if all is well. Points above it at the right are single bad variants; many above it say "
    "that the classes were called unlike."
)


def render_quality(result: QualityContent, name: str) -> str:
    """The page's HTML; only charts and assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``quality.json`` has it.
    name : str
        Of the cohort.
    """
    r = cast(QualityContent, plain_json(result))
    drawn = r["picture"]
    dropped, unlike = dropped_table(r), _unlike_variant_table(r)
    histograms = [
        plotting.before_after(drawn["missing"], "share of missing calls", "variants"),
        plotting.before_after(drawn["sample_missing"], "share of missing calls", "samples"),
        plotting.before_after(drawn["frequency"], "frequency of the rarer allele", "variants"),
    ]
    nav = [
        ("headline", "Answer"),
        ("dropped", "Dropped"),
        ("shares", "Before and after"),
        ("unlike", "Missing by class"),
        ("reading", "How to read this"),
    ]
    quantiles = drawn["differential"]
    return render_page(
        "quality.html.j2",
        (dropped, unlike),
        title=f"Quality of {name}",
        subtitle=_quality_subtitle(r),
        version=__version__,
        nav=nav,
        sentences=[*_quality_sentences(r), *r["remarks"]],
        reading=READING_NOTES,
        missing=MISSINGNESS_NOTE,
        dropped=dropped,
        histograms=histograms,
        unlike=unlike,
        chart=plotting.quantile_plot(quantiles) if quantiles else "",
    )


def _quality_subtitle(r: QualityContent) -> str:
    classes = f"; classes: {', '.join(r['classes'])}" if r["classes"] else "; no classes"
    return (
        f"{plural_text(r['samples']['all'], 'sample')}, "
        f"{plural_text(r['variants']['all'], 'variant')}{classes}"
    )


def _quality_sentences(r: QualityContent) -> list[str]:
    return summary_of(r).replace("the limit `differential`", "--differential").splitlines()


def _limit_words(row: dict[str, Any]) -> str:
    if row["limit"] is None:
        return "always"
    if row["reason"] == "missing calls":
        return f"{share_text(row['limit'])} or more"
    return f"below {row['limit']:g}"


def dropped_table(r: QualityNumbers) -> TableView:
    """What was dropped, or would be, by reason."""
    columns = [
        field_column("of", "Of", numeric=False),
        field_column("reason", "Reason", numeric=False),
        Column("limit", itemgetter("limit"), "Dropped if", _limit_words, numeric=False),
        field_column("dropped", "Dropped", count_text, help="Those whose first reason it is"),
        field_column(
            "failed", "Speaks against", count_text, help="With those dropped for an earlier one"
        ),
    ]
    return build_table("dropped", "What was dropped, by reason", columns, r["dropped"])


def _unlike_variant_table(r: QualityContent) -> TableView:
    columns = [
        field_column("chromosome", "CHR", numeric=False),
        field_column("id", "SNP", numeric=False),
        field_column("position", "BP", count_text),
        field_column("missing", "Missing", count_text),
        field_column("missing_share", "Share", lambda v: percent_text(v, 1)),
        field_column("differential_p", "p", lambda v: UNDEFINED_MARK if v is None else f"{v:.2g}"),
        field_column("reason", "Dropped for", lambda v: v or "kept", numeric=False),
    ]
    return build_table("unlike", "Calls missing most unlike in the classes", columns, r["unlike"])
