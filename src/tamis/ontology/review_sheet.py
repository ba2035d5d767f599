"""The sheet of a review: a table that a person fills in, in an editor or a spreadsheet.

It is the memory of the review, too: what was answered stays in it, and answers are only added.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from .._core.errors import DataError, StoreError, listed_names, shorten_text
from .._core.fields import plain_field, text_of_field
from .._core.files import write_text
from .correspondence import Correspondence, Status
from .mapping import Mapping
from .mapping_files.reading import Reading, gathered_correspondences
from .mapping_files.simple_table import ANSWER_STATUSES
from .mapping_files.text import read_text, records_with_lines, wide_record
from .review import Question

REQUIRED_COLUMNS = ("match", "source", "target")
SHEET_COLUMNS = (
    "match",
    "comment",
    "source_label",
    "target_label",
    "probability",
    "source_parents",
    "target_parents",
    "source_synonyms",
    "target_synonyms",
    "source_definition",
    "target_definition",
    "source",
    "target",
)
SEPARATORS = "\t;,"


class SheetRow(NamedTuple):
    """A pair, and what a person wrote about it.

    Attributes
    ----------
    source, target : str
        IRIs.
    answer : {"accepted", "refused", "uncertain"} or None
        "uncertain": the person does not know. None: not answered yet.
    cells : mapping of str to str
        The row as it stands, by columns.
    line : int
    """

    source: str
    target: str
    answer: Status | None
    cells: dict[str, str]
    line: int


@dataclass(frozen=True)
class ReviewSheet:
    """A sheet as read.

    Attributes
    ----------
    rows : tuple of SheetRow
    columns : tuple of str
        Those of every sheet, then a person's own.
    name : str
        Of the file.
    digest : str
        Of the bytes of the file, whatever it holds; empty of none.
    """

    rows: tuple[SheetRow, ...] = ()
    columns: tuple[str, ...] = SHEET_COLUMNS
    name: str = ""
    digest: str = field(default="", repr=False)

    @property
    def answered(self) -> tuple[SheetRow, ...]:
        """Rows with an answer."""
        return tuple(row for row in self.rows if row.answer is not None)

    @property
    def reading(self) -> Reading[Mapping]:
        """The answers as a mapping, with their lines.

        Raises
        ------
        DataError
            The same pair is answered by yes and by no.
        """
        rows = [
            (
                row.line,
                Correspondence(
                    row.source, row.target, status=row.answer, comment=row.cells.get("comment", "")
                ),
            )
            for row in self.rows
            if row.answer is not None
        ]
        return gathered_correspondences(rows, Mapping(()), name=self.name)


def is_sheet(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a sheet of a review, as written or saved again by a spreadsheet."""
    if not Path(path).is_file():  # a pipe can be read once
        return False
    try:
        with open(path, "rb") as file:
            head = file.readline(4096)
    except OSError:
        return False
    # as spreadsheets write "Unicode text": `read_sheet` refuses it, but nobody may overwrite it
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return bool(_sheet_separator(head.decode("utf-16" if wide else "utf-8-sig", "ignore")))


def opened_sheet(path: str | os.PathLike[str]) -> ReviewSheet:
    """The sheet at a path that will be written to; one without rows if none is there yet."""
    path = Path(path)
    if is_sheet(path):
        return read_sheet(path)
    return ReviewSheet(name=path.name, digest=_file_digest(path))


def read_sheet(path: str | os.PathLike[str]) -> ReviewSheet:
    """Read a sheet, filled in or not.

    Tabs, semicolons or commas separate the columns, which may stand in any order and beside others.
    A byte order mark, CRLF and quoted fields are what spreadsheets write. The column `match` is
    yes, no, ``?`` (the person does not know) or empty, in small or capital letters; 1 and 0, TRUE
    and FALSE, and these words in German, French and Spanish count as well.

    Parameters
    ----------
    path : path

    Returns
    -------
    ReviewSheet

    Raises
    ------
    DataError
        It is no sheet, or a line has an answer that is none: the message names the line.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"the sheet {str(path)!r} does not exist: give one of a review")
    digest = _file_digest(path)
    text = read_text(path)
    separator = _sheet_separator(text.partition("\n")[0])
    if not separator:
        raise DataError(
            f"{path.name!r} is no sheet of a review: its first line must name the columns "
            f"{listed_names(REQUIRED_COLUMNS)}"
        )
    lines = records_with_lines(text, separator, path.name)
    _, header = next(lines)
    names = [
        name.strip().lower() if name.strip().lower() in SHEET_COLUMNS else name for name in header
    ]
    if again := [name for k, name in enumerate(names) if name and name in names[:k]]:
        raise DataError(f"{path.name!r} has two columns {again[0]!r}: keep one of them")
    rows = []
    for line, fields in lines:
        while len(fields) > len(names) and not fields[-1].strip():
            fields.pop()
        if len(fields) > len(names):
            raise wide_record(path.name, line, fields, len(names))
        cells = {n: text_of_field(f) for n, f in zip(names, fields, strict=False) if n}
        rows.append(_sheet_row(cells, path.name, line))
    own = tuple(name for name in names if name and name not in SHEET_COLUMNS)
    return ReviewSheet(tuple(rows), (*SHEET_COLUMNS, *own), path.name, digest)


def write_sheet(
    path: str | os.PathLike[str], asked: Sequence[Question], before: ReviewSheet | None = None
) -> int:
    """Write the next questions, then all rows of the sheet before that have an answer.

    The file is complete or as it was. Rows without an answer go, but for those with a comment.

    Parameters
    ----------
    path : path
    asked : sequence of Question
    before : ReviewSheet, optional
        What was read from the same path, or nothing where there was no file.

    Returns
    -------
    int
        Open questions in the file.

    Raises
    ------
    StoreError
        It cannot be written, or was changed after it was read.
    """
    before = before or ReviewSheet()
    own = ("comment", *before.columns[len(SHEET_COLUMNS) :])
    fresh = {(one.source["iri"], one.target["iri"]): _question_cells(one) for one in asked}
    kept = []
    for row in before.rows:
        if row.answer is None and any(row.cells.get(name, "").strip() for name in own):
            if (cells := fresh.get((row.source, row.target))) is not None:
                cells.update({name: row.cells.get(name, "") for name in own})
            else:
                kept.append(row.cells)
    rows = [*fresh.values(), *kept, *(row.cells for row in before.answered)]
    text = _row_lines([before.columns, *([row.get(n, "") for n in before.columns] for row in rows)])
    if _file_digest(Path(path)) != before.digest:
        raise StoreError(
            f"{str(path)!r} was changed while this ran: nothing was written to it; run it again"
        )
    write_text(path, text)
    return len(fresh) + len(kept)


def _file_digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    except OSError:
        return ""


def _sheet_separator(header: str) -> str:
    """What is between the columns that a sheet needs; empty if they are not there."""
    for separator in SEPARATORS:
        names = {name.strip().strip('"').lower() for name in header.split(separator)}
        if names.issuperset(REQUIRED_COLUMNS):
            return separator
    return ""


def _sheet_row(cells: dict[str, str], name: str, line: int) -> SheetRow:
    word = cells.get("match", "").strip().lower()
    source, target = (cells.get(side, "").strip() for side in ("source", "target"))
    if not (source and target):
        raise DataError(
            f"{name!r}, line {line:,}: the columns source and target hold the IRIs of the pair, "
            "and one is empty; leave them as they were written"
        )
    if word and word not in ANSWER_STATUSES:
        raise DataError(
            f"{name!r}, line {line:,}: match is {shorten_text(cells['match'])!r}; write yes, no, "
            "? (you do not know) or nothing"
        )
    return SheetRow(source, target, ANSWER_STATUSES.get(word), cells, line)


def _question_cells(one: Question) -> dict[str, str]:
    found = {"match": "", "comment": "", "probability": f"{one.probability:.3f}"}
    for side, context in (("source", one.source), ("target", one.target)):
        found[side] = context["iri"]
        for name in ("label", "parents", "synonyms", "definition"):
            found[f"{side}_{name}"] = context[name]
    return found


def _row_lines(rows: Iterable[Sequence[str]]) -> str:
    return "".join("\t".join(map(_sheet_field, row)) + "\n" for row in rows)


def _sheet_field(text: str) -> str:
    """A cell on one line, in quotes if it needs them."""
    text = plain_field(re.sub(r"[\t\r\n]+", " ", text))
    return '"' + text.replace('"', '""') + '"' if '"' in text else text
