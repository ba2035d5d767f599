"""Family files of GEO (SOFT): a series, its platforms and its samples with their tables."""

from __future__ import annotations

from pathlib import Path

from ..._core.errors import DataError, counted_noun, listed_names, shorten_text
from .geo_entities import Attributes, Platform, Sample
from .geo_series import GeoSeries
from .soft_lines import read_entities


def read_soft(path: str | Path, infinite: str = "refuse") -> GeoSeries:
    """Read a family file of a series of GEO, as ``GSE1000_family.soft.gz``, unpacked or by gzip.

    Parameters
    ----------
    path : str or Path
    infinite : {"refuse", "missing"}
        What infinite values are, as logarithms of 0.

    Returns
    -------
    GeoSeries

    Raises
    ------
    DataError
        The file is none, is damaged or cut short, a table has a line that does not fit its heading,
        a VALUE is no number, or the series lists samples that are not in the file. The message is
        one line and names the file, and the line where there is one.

    Notes
    -----
    The file is read line by line. Memory: 8 bytes for each value, the texts of the platforms'
    tables, and the names of the probes once for each order in which samples have them.

    References
    ----------
    NCBI GEO, "SOFT format".

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from tamis.expression.reading import read_soft
    >>> text = '''^SERIES = GSE1
    ... !Series_sample_id = GSM1
    ... ^PLATFORM = GPL96
    ... !platform_table_begin
    ... ID\\tGene Symbol
    ... 1007_s_at\\tDDR1
    ... !platform_table_end
    ... ^SAMPLE = GSM1
    ... !Sample_platform_id = GPL96
    ... !Sample_characteristics_ch1 = tissue: lung
    ... !sample_table_begin
    ... ID_REF\\tVALUE
    ... 1007_s_at\\t8.25
    ... !sample_table_end
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "GSE1_family.soft")
    ...     _ = path.write_text(text)
    ...     family = read_soft(path)
    >>> float(family.values().loc["GSM1", "1007_s_at"])
    8.25
    >>> family.sample_sheet()["tissue"].to_dict()
    {'GSM1': 'lung'}
    """
    path = Path(path)
    series, attributes = "", Attributes()
    platforms: dict[str, Platform] = {}
    samples: dict[str, Sample] = {}
    for entity in read_entities(path, infinite):
        if not isinstance(entity, Platform | Sample):
            if series:
                raise DataError(
                    f"{path.name!r} holds two series, {listed_names([series, entity[0]])}"
                )
            series, attributes = entity
            continue
        if entity.name in platforms or entity.name in samples:
            raise DataError(
                f"{path.name!r} is damaged: it holds {shorten_text(entity.name)!r} twice"
            )
        if isinstance(entity, Platform):
            platforms[entity.name] = entity
        else:
            samples[entity.name] = entity
    if not series or not samples:
        raise DataError(
            f"{path.name!r} is no family file of GEO: it has {'a' if series else 'no'} series "
            f"and {counted_noun(len(samples), 'sample')}; give GSE..._family.soft.gz, or the "
            "series matrix files"
        )
    missing = [name for name in attributes.get("sample_id", []) if name not in samples]
    if missing:
        raise DataError(
            f"{path.name!r} is cut short: of the samples of {series} it lacks "
            f"{listed_names(missing)}; download it again"
        )
    return GeoSeries(series, attributes, platforms, samples)
