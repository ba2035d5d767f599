"""CSV, TSV and other delimited text, wide or tall, at the speed of the number parser.

The file is read in blocks of whole lines (`lines`), cut into fields (`fields`), and
collected by column (`Columns`) or, for features in rows, by row (`Rows`).

A column is text if every value in it is text, numeric if every value is a number; both in
one column is an error that names the cell.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from .._core.errors import DataError, shorten
from .collect import Columns, Rows
from .dataset import check_unique
from .fields import WHITESPACE, Fields, MessyQuotes, count_fields, ragged_line, split_fields
from .lines import Lines
from .raw import ROW_NAMES, Raw, Wanted, parse_number

LONGEST_RECORD = 100  # lines; a quote open for longer is a stray one
SEPARATORS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}


def read_delimited(
    path: Path, wanted: Wanted, separator: str | None, transpose: bool, zipped: bool
) -> Raw:
    """Read a delimited text file, plain or gzip; `transpose` if features are in rows."""
    with Lines(path, zipped) as lines:
        found = _first_lines(lines, SEPARATORS.get(separator or "", separator))
        if not found:
            raise DataError(f"{path.name!r} is empty; a header line and rows are needed")
        separator = _find_separator(separator, [record for record, _ in found], path.name)
        if separator not in (WHITESPACE, " "):  # now it is known which quotes open a field
            found = _first_lines(lines, separator)
        sample = [record for record, _ in found]
        header, trailing = _header_names(lines, found[0][1], sample, separator, path.name)
        if len(sample) < 2:
            raise DataError(f"{path.name!r} has a header line but no rows; add the samples")
        check_unique(header, f"column names in {path.name!r}")
        rows = 0 if zipped else _expected_rows(path, sample, lines.position)
        first = _first_cell(sample[1], separator)
        collector = (Rows if transpose else Columns)(path.name, header, wanted, rows)
        collector.start(first, trailing)
        for fields in field_blocks(lines, separator, len(header), path.name):
            collector.add(fields)
        return collector.finish()


def field_blocks(lines: Lines, separator: str, width: int, name: str) -> Iterator[Fields]:
    """The rest of the file as fields; messy quotes go through the csv module."""
    for block, number_ in lines:
        try:
            fields = split_fields(block, separator, width, name, number_)
        except MessyQuotes:
            yield from _csv_blocks(chain([(block, number_)], lines), separator, width, name)
            return
        if fields is not None:
            yield fields


def _csv_blocks(blocks, separator: str, width: int, name: str) -> Iterator[Fields]:
    """RFC 4180 in full: doubled quotes, line ends in quotes, stray quotes taken literally."""
    start = 0

    def text_lines():
        nonlocal start
        for block, number_ in blocks:
            start = start or number_
            text = block.decode()
            if separator == WHITESPACE:
                text = re.sub(r"(?m)^[ \t]+|[ \t\r]+$", "", text).replace("\t", " ")
            yield from text.splitlines(keepends=True)

    blank = separator == WHITESPACE
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(text_lines(), delimiter=" " if blank else separator, skipinitialspace=blank)
    rows = (row for row in reader if any(cell.strip() for cell in row) or len(row) > 1)
    while True:
        try:
            some = list(islice(rows, max(1, 100_000 // width)))
        except csv.Error as error:
            raise DataError(
                f"{name!r}: line {start + reader.line_num - 1:,}: {error}; repair the quotes"
            ) from error
        if not some:
            return
        for k, row in enumerate(some):
            if len(row) != width:
                line = start + reader.line_num - 1 - (len(some) - 1 - k)
                raise ragged_line(name, line, len(row), width)
        yield Fields.of_rows(some)


def _first_lines(lines: Lines, separator: str | None) -> list[tuple[bytes, int]]:
    """The header and up to five rows, each with the number of its lines; blank lines left out,
    those before the header taken."""
    marks = ",;\t| " if separator in (None, WHITESPACE) else str(separator)
    ask = 6
    while True:
        seen = lines.peek(ask)
        if seen and not seen[0].strip():
            lines.line()
            continue
        last = len(seen) < ask or ask > LONGEST_RECORD
        sample = [r for r in _joined_lines(seen, marks, last) if r[0].strip()]
        if len(sample) >= 2 or last:
            return sample
        ask *= 2


def _joined_lines(lines: list[bytes], marks: str, last: bool) -> list[tuple[bytes, int]]:
    """Lines, joined where a quoted field goes on in the next one, and how many were joined.

    A quote opens a field only at its start. One that nothing closes is left as it stands if
    these are the `last` lines to look at, else that record is left out.
    """
    records: list[tuple[bytes, int]] = []
    k = 0
    while k < len(lines):
        record, stop = lines[k], k + 1
        while stop < len(lines) and _is_open(record, marks):
            record, stop = record.rstrip(b"\r") + b"\n" + lines[stop], stop + 1
        if _is_open(record, marks):
            if not last:
                break
            record, stop = lines[k], k + 1
        records.append((record, stop - k))
        k = stop
    return records


def _is_open(record: bytes, marks: str) -> bool:
    """Whether the record ends inside a quoted field; `marks` are the possible delimiters."""
    if record.count(b'"') % 2 == 0:
        return False
    start = rf"(^|[{re.escape(marks)}])".encode()
    return re.search(start + b'"', re.sub(start + rb'"(?:[^"]|"")*"', rb"\1", record)) is not None


def _find_separator(given: str | None, sample: list[bytes], name: str) -> str:
    """The delimiter named, or the one that cuts the first lines evenly into most fields."""
    if given is not None:
        given = SEPARATORS.get(given, given)
        if given == " ":
            return WHITESPACE
        if given != WHITESPACE and (len(given) != 1 or not given.isascii() or given in '"\r\n'):
            raise DataError(
                f"separator {given!r} is not allowed: give one character, 'tab' or 'whitespace'"
            )
        return given
    best: tuple[tuple[bool, bool, int], str] | None = None
    for candidate in ("\t", ",", ";", "|", WHITESPACE):
        counts = [count_fields(line, candidate) for line in sample]
        if counts[0] < 2 and max(counts) < 2:
            continue
        body = set(counts[1:]) or {counts[0]}
        even = len(body) == 1 and max(body) - counts[0] in (0, 1)
        key = (even, candidate != WHITESPACE, counts[0])
        if best is None or key > best[0]:
            best = key, candidate
    return best[1] if best else ","


def _line_cells(line: bytes, separator: str) -> list[str]:
    text = line.decode("utf-8").strip("\r\n")
    if separator == WHITESPACE:
        return [(a or b).strip() for a, b in re.findall(r'"([^"]*)"|(\S+)', text)]
    return [cell.strip() for cell in next(csv.reader([text], delimiter=separator))]


def _first_cell(line: bytes, separator: str) -> str:
    head = line[:100_000].decode("utf-8", "ignore")
    return _line_cells(head.encode(), separator)[0]


def _header_names(
    lines: Lines, n_lines: int, sample: list[bytes], separator: str, name: str
) -> tuple[list[str], bool]:
    """Names of all fields of a row, and whether the last is an empty trailing one."""
    line = b"\n".join(lines.line() or b"" for _ in range(n_lines))
    if b"\r" in line:
        raise DataError(
            f"{name!r} has carriage returns inside its header line; save it with the line "
            "ends of Unix (LF) or Windows (CRLF)"
        )
    if _is_open(line, " \t" if separator == WHITESPACE else separator):
        opened = line[line.rindex(b'"') :].decode("utf-8")
        raise DataError(
            f"{name!r}: nothing closes the quote before {shorten(opened[1:], 40)!r} in the header "
            "line; close or remove it"
        )
    csv.field_size_limit(2**31 - 1)
    header = _line_cells(line, separator)
    body = sample[1:]
    counts = Counter(count_fields(row, separator) for row in body)
    if counts and counts.most_common(1)[0][0] == len(header) + 1:
        ends = (separator.encode(), separator.encode() + b'""')
        if separator != WHITESPACE and all(row.rstrip(b"\r").endswith(ends) for row in body):
            header = [*header, ""]  # every row ends with a delimiter, the header does not
        else:
            header = ["", *header]  # R's write.table: the row names have no header
    trailing = len(header) > 1 and header[-1] == ""
    if header[0] in ("", "Unnamed: 0"):
        header[0] = ROW_NAMES
    some = header[:200]
    decimals = sum(1 for h in some if (x := parse_number(h)) is not None and x != x // 1)
    if decimals > len(some) / 2:
        raise DataError(
            f"{name!r} starts with a line of numbers; add a header line with the column names"
        )
    names = header[:-1] if trailing else header
    if "" in names:
        raise DataError(
            f"{name!r}: column {names.index('') + 1:,} has no name in the header; name it"
        )
    return header, trailing


def _expected_rows(path: Path, sample: list[bytes], after: int) -> int:
    """About how many rows follow, from the size of the file and of the first rows."""
    size = sum(len(row) + 1 for row in sample[1:])
    return int((path.stat().st_size - after) / size * (len(sample) - 1)) + 1
