"""The page of `tamis genome pca`."""

from __future__ import annotations

from typing import cast

from .. import __version__, plotting
from .._core.errors import listed_parts, shorten_text
from ..genome.structure.components_schema import ComponentsContent
from ._assets import render_page
from ._numbers import count_text, decimal_text, percent_text, plain_json, plural_text
from ._table import Column, TableView, build_table, computed_column


def render_components(result: ComponentsContent, name: str) -> str:
    """The page's HTML; only charts and assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``results.json`` has it.
    name : str
        Of the cohort.
    """
    r = cast(ComponentsContent, plain_json(result))
    values = _eigenvalue_table(r)
    return render_page(
        "components.html.j2",
        (values,),
        title=f"Principal components of {name}",
        subtitle=_component_subtitle(r),
        version=__version__,
        nav=[("headline", "Answer"), ("values", "Eigenvalues"), ("reading", "How to read this")],
        sentences=[*_component_sentences(r), *r["remarks"]],
        reading=_how_to_read_components(r),
        values=values,
        note=_component_note(r),
        charts=plotting.component_views(r["picture"], r["share"]),
        bars=plotting.eigenvalue_bars(r["eigenvalues"], r["share"]),
    )


def _component_subtitle(r: ComponentsContent) -> str:
    sizes = listed_parts(
        f"{shorten_text(c['name'])} ({count_text(c['size'])})" for c in r["classes"]
    )
    return plural_text(r["samples"], "sample") + (f"; classes: {sizes}" if sizes else "")


def _component_sentences(r: ComponentsContent) -> list[str]:
    how = "from all pairs of samples" if r["method"] == "exact" else "from random vectors"
    looked = "" if r["classes"] else " Nobody has a class."
    return [
        f"{plural_text(r['components'], 'principal component')} of "
        f"{plural_text(r['samples'], 'sample')}, {how}: the first has "
        f"{percent_text(r['share'][0], 1)} of all variance, all of them "
        f"{percent_text(sum(r['share']), 1)}.",
        f"Of {plural_text(r['variants_looked_at'], 'variant')} "
        f"{count_text(r['variants'])} were used: those of the autosomes whose rarer allele has a "
        "frequency of .05 at least, thinned until no two in a window of 50 have an r² above .2.",
        f"Classes colour the pictures, and were looked at for nothing else.{looked}",
    ]


def _component_note(r: ComponentsContent) -> str:
    shown, of = len(r["picture"]["samples"]), r["picture"]["of"]
    if shown == of:
        return "A mark a sample."
    return f"{count_text(shown)} of {count_text(of)} samples, the farthest from the middle of them."


def _eigenvalue_table(r: ComponentsContent) -> TableView:
    columns = [
        Column("component", lambda k: f"PC{k + 1}", "Component", numeric=False),
        computed_column("eigenvalue", lambda k: r["eigenvalues"][k], "Eigenvalue", decimal_text),
        computed_column(
            "share", lambda k: r["share"][k], "Of all variance", lambda v: percent_text(v, 2)
        ),
    ]
    return build_table("values", "Eigenvalues", columns, range(r["components"]))


def _how_to_read_components(r: ComponentsContent) -> list[str]:
    return [
        "Samples that are near each other have like genotypes: groups are populations, as a rule, "
        "and lines between two groups are people of both. Samples far from all others are worth a "
        "look, as are groups that follow families, plates or centres.",
        "Where an eigenvalue stands out from those after it, its component shows something that "
        "many samples share; a row of nearly equal ones is noise. A component of few samples may "
        "be a family, one of few variants a long stretch in disequilibrium.",
        "If classes lie apart here, variants that have nothing to do with them will differ between "
        "them: use components as covariates (pca.eigenvec is as PLINK's --covar takes it), or "
        "strata made of them.",
    ]
