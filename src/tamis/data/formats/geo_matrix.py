"""Series matrix files of GEO: attributes of the samples in lines that begin with ``!Sample_``, and
a table with features in rows (https://www.ncbi.nlm.nih.gov/geo/info/soft.html)."""

from __future__ import annotations

import re

from ..._core.errors import DataError, shorten_text
from .. import limits, memory
from ..lines import Lines
from .around import Around, fields_of

BEGIN_MARK, END_PATTERN = (
    b"!series_matrix_table_begin",
    re.compile(rb"^!series_matrix_table_end", re.M),
)
OWN_MARKS = b"!Sample_", BEGIN_MARK
MOST_CELLS = 10_000_000  # of attributes
MOST_LINES = 1024  # of the series
KEY_PATTERN = re.compile(r"([^:]{1,60}):\s*(.*)", re.S)


def around_series_matrix(lines: Lines, sheet_only: bool = False) -> Around | None:
    """Of a series matrix file; None of others.

    Raises
    ------
    DataError
        It has no samples, or no table.
    """
    if not _is_series_matrix(lines):
        return None
    samples: tuple[str, ...] = ()
    attributes: list[tuple[str, list[str]]] = []
    held = 0
    while (line := lines.line()) is not None and not line.startswith(BEGIN_MARK):
        held += len(line) if line.startswith(b"!Sample_") else 0
        if held > lines.longest or lines.position > limits.MAX_EXPANDED_BYTES:
            raise memory.too_large(lines.name, "holds very much text above its table")
        if not line.startswith(b"!Sample_"):
            continue
        key, *values = fields_of(line)
        if attributes and len(values) != len(attributes[0][1]):
            raise DataError(
                f"{lines.name!r}: line {lines.number - 1:,}, {shorten_text(key)!r}, has "
                f"{len(values):,} values, and the lines before {len(attributes[0][1]):,}; "
                "download the file again"
            )
        attributes.append((key.removeprefix("!Sample_"), values))
        if key == "!Sample_geo_accession":
            samples = tuple(values)
    if not samples:
        raise DataError(f"{lines.name!r} has no line !Sample_geo_accession; download it again")
    if line is None:
        raise DataError(f"{lines.name!r} is cut short: it has no {BEGIN_MARK.decode()}")
    if (below := lines.peek(2)) and any(map(END_PATTERN.match, below)) and not sheet_only:
        raise DataError(
            f"{lines.name!r} has no values, as series of RNA-seq: take the counts that lie beside "
            "it, and give this file as samples="
        )
    return Around("\t", True, END_PATTERN, samples=samples, sheet=_attribute_columns(attributes))


def _is_series_matrix(lines: Lines) -> bool:
    """Whether lines that begin with an exclamation mark lead to those of samples."""
    looked_at = 1
    while looked_at <= MOST_LINES:
        seen = lines.peek(looked_at)
        if any(line.startswith(OWN_MARKS) for line in seen):
            return True
        if len(seen) < looked_at or any(line.strip() and line[:1] != b"!" for line in seen):
            return False
        looked_at *= 2
    return False


def _attribute_columns(attributes: list[tuple[str, list[str]]]) -> dict[str, list[str]]:
    """A column for each attribute that differs among samples; those that are written as ``key:
    value`` under their key, which need not stand in the same line for all."""
    found: dict[str, dict[int, str]] = {}
    n = len(attributes[0][1])
    for name, values in attributes:
        for k, value in enumerate(values):
            keyed = KEY_PATTERN.fullmatch(value) if name.startswith("characteristics") else None
            key, text = (keyed[1].strip(), keyed[2].strip()) if keyed else (name, value)
            again, count = key, 1
            while text and k in found.get(again, ()):  # said twice, as of two channels
                count += 1
                again = f"{key}.{count}"
            if text:
                found.setdefault(again, {})[k] = text
        if len(found) * n > MOST_CELLS:
            raise DataError(f"the samples have more than {len(found):,} attributes: too many")
    columns = {key: [own.get(k, "") for k in range(n)] for key, own in found.items()}
    return {name: values for name, values in columns.items() if len(set(values)) > 1}
