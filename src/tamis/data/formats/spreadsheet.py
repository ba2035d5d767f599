"""Sheets of Excel and OpenDocument as delimited text, which is then read like any other.

They are read by another process (`spreadsheet_child` by `bounded`).
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from ..._core.errors import DataError, listed_names, nearest_hint, shorten_text
from .. import limits, memory
from ..bounded import messages_of

CHILD_SCRIPT = Path(__file__).with_name("spreadsheet_child.py")
SHEET_PARTS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")
MAX_NAME_LENGTH = 1000  # letters of a requested name: Excel has 31
SWOLLEN_ADVICE = (
    "a cell may stand far below or beside the table (Ctrl+End goes to the last); delete those rows "
    "and columns, or save the sheet as CSV"
)


def text_of(path: Path, named: str | None, decimal: str | None) -> tuple[bytes, list[str]]:
    """A sheet as comma-separated text, and what was decided.

    Parameters
    ----------
    path : Path
        .xlsx, .xlsm, .xlsb, .xls or .ods.
    named : str or None
        The sheet, by its name or its number from 1; else the first of rows and columns.
    decimal : {".", ","} or None
        What stands before decimals in cells of text; numbers are written likewise.

    Raises
    ------
    DataError
        It is no spreadsheet, damaged, or too large; there is no such sheet.
    """
    _refuse_swollen(path)
    request = [None if named is None else named[:MAX_NAME_LENGTH], decimal]
    with messages_of(
        CHILD_SCRIPT, path, request, "the reader of spreadsheets", SWOLLEN_ADVICE
    ) as messages:
        found = messages.next()
        if not found["chosen"]:
            has = nearest_hint(named, found["names"])
            raise DataError(f"sheet={shorten_text(named or '')!r} is not in {path.name!r}: {has}")
        said = messages.next()
        limits.refuse_many(said["width"], limits.COLUMNS_LIMIT, "columns", path.name)
        text = messages.content(said)
    if not said["others"]:
        return text, []
    return text, [
        f"sheet {said['sheet']!r} is read, not {listed_names(said['others'], 3)}; sheet= names one"
    ]


def _refuse_swollen(path: Path) -> None:
    """What is packed may not be very much larger than the file, and has to be a spreadsheet."""
    if not zipfile.is_zipfile(path):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise DataError(f"{path.name!r} is a damaged zip archive: {error}") from error
    names = {part.filename for part in parts}
    if not names.intersection(SHEET_PARTS):
        tables = [name for name in sorted(names) if not name.endswith("/")]
        raise DataError(
            f"{path.name!r} is a zip archive, with {listed_names(tables, 3)} inside: unpack it "
            "first"
        )
    size = sum(part.file_size for part in parts)
    if size > limits.most_expanded(path):
        raise memory.too_large(path.name, f"holds {memory.bytes_text(size)} when unpacked")
    memory.check_memory(4.0 * size, path, "unpacked")
