"""Writers: the truth as files of many programs, each with what goes wrong with them.

A writer is a layout (samples in rows, features in rows, a row for each measurement), a few defects
of what stands in it, and the text around: delimiters, quotes, titles, remarks, encodings.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from remedies.truths import (
    MISSING,
    Cell,
    Column,
    Style,
    Truth,
    cell_text,
    number,
    pick,
    random_truth,
    word,
)

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


@dataclass(frozen=True)
class Made:
    """A file, how it is first read, and what is true of it."""

    files: Mapping[str, bytes]
    how: Mapping[str, Any]
    truth: Truth
    style: Style
    done: tuple[str, ...]
    lines: tuple[str, ...] = ()  # of the text, where it has one
    rows: tuple[tuple[int, str | None], ...] = ()  # line and owner of each row
    pack: Callable[[str], bytes] | None = None

    def without(self, gone: Collection[int]) -> bytes:
        """The text without some lines, by their numbers from 0."""
        assert self.pack is not None
        return self.pack("".join(f"{x}\n" for k, x in enumerate(self.lines) if k not in gone))

    @property
    def table(self) -> str:
        return next(iter(self.files))


# --- what stands in the cells ---------------------------------------------------------------------


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
    unit = pick(draft.rng, ("mg", "mg/l", "%", "cm"))
    column = numeric_at(draft, int(draft.rng.integers(9)))
    rows = range(draft.truth.n) if draft.rng.random() < 0.6 else some_rows(draft)
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


def stacked(draft: Draft) -> None:
    names = ("k__Bacteria", "k__Bacteria|p__Firmicutes", "k__Bacteria|p__Bacteroidetes",
             "k__Bacteria|p__Firmicutes|c__Bacilli")  # fmt: skip
    if draft.rng.random() < 0.4:
        names = ("PWY-1", "PWY-1|g__A.s__B", "PWY-1|unclassified", "UNMAPPED")
    for k, name in enumerate(names):
        cells = [number(v) for v in draft.rng.integers(1, 90, draft.truth.n)]
        insert(draft, Column(name, cells), 2 + k)


def extra_names(draft: Draft) -> None:
    """Names that say something: tallies of counters, decoys, dates of a spreadsheet."""
    some = pick(draft.rng, (("__no_feature", "__ambiguous"), ("REV__P1", "REV__P2"), ("1-Mar",)))
    for name in some:
        insert(draft, Column(name, [number(v) for v in draft.rng.integers(1, 90, draft.truth.n)]))


def labels_no_label(draft: Draft) -> None:
    cells = [word(pick(draft.rng, ("red", "blue"))) for _ in range(draft.truth.n)]
    for k in some_rows(draft):
        cells[k] = Cell("missing", text=pick(draft.rng, ("unknown", "n/a", "None")))
    insert(draft, Column("colour", cells))


def mistyped(draft: Draft) -> None:
    """A name that the user writes wrong."""
    role = pick(draft.rng, ("target", "group", "drop", "categorical", "id", "batch"))
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


CONTENT: dict[str, Callable[[Draft], None]] = {
    "marks of missing values": marks_of_missing,
    "two marks": two_marks,
    "codes of missing values": codes_of_missing,
    "a word among numbers": pending,
    "limits": limits,
    "units": units,
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
    "stacked ranks": stacked,
    "extra names": extra_names,
    "labels that are none": labels_no_label,
    "mistyped": mistyped,
    "mixed units": mixed_units,
    "limits alone": limits_alone,
}


# --- layouts --------------------------------------------------------------------------------------


def wide(draft: Draft) -> None:
    """Samples in rows."""
    columns = draft.truth.columns
    draft.header = [column.name for column in columns]
    texts = [[cell_text(cell, draft.style) for cell in column.cells] for column in columns]
    ids = draft.truth.ids
    draft.rows = [([own[k] for own in texts], ids[k]) for k in range(draft.truth.n)]


def turned(draft: Draft) -> None:
    """Features in rows, the class in a sheet beside, or in a row."""
    draft.truth.tells["turned"] = True
    inside = draft.rng.random() < 0.3
    draft.header = [pick(draft.rng, ("gene", "", "Gene ID", "probe")), *draft.truth.ids]
    own = [c for c in draft.truth.columns if c.role != "id"]
    rows = own if inside else [c for c in own if c.role in ("feature", "other", "nameless")]
    draft.rows = [([c.name, *(cell_text(x, draft.style) for x in c.cells)], c.name) for c in rows]
    if not inside:
        beside = [c for c in own if c.role in ("class", "sample")]
        ids = draft.truth.of_role("id")[0]
        order = draft.rng.permutation(draft.truth.n).tolist()
        lines = [[c.name for c in (ids, *beside)]]
        lines += [[cell_text(c.cells[k], draft.style) for c in (ids, *beside)] for k in order]
        draft.sheet = "".join(",".join(map(quoted_cell, line)) + "\n" for line in lines).encode()
        draft.how["samples"] = "sheet.csv"
        draft.truth.tells["sheet"] = True
    draft.how["transpose"] = draft.rng.random() < 0.7
    if not draft.how["transpose"]:
        del draft.how["transpose"]


def long(draft: Draft) -> None:
    """A row for each measurement."""
    ids = draft.truth.of_role("id")[0]
    beside = [c for c in draft.truth.columns if c.role in ("class", "sample")]
    own = [c for c in features(draft) if all(x.kind != "text" for x in c.cells)]
    draft.truth.columns = [ids, *beside, *own]
    names = (ids.name, pick(draft.rng, ("gene", "analyte")), pick(draft.rng, ("value", "count")))
    draft.truth.tells["long"] = names
    draft.header = [names[0], *(c.name for c in beside), names[1], names[2]]
    for k, name in enumerate(draft.truth.ids):
        about = [cell_text(c.cells[k], draft.style) for c in beside]
        for column in own:
            if column.cells[k].kind != "missing" or draft.rng.random() < 0.5:
                cells = [name, *about, column.name, cell_text(column.cells[k], draft.style)]
                draft.rows.append((cells, name))
            else:
                draft.truth.tells["gaps"] = True
    if draft.rng.random() < 0.3:
        draft.header.insert(0, "run")
        for k, (cells, _) in enumerate(draft.rows):
            cells.insert(0, f"r{k}")
        draft.truth.tells["varying"] = ("run",)
    if draft.rng.random() < 0.3:
        again = [*draft.rows[0][0]]
        again[-1] = cell_text(number(99.5), draft.style)
        draft.rows.insert(int(draft.rng.integers(1, len(draft.rows))), (again, draft.rows[0][1]))
        draft.truth.tells["again"] = (draft.rows[0][1], again[-2], 99.5)


LAYOUTS = {"wide": wide, "turned": turned, "long": long}


# --- what goes wrong with the grid ----------------------------------------------------------------


def name_short(draft: Draft) -> None:
    """R's write.table: the names of the rows have no header."""
    if draft.layout != "long":
        draft.header = draft.header[1:]
        draft.truth.of_role("id")[0].name = "(row names)"


def unnamed_index(draft: Draft) -> None:
    """pandas' index, as read and written again; or R's row names."""
    name = pick(draft.rng, ("", "Unnamed: 0", "X"))
    if draft.layout == "wide" and draft.rng.random() < 0.5:
        draft.header[0] = name
        draft.truth.of_role("id")[0].name = name
    else:
        draft.header.insert(0, name)
        for k, (cells, _) in enumerate(draft.rows):
            cells.insert(0, str(k))
        rows = [str(k) for k in range(draft.truth.n)]
        draft.truth.tells["counted"] = (name, rows)


def trailing(draft: Draft) -> None:
    """A delimiter behind the last field: of all lines, of the rows or of the header alone."""
    way = draft.rng.integers(3)
    if way != 1:
        draft.header.append("")
    if way != 2:
        for cells, _ in draft.rows:
            cells.append("")


def described(draft: Draft) -> None:
    """Columns that describe the features, in front, or one behind."""
    if draft.layout != "turned":
        return
    texts = {
        "gene_name": lambda k: f"SYM{k}",
        "Description": lambda k: f"about {k}, this",
        "chr": lambda k: str(k + 1),
        "biotype": lambda k: "coding",
        "n_exons": lambda k: str(3 + k),
        "pathway": lambda k: f"path {k % 2}",
    }
    some = draft.rng.choice(len(texts), int(draft.rng.integers(1, 4)), replace=False).tolist()
    behind = draft.rng.random() < 0.2
    for place, j in enumerate(some, 1):
        name = list(texts)[j]
        draft.header.insert(len(draft.header) if behind else place, name)
        for k, (cells, _) in enumerate(draft.rows):
            whose = draft.rows[k][1] in {c.name for c in draft.truth.of_role("feature")}
            cells.insert(len(cells) if behind else place, texts[name](k) if whose else "")
    draft.truth.tells["beside"] = [list(texts)[j] for j in some]


def types_row(draft: Draft) -> None:
    """QIIME's types below the header, or units."""
    way = draft.rng.integers(3)
    width = len(draft.header)
    if way == 0:
        cells = ["#q2:types", *["numeric"] * (width - 1)]
    elif way == 1:
        cells = ["", *["mg/l"] * (width - 1)]
    else:
        cells = ["units", *["-", "cm", "mg"] * width][:width]
    draft.rows.insert(0, (cells, None))


def blank_rows(draft: Draft) -> None:
    at = int(draft.rng.integers(0, len(draft.rows) + 1))
    cells = [""] * len(draft.header)
    draft.rows.insert(at, (cells, None))
    if draft.rng.random() < 0.5:
        draft.rows.append(([""] * len(draft.header), None))


def footer(draft: Draft) -> None:
    text = pick(draft.rng, ("* p < 0.05", "Source: our lab, 2021", "n = 12"))
    if draft.rng.random() < 0.5:
        draft.below.append(quoted_cell(text, draft.separator))
    else:
        draft.rows.append(([text, *[""] * (len(draft.header) - 1)], None))
        draft.truth.tells["footer"] = text


def ragged(draft: Draft) -> None:
    """A row with a field too few or too many."""
    cells, _ = pick(draft.rng, draft.rows)
    if draft.rng.random() < 0.5 and len(cells) > 2:
        cells.pop()
    else:
        cells.append("7")


def header_again(draft: Draft) -> None:
    """Of two files one behind the other."""
    at = int(draft.rng.integers(1, len(draft.rows)))
    draft.rows.insert(at, ([*draft.header], None))


def padded(draft: Draft) -> None:
    for cells, _ in draft.rows:
        cells[:] = [f" {cell} " for cell in cells]


def empty_ids(draft: Draft) -> None:
    if draft.layout != "wide":
        return
    draft.truth.tells["emptied"] = some = some_rows(draft)
    for k in some:
        draft.rows[k][0][0] = ""


def all_text(draft: Draft) -> None:
    """A column that ends with the note of a footnote in each cell: numbers with a star."""
    if draft.layout != "wide":
        return
    at = len(draft.header) - 1
    draft.truth.tells["starred"] = draft.header[at]
    for k, (cells, _) in enumerate(draft.rows):
        if k % 3 == 0 and cells[at]:
            cells[at] += "*"


GRID: dict[str, Callable[[Draft], None]] = {
    "names one short": name_short,
    "an index without a name": unnamed_index,
    "trailing delimiters": trailing,
    "described features": described,
    "types row": types_row,
    "blank rows": blank_rows,
    "footer": footer,
    "ragged": ragged,
    "header again": header_again,
    "padded": padded,
    "empty ids": empty_ids,
}


# --- what stands around, and how it is written ----------------------------------------------------


def titles(draft: Draft) -> None:
    text = pick(draft.rng, ("Table S1. All patients", "Cohort 7", "log2 intensities, normalised"))
    draft.above.append(quoted_cell(text, draft.separator))
    if draft.rng.random() < 0.5:
        draft.above.append("")
    if draft.rng.random() < 0.3:
        draft.above.append(draft.separator * (len(draft.header) - 1))


def remarks(draft: Draft) -> None:
    lines = ["# made by a program", "# Program v1.2; columns: all, of them", "#", "! exported"]
    draft.above += lines[: int(draft.rng.integers(1, 4))]


def remark_below(draft: Draft) -> None:
    draft.between.append(pick(draft.rng, ("# see the paper", "#types", "! units differ")))


def hashed(draft: Draft) -> None:
    draft.header[0] = pick(draft.rng, ("#", "# ", "#")) + draft.header[0]
    draft.truth.tells["hashed"] = True


def blank_lines(draft: Draft) -> None:
    draft.truth.tells["blank lines"] = True
    draft.done.append("")


def semicolons(draft: Draft) -> None:
    draft.separator = ";"


def tabs(draft: Draft) -> None:
    draft.separator = "\t"


def bars(draft: Draft) -> None:
    draft.separator = "|"


def blanks(draft: Draft) -> None:
    """As R's write.table: names in quotes, NA for what is missing."""
    draft.separator, draft.quoted = " ", True
    draft.style = replace(draft.style, missing="NA")


def odd_delimiter(draft: Draft) -> None:
    draft.separator = pick(draft.rng, ("^", "~", ":"))


def all_quoted(draft: Draft) -> None:
    draft.quoted = True


AROUND: dict[str, Callable[[Draft], None]] = {
    "titles": titles,
    "remarks": remarks,
    "a remark below the header": remark_below,
    "a header behind a number sign": hashed,
    "blank lines": blank_lines,
    "quoted": all_quoted,
}
DELIMITERS: dict[str, Callable[[Draft], None]] = {
    "semicolons": semicolons,
    "tabs": tabs,
    "bars": bars,
    "blanks": blanks,
    "an odd delimiter": odd_delimiter,
}
BYTES: dict[str, Callable[[bytes], bytes]] = {
    "a byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "line ends of Windows": lambda raw: raw.replace(b"\n", b"\r\n"),
    "gzip": lambda raw: gzip.compress(raw, 1, mtime=0),
    "UTF-16": lambda raw: raw.decode().encode("utf-16"),
    "UTF-16 without a mark": lambda raw: raw.decode().encode("utf-16-le"),
    "Windows-1252": lambda raw: raw.decode().encode("cp1252", "replace"),
    "no last line end": lambda raw: raw.removesuffix(b"\n"),
    "sep line": lambda raw: raw,
}


def quoted_cell(text: str, separator: str = ",", always: bool = False) -> str:
    """A field as RFC 4180 has it."""
    if always or any(mark in text for mark in (separator, '"', "\n")) or text.startswith(("'",)):
        return '"' + text.replace('"', '""') + '"'
    return text


def lines_of(draft: Draft) -> tuple[list[str], list[tuple[int, str | None]]]:
    """The lines of the file, and line and owner of each row."""

    def line(cells: Sequence[str]) -> str:
        return draft.separator.join(
            quoted_cell(cell, draft.separator, draft.quoted and not plain(cell)) for cell in cells
        )

    def plain(cell: str) -> bool:
        return _is_number(cell) or cell == draft.style.missing

    found = [*draft.above, line(draft.header), *draft.between]
    rows = []
    for k, (cells, whose) in enumerate(draft.rows):
        if k == len(draft.rows) // 2 and draft.truth.tells.get("blank lines"):
            found.append("")
        rows.append((len(found), whose))
        found.append(line(cells))
    found += [""] * bool(draft.truth.tells.get("blank lines"))
    return [*found, *draft.below], rows


def _is_number(text: str) -> bool:
    return bool(text) and set(text) <= set("0123456789.-")


# --- a table ----------------------------------------------------------------------------------------


def made(seed: int, k: int) -> Made:
    """The k-th table of a seed: always the same."""
    rng = np.random.default_rng([seed, k])
    draft = Draft(rng, random_truth(rng))
    draft.how["target"] = "class"
    draft.layout = pick(rng, ("wide", "wide", "wide", "turned", "turned", "long"))
    content = some_of(rng, CONTENT, (0.25, 0.5, 0.25))
    if draft.layout == "long":
        content = [c for c in content if c in LONG_CONTENT]
    content.sort(key=lambda name: name != "decimal commas")  # what it says is of all numbers
    for name in content:
        with suppress(Unfit):
            CONTENT[name](draft)
            draft.done.append(name)
    if "decimal commas" not in content and rng.random() < 0.6:
        name = list(DELIMITERS)[rng.integers(len(DELIMITERS))]
        DELIMITERS[name](draft)
        draft.done.append(name)
    LAYOUTS[draft.layout](draft)
    draft.done.insert(0, draft.layout)
    for name in some_of(rng, GRID, (0.4, 0.45, 0.15)):
        GRID[name](draft)
        draft.done.append(name)
    for name in some_of(rng, AROUND, (0.6, 0.3, 0.1)):
        AROUND[name](draft)
        draft.done.append(name)
    if draft.layout == "turned":
        width = draft.truth.n
        draft.truth.tells["junk"] = {
            c[0].strip(): c[1:][:width] for c, of in draft.rows if of is None
        }
    if way := binary_way(draft):
        return way
    lines, rows = lines_of(draft)
    coded = some_of(rng, BYTES, (0.75, 0.25, 0.0))
    if "sep line" in coded:
        lines.insert(0, f"sep={draft.separator}")
        rows = [(k + 1, whose) for k, whose in rows]
    if "Windows-1252" in coded:
        draft.truth.tells["encoding"] = "windows-1252"
        lines = [line.replace("β", "µ") for line in lines]
        for column in draft.truth.columns:
            column.name = column.name.replace("β", "µ")

    def pack(text: str) -> bytes:
        raw = text.encode("utf-8", "surrogatepass")
        for name in coded:
            raw = BYTES[name](raw)
        return raw

    files = {"t.csv": pack("\n".join(lines) + "\n")}
    if draft.sheet is not None:
        files["sheet.csv"] = draft.sheet
    draft.truth.tells |= {
        "decimal": draft.style.decimal,
        "thousands": draft.style.thousands,
        "separator": draft.separator,
        "layout": draft.layout,
    }
    done = tuple(name for name in [*draft.done, *coded] if name)
    return Made(files, draft.how, draft.truth, draft.style, done, tuple(lines), tuple(rows), pack)


LONG_CONTENT = {"decimal commas", "thousands", "codes of missing values", "limits",
                "marks of missing values", "spelled classes", "unlabelled"}  # fmt: skip


def some_of(
    rng: np.random.Generator, names: Mapping[str, Any], shares: Sequence[float]
) -> list[str]:
    """Some names, as many as by these shares."""
    count = int(rng.choice(len(shares), p=shares))
    return [list(names)[k] for k in rng.choice(len(names), count, replace=False)]


def binary_way(draft: Draft) -> Made | None:
    """Parquet, a frame's index in it, ARFF, or a workbook."""
    way = draft.rng.random()
    if draft.layout != "wide" or draft.above or draft.between or draft.below:
        return None
    if any(len(cells) != len(draft.header) or of is None for cells, of in draft.rows):
        return None
    if way > 0.2 or draft.truth.tells.get("hashed"):
        return None
    import pandas as pd

    if way < 0.13:
        if len({*draft.header}) < len(draft.header):
            return None
        frame = pd.DataFrame([cells for cells, _ in draft.rows], columns=draft.header)
        for name in frame.columns[1:]:
            numbers = pd.to_numeric(frame[name].replace("", None), errors="coerce")
            known = frame[name].replace({mark: None for mark in ("", "NA")}).notna()
            if numbers[known].notna().all():
                frame[name] = numbers
            else:
                frame[name] = frame[name].replace("", None)
        if way < 0.06:
            frame = frame.set_index(draft.header[0])
        out = io.BytesIO()
        frame.to_parquet(out)
        draft.done.append("Parquet with an index" if way < 0.06 else "Parquet")
        return _binary(draft, "t.parquet", out.getvalue())
    if way < 0.14:
        import openpyxl

        book = openpyxl.Workbook()
        page = book.active
        page.append(draft.header)
        for cells, _ in draft.rows:
            page.append([_of_sheet(cell) for cell in cells])
        out = io.BytesIO()
        book.save(out)
        draft.done.append("Excel")
        return _binary(draft, "t.xlsx", out.getvalue())
    if all(draft.header):
        lines = ["@relation t"]
        for j, name in enumerate(draft.header):
            cells = {c[j] for c, _ in draft.rows if c[j] not in ("", "NA")}
            kind = "numeric" if all(map(_is_number, cells)) else "string"
            lines.append(f"@attribute {_of_arff(name)} {kind}")
        lines.append("@data")
        lines += [",".join(_of_arff(c) if c not in ("", "NA") else "?" for c in cells)
                  for cells, _ in draft.rows]  # fmt: skip
        draft.done.append("ARFF")
        return _binary(draft, "t.arff", ("\n".join(lines) + "\n").encode())
    return None


def _of_sheet(cell: str) -> str | float | None:
    try:
        return float(cell) if cell and cell[0] not in "0Ii" else cell or None
    except ValueError:
        return cell


def _of_arff(text: str) -> str:
    if _is_number(text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _binary(draft: Draft, name: str, content: bytes) -> Made:
    draft.truth.tells |= {
        "decimal": draft.style.decimal,
        "thousands": draft.style.thousands,
        "separator": "",
        "layout": draft.layout,
        "binary": name,
    }
    done = tuple(one for one in draft.done if one)
    return Made({name: content}, draft.how, draft.truth, draft.style, done)
