"""Records of delimited text whose quotes are written as RFC 4180 or as R does.

A quote inside a quoted field is doubled by RFC 4180 (pandas, Excel, SAS, R's `write.csv`). R's
`write.table` puts a backslash before it and leaves other backslashes as they are; data.table's
`fwrite` can put one before these too. So a backslash before a quote may end a field, or not, and
two backslashes may be one. A record is cut in each way, and those count that are complete: every
quoted field ends before a delimiter, and beside such a backslash quotes stand in no other field.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager

from . import limits
from .fields import WHITESPACE, count_fields

ESCAPED_QUOTE = '\\"'
MOST_LETTERS = 2**31 - 1  # that the csv module takes everywhere


@contextmanager
def long_fields() -> Iterator[None]:
    """Let the csv module read fields that are longer than usual; none without end."""
    before = csv.field_size_limit(min(limits.FIELD_LIMIT.value, MOST_LETTERS))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def record_readings(record: str, separator: str) -> list[tuple[str, list[str]]]:
    """The ways to cut a record, each as RFC 4180 has it and as fields: one, rarely two; none if
    its quotes are stray.

    Examples
    --------
    >>> record_readings(r'"5\\"-NT",EGFR', ",")
    [('"5""-NT",EGFR', ['5"-NT', 'EGFR'])]
    >>> [fields for _, fields in record_readings(r'"C:\\",EGFR', ",")]
    [['C:\\\\', 'EGFR']]
    """
    found: list[tuple[str, list[str]]] = []
    texts = (record, doubled_quotes(record, separator), doubled_quotes(record, separator, "\\\\"))
    for text in dict.fromkeys(texts):
        if ESCAPED_QUOTE in record and not _quotes_around(text, separator):
            continue
        cells = _strict_fields(text, separator)
        if cells is not None and cells not in [others for _, others in found]:
            found.append((text, cells))
    return found


def doubled_quotes(record: str, separator: str, backslash: str = "\\") -> str:
    """A record that R wrote, with its quotes doubled instead; of unquoted fields they stay.

    `backslash` is how a backslash is written: as it is by `write.table`, doubled by `fwrite`.
    """
    if ESCAPED_QUOTE not in record:
        return record
    mark = " \t" if separator == WHITESPACE else re.escape(separator)
    escape = r'\\"' if len(backslash) == 1 else r'\\["\\]'
    quoted = rf'(?<![^{mark}\n])"(?:[^"\\]++|{escape}|\\)*+(?:"|\Z)'

    def with_doubled(found: re.Match[str]) -> str:
        return re.sub(escape, lambda pair: '""' if pair[0] == ESCAPED_QUOTE else "\\", found[0])

    return re.sub(quoted, with_doubled, record)


def _strict_fields(record: str, separator: str) -> list[str] | None:
    """The fields of a record by RFC 4180, to the letter."""
    blank = separator == WHITESPACE
    text = plain_blanks(record.strip(" \t\r\n")) if blank else record
    with long_fields():
        try:
            rows = list(
                csv.reader(
                    [text],
                    delimiter=" " if blank else separator,
                    skipinitialspace=blank,
                    strict=True,
                )
            )
        except csv.Error:
            return None
    return rows[0] if len(rows) == 1 else None


def _quotes_around(record: str, separator: str) -> bool:
    """Whether quotes stand only around fields, and doubled inside those."""
    blank = separator == WHITESPACE
    mark = " \t" if blank else re.escape(separator)
    field = rf'(?:"(?:[^"]++|"")*+"|[^{mark}"]*+)'
    text = record.strip(" \t\r\n") if blank else record
    return re.fullmatch(rf"{field}(?:[{mark}]{field})*+", text) is not None


def plain_blanks(line: str, inside: bool = False) -> str:
    """A line with blanks for the tabs between fields; it may begin `inside` a quoted one."""
    if "\t" not in line:
        return line
    if '"' not in line:
        return line if inside else line.replace("\t", " ")
    begin = re.match(r'(?:[^"]++|"")*+"?', line) if inside else None
    at = begin.end() if begin else 0
    quoted_or_tab = r'(?<![^ \t])"(?:[^"]++|"")*+"?|\t'
    return line[:at] + re.sub(
        quoted_or_tab, lambda found: " " if found[0] == "\t" else found[0], line[at:]
    )


def is_certain(record: str, ways: list[tuple[str, list[str]]]) -> bool:
    """Whether one way is left, and with escapes no two backslashes that could be one."""
    return len(ways) == 1 and (ways[0][0] == record or "\\\\" not in record)


def count_of(record: bytes, separator: str) -> int:
    """Fields of a record, by the first way to cut it."""
    if b'"' not in record:
        return count_fields(record, separator)
    ways = record_readings(record.decode("utf-8", "replace").rstrip("\r\n"), separator)
    return len(ways[0][1]) if ways else count_fields(record, separator)
