"""Labels of samples from PLINK's phenotype and covariate files, or any table of them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names, nearest_hint, value_text
from ...data.fields import WHITESPACE
from ...data.quoting import record_readings
from .joined_ids import join_ids
from .samples import MISSING_LABELS, Samples

FAMILY_HEADERS, ID_HEADERS = ("fid", "#fid", "family"), ("iid", "#iid", "id", "sample", "sample_id")
NO_CLASSES = ("pat", "mat", "father", "mother", "sex")  # of plink2's tables of samples
QUOTE_CHARACTERS = "\"'"  # that R writes around fields
PLINK_CODES = {"0", "1", "2"}  # of PLINK's cases and controls, where 0 is unknown


@dataclass(frozen=True)
class Phenotypes:
    """A column of a table, for each sample.

    Attributes
    ----------
    labels : ndarray of shape (n,) of object
        None where the table has none.
    column : str
    unknown : int
        Rows of the table that are no sample.
    zeros : int
        Samples whose 0 was taken as unknown, as PLINK has it of cases (2) and controls (1).
    joined : str
        How rows were joined to samples, where that is to be reported (`join_ids`); else empty.
    """

    labels: np.ndarray
    column: str
    unknown: int
    zeros: int = 0
    joined: str = ""


def read_phenotypes(
    path: str | os.PathLike[str],
    samples: Samples,
    column: str | None = None,
    coded: bool = True,
) -> Phenotypes:
    """Labels of samples from a table: PLINK's (family, id, values; with or without a header), or
    any delimited one with a column of ids.

    Parameters
    ----------
    path : path
        Fields between tabs, commas, semicolons or spaces.
    samples : Samples
    column : str or None
        By its name in the header; None: the only one there is.
    coded : bool, default=True
        Beside 1 and 2 a 0 is unknown, as PLINK has it of cases and controls.

    Raises
    ------
    DataError
        There is no such column, no column of ids, or a sample comes twice with different labels.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome.readers.samples import Samples
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(f"{folder}/p.txt").write_text("FID IID sick\\na a yes\\nb b no\\n")
    ...     read_phenotypes(f"{folder}/p.txt", Samples.of_ids(["b", "a", "c"])).labels.tolist()
    ['no', 'yes', None]
    """
    path = Path(path)
    header, rows = _rows_of(path)
    ids, families, at = _columns_of(path.name, header, len(rows[0][1]), column)
    for number, fields in rows:
        if max(ids, at, families or 0) >= len(fields):
            raise DataError(
                f"{path.name!r}, line {number}: {counted_noun(len(fields), 'field')} only"
            )
        if header and any(fields[len(header) :]):
            raise DataError(
                f"{path.name!r}, line {number}: {counted_noun(len(fields), 'field')}, where the "
                f"header names {len(header):,}"
            )
    names = [fields[ids] for _, fields in rows]
    theirs = None if families is None else [fields[families] for _, fields in rows]
    places, joined = join_ids(samples, names, theirs, path.name)
    labels = np.full(len(samples), None, dtype=object)
    seen: dict[int, str] = {}
    for k, (number, fields) in zip(places, rows, strict=True):
        if k is None:
            continue
        if seen.setdefault(k, fields[at]) != fields[at]:
            raise DataError(
                f"{path.name!r}, line {number}: {value_text(fields[ids])} comes twice, with other "
                "labels"
            )
        labels[k] = None if fields[at] in MISSING_LABELS else fields[at]
    given = {label for label in labels if label is not None}
    zeros = 0
    if coded and given <= PLINK_CODES and "0" in given and "2" in given:
        zeros = int((labels == "0").sum())
        labels[labels == "0"] = None
    column = header[at] if header else "phenotype"
    return Phenotypes(labels, column, places.count(None), zeros, joined)


def column_names(path: Path) -> list[str]:
    """Of such a table; none without a header."""
    return _rows_of(path)[0] or []


def _rows_of(path: Path) -> tuple[list[str] | None, list[tuple[int, list[str]]]]:
    """The header, if there is one, and the numbered rows of fields."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise DataError(f"{str(path)!r} {what}: a table of samples is needed")
    content = path.read_bytes()
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(f"{path.name!r} is UTF-16 text: save it as UTF-8")
    lines = re.split(r"\r\n|\n|\r", content.decode("utf-8-sig", errors="replace"))
    numbered = [(k, line) for k, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise DataError(f"{path.name!r} is empty")
    delimiter = next((d for d in ("\t", ",", ";") if d in numbered[0][1]), None)
    header = _fields_of(numbered[0][1], delimiter, 0)
    rows = [(k, _fields_of(line, delimiter, len(header))) for k, line in numbered]
    first = [field.lower() for field in rows[0][1]]
    named = any(field in (*FAMILY_HEADERS, *ID_HEADERS) for field in first[:2]) or any(
        f in ID_HEADERS for f in first
    )
    if not named:
        return None, rows
    if len(rows) < 2:
        raise DataError(f"{path.name!r} has a header and no rows")
    if delimiter is None:
        _refuse_short_lines(path.name, len(header), rows)
    return rows[0][1], rows[1:]


def _refuse_short_lines(name: str, width: int, rows: list[tuple[int, list[str]]]) -> None:
    """Between blanks a value that is left out moves the others into its place."""
    for number, fields in rows:
        if len(fields) < width:
            raise DataError(
                f"{name!r}, line {number}: {counted_noun(len(fields), 'field')}, where the header "
                f"names {width:,}: write NA for a missing value"
            )


def _fields_of(line: str, delimiter: str | None, width: int) -> list[str]:
    """The fields of a line; of two ways to cut it the one of so many."""
    separator = delimiter or WHITESPACE
    ways = [cells for _, cells in record_readings(line, separator)]
    if not ways:  # quotes here and there
        return [field.strip(" \t" + QUOTE_CHARACTERS) for field in line.split(delimiter)]
    fields = min(ways, key=lambda cells: len(cells) != width)
    alone = [field.strip().strip("'") for field in fields]  # as some write them
    return alone if delimiter is None else [field.strip() for field in fields]


def _columns_of(
    name: str, header: list[str] | None, width: int, column: str | None
) -> tuple[int, int | None, int]:
    """Places of ids, of families if there are some, and of the labels."""
    if header is None:
        if width < 3:
            raise DataError(
                f"{name!r} has {counted_noun(width, 'field')} a line and no header: PLINK's files "
                "have family, id and values, other tables a header with a column IID"
            )
        if column is not None:
            raise DataError(
                f"{name!r} has no header, and so no column {value_text(column)}: give it a first "
                f"line of names, such as FID IID {value_text(column).strip(QUOTE_CHARACTERS)}"
            )
        return 1, 0, 2
    lower = [field.lower() for field in header]
    ids = (
        next(k for k, field in enumerate(lower) if field in ID_HEADERS)
        if set(lower) & set(ID_HEADERS)
        else None
    )
    if ids is None:
        raise DataError(f"{name!r} has no column of ids: name it IID")
    families = next((k for k, field in enumerate(lower) if field in FAMILY_HEADERS), None)
    others = [k for k in range(len(header)) if k not in (ids, families)]
    if column is None:
        likely = [k for k in others if lower[k] not in NO_CLASSES] or others
        if not likely:
            raise DataError(f"{name!r} has no column but names of samples")
        if len(likely) > 1:
            names = listed_names(header[k] for k in likely)
            raise DataError(
                f"{name!r} has several columns ({names}): say which has the phenotype, target="
            )
        return ids, families, likely[0]
    if header.count(column) > 1:
        raise DataError(f"{name!r} has the column {value_text(column)} twice")
    if column not in header:
        several = set(column.split(",")) <= set(header)
        near = nearest_hint(column, [header[k] for k in others])
        hint = "columns are named one at a time" if several else near
        raise DataError(f"{name!r} has no column {value_text(column)}: {hint}")
    return ids, families, header.index(column)
