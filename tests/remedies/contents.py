"""What is wrong with what stands in a table: each changes the truth and what is to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from remedies.truths import MISSING, Cell, Column, Style, Truth, number, pick, word

Row = list[str]


class Unfit(Exception):
    """A table that has no place for a defect."""


@dataclass
class Draft:
    """A file in the making.

    Attributes
    ----------
    rows : list of (cells, whose)
        Below the header; whose is the sample or feature that the row is of, None of rows that are
        neither.
    """

    rng: np.random.Generator
    truth: Truth
    layout: str = "wide"
    style: Style = field(default_factory=Style)
    separator: str = ","
    header: Row = field(default_factory=list)
    rows: list[tuple[Row, str | None]] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    between: list[str] = field(default_factory=list)  # header and rows
    below: list[str] = field(default_factory=list)
    sheet: bytes | None = None
    how: dict[str, Any] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    ending: str = "csv"
    quoted: bool = False


def features(draft: Draft) -> list[Column]:
    return draft.truth.of_role("feature")


def numeric(draft: Draft) -> list[Column]:
    return [c for c in features(draft) if all(x.kind in ("number", "missing") for x in c.cells)]


def some_rows(draft: Draft, most: int = 3) -> list[int]:
    count = int(draft.rng.integers(1, most + 1))
    return draft.rng.choice(draft.truth.n, count, replace=False).tolist()


def put(draft: Draft, cell: Callable[[Cell], Cell], columns: int = 2, rows: int = 3) -> None:
    for column in draft.rng.permutation(np.arange(len(numeric(draft)))).tolist()[:columns]:
        own = numeric_at(draft, column)
        for k in some_rows(draft, rows):
            own.cells[k] = cell(own.cells[k])


def numeric_at(draft: Draft, k: int) -> Column:
    found = [c for c in features(draft) if sum(x.kind == "number" for x in c.cells) > 4]
    if not found:
        raise Unfit
    return found[k % len(found)]


def marks_of_missing(draft: Draft) -> None:
    mark = pick(
        draft.rng, ("n/a", "-", "unknown", "None", "missing", "#N/A", "not available", "--")
    )
    put(draft, lambda _: Cell("missing", text=mark))


def two_marks(draft: Draft) -> None:
    for mark in ("n/a", "ND" if draft.rng.random() < 0.5 else "<NA>"):
        kind = "missing" if mark != "ND" else "text"
        put(draft, lambda _, m=mark, k=kind: Cell(k, text=m), 1, 2)  # type: ignore[misc]


def codes_of_missing(draft: Draft) -> None:
    code = pick(draft.rng, (-9.0, -99.0, -999.0, 99.0, 9999.0))
    put(draft, lambda _: number(code), 1)


def pending(draft: Draft) -> None:
    text = pick(
        draft.rng, ("pending", "repeat!", "see note, p. 3", "it's low", "haemolysed", "a=b")
    )
    put(draft, lambda _: word(text), int(draft.rng.integers(1, 3)), 1)


def limits(draft: Draft) -> None:
    sign = pick(draft.rng, ("<", "< ", "<=", ">", "≤"))
    bound = float(draft.rng.integers(1, 90)) / 10
    put(draft, lambda _: Cell("limit", bound, sign))


def units(draft: Draft) -> None:
    put_units(draft, range(draft.truth.n))


def unit_in_a_cell(draft: Draft) -> None:
    put_units(draft, some_rows(draft))


def put_units(draft: Draft, rows: Iterable[int]) -> None:
    unit = pick(draft.rng, ("mg", "mg/l", "%", "cm"))
    column = numeric_at(draft, int(draft.rng.integers(9)))
    for k in rows:
        if column.cells[k].kind == "number":
            column.cells[k] = Cell("unit", column.cells[k].value, unit)


def infinite(draft: Draft) -> None:
    value = pick(draft.rng, (np.inf, -np.inf))
    put(draft, lambda _: number(value), int(draft.rng.integers(1, 3)), 2)


def thousands(draft: Draft) -> None:
    mark = pick(draft.rng, (",", " ", "'", "\u2019")) if draft.style.decimal == "." else "."
    column = numeric_at(draft, int(draft.rng.integers(9)))
    for k in range(draft.truth.n):
        column.cells[k] = number(float(draft.rng.integers(900, 99000)) + draft.rng.integers(4) / 4)
    draft.style = replace(draft.style, thousands=mark)


def whole_thousands(draft: Draft) -> None:
    """Of counts: none has decimals."""
    if draft.style.decimal == "," and draft.separator != ";":
        raise Unfit  # 7.094 may be anything
    thousands(draft)
    for column in numeric(draft):
        column.cells[:] = [
            number(np.floor(x.value)) if x.kind == "number" else x for x in column.cells
        ]


def long_minus(draft: Draft) -> None:
    column = numeric_at(draft, 0)
    column.cells[1] = number(-1.5)
    draft.style = replace(draft.style, minus="\u2212")


def decimal_commas(draft: Draft) -> None:
    mark = "." if draft.style.thousands else ""
    draft.style = replace(draft.style, decimal=",", thousands=mark)
    draft.separator = pick(draft.rng, (";", "\t", ";"))


def named_twice(draft: Draft) -> None:
    """A feature that stands twice, or three times, elsewhere in the table."""
    one = pick(draft.rng, features(draft))
    for _ in range(1 + (draft.rng.random() < 0.3)):
        cells = [number(v) for v in draft.rng.normal(5, 2, draft.truth.n).round(2)]
        if not all(x.kind in ("number", "missing") for x in one.cells):
            cells = [word("red" if k % 2 else "blue") for k in range(draft.truth.n)]
        insert(draft, Column(one.name, cells))


def insert(draft: Draft, column: Column, at: int | None = None) -> None:
    columns = draft.truth.columns
    last = len(columns)
    place = int(draft.rng.integers(2, last + 1)) if at is None else at
    columns.insert(place, column)


def nameless_twice(draft: Draft) -> None:
    for _ in range(2):
        cells = [number(v) for v in draft.rng.normal(5, 2, draft.truth.n).round(2)]
        insert(draft, Column("---", cells, "nameless"))


def patients_twice(draft: Draft) -> None:
    ids = draft.truth.of_role("id")[0]
    for k in some_rows(draft):
        ids.cells[k] = ids.cells[(k + 1) % draft.truth.n]


def unlabelled(draft: Draft) -> None:
    labels = draft.truth.of_role("class")[0]
    for k in some_rows(draft):
        if k > 3:
            labels.cells[k] = MISSING


def spelled_classes(draft: Draft) -> None:
    labels = draft.truth.of_role("class")[0]
    for k in some_rows(draft):
        text = labels.cells[k].text
        if not text:  # unlabelled
            continue
        labels.cells[k] = word(pick(draft.rng, (text.upper(), text.title(), text + "\u200b", text)))


def spelled_groups(draft: Draft) -> None:
    names = [f"pt{k // 2:02d}" for k in range(draft.truth.n)]
    for k in some_rows(draft):
        names[k] = pick(draft.rng, (names[k].upper(), names[k].replace("pt", "pt "), names[k]))
    insert(draft, Column("patient", [word(one) for one in names], "sample"), 2)
    draft.how[pick(draft.rng, ("group", "group", "batch"))] = "patient"


def patients(draft: Draft) -> None:
    """A column of patients that nobody has called groups."""
    name = pick(draft.rng, ("patient", "donor", "who"))
    cells = [word(f"P{k // 2:02d}") for k in range(draft.truth.n)]
    insert(draft, Column(name, cells, "sample"), 2)


def no_values(draft: Draft) -> None:
    for k in range(int(draft.rng.integers(1, 3))):
        insert(draft, Column(f"empty{k}", [MISSING] * draft.truth.n))


def unnamed(draft: Draft) -> None:
    for _ in range(int(draft.rng.integers(1, 4))):
        cells = [number(v) for v in draft.rng.normal(3, 1, draft.truth.n).round(3)]
        if draft.rng.random() < 0.2:
            cells = [MISSING] * draft.truth.n
        insert(draft, Column("", cells, "other"))


def unnamed_last(draft: Draft) -> None:
    cells = [number(v) for v in draft.rng.normal(3, 1, draft.truth.n).round(3)]
    if draft.rng.random() < 0.3:
        cells = [word(f"note {k % 2}") for k in range(draft.truth.n)]
    insert(draft, Column("", cells, "other"), len(draft.truth.columns))


def free_text(draft: Draft) -> None:
    texts = [f"seen by Dr. {chr(65 + k)}" for k in range(draft.truth.n)]
    if draft.rng.random() < 0.4:
        texts[1] = texts[0]
    insert(draft, Column(pick(draft.rng, ("remark", "comment")), [word(t) for t in texts]))


def dates(draft: Draft) -> None:
    texts = [f"2021-03-{k + 1:02d}" for k in range(draft.truth.n)]
    insert(draft, Column("visit", [word(t) for t in texts]))


def second_ids(draft: Draft) -> None:
    texts = [f"X{k * 7 + 13}" for k in range(draft.truth.n)]
    insert(draft, Column(pick(draft.rng, ("barcode", "patient_id")), [word(t) for t in texts]))


def counter(draft: Draft) -> None:
    insert(draft, Column("no", [number(k + 1) for k in range(draft.truth.n)]), 2)


def measured_target(draft: Draft) -> None:
    """Classes that look like a measurement."""
    labels = draft.truth.of_role("class")[0]
    labels.cells[:] = [word(f"{k % (draft.truth.n - 2)}.5") for k in range(draft.truth.n)]


RANKS = ("k__Bacteria", "k__Bacteria|p__Firmicutes", "k__Bacteria|p__Bacteroidetes",
         "k__Bacteria|p__Firmicutes|c__Bacilli")  # fmt: skip
PATHWAYS = ("PWY-1", "PWY-1|g__A.s__B", "PWY-1|unclassified", "UNMAPPED")


def named_so(*names: str) -> Callable[[Draft], None]:
    """What adds features of some names, which say something."""

    def add_features(draft: Draft) -> None:
        for k, name in enumerate(names):
            cells = [number(v) for v in draft.rng.integers(1, 90, draft.truth.n)]
            insert(draft, Column(name, cells), 2 + k)

    return add_features


def german_counts(draft: Draft) -> None:
    """Whole numbers of thousands with points, and no comma anywhere."""
    draft.style, draft.separator = replace(draft.style, decimal=",", thousands="."), ";"
    draft.truth.of_role("id")[0].cells[:] = [word(f"S{k}") for k in range(draft.truth.n)]
    for column in numeric(draft):
        column.cells[:] = [number(v) for v in draft.rng.integers(1000, 99000, draft.truth.n)]


def thousands_below(draft: Draft) -> None:
    """Counts, of which the first have no thousands."""
    if draft.style.decimal == ",":
        raise Unfit
    draft.style, draft.separator = replace(draft.style, thousands=","), "\t"
    for column in numeric(draft):
        values = np.append(draft.rng.integers(1, 900, 7), draft.rng.integers(900, 9e4, 99))
        column.cells[:] = [number(v) for v in values[: draft.truth.n]]


def word_for_a_patient(draft: Draft) -> None:
    if "patient" in {column.name for column in draft.truth.columns}:
        raise Unfit
    cells = [number(v) for v in draft.rng.permutation(draft.truth.n) // 2 + 100]
    cells[3] = word("unclear")
    insert(draft, Column("patient", cells), 2)


def few_rows(draft: Draft) -> None:
    """Too few to tell ids from categories."""
    for column in draft.truth.columns:
        del column.cells[8:]
    draft.truth.of_role("id")[0].name = pick(draft.rng, ("line", "tumour"))
    draft.layout = "wide"


def transposed_wrongly(draft: Draft) -> None:
    draft.layout, draft.how["transpose"] = "wide", True


def western(draft: Draft) -> None:
    """Letters of Windows-1252, two in a row or each alone, which says more of the encoding."""
    features(draft)[0].name = pick(draft.rng, ("Größe µ", "Müller cells", "5 µm"))
    draft.truth.tells["encoding"] = "windows-1252"


def sheet_beside(draft: Draft) -> None:
    """The classes in another table, which has the samples by another spelling, or those of their
    partners too; or ids that are numbers."""
    way = draft.rng.integers(3)
    draft.truth.tells["sheet"] = ("spelled", "partners", "numbers")[way]
    if way == 2:
        draft.layout = "wide"
        ids = draft.truth.of_role("id")[0]
        ids.name = pick(draft.rng, ("id", "barcode", "sample"))
        ids.cells[:] = [word(f"{1000 + 7 * k}") for k in draft.rng.permutation(draft.truth.n)]
    else:
        draft.layout = pick(draft.rng, ("wide", "turned"))


def two_values(draft: Draft) -> None:
    """Of a measurement, in a long table."""
    draft.layout, draft.truth.tells["second"] = "long", "sd"


def labels_no_label(draft: Draft) -> None:
    cells = [word(pick(draft.rng, ("red", "blue"))) for _ in range(draft.truth.n)]
    for k in some_rows(draft):
        cells[k] = Cell("missing", text=pick(draft.rng, ("unknown", "n/a", "None")))
    insert(draft, Column("colour", cells))


def mistyped(role: str) -> Callable[[Draft], None]:
    """What writes the name of a column wrong for this argument."""

    def mistype(draft: Draft) -> None:
        if role == "target":
            draft.how["target"] = "clas"
        elif role in ("group", "batch"):
            cells = [word(f"Q{k // 2}") for k in range(draft.truth.n)]
            insert(draft, Column("hospital", cells, "sample"), 2)
            draft.how[role] = "hospitl"
        elif role == "id":
            draft.how["id"] = draft.truth.of_role("id")[0].name + "x"
        else:
            insert(draft, Column("remarks", [word(f"r{k % 2}") for k in range(draft.truth.n)]))
            draft.how[role] = ("remark",)

    return mistype


def mixed_units(draft: Draft) -> None:
    column = numeric_at(draft, int(draft.rng.integers(9)))
    column.cells[:] = [
        Cell("unit", x.value, "mg" if k % 2 else "g") if x.kind == "number" else x
        for k, x in enumerate(column.cells)
    ]
    draft.how["units"] = "remove"


def limits_alone(draft: Draft) -> None:
    column = numeric_at(draft, int(draft.rng.integers(9)))
    column.cells[:] = [Cell("limit", 0.5, "<" if k % 3 else ">") for k in range(draft.truth.n)]
    draft.how["limits"] = "value"


def between_blanks(draft: Draft) -> None:
    """Between blanks without quotes, ids by a name that is hardly one of ids."""
    ids = draft.truth.of_role("id")[0]
    ids.name = pick(draft.rng, ("tumour", "line", "arm"))
    ids.cells[:] = [word(f"T{k}") for k in range(draft.truth.n)]
    draft.layout, draft.separator = "wide", " "
    draft.style = replace(draft.style, missing="NA")
    for k, column in enumerate(features(draft)):
        if not column.name.isalnum():
            column.name = f"G{k}"


def rare_delimiter(draft: Draft) -> None:
    draft.layout, draft.separator = "turned", pick(draft.rng, ("#", ">", "+"))
    draft.how["transpose"] = True


def commas_below(
    value: Callable[[np.ndarray], np.ndarray], mark: str = ""
) -> Callable[[Draft], None]:
    """What writes decimal commas, of which the first rows have none; `mark`: between thousands."""

    def put_below(draft: Draft) -> None:
        if draft.style.decimal == "," or draft.style.thousands:
            raise Unfit
        draft.layout, draft.separator = "wide", "\t"
        draft.style = replace(draft.style, decimal=",", thousands=mark)
        for column in numeric(draft):
            whole = draft.rng.integers(1, 99, draft.truth.n)
            cells = np.append(whole[:7], value(whole[7:]))
            column.cells[:] = [number(v) for v in cells]

    return put_below


def pairs_of_alleles(draft: Draft) -> None:
    """Texts that look like decimal commas, among whole numbers."""
    if draft.style.decimal == "," or draft.style.thousands:
        raise Unfit
    draft.layout, draft.separator = "wide", pick(draft.rng, (";", "\t"))
    for column in numeric(draft):
        column.cells[:] = [
            number(np.floor(x.value)) if x.kind == "number" else x for x in column.cells
        ]
    pairs = [pick(draft.rng, ("1,1", "1,2", "2,2")) for _ in range(draft.truth.n)]
    insert(draft, Column("alleles", [word(one) for one in pairs]), 2)
    ids = draft.truth.of_role("id")[0]
    ids.cells[:] = [word(f"S{k}") for k in range(draft.truth.n)]
    draft.truth.tells["pairs"] = True


CONTENT: dict[str, Callable[[Draft], None]] = {
    "marks of missing values": marks_of_missing,
    "two marks": two_marks,
    "codes of missing values": codes_of_missing,
    "a word among numbers": pending,
    "limits": limits,
    "units": units,
    "a unit in a cell": unit_in_a_cell,
    "infinite": infinite,
    "thousands": thousands,
    "whole thousands": whole_thousands,
    "long minus": long_minus,
    "decimal commas": decimal_commas,
    "a name twice": named_twice,
    "features of no name": nameless_twice,
    "patients twice": patients_twice,
    "unlabelled": unlabelled,
    "spelled classes": spelled_classes,
    "spelled groups": spelled_groups,
    "patients": patients,
    "no values": no_values,
    "unnamed": unnamed,
    "unnamed last": unnamed_last,
    "free text": free_text,
    "dates": dates,
    "second ids": second_ids,
    "a counter": counter,
    "measured target": measured_target,
    "stacked ranks": named_so(*RANKS),
    "parts of totals": named_so(*PATHWAYS),
    "tallies": named_so("__no_feature", "__ambiguous"),
    "decoys": named_so("REV__P1", "REV__P2"),
    "dates of a spreadsheet": named_so("1-Mar", "2-Sep"),
    "labels that are none": labels_no_label,
    **{
        f"mistyped {role}": mistyped(role)
        for role in ("target", "group", "batch", "id", "drop", "categorical")
    },
    "mixed units": mixed_units,
    "limits alone": limits_alone,
    "German counts": german_counts,
    "thousands below": thousands_below,
    "a word for a patient": word_for_a_patient,
    "few rows": few_rows,
    "transposed wrongly": transposed_wrongly,
    "western": western,
    "a sheet beside": sheet_beside,
    "two values": two_values,
    "between blanks": between_blanks,
    "a rare delimiter": rare_delimiter,
    "decimal commas below": commas_below(lambda x: x / 4),
    "German numbers below": commas_below(lambda x: 1000 * x + 0.5, "."),
    "three decimals": commas_below(lambda x: 1 + (8 * x + 1) / 1000),  # or thousands
    "pairs of alleles": pairs_of_alleles,
}
# what only one of few tables prints, and has to be drawn more often
RARE = ("a sheet beside", "few rows", "German counts", "thousands below", "western", "two values",
        "transposed wrongly", "a word for a patient", "a unit in a cell", "dates", "patients",
        "codes of missing values", "free text", "a sheet beside", "western", "two values",
        "long minus", "mistyped id", "mistyped drop", "mistyped categorical", "between blanks",
        "a rare delimiter", "decimal commas below", "German numbers below", "three decimals",
        "pairs of alleles", "mistyped batch", "mistyped group", "western", "western",
        "a sheet beside")  # fmt: skip
