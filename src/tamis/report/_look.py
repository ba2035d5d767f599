"""The page of `tamis look`, from its JSON alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from typing import Any, TypedDict, cast

from .. import __version__, plotting
from .._core.errors import shorten_text
from ..data.class_heading import class_heading
from ..look.schema import LookContent, Quantiles, UnlikeSeen, ValuesSeen
from ..look.words import NO_ESTIMATE, look_facts, outcome_noun, size_text
from ..plotting.sample_boxes import SampleBox
from ._assets import render_page
from ._look_samples import (
    classes_table,
    component_charts,
    components_sentences,
    named_text,
    sample_facts,
    warnings_of,
)
from ._numbers import (
    count_text,
    decimal_text,
    magnitude_text,
    percent_text,
    plain_json,
    plural_text,
    small_p_text,
)
from ._table import Cell, Column, TableView, build_table, computed_column, field_column

SECTIONS = (
    ("headline", "Answer"),
    ("samples", "Samples"),
    ("values", "Values"),
    ("missing", "Missing values"),
    ("columns", "Columns"),
    ("rows", "Duplicate samples"),
    ("components", "Components"),
    ("notes", "Notes of the reader"),
    ("reading", "How to read this"),
)
READING_NOTES = (
    "What numbers look like is guessed from their range, whether they are integers, and how "
    "columns differ. A guess can be wrong: who measured the table knows.",
    "Components are of the features standardised over all samples, classes and batches not looked "
    "at. If batches lie apart, what was measured together looks alike; if classes lie apart too, "
    "and each batch has mostly one class, the two effects are confounded. If classes do "
    "not lie apart here, a few features may separate them nevertheless.",
    "A pair of samples with a cosine near 1 may be one patient measured twice. If it is, name the "
    "column of patients with --group, so that no split parts them.",
    "Near-duplicates are columns that correlate at .999 or more, up or down, and for few samples "
    "more, so that chance does not make any. One of them stands for all.",
)
SCALE_NAMES = {
    "as is": "value",
    "log2": "log2 of max(value, 1)",
    "standardised": "standardised value",
}
BOXES_NOTE = (
    "Each vertical line is a sample. Thick: interquartile range, with the median; thin: 5 to 95"
)


class ValuesView(TypedDict):
    """Numbers of a block."""

    title: str
    text: str
    table: TableView | None
    chart: str


def render_look(result: LookContent) -> str:
    """The page's HTML; only charts and assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``look.json`` has it.
    """
    r = cast(LookContent, plain_json(result))
    values = [_values_view(one) for one in r["values"]]
    tables = {
        "classes": classes_table(r),
        "categories": _category_table(r),
        "apart": _samples_apart_table(r),
        "gaps": _most_missing_table("gaps", "Column", r["missing"]["worst_columns"]),
        "thin": _most_missing_table("thin", "Sample", r["missing"]["worst_samples"]),
        "unlike": _unlike_missing_table(r),
        "kinds": _kind_table(r),
        "copies": _copy_table(r),
        "equal": _equal_row_table(r),
        "closest": _closest_row_table(r),
    }
    blocks = [("Blocks", named_text(r["blocks"]))] if r["blocks"] else []
    shown = [table for table in [*tables.values(), *(one["table"] for one in values)] if table]
    return render_page(
        "look.html.j2",
        shown,
        title=f"A look at {r['name']}",
        subtitle=size_text(r),
        version=__version__,
        files=bool(r["settings"]),  # the look of a command lies beside its tables
        nav=SECTIONS,
        lead=NO_ESTIMATE,
        reading=READING_NOTES,
        command=r["command"],
        warnings=warnings_of(r),
        facts=[(n[:1].upper() + n[1:], t) for n, t in look_facts(r)],
        samples=[*sample_facts(r), *blocks],
        values=values,
        boxes=_sample_box_chart(r),
        boxes_note=_boxes_note(r),
        missing=_missing_sentences(r),
        missing_charts=_missing_charts(r),
        copies_note=_copies_note(r),
        components=components_sentences(r["components"], "feature", outcome_noun(r)),
        charts=component_charts(r["components"]),
        notes=r["notes"],
        tables=tables,
    )


def _category_table(r: LookContent) -> TableView | None:
    found = r["columns"]["categories"]
    if not found:
        return None
    columns = [
        field_column("name", "Column", numeric=False),
        field_column("covariate", "Covariate", lambda v: "✓" if v else "", numeric=False),
        field_column("levels", "Levels", count_text),
        field_column("commonest", "Commonest", shorten_text, numeric=False),
        field_column("share", "Share", percent_text),
        field_column("missing", "Missing", lambda v: percent_text(v, 1)),
    ]
    return build_table("categories", "Columns of categories", columns, found)


QUANTILE_HEADINGS = (
    ("low", "Least"),
    ("q1", "Lower quartile"),
    ("median", "Median"),
    ("q3", "Upper quartile"),
    ("high", "Largest"),
)


def _values_view(one: ValuesSeen) -> ValuesView:
    """What the numbers of a block are like."""
    found = [
        (head, cut)
        for head, cut in (
            ("Values", one["values"]),
            ("Column means", one["columns_mean"]),
            ("Column SDs", one["columns_sd"]),
        )
        if cut is not None
    ]
    columns = [Column("quantile", itemgetter(1), "Quantile", itemgetter(1), numeric=False)]
    columns += [
        computed_column(head.lower(), partial(_cut_quantile, cut), head, magnitude_text)
        for head, cut in found
    ]
    name = f"values {one['block']}".rstrip()
    title = one["block"] or "All features"
    chart = ""
    if one["histogram"] is not None:
        chart = plotting.value_histogram(one["histogram"], SCALE_NAMES[one["scale"]], "values")
    return {
        "title": title,
        "chart": chart,
        "text": f"{plural_text(one['columns'], 'column')} with numbers, which look like "
        f"{one['text']}.",
        "table": build_table(name, f"Numbers of {title}", columns, QUANTILE_HEADINGS)
        if found
        else None,
    }


def _cut_quantile(cut: Quantiles, of: tuple[str, str]) -> float:
    return cast(dict[str, float], cut)[of[0]]


def _picture_labels(r: LookContent) -> tuple[list[str], str]:
    """By what pictures of samples are coloured: batches where there are any, else classes."""
    if r["batches"]:
        return [one["name"] for one in r["batches"]], "batch"
    return [one["name"] for one in r["classes"]], "class"


def _sample_box_chart(r: LookContent) -> str:
    """Samples side by side."""
    drawn, (names, noun) = r["by_sample"]["boxes"], _picture_labels(r)
    if not drawn:
        return ""
    place = {name: k for k, name in enumerate(names)}
    boxes: list[SampleBox] = [
        {
            **one["box"],
            "name": one["name"],
            "class": place.get(one["batch"] if noun == "batch" else one["label"]),
        }
        for one in drawn
    ]
    return plotting.sample_boxes(boxes, names, SCALE_NAMES[r["by_sample"]["scale"]], noun)


def _boxes_note(r: LookContent) -> str:
    found = r["by_sample"]
    drawn, of = len(found["boxes"]), found["of"]
    words = f"{BOXES_NOTE} %, of {plural_text(found['columns'], 'feature')}"
    if found["scale"] == "standardised":
        words += ", each standardised over all samples"
    if drawn < of:
        words += (
            f". {count_text(drawn)} of {count_text(of)} samples: those whose medians lie farthest "
            "from the others', and some of the rest"
        )
    return words + "."


def _samples_apart_table(r: LookContent) -> TableView | None:
    found = r["by_sample"]["apart"]
    if not found:
        return None
    columns = [
        field_column("name", "Sample", numeric=False),
        field_column("median", "Median", magnitude_text),
        field_column(
            "deviations",
            "Deviations",
            lambda v: decimal_text(v, 1),
            help="from the median of all, in robust standard deviations",
        ),
    ]
    return build_table("apart", "Samples whose median lies far from the others'", columns, found)


def _missing_sentences(r: LookContent) -> list[str]:
    """Sentences about missing values."""
    found = r["missing"]
    if not found["values"]:
        return ["No value is missing."]
    sentences = [
        f"{percent_text(found['share'], 2)} of the values are missing, in "
        f"{plural_text(found['columns'], 'column')} and {plural_text(found['samples'], 'sample')}."
    ]
    if found["by_class"]:
        parts = [
            f"{_class_in_sentence(r, one['name'])} {percent_text(one['share'], 2)}"
            for one in found["by_class"]
        ]
        sentences.append(f"By class: {', '.join(parts)}.")
    if found["tested"]:
        have = "has" if found["unlike"] == 1 else "have"
        sentences.append(
            f"Of {plural_text(found['tested'], 'column')} with missing values "
            f"{count_text(found['unlike']) if found['unlike'] else 'none'} {have} more of them in "
            "one class than in another (Fisher's exact test, Bonferroni's correction at 5 %)."
            + (" Such columns may reflect sample handling." if found["unlike"] else "")
        )
    return sentences


def _missing_charts(r: LookContent) -> list[str]:
    found = r["missing"]
    drawn = (
        (found["column_histogram"], "columns"),
        (found["sample_histogram"], "samples"),
    )
    return [
        plotting.value_histogram(histogram, "share of missing values", what)
        for histogram, what in drawn
        if histogram is not None
    ]


def _class_in_sentence(r: LookContent, name: str) -> str:
    """A class in a sentence."""
    return shorten_text(class_heading(r["target"] or "", name))


def _most_missing_table(name: str, head: str, rows: Sequence[Any]) -> TableView | None:
    """Columns or samples with most missing values."""
    if not rows:
        return None
    columns = [
        field_column("name", head, shorten_text, numeric=False),
        field_column("n", "Missing", count_text),
        field_column("share", "Share", lambda v: Cell(percent_text(v, 1), bar=v)),
    ]
    return build_table(name, f"{head}s with most missing values", columns, rows)


def _unlike_missing_table(r: LookContent) -> TableView | None:
    found = r["missing"]["most_unlike"]
    if not found:
        return None
    columns = [field_column("name", "Column", numeric=False), field_column("p", "p", small_p_text)]
    columns += [
        computed_column(
            f"missing in {one['name']}",
            partial(_share_in, k),
            class_heading(r["target"] or "", one["name"]),
            lambda v: percent_text(v, 1),
        )
        for k, one in enumerate(r["classes"])
    ]
    return build_table(
        "unlike", "Columns with values missing unlike in the classes", columns, found
    )


def _share_in(k: int, one: UnlikeSeen) -> float:
    return one["shares"][k]


def _kind_table(r: LookContent) -> TableView:
    columns = [
        field_column("kind", "Kind", numeric=False),
        field_column("n", "Columns", count_text),
        field_column("names", "The first", _names_text, numeric=False),
    ]
    return build_table("kinds", "Columns by kind", columns, r["columns"]["kinds"])


def _names_text(names: Sequence[str]) -> str:
    return ", ".join(map(shorten_text, names))


def _copy_table(r: LookContent) -> TableView | None:
    found = r["columns"]["largest_sets"]
    if not found:
        return None
    columns = [
        field_column("n", "Columns", count_text),
        field_column("names", "The first", _names_text, numeric=False),
        Column(
            "least_r",
            itemgetter("least_r"),
            "|r|",
            lambda one: "same categories" if one["categories"] else _r_text(one["least_r"]),
            help="the smallest that links two of them",
        ),
    ]
    return build_table("copies", "Near-duplicate columns", columns, found)


def _r_text(r: float) -> str:
    return "1" if r > 1 - 5e-10 else decimal_text(r, 6)


def _copies_note(r: LookContent) -> str:
    found = r["columns"]
    if found["threshold"] is None:
        return "There are too few samples to distinguish copies of columns from chance."
    least = (
        f"{found['threshold']:.3f}" if found["threshold"] < 0.9995 else f"{found['threshold']:.7f}"
    )
    if not found["copies"]:
        return f"No column is a near-duplicate of another (|r| of {least} or more)."
    return (
        f"{plural_text(found['copies'], 'column')} could be left out as near-duplicates: "
        f"{plural_text(found['sets'], 'set')} of columns linked by an absolute "
        f"correlation of {least} or more over all samples (of a missing value the mean stands in), "
        "or of the same categories."
    )


def _equal_row_table(r: LookContent) -> TableView | None:
    rows = [{"how": "equal", "samples": own} for own in r["rows"]["equal"]]
    rows += [{"how": "nearly equal", "samples": own} for own in r["rows"]["near"]]
    if not rows:
        return None
    columns = [
        field_column("how", "How", numeric=False),
        field_column("samples", "Samples", _names_text, numeric=False),
    ]
    return build_table("equal", "Duplicate samples", columns, rows)


def _closest_row_table(r: LookContent) -> TableView | None:
    found = r["rows"]["closest"]
    if not found:
        return None
    columns = [
        field_column("samples", "Samples", lambda names: " and ".join(names), numeric=False),
        field_column("cosine", "Cosine", lambda v: decimal_text(v, 4)),
    ]
    for key, title in (("classes", "Classes"), ("groups", "Groups"), ("batches", "Batches")):
        if any(one.get(key) for one in found):
            columns.append(field_column(key, title, _both_text, numeric=False))
    return build_table("closest", "Pairs of samples that are most alike", columns, found)


def _both_text(names: Sequence[str]) -> str:
    return names[0] if len(set(names)) == 1 else " and ".join(names)
