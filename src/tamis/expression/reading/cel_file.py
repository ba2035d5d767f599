"""What a CEL file holds, in any of its formats, and the checks that all of these share."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

import numpy as np

from ..._core.errors import DataError, counted_noun, printable_text

CHIP_PATTERN = re.compile(r"([^\s\x14]+)\.1sq")
SCAN_DATE_PATTERN = re.compile(r"\b(\d\d/\d\d/\d\d) +(\d\d:\d\d:\d\d)\b")
SCANNED_ISO = re.compile(r"\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)")
MAX_INTENSITY = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class CelFile:
    """The intensities of one array, and what its file says of it.

    Attributes
    ----------
    intensities : ndarray, shape (n_rows, n_columns)
        Mean intensity of each cell, in the scanner's units (not logged): float32, as binary formats
        hold it, and float64 of the decimal numbers of version 3. The cell at x, y is
        ``intensities[y, x]``; in ``intensities.ravel()`` it is number ``x + y * n_columns``, as in
        a `CdfFile`.
    chip_type : str
        As ``HG-U133A``; empty if the file does not say it.
    algorithm : str
        That made the intensities of pixels, as ``Percentile``.
    scan_date : datetime, or None
        By the scanner's clock, without a time zone. Arrays of one day are often a batch.
    version : {"3", "4", "Command Console"}
    masked, outliers : ndarray of bool, shape (n_rows, n_columns), or None
        Cells that somebody masked, and that the algorithm called outliers. None if not requested.
    """

    intensities: np.ndarray
    chip_type: str
    algorithm: str
    scan_date: datetime.datetime | None
    version: str
    masked: np.ndarray | None = None
    outliers: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        """Rows of cells."""
        return int(self.intensities.shape[0])

    @property
    def n_columns(self) -> int:
        """Columns of cells."""
        return int(self.intensities.shape[1])


def checked_shape(rows: int, columns: int, cells: int, name: str) -> tuple[int, int]:
    """Rows and columns whose product is the number of cells."""
    if rows < 1 or columns < 1 or rows * columns != cells:
        raise DataError(
            f"{name!r} is damaged: it has {counted_noun(rows, 'row')} and "
            f"{counted_noun(columns, 'column')}, and {counted_noun(cells, 'cell')}"
        )
    return rows, columns


def checked_intensities(values: np.ndarray, shape: tuple[int, int], name: str) -> np.ndarray:
    """In rows and columns, of their own in memory; float32 or float64 as they come.

    Raises
    ------
    DataError
        One is negative, missing or too large.
    """
    wrong = ~((values >= 0) & (values <= MAX_INTENSITY))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise DataError(
            f"{name!r} is damaged: the intensity of the cell in row {at // shape[1]:,}, column "
            f"{at % shape[1]:,} is {float(values[at]):.6g}"
        )
    return np.ascontiguousarray(values.reshape(shape), dtype=values.dtype.newbyteorder("="))


def flagged_cells(
    x: np.ndarray, y: np.ndarray, shape: tuple[int, int], what: str, name: str
) -> np.ndarray:
    """Cells of a list of places as True.

    Raises
    ------
    DataError
        A place is outside the array.
    """
    if ((x < 0) | (x >= shape[1]) | (y < 0) | (y >= shape[0])).any():
        raise DataError(
            f"{name!r} is damaged: {what} lie outside its {shape[0]} x {shape[1]} cells"
        )
    found = np.zeros(shape, dtype=bool)
    found[np.asarray(y, dtype=np.intp), np.asarray(x, dtype=np.intp)] = True
    return found


def chip_of(dat_header: str) -> str:
    """The chip type in a DatHeader: what stands before ``.1sq``.

    Examples
    --------
    >>> chip_of("[2..46]  a:CLS=4733  \\x14 HG-U133A.1sq \\x14")
    'HG-U133A'
    """
    found = CHIP_PATTERN.search(dat_header)
    return printable_text(found[1]) if found else ""


def date_in(text: str) -> datetime.datetime | None:
    """The first date with a time, written as month/day/year or by ISO 8601."""
    try:
        if found := SCAN_DATE_PATTERN.search(text):
            return datetime.datetime.strptime(f"{found[1]} {found[2]}", "%m/%d/%y %H:%M:%S")
        if found := SCANNED_ISO.search(text):
            return datetime.datetime.fromisoformat(found[1])
    except ValueError:  # the 31st of February
        return None
    return None
