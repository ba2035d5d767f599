"""Sheets of Excel and OpenDocument as delimited text, which is then read like any other."""

from __future__ import annotations

import csv
import datetime
import io
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..._core.errors import DataError, listing, nearest, shorten
from .. import limits, memory

CELL = 100  # bytes of memory that a cell takes while it is read, about
SHEETS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")


def text_of(path: Path, named: str | None) -> tuple[bytes, list[str]]:
    """A sheet as comma-separated text, and what was decided.

    Parameters
    ----------
    path : Path
        .xlsx, .xlsm, .xlsb, .xls or .ods.
    named : str or None
        The sheet, by its name or its number from 1; else the first of rows and columns.

    Raises
    ------
    DataError
        It is no spreadsheet, damaged, or too large; there is no such sheet.
    """
    import python_calamine as calamine

    _refuse_swollen(path)
    try:
        book = calamine.CalamineWorkbook.from_path(str(path))
        names = list(book.sheet_names)
        visible = calamine.SheetVisibleEnum.Visible
        hidden = {sheet.name for sheet in book.sheets_metadata if sheet.visible != visible}
        if named is not None:
            chosen = _sheet_named(named, names, path.name)
            rows = book.get_sheet_by_name(chosen).to_python(skip_empty_area=True)
            return _delimited(path, rows, chosen), []
        held = {name: book.get_sheet_by_name(name) for name in names}
        tables = [name for name, sheet in held.items() if sheet.height > 1 < sheet.width]
        tables = [name for name in tables if name not in hidden] or tables
        chosen = next(iter(tables or names), "")
        rows = held[chosen].to_python(skip_empty_area=True) if chosen else []
    except (calamine.CalamineError, OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        reason = shorten(" ".join(str(error).split()), 120)
        raise DataError(f"{path.name!r} is not a readable spreadsheet: {reason}") from error
    if not rows:
        raise DataError(f"{path.name!r} has no sheet with anything in it")
    others = [name for name in tables if name != chosen]
    note = [f"sheet {chosen!r} is read, not {listing(others, 3)}; sheet= names one"]
    return _delimited(path, rows, chosen), note if others else []


def _refuse_swollen(path: Path) -> None:
    """What is packed may not be very much larger than the file, and has to be a spreadsheet."""
    if not zipfile.is_zipfile(path):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise DataError(f"{path.name!r} is a damaged zip archive: {error}") from error
    names = {part.filename for part in parts}
    if not names.intersection(SHEETS):
        tables = [name for name in sorted(names) if not name.endswith("/")]
        raise DataError(
            f"{path.name!r} is a zip archive, with {listing(tables, 3)} inside: unpack it first"
        )
    size = sum(part.file_size for part in parts)
    if size > limits.most_expanded(path):
        raise memory.too_large(path.name, f"holds {memory.bytes_text(size)} when unpacked")
    memory.check_memory(4.0 * size, path, "unpacked")


def _sheet_named(named: str, names: list[str], file: str) -> str:
    if named in names:
        return named
    if named.isascii() and named.isdigit() and 0 < int(named[:9]) <= len(names):
        return names[int(named[:9]) - 1]
    raise DataError(f"sheet={named!r} is not in {file!r}: {nearest(named, names)}")


def _delimited(path: Path, rows: list[list[Any]], sheet: str) -> bytes:
    """Rows as text; those without any value, and columns of none at the end, are left out."""
    width = max((_used(row) for row in rows), default=0)
    if not width:
        raise DataError(f"sheet {sheet!r} of {path.name!r} is empty")
    limits.refuse_many(width, limits.COLUMNS, "columns", path.name)
    memory.check_memory(float(CELL * len(rows) * width), path, "as text")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        cells = [_cell(value) for value in row[:width]]
        if any(cells):
            writer.writerow([*cells, *[""] * (width - len(cells))])
    return text.getvalue().encode()


def _used(row: Iterable[Any]) -> int:
    """How many cells there are up to the last one with a value."""
    return max((k for k, value in enumerate(row, 1) if value != ""), default=0)


def _cell(value: Any) -> str:
    """A value as a CSV has it: the shortest text of a number, whole ones without a point."""
    if type(value) is float:
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if type(value) is bool:
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.timedelta):
        return str(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat(*" " if isinstance(value, datetime.datetime) else ())
    return str(value).strip()
