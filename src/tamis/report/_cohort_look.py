"""The page of `tamis look` at genotypes, from its JSON alone."""

from __future__ import annotations

from operator import itemgetter
from typing import cast

from .. import __version__, plotting
from ..genome.quality.quality_words import summary_of
from ..genome.structure.relatives_words import relatives_sentences
from ..look.schema import CohortContent
from ..look.words import NO_ESTIMATE, cohort_facts, cohort_size_text, outcome_noun
from ._assets import render_page
from ._look_samples import (
    classes_table,
    component_charts,
    components_sentences,
    sample_facts,
    share_column,
    warnings_of,
)
from ._numbers import count_text, plain_json
from ._quality import dropped_table
from ._table import Column, TableView, build_table, computed_column, field_column

SECTIONS = (
    ("headline", "Answer"),
    ("samples", "Samples"),
    ("variants", "Variants"),
    ("quality", "Quality"),
    ("relatives", "Relatives"),
    ("components", "Components"),
    ("notes", "Notes of the reader"),
    ("reading", "How to read this"),
)
READING_NOTES = (
    "Quality control belongs in the training sets of a study, as a step of its plan; what "
    "stands here is of all samples. `tamis genome qc` has more of it.",
    "Components are of variants of the autosomes whose rarer allele has a frequency of .05 at "
    "least, thinned until no near two are nearly the same; classes and batches were not looked "
    "at. Groups are populations, as a rule. If classes lie apart here, variants that have nothing "
    "to do with them will differ between them.",
    "Relatives share variants. If some are in a training set and some in its test set, results "
    "look too good. A study of genotypes keeps families together, unless --group names other "
    "groups.",
)


def render_cohort_look(result: CohortContent) -> str:
    """The page's HTML; only charts and assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``look.json`` has it.
    """
    r = cast(CohortContent, plain_json(result))
    drawn = r["picture"]
    tables = {
        "classes": classes_table(r),
        "chromosomes": _chromosome_table(r),
        "dropped": dropped_table(r["quality"]),
        "relations": _relation_table(r),
    }
    histograms = [
        plotting.before_after(drawn["missing"], "share of missing calls", "variants"),
        plotting.before_after(drawn["sample_missing"], "share of missing calls", "samples"),
        plotting.before_after(drawn["frequency"], "frequency of the rarer allele", "variants"),
    ]
    quantiles, relatives = drawn["differential"], r["relatives"]
    nothing = ["Too few samples or variants of the autosomes to detect relatives with."]
    remarks = [{"code": "relatives", "text": text} for text in r["remarks"]]
    return render_page(
        "cohort_look.html.j2",
        [table for table in tables.values() if table],
        title=f"A look at {r['name']}",
        subtitle=cohort_size_text(r),
        version=__version__,
        files=bool(r["settings"]),  # the look of a command lies beside its tables
        nav=SECTIONS,
        lead=NO_ESTIMATE,
        reading=READING_NOTES,
        command=r["command"],
        warnings=[*warnings_of(r), *remarks],
        facts=[(name[:1].upper() + name[1:], text) for name, text in cohort_facts(r)],
        samples=sample_facts(r),
        quality=summary_of(r["quality"]).splitlines(),
        histograms=histograms,
        unlike=plotting.quantile_plot(quantiles) if quantiles else "",
        relatives=nothing if relatives is None else relatives_sentences(relatives),
        components=components_sentences(r["components"], "variant", outcome_noun(r)),
        charts=component_charts(r["components"]),
        notes=r["notes"],
        tables=tables,
    )


def _chromosome_table(r: CohortContent) -> TableView:
    columns = [
        field_column("name", "Chromosome", numeric=False),
        field_column("n", "Variants", count_text),
        share_column(r["variants"]),
    ]
    return build_table("chromosomes", "Variants by chromosome", columns, r["chromosomes"])


def _relation_table(r: CohortContent) -> TableView | None:
    if r["relatives"] is None or not r["relatives"]["relatives"]:
        return None
    columns = [
        Column("relation", itemgetter(0), "Relation", numeric=False),
        computed_column("pairs", itemgetter(1), "Pairs", count_text),
    ]
    rows = list(r["relatives"]["relations"].items())
    return build_table("relations", "Pairs of relatives, by relation", columns, rows)
