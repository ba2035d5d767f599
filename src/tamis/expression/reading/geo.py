"""Any file of a series of GEO: a family file, or series matrix files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..._core.errors import DataError, listed_names, shorten_text
from .bounded_lines import BoundedLines
from .geo_series import GeoSeries
from .series_matrix import read_series_matrix
from .soft import read_soft


def read_geo(path: str | Path | Sequence[str | Path], infinite: str = "refuse") -> GeoSeries:
    """Read a series of GEO: its family file (SOFT), or its series matrix files.

    Parameters
    ----------
    path : str, Path, or list of them
        ``GSE1000_family.soft.gz``, or ``GSE1000_series_matrix.txt.gz``, unpacked or by gzip. Of a
        series with several platforms there is one series matrix file for each; give them all.
    infinite : {"refuse", "missing"}
        What infinite values are, as logarithms of 0.

    Returns
    -------
    GeoSeries
        Values by platform, the sample sheet, and genes. Series matrix files hold no table of the
        platform: `genes` then needs an annotation (`read_annotation`).

    Raises
    ------
    DataError
        A file is neither, or is damaged or cut short; files of several series; a sample in two
        files. The message is one line.

    See Also
    --------
    tamis.expression.merge_platforms : Several platforms, or series, as one table of genes.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> text = '''^SERIES = GSE1
    ... ^PLATFORM = GPL96
    ... !platform_table_begin
    ... ID\\tGene Symbol
    ... 1007_s_at\\tDDR1 /// MIR4640
    ... 1053_at\\tRFC2
    ... !platform_table_end
    ... ^SAMPLE = GSM1
    ... !Sample_platform_id = GPL96
    ... !sample_table_begin
    ... ID_REF\\tVALUE
    ... 1007_s_at\\t8.25
    ... 1053_at\\t7.5
    ... !sample_table_end
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "GSE1_family.soft")
    ...     _ = path.write_text(text)
    ...     series = read_geo(path)
    >>> series.genes().frame().loc["GSM1"].to_dict()
    {'DDR1': 8.25, 'RFC2': 7.5}
    """
    paths = [Path(path)] if isinstance(path, str | Path) else [Path(one) for one in path]
    if not paths:
        raise DataError("there is no file: give a family file or series matrix files")
    found = [_read_by_first_letter(one, infinite) for one in paths]
    names = list(dict.fromkeys(one.series for one in found))
    if len(names) > 1:
        raise DataError(
            f"the files are of {len(names)} series, {listed_names(names)}: read each by itself, "
            "and put their genes together with merge_platforms"
        )
    first = found[0]
    platforms, samples = dict(first.platforms), dict(first.samples)
    for one, file in zip(found[1:], paths[1:], strict=True):
        again = [name for name in one.samples if name in samples]
        if again:
            raise DataError(f"{file.name!r} holds {listed_names(again)} of another file again")
        samples |= one.samples
        platforms = one.platforms | platforms
    return GeoSeries(first.series, first.attributes, platforms, samples)


def _read_by_first_letter(path: Path, infinite: str) -> GeoSeries:
    """By the first letter of the file."""
    lines = iter(BoundedLines(path))
    line = next((line for line in lines if line.strip()), "")
    if line.startswith("^"):
        return read_soft(path, infinite)
    if line.startswith("!"):
        return read_series_matrix(path, infinite)
    raise DataError(
        f"{path.name!r} is no file of a series of GEO: it begins with {shorten_text(line)!r}, "
        "where a family file has '^DATABASE' or '^SERIES', and a series matrix file '!Series_title'"
    )
