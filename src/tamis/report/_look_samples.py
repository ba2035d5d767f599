"""What the pages of a look at a table and at a cohort share: samples, warnings, components."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from .. import plotting
from .._core.errors import listed_parts, shorten_text
from ..data.class_heading import class_heading, class_headings, number_heading
from ..look.schema import BatchSeen, ComponentsSeen, Named, Seen
from ..look.words import explained_text, suspect_text
from ._numbers import count_text, percent_text, plural_text
from ._table import Cell, Column, TableView, build_table, computed_column, field_column


def warnings_of(r: Seen) -> list[dict[str, str]]:
    """Suspected leaks, the grave ones first, and what a study would warn of."""
    by_gravity = sorted(r["suspects"], key=lambda one: not one["grave"])
    suspected = [{"code": one["kind"], "text": suspect_text(one)} for one in by_gravity]
    return suspected + [{"code": one["code"], "text": one["text"]} for one in r["cautions"]]


def sample_facts(r: Seen) -> list[tuple[str, str]]:
    """Facts of the samples that no table has."""
    groups = r["groups"]
    facts = [("Class", r["target"] or "none given")]
    if r["number"] is not None:
        values = number_heading(r["target"] or "", **r["number"])
        facts = [("Number", f"{values}; shown by its thirds, as if these were classes")]
    if r["positive"] is not None:
        facts.append(("Positive class", class_heading(r["target"] or "", r["positive"])))
    if groups is not None:
        single = plural_text(groups["single"], "group")
        facts.append(
            (
                "Groups",
                f"{count_text(groups['n'])}, the largest of "
                f"{plural_text(groups['largest'], 'sample')}; {single} of one sample; "
                f"{count_text(groups['several_classes'])} with several classes",
            )
        )
    if r["split"]:
        facts.append(("Predefined folds", named_text(r["split"])))
    if r["covariates"]:
        facts.append(("Covariates", ", ".join(map(shorten_text, r["covariates"]))))
    return facts


def named_text(found: Sequence[Named]) -> str:
    """Names with their numbers."""
    return listed_parts(f"{shorten_text(one['name'])} ({count_text(one['n'])})" for one in found)


def classes_table(r: Seen) -> TableView | None:
    """Samples of each class, by batch where there are batches."""
    if not r["classes"] and not r["batches"]:
        return None
    if not r["classes"]:
        batch = [
            field_column("name", "Batch", numeric=False),
            field_column("n", "Samples", count_text),
        ]
        return build_table("classes", "Samples by batch", batch, r["batches"])
    heads = class_headings(r["target"] or "", (one["name"] for one in r["classes"]))
    if r["batches"]:
        columns = [field_column("name", "Batch", numeric=False)]
        columns += [
            computed_column(f"class {head}", partial(_of_class, k), head, count_text)
            for k, head in enumerate(heads)
        ]
        columns.append(field_column("n", "All", count_text))
        return build_table("classes", "Samples by batch and class", columns, r["batches"])
    columns = [
        Column(
            "class",
            itemgetter("name"),
            "Class",
            lambda one: class_heading(r["target"] or "", one["name"]),
            numeric=False,
        ),
        field_column("n", "Samples", count_text),
        share_column(r["samples"]),
    ]
    return build_table("classes", "Samples by class", columns, r["classes"])


def share_column(total: int) -> Column:
    """What share of all each row counts, with a bar."""
    return computed_column(
        "share",
        lambda one: one["n"] / total,
        "Share",
        lambda share: Cell(percent_text(share), bar=share),
    )


def _of_class(k: int, batch: BatchSeen) -> int:
    return batch["classes"][k]


def components_sentences(found: ComponentsSeen | None, noun: str, outcome: str) -> list[str]:
    """Sentences about principal components."""
    if found is None:
        return [
            "There are no two principal components: too few samples or columns of numbers vary."
        ]
    sentences = [
        f"Principal components of {plural_text(found['samples'], 'sample')} by "
        f"{plural_text(found['columns'], noun)}, each standardised."
    ]
    for k, one in enumerate(found["components"], 1):
        sentences.append(f"PC{k}: {one['share']:.0%} of variance{explained_text(one, outcome)}.")
    return sentences


def component_charts(found: ComponentsSeen | None) -> list[str]:
    """One picture coloured by class, one by batch."""
    if found is None:
        return []
    share = [one["share"] for one in found["components"]]
    drawn = [plotting.component_scatter(found["by_class"], 0, share)]
    if found["by_batch"] is not None:
        drawn.append(plotting.component_scatter(found["by_batch"], 0, share, "batch"))
    return drawn
