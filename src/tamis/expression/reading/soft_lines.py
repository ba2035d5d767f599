"""The lines of a SOFT file, one entity after the other, in bounded memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..._core.errors import DataError, counted_noun, shorten_text
from .bounded_lines import TEXT_OVERHEAD_BYTES, BoundedLines
from .geo_entities import Attributes, Platform, Sample

KEPT_SECTIONS = {"SERIES", "PLATFORM", "SAMPLE"}
CHECKED_LINES = 1 << 16  # lines after which memory is looked at

Series = tuple[str, Attributes]


def read_entities(path: Path, infinite: str = "refuse") -> Iterator[Platform | Sample | Series]:
    """Platforms and samples as classes, a series as its name and attributes; others are skipped.

    Raises
    ------
    DataError
        The file is damaged, or takes more than half of the free memory.
    """
    lines = BoundedLines(path, infinite)
    order: dict[str, list[str]] = {}  # of the probes of each platform's first sample
    kind = name = ""
    attributes: Attributes = {}
    columns: dict[str, list[str]] = {}
    probes: list[str] | None = None
    values: np.ndarray | None = None
    first = True
    for line in lines:
        if line.startswith("^"):
            if kind in KEPT_SECTIONS:
                yield _entity_of_kind(lines, kind, name, attributes, columns, probes, values)
            kind, name = (part.strip() for part in line[1:].partition("=")[::2])
            kind = kind.upper()
            attributes, columns, probes, values = {}, {}, None, None
            if kind in KEPT_SECTIONS and not name:
                raise lines.wrong("an entity without a name")
        elif first:
            raise DataError(
                f"{path.name!r} is no SOFT file: its first line is {shorten_text(line)!r}, where "
                "an entity begins as '^SERIES = GSE1000'"
            )
        elif kind == "PLATFORM" and line.lower().startswith("!platform_table_begin"):
            columns = _text_columns(lines, "!platform_table_end")
        elif kind == "SAMPLE" and line.lower().startswith("!sample_table_begin"):
            if values is not None or "platform_id" not in attributes:
                raise lines.wrong(
                    "a table of a sample that has one"
                    if values is not None
                    else "a table of a sample whose platform_id does not stand before"
                )
            probes, values = _sample_values(lines, attributes)
            known = order.setdefault(attributes["platform_id"][0], probes)
            if known is not probes and known == probes:
                lines.hold(-TEXT_OVERHEAD_BYTES * len(probes))
                probes = None
        elif line.startswith("!") and kind in KEPT_SECTIONS:
            key, _, value = line[1:].partition("=")
            key = key.strip().partition("_")[2]
            attributes.setdefault(key, []).append(value.strip())
            lines.hold(TEXT_OVERHEAD_BYTES + 2 * len(line))
        first = False
    if kind in KEPT_SECTIONS:
        yield _entity_of_kind(lines, kind, name, attributes, columns, probes, values)


def _entity_of_kind(
    lines: BoundedLines,
    kind: str,
    name: str,
    attributes: Attributes,
    columns: dict[str, list[str]],
    probes: list[str] | None,
    values: np.ndarray | None,
) -> Platform | Sample | Series:
    if kind == "PLATFORM":
        return Platform(name, attributes, columns)
    if kind == "SAMPLE":
        if values is None and _rows_said(attributes) != 0:
            raise DataError(
                f"{lines.path.name!r} is cut short: it has no table of {shorten_text(name)!r}, "
                "and does not say that there is none (data_row_count = 0)"
            )
        return Sample(name, attributes, probes, values)
    return name, attributes


def _rows_said(attributes: Attributes) -> int | None:
    """Rows of a sample's table; None if it does not say so."""
    said = attributes.get("data_row_count", [""])[0]
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else None


def _text_columns(lines: BoundedLines, end: str) -> dict[str, list[str]]:
    """Columns of texts by name."""
    rows = lines.rows(end)
    heading = next(rows, [])
    if len(set(heading)) < len(heading):
        raise lines.wrong("a heading that names a column twice")
    columns: list[list[str]] = [[] for _ in heading]
    for fields in rows:
        for column, text in zip(columns, fields, strict=True):
            column.append(text)
        lines.hold(TEXT_OVERHEAD_BYTES * len(fields) + sum(map(len, fields)))
    return dict(zip(heading, columns, strict=True))


def _sample_values(lines: BoundedLines, attributes: Attributes) -> tuple[list[str], np.ndarray]:
    """ID_REF and VALUE of a sample."""
    rows = lines.rows("!sample_table_end")
    heading = next(rows, [])
    if "ID_REF" not in heading or "VALUE" not in heading:
        raise lines.wrong("a heading without ID_REF and VALUE")
    at, of = heading.index("ID_REF"), heading.index("VALUE")
    probes, values = [], array("d")
    for fields in rows:
        probes.append(fields[at])
        values.append(lines.number_of(fields[of]))
        if not len(probes) % CHECKED_LINES:
            lines.hold((8 + TEXT_OVERHEAD_BYTES) * CHECKED_LINES)
    if len(set(probes)) < len(probes):
        raise lines.wrong("the end of a table that names a probe twice")
    said = _rows_said(attributes)
    if said not in (None, len(probes)):
        raise lines.wrong(
            f"the end of a table of {counted_noun(len(probes), 'row')}, where {said:,} are said"
        )
    lines.hold((8 + TEXT_OVERHEAD_BYTES) * (len(probes) % CHECKED_LINES))
    return probes, np.frombuffer(values, np.float64)
