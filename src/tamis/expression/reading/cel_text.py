"""CEL version 3: a text in sections, a line for each cell."""

from __future__ import annotations

import io
import itertools
import warnings

import numpy as np

from ..._core.errors import DataError, counted_noun, printable_text, shorten_text
from .cel_file import CelFile, checked_intensities, checked_shape, chip_of, date_in, flagged_cells
from .content import integer_of, key_and_value, text_lines

MIN_LINE_BYTES = 4  # bytes of a line of two numbers
SECTION_COLUMNS = {
    "[INTENSITY]": ("X", "Y", "MEAN"),
    "[MASKS]": ("X", "Y"),
    "[OUTLIERS]": ("X", "Y"),
}


def read_text(data: bytes, name: str, flags: bool) -> CelFile:
    """Sections in any order, but for the header, which is first."""
    lines = text_lines(data)
    sections: dict[str, dict[str, str]] = {}
    cells: dict[str, np.ndarray] = {}
    section = ""
    for line in lines:
        if line.startswith(b"["):
            section = line.decode("latin-1").strip()
            if section in sections:
                raise DataError(
                    f"{name!r} is damaged: it has two sections {shorten_text(section)!r}"
                )
            sections[section] = {}
        elif b"=" in line:
            key, value = key_and_value(line)
            sections[section][key] = value
            if (
                key == "CellHeader"
                and section in SECTION_COLUMNS
                and (flags or section == "[INTENSITY]")
            ):
                cells[section] = _cells_of_section(
                    lines, len(data), section, sections[section], name
                )
    version = sections.get("[CEL]", {}).get("Version")
    if version != "3":
        raise DataError(
            f"{name!r} is a CEL file in text of version {shorten_text(version or 'none')}, where "
            "3 is read"
        )
    header = sections.get("[HEADER]", {})
    if "[INTENSITY]" not in cells:
        raise DataError(f"{name!r} is damaged or cut short: it has no intensities")
    x, y, means = cells["[INTENSITY]"].T
    shape = checked_shape(
        integer_of(header.get("Rows"), "Rows", name),
        integer_of(header.get("Cols"), "Cols", name),
        len(means),
        name,
    )
    if not flagged_cells(x, y, shape, "cells", name).all():
        raise DataError(f"{name!r} is damaged: some cells have two lines, and others none")
    values = np.empty(len(means))
    values[(x + y * shape[1]).astype(np.intp)] = means
    if flags and not cells.keys() == SECTION_COLUMNS.keys():
        raise DataError(f"{name!r} is damaged or cut short: it does not say which cells are masked")

    def flags_of(section: str, what: str) -> np.ndarray:
        x, y = cells[section].T
        return flagged_cells(x, y, shape, what, name)

    dat_header = header.get("DatHeader", "")
    return CelFile(
        intensities=checked_intensities(values, shape, name),
        chip_type=chip_of(dat_header),
        algorithm=printable_text(header.get("Algorithm", "")),
        scan_date=date_in(dat_header),
        version="3",
        masked=flags_of("[MASKS]", "masked cells") if flags else None,
        outliers=flags_of("[OUTLIERS]", "outliers") if flags else None,
    )


def _cells_of_section(
    lines: io.BytesIO, size: int, section: str, keys: dict[str, str], name: str
) -> np.ndarray:
    """Coordinates of the cells of a section, and of those with intensities these."""
    n = integer_of(keys.get("NumberCells"), f"NumberCells of {section}", name)
    if n * MIN_LINE_BYTES > size - lines.tell():
        raise DataError(
            f"{name!r} is damaged or cut short: {counted_noun(n, 'line')} of {section} do not fit "
            f"in the {size - lines.tell():,} bytes that are left"
        )
    columns = keys["CellHeader"].split()
    if not set(SECTION_COLUMNS[section]) <= set(columns):
        raise DataError(
            f"{name!r} is damaged: the columns of {section} are "
            f"{shorten_text(keys['CellHeader'])!r}, without {', '.join(SECTION_COLUMNS[section])}"
        )
    if not n:
        return np.empty((0, len(SECTION_COLUMNS[section])))
    # the last column, too: a line that is cut short could end within the number that is wanted
    wanted = [*map(columns.index, SECTION_COLUMNS[section]), len(columns) - 1]
    wrong = DataError(
        f"{name!r} is damaged or cut short: {section} has not {counted_noun(n, 'line')} of numbers"
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of no lines, which the count shows
            found = np.loadtxt(
                itertools.islice(lines, n),
                ndmin=2,
                comments=None,
                encoding="latin-1",
                usecols=wanted,
            )
    except ValueError as error:
        raise wrong from error
    if len(found) != n or not (found[:, :2] == np.floor(found[:, :2])).all():
        raise wrong
    return found[:, :-1]
