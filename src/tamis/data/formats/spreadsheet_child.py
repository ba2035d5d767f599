"""A sheet of a workbook as comma-separated text: a job of `bounded_child`.

A sheet is held with all cells up to its last one: a cell far off takes all memory, and the library
ends the process.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections.abc import Callable
from typing import Any

KIND = "spreadsheet"
DECIMAL_PATTERN = re.compile(r"[-+]?(?!\d{1,3},\d{3}$)\d+([.,])\d+")  # but perhaps of thousands
Tell = Callable[..., None]


class Unfit(Exception):
    """With a message for the user."""


def prepare() -> None:
    """Import what reads the files."""
    import python_calamine  # noqa: F401


def stream(path: str, request: list[str | None], tell: Tell) -> None:
    """Tell the names of the sheets, and whether the one of the `request`, by its name or its
    number, is there; then the text of that, else of the first table, and which others are one."""
    import python_calamine as calamine

    name, decimal = request
    book = calamine.CalamineWorkbook.from_path(path)
    names = list(book.sheet_names)
    chosen = "" if name is None else _sheet_named(name, names)
    tell({"what": "sheets", "names": names, "chosen": chosen is not None})
    if chosen is None:
        return
    others: list[str] = []
    if name is not None:
        sheet = book.get_sheet_by_name(chosen)
    else:
        visible = calamine.SheetVisibleEnum.Visible
        hidden = {one.name for one in book.sheets_metadata if one.visible != visible}
        sheet, chosen, others = _first_table(book, names, hidden)
    rows = [] if sheet is None else sheet.to_python(skip_empty_area=True)
    width = max(map(_used_width, rows), default=0)
    if not width:
        nothing = "has no sheet with anything in it"
        raise Unfit(nothing if name is None else f"has nothing in its sheet {chosen!r}")
    said = {"what": "text", "sheet": chosen, "others": others, "width": width}
    tell(said, _delimited_rows(rows, width, decimal or _decimal_of(rows)))


def _sheet_named(wanted: str, names: list[str]) -> str | None:
    if wanted in names:
        return wanted
    number = int(wanted[:9]) if wanted.isascii() and wanted.isdigit() else 0
    return names[number - 1] if 0 < number <= len(names) else None


def _first_table(book: Any, names: list[str], hidden: set[str]) -> tuple[Any, str, list[str]]:
    """The first visible sheet of rows and columns, and the names of further ones; else the first
    hidden one, or the first of all."""
    first: dict[bool, tuple[Any, str]] = {}
    others: list[str] = []
    for name in names:
        sheet = book.get_sheet_by_name(name)
        if sheet.height > 1 < sheet.width:
            if name not in hidden and False in first:
                others.append(name)
            first.setdefault(name in hidden, (sheet, name))
    found = first.get(False) or first.get(True)
    if found is None:
        found = (book.get_sheet_by_name(names[0]), names[0]) if names else (None, "")
    return *found, others


def _decimal_of(rows: list[list[Any]]) -> str:
    """What stands before decimals in cells of text: a comma, where some have one and none has a
    point. What Excel knows to be a number is written likewise, so that both are read alike."""
    texts = (value.strip() for row in rows for value in row if type(value) is str)
    marks = {found[1] for text in texts if (found := DECIMAL_PATTERN.fullmatch(text))}
    return "," if marks == {","} else "."


def _delimited_rows(rows: list[list[Any]], width: int, decimal: str) -> bytes:
    """Rows as text; those without any value, and columns of none at the end, are left out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        cells = [_cell_text(value, decimal) for value in row[:width]]
        if any(cells):
            writer.writerow([*cells, *[""] * (width - len(cells))])
    return text.getvalue().encode()


def _used_width(row: list[Any]) -> int:
    """How many cells there are up to the last one with a value."""
    return max((k for k, value in enumerate(row, 1) if value != ""), default=0)


def _cell_text(value: Any, decimal: str) -> str:
    """A value as a CSV has it: the shortest text of a number, integers without a point."""
    if type(value) is float:
        short = value.is_integer() and abs(value) < 1e15
        return str(int(value)) if short else repr(value).replace(".", decimal)
    if type(value) is bool:
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.timedelta):
        return str(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat(*" " if isinstance(value, datetime.datetime) else ())
    return str(value).strip()
