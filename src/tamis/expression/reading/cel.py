"""CEL files: the intensity of each cell of one array, in any of the three formats in use."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..._core.errors import DataError, plural, printable

CHIP = re.compile(r"([^\s\x14]+)\.1sq")
SCANNED = re.compile(r"\b(\d\d/\d\d/\d\d) +(\d\d:\d\d:\d\d)\b")
SCANNED_ISO = re.compile(r"\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)")
MOST = float(np.finfo(np.float32).max)


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
        Cells that somebody masked, and that the algorithm called outliers. None if not asked for.
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


def read_cel(path: str | Path, flags: bool = False) -> CelFile:
    """Read a CEL file of version 3 (text), version 4 (binary) or Command Console, or one of
    them packed by gzip.

    Parameters
    ----------
    path : str or Path
    flags : bool
        Read which cells are masked and which are outliers, too. RMA uses neither.

    Returns
    -------
    CelFile

    Raises
    ------
    DataError
        The file is none of these, is damaged or cut short, or holds an intensity that is negative
        or no number. The message is one line and names the file.

    Notes
    -----
    Counts in the file are compared with its length before memory is taken for them. Memory: the
    unpacked file, 4 bytes a cell for the intensities, and for version 3 8 bytes a cell and 40 more
    while it is read.

    References
    ----------
    Affymetrix, CEL file format, versions 3 and 4; Command Console generic data file format.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from tamis.expression.reading import read_cel
    >>> text = '''[CEL]
    ... Version=3
    ... [HEADER]
    ... Cols=2
    ... Rows=1
    ... DatHeader=[0..100]  a:CLS=2 02/18/04 11:17:51  \\x14  \\x14 HG-U133A.1sq \\x14
    ... Algorithm=Percentile
    ... [INTENSITY]
    ... NumberCells=2
    ... CellHeader=X\\tY\\tMEAN\\tSTDV\\tNPIXELS
    ... 0\\t0\\t234.5\\t24.0\\t25
    ... 1\\t0\\t170.0\\t34.5\\t25
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.CEL")
    ...     _ = path.write_text(text)
    ...     cel = read_cel(path)
    >>> cel.intensities
    array([[234.5, 170. ]])
    >>> cel.chip_type, cel.scan_date.isoformat()
    ('HG-U133A', '2004-02-18T11:17:51')
    """
    from .cel_command_console import read_command_console
    from .cel_text import read_text
    from .cel_version_4 import read_version_4
    from .content import array_file

    path = Path(path)
    data = array_file(path)
    if data[:5] == b"[CEL]":
        return read_text(data, path.name, flags)
    if data[:4] == b"\x40\0\0\0":
        return read_version_4(data, path.name, flags)
    if data[:2] == b"\x3b\x01":
        return read_command_console(data, path.name, flags)
    raise DataError(
        f"{path.name!r} is no CEL file of version 3, 4 or Command Console: its first bytes are "
        f"{data[:4]!r}"
    )


def checked_shape(rows: int, columns: int, cells: int, name: str) -> tuple[int, int]:
    """Rows and columns whose product is the number of cells."""
    if rows < 1 or columns < 1 or rows * columns != cells:
        raise DataError(
            f"{name!r} is damaged: it has {plural(rows, 'row')} and {plural(columns, 'column')}, "
            f"and {plural(cells, 'cell')}"
        )
    return rows, columns


def checked_intensities(values: np.ndarray, shape: tuple[int, int], name: str) -> np.ndarray:
    """In rows and columns, of their own in memory; float32 or float64 as they come.

    Raises
    ------
    DataError
        One is negative, missing or too large.
    """
    wrong = ~((values >= 0) & (values <= MOST))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise DataError(
            f"{name!r} is damaged: the intensity of the cell in row {at // shape[1]:,}, column "
            f"{at % shape[1]:,} is {float(values[at]):.6g}"
        )
    return np.ascontiguousarray(values.reshape(shape), dtype=values.dtype.newbyteorder("="))


def flagged(
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
    found = CHIP.search(dat_header)
    return printable(found[1]) if found else ""


def date_in(text: str) -> datetime.datetime | None:
    """The first date with a time, written as month/day/year or by ISO 8601."""
    try:
        if found := SCANNED.search(text):
            return datetime.datetime.strptime(f"{found[1]} {found[2]}", "%m/%d/%y %H:%M:%S")
        if found := SCANNED_ISO.search(text):
            return datetime.datetime.fromisoformat(found[1])
    except ValueError:  # the 31st of February
        return None
    return None
