"""Series matrix files of GEO: attributes of series and samples, and the values of one platform."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names, shorten_text
from ...data.limits import COLUMNS_LIMIT, refuse_many
from .bounded_lines import TEXT_OVERHEAD_BYTES, BoundedLines
from .geo_entities import Attributes, Platform, Sample
from .geo_series import GeoSeries

BEGIN_MARK, END_MARK = "!series_matrix_table_begin", "!series_matrix_table_end"
BLOCK_VALUES = 1 << 16  # values read before they are checked and stored
OF_SAMPLE = 1000  # bytes that a sample takes beside its attributes


def read_series_matrix(path: str | Path, infinite: str = "refuse") -> GeoSeries:
    """Read a series matrix file of GEO, as ``GSE1000_series_matrix.txt.gz``, unpacked or by gzip.

    It holds the samples of one platform, and no table of the platform.

    Parameters
    ----------
    path : str or Path
    infinite : {"refuse", "missing"}
        What infinite values are, as logarithms of 0.

    Returns
    -------
    GeoSeries
        Its platforms have no columns.

    Raises
    ------
    DataError
        The file is none, is damaged or cut short, a line has another number of samples, or a value
        is no number. The message is one line and names the file, and the line where there is one.

    Notes
    -----
    The file is read line by line. Memory: 8 bytes for each value, twice that while it
    is read, and the names of the probes.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> text = '''!Series_geo_accession\\t"GSE1"
    ... !Sample_geo_accession\\t"GSM1"\\t"GSM2"
    ... !Sample_platform_id\\t"GPL96"\\t"GPL96"
    ... !series_matrix_table_begin
    ... "ID_REF"\\t"GSM1"\\t"GSM2"
    ... "1007_s_at"\\t8.25\\t7.5
    ... !series_matrix_table_end
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "GSE1_series_matrix.txt")
    ...     _ = path.write_text(text)
    ...     series = read_series_matrix(path)
    >>> series.values()["1007_s_at"].tolist()
    [8.25, 7.5]
    """
    path = Path(path)
    lines = BoundedLines(path, infinite)
    series: Attributes = {}
    columns: list[tuple[str, list[str]]] = []  # lines of samples, in their order
    probes: list[str] = []
    values: np.ndarray | None = None
    names: list[str] = []
    for line in lines:
        if line.lower().startswith(BEGIN_MARK):
            if values is not None:
                raise lines.wrong("the beginning of a second table")
            names, probes, values = _value_table(lines, dict(columns).get("geo_accession", []))
        elif line.startswith("!Series_"):
            key, _, text = line.partition("\t")
            series.setdefault(key[8:], []).append(unquoted_field(text))
            lines.hold(TEXT_OVERHEAD_BYTES + 2 * len(line))
        elif line.startswith("!Sample_"):
            columns.append(_sample_attribute(lines, line, columns))
        elif line.strip():
            raise lines.wrong(
                f"{shorten_text(line)!r}, where a series matrix file has lines that begin with "
                "!Series_ or !Sample_, and a table"
            )
    accession = series.get("geo_accession", [""])[0]
    if not accession or not columns:
        raise DataError(
            f"{path.name!r} is no series matrix file of GEO: it has no line of "
            f"{'!Sample_geo_accession' if accession else '!Series_geo_accession'}"
        )
    if values is None:
        raise DataError(f"{path.name!r} is cut short: it has no {BEGIN_MARK}; download it again")
    samples = _samples_in_order(path.name, series, columns, names, probes, values)
    platforms = {name: Platform(name) for name in dict.fromkeys(s.platform for s in samples)}
    return GeoSeries(accession, series, platforms, {sample.name: sample for sample in samples})


def unquoted_field(text: str) -> str:
    """A field without the quotes around it."""
    text = text.strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] == '"' else text


def _sample_attribute(
    lines: BoundedLines, line: str, before: list[tuple[str, list[str]]]
) -> tuple[str, list[str]]:
    """What a line says of each sample, and the name of it."""
    refuse_many(line.count("\t"), COLUMNS_LIMIT, "samples", lines.path.name)
    key, *texts = line.split("\t")
    n = len(before[0][1]) if before else len(texts)
    if len(texts) != n:
        raise lines.wrong(f"of {counted_noun(len(texts), 'sample')}, where the first has {n:,}")
    texts = [unquoted_field(text) for text in texts]
    lines.hold(TEXT_OVERHEAD_BYTES * n + 2 * len(line) + (0 if before else OF_SAMPLE * n))
    return key[8:].strip(), texts


def _samples_in_order(
    file: str,
    series: Attributes,
    columns: list[tuple[str, list[str]]],
    names: list[str],
    probes: list[str],
    values: np.ndarray,
) -> list[Sample]:
    """Samples in the order of the file, each with its row of values."""
    accessions = dict(columns).get("geo_accession", names)
    platforms = series.get("platform_id", [])
    if "platform_id" not in dict(columns) and len(platforms) != 1:
        raise DataError(f"{file!r} does not say the platform of its samples (!Sample_platform_id)")
    rows = dict(zip(names, values, strict=True))
    samples = []
    for at, name in enumerate(accessions):
        attributes: Attributes = {}
        for key, texts in columns:
            if texts[at]:
                attributes.setdefault(key, []).append(texts[at])
        attributes.setdefault("platform_id", platforms[:1])
        if not attributes["platform_id"]:
            raise DataError(f"{file!r} does not say the platform of {shorten_text(name)!r}")
        samples.append(
            Sample(name, attributes, probes, rows[name]) if probes else Sample(name, attributes)
        )
    return samples


def _value_table(
    lines: BoundedLines, accessions: list[str]
) -> tuple[list[str], list[str], np.ndarray]:
    """Names of the samples, of the probes, and the values, samples in rows."""
    rows = lines.rows(END_MARK)
    first, *names = [unquoted_field(field) for field in next(rows, [""])]
    if first != "ID_REF" or not names:
        raise lines.wrong("a heading without ID_REF and names of samples")
    if len(set(names)) < len(names) or set(accessions or names) != set(names):
        wrong = set(accessions).symmetric_difference(names) or names
        raise lines.wrong(
            f"a heading that does not have each sample of !Sample_geo_accession once, as "
            f"{listed_names(sorted(wrong), 3)}"
        )
    probes: list[str] = []
    blocks: list[np.ndarray] = []
    block = array("d")
    for fields in rows:
        try:
            numbers = array("d", map(float, fields[1:]))
            if any("_" in field for field in fields[1:]):
                raise ValueError
        except ValueError:
            numbers = array("d", [lines.number_of(unquoted_field(field)) for field in fields[1:]])
        probes.append(unquoted_field(fields[0]))
        refuse_many(len(probes), COLUMNS_LIMIT, "probes", lines.path.name)
        block.extend(numbers)
        lines.hold(TEXT_OVERHEAD_BYTES + len(fields[0]) + 8 * len(names))
        if len(block) >= BLOCK_VALUES:
            blocks.append(_checked_probe_values(lines, block, names, probes))
            block = array("d")
    blocks.append(_checked_probe_values(lines, block, names, probes))
    if len(set(probes)) < len(probes):
        raise lines.wrong("the end of a table that names a probe twice")
    values = np.empty((len(names), len(probes)))
    at = 0
    for k, part in enumerate(blocks):
        values[:, at : at + len(part)] = part.T
        at += len(part)
        blocks[k] = part[:0].copy()  # free it
    return names, probes, values


def _checked_probe_values(
    lines: BoundedLines, block: array[float], names: list[str], probes: list[str]
) -> np.ndarray:
    """Values of the last probes (probes, samples)."""
    found = np.array(block, np.float64).reshape(-1, len(names))
    infinite = np.isinf(found)
    if infinite.any():
        if lines.infinite == "missing":
            found[infinite] = np.nan
            return found
        row, column = (int(at[0]) for at in np.nonzero(infinite))
        probe = probes[len(probes) - len(found) + row]
        of = f" of the probe {probe!r} in the sample {names[column]!r}"
        raise lines.infinite_error(f"{found[row, column]:g}", of)
    return found
