"""CDF files: which cells of an array are the probes of each probe set."""

from __future__ import annotations

from pathlib import Path

from ..._core.errors import DataError
from .cdf_binary import read_binary
from .cdf_file import CdfFile
from .cdf_text import read_text
from .content import array_file


def read_cdf(path: str | Path) -> CdfFile:
    """Read a CDF, in text (GC3.0 and later) or binary (XDA), as it is or packed by gzip.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    CdfFile

    Raises
    ------
    DataError
        The file is neither, is damaged or cut short, has no expression probe sets, two of one name,
        or cells outside the array. The message is one line and names the file.

    Notes
    -----
    A probe is a perfect match if its base is the complement of the target's, and a mismatch if the
    bases are equal or are two that do not pair, as in affxparser. Mismatches without a perfect
    match at their atom are left out, and so are probe sets without a perfect match. Memory: the
    unpacked file and about 40 bytes a cell.

    References
    ----------
    Affymetrix, CDF file format. Gautier, Cope, Bolstad and Irizarry (2004), affy: analysis of
    Affymetrix GeneChip data at the probe level, Bioinformatics 20, 307-315.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from tamis.expression.reading import read_cdf
    >>> text = '''[CDF]
    ... Version=GC3.0
    ... [Chip]
    ... Name=made
    ... Rows=2
    ... Cols=2
    ... NumberOfUnits=1
    ... [Unit1]
    ... Name=NONE
    ... UnitType=3
    ... NumberBlocks=1
    ... [Unit1_Block1]
    ... Name=1007_s_at
    ... NumCells=2
    ... CellHeader=X\\tY\\tPBASE\\tTBASE\\tATOM
    ... Cell1=1\\t0\\tA\\tA\\t0
    ... Cell2=0\\t1\\tT\\tA\\t0
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "made.CDF")
    ...     _ = path.write_text(text)
    ...     cdf = read_cdf(path)
    >>> cdf.names, cdf.pm, cdf.mm
    (['1007_s_at'], array([2], dtype=int32), array([1], dtype=int32))
    """
    path = Path(path)
    data = array_file(path)
    if data.lstrip(b"\xef\xbb\xbf\r\n ")[:5] == b"[CDF]":
        return read_text(data, path.name)
    if data[:4] == b"\x43\0\0\0":
        return read_binary(data, path.name)
    raise DataError(
        f"{path.name!r} is no CDF in text or binary (XDA): its first bytes are {data[:4]!r}"
    )
