"""CEL files: the intensity of each cell of one array, in any of the three formats in use."""

from __future__ import annotations

from pathlib import Path

from ..._core.errors import DataError
from .cel_command_console import read_command_console
from .cel_file import CelFile
from .cel_text import read_text
from .cel_version_4 import read_version_4
from .content import array_file


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
