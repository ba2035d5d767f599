"""The text of a mapping file, and the records of a table with the line that each begins on."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from ..._core.errors import DataError
from ...data.limits import Limit
from ...data.lines import Lines
from ...data.quoting import long_fields

SIZE_LIMIT = Limit("TAMIS_LARGEST_MAPPING", 512 << 20)  # bytes
MAX_RECORD_FIELDS = 1000  # fields of a record


def refuse_large(path: Path) -> None:
    """A file larger than any mapping is likely to be."""
    size = path.stat().st_size
    if size > SIZE_LIMIT.value:
        raise DataError(
            f"{path.name!r} has {size:,} bytes, and mappings of at most {SIZE_LIMIT.value:,} are "
            f"read; {SIZE_LIMIT.more}"
        )


def read_text(path: Path) -> str:
    """A text in UTF-8, without a byte order mark.

    Raises
    ------
    DataError
        It is not UTF-8, holds NUL bytes, or is too large.
    """
    refuse_large(path)
    with Lines(path, zipped=False) as lines:
        return b"".join(block for block, _ in lines).decode()


def looks_like_xml(path: Path) -> bool:
    """Whether a file begins as XML does."""
    with open(path, "rb") as file:
        head = file.read(200)
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<?xml", b"<rdf:", b"<Alignment"))


def records_with_lines(
    text: str, separator: str, name: str, line: int = 1
) -> Iterator[tuple[int, list[str]]]:
    """Line and fields of each record; blank lines are left out.

    Parameters
    ----------
    text : str
    separator : str
        A tab or a comma. Fields may stand in quotes (RFC 4180) and then hold line ends.
    name : str
        The file's, for messages.
    line : int, default=1
        Number of the first line of the text.

    Examples
    --------
    >>> list(records_with_lines("a\\tb\\n\\nc\\td\\n", "\\t", "known.tsv"))
    [(1, ['a', 'b']), (3, ['c', 'd'])]
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    with long_fields():
        while True:
            begins = line + reader.line_num
            try:
                fields = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise DataError(
                    f"{name!r}, line {begins:,}: {error}; is a quotation mark not closed?"
                ) from None
            if len(fields) > MAX_RECORD_FIELDS:
                raise DataError(
                    f"{name!r}, line {begins:,}: {len(fields):,} fields, and mappings have at most "
                    f"{MAX_RECORD_FIELDS:,}; is it another table?"
                )
            if any(field.strip() for field in fields):
                yield begins, fields


def wide_record(name: str, line: int, fields: list[str], width: int) -> DataError:
    """A record with more fields than the table has columns."""
    return DataError(
        f"{name!r}, line {line:,}: {len(fields)} fields, and the table has {width} columns; "
        "is there a delimiter too many, or a quotation mark that is not closed?"
    )


def confidence_of(text: str, name: str, line: int) -> float:
    """A number from 0 to 1; what a file leaves out is 1, as SSSOM has it."""
    if not text.strip():
        return 1.0
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if 1.0 < value < 1.0 + 1e-6:  # of a sum in single precision
        return 1.0
    if not 0.0 <= value <= 1.0:
        raise DataError(
            f"{name!r}, line {line:,}: the confidence is {text.strip()[:40]!r}; a number between "
            "0 and 1 is needed"
        )
    return value
