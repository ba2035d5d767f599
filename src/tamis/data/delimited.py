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
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from .._core.errors import DataError, shorten
from . import limits
from .collect import Columns, Rows
from .dataset import check_unique
from .fields import (
    WHITESPACE,
    Fields,
    MessyQuotes,
    carriage_return,
    count_cut,
    count_fields,
    ragged_line,
    split_fields,
)
from .lines import BLANK, BLOCK, Lines
from .names import ID_NAME, names_samples
from .raw import ROW_NAMES, Raw, Wanted, parse_number

LONGEST_RECORD = 100  # lines; a quote open for longer is a stray one
MOST_LETTERS = 2**31 - 1  # that the csv module can be told everywhere
SEPARATORS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}


def read_delimited(
    path: Path, wanted: Wanted, separator: str | None, transpose: bool, zipped: bool
) -> Raw:
    """Read a delimited text file, plain or gzip; `transpose` if features are in rows."""
    with Lines(path, zipped) as lines:
        told = _told_separator(lines)
        separator = separator or told
        found = _first_lines(lines, SEPARATORS.get(separator or "", separator))
        if not found:
            raise DataError(f"{path.name!r} is empty; a header line and rows are needed")
        separator = _find_separator(separator, [record for record, _ in found], path.name)
        if separator not in (WHITESPACE, " "):  # now it is known which quotes open a field
            found = _first_lines(lines, separator)
        sample = [record for record, _ in found]
        header, trailing, note = _header_names(lines, found[0][1], sample, separator, path.name)
        if len(sample) < 2:
            raise DataError(f"{path.name!r} has a header line but no rows; add the samples")
        check_unique(header, f"column names in {path.name!r}")
        rows = 0 if zipped else _expected_rows(path, sample, lines.position)
        first = _first_cell(sample[1], separator, path.name)
        collector = (Rows if transpose else Columns)(path, header, wanted, rows)
        collector.start(first, trailing)
        for fields in field_blocks(lines, separator, len(header), path.name):
            collector.add(fields)
        raw = collector.finish()
        raw.notes += note
        return raw


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
            if len(block) > BLOCK:
                count = count_cut(block, separator)
                limits.refuse_many(count, limits.COLUMNS, f"fields in line {number_:,}", name)
            for line in block.decode().split("\n")[:-1]:  # other ends of lines are letters
                yield (line.strip(" \t\r").replace("\t", " ") if blank else line) + "\n"

    blank = separator == WHITESPACE
    reader = csv.reader(text_lines(), delimiter=" " if blank else separator, skipinitialspace=blank)
    some: list[list[str]] = []
    size = 0
    with _long_fields():
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise _csv_fault(error, name, start + reader.line_num - 1) from error
            if row is None:
                break
            if len(row) <= 1 and not any(cell.strip() for cell in row):
                continue
            if len(row) != width:
                raise ragged_line(name, start + reader.line_num - 1, len(row), width)
            some.append(row)
            size += width + sum(map(len, row))
            if size > BLOCK:
                yield Fields.of_rows(some)
                some, size = [], 0
    if some:
        yield Fields.of_rows(some)


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let the csv module read fields that are longer than usual; none without end."""
    before = csv.field_size_limit(min(limits.FIELD.value, MOST_LETTERS))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _csv_fault(error: csv.Error, name: str, line: int) -> DataError:
    if "field limit" in str(error):
        return DataError(
            f"{name!r}: line {line:,} ends a field of more than {limits.FIELD.value:,} letters, or "
            f"a quote that nothing closes: repair the quotes ({limits.FIELD.more})"
        )
    if "new-line" in str(error):
        return carriage_return(name, line)
    return DataError(f"{name!r}: line {line:,}: {error}; repair the quotes")


def _told_separator(lines: Lines) -> str | None:
    """The delimiter that a first line ``sep=;`` tells a spreadsheet; the line is taken."""
    for line in lines.peek(1):
        if told := re.fullmatch(rb'"?sep=([^"\r])"?\r?', line, re.IGNORECASE):
            lines.line()
            return told[1].decode("ascii", "replace")
    return None


def _first_lines(lines: Lines, separator: str | None) -> list[tuple[bytes, int]]:
    """The header and up to five rows, each with the number of its lines; blank lines left out,
    those before the header taken."""
    marks = ",;\t| " if separator in (None, WHITESPACE) else str(separator)
    lines.skip(BLANK)
    ask = 6
    while True:
        seen = lines.peek(ask)
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
        stop = _record_end(lines, k, marks)
        if stop is None and not last:
            break
        stop = stop or k + 1
        parts = [*(line.rstrip(b"\r") for line in lines[k : stop - 1]), lines[stop - 1]]
        records.append((b"\n".join(parts), stop - k))
        k = stop
    return records


def _record_end(lines: list[bytes], first: int, marks: str) -> int | None:
    """After which line the record ends that begins with a line; None if a quote is left open."""
    open_, quotes = False, 0
    for k in range(first, len(lines)):
        quotes += lines[k].count(b'"')
        open_ = _leaves_open(lines[k], marks, open_)
        if not open_ or quotes % 2 == 0:
            return k + 1
    return None


def _leaves_open(line: bytes, marks: str, inside: bool = False) -> bool:
    """Whether a line ends inside a quoted field; `marks` are the possible delimiters.

    A line may begin `inside` one.
    """
    if b'"' not in line:
        return inside
    at = 0
    if inside:
        first = re.match(rb'(?:[^"]++|"")*+("?+)', line)
        assert first is not None
        if not first[1]:
            return True
        at = first.end()
    quoted = re.compile(rf'(?:^|[{re.escape(marks)}])"(?:[^"]++|"")*+("?+)'.encode())
    return any(not found[1] for found in quoted.finditer(line, at))


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


def _line_cells(line: bytes, separator: str, name: str) -> list[str]:
    text = line.decode("utf-8").strip("\r\n")
    if separator == WHITESPACE:
        return [(a or b).strip() for a, b in re.findall(r'"([^"]*)"|(\S+)', text)]
    with _long_fields():
        try:
            return [cell.strip() for cell in next(csv.reader([text], delimiter=separator))]
        except csv.Error as error:
            raise _csv_fault(error, name, 1) from error


def _first_cell(line: bytes, separator: str, name: str) -> str:
    head = line[:100_000].decode("utf-8", "ignore")
    cells = _line_cells(head.encode(), separator, name)
    return cells[0] if cells else ""


def _header_names(
    lines: Lines, n_lines: int, sample: list[bytes], separator: str, name: str
) -> tuple[list[str], bool, list[str]]:
    """Names of all fields of a row, whether the last is an empty trailing one, and remarks."""
    line = b"\n".join(lines.line() or b"" for _ in range(n_lines))
    if b"\r" in line:
        raise DataError(
            f"{name!r} has carriage returns inside its header line; save it with the line "
            "ends of Unix (LF) or Windows (CRLF)"
        )
    marks = " \t" if separator == WHITESPACE else separator
    if line.count(b'"') % 2 and _leaves_open(line, marks):
        at = line.rindex(b'"') + 1
        opened = line[at : at + 200].decode("utf-8", "replace")
        raise DataError(
            f"{name!r}: nothing closes the quote before {shorten(opened, 40)!r} in the header "
            "line; close or remove it"
        )
    limits.refuse_many(count_cut(line, separator), limits.COLUMNS, "columns", name)
    header = _line_cells(line, separator, name)
    body, note = sample[1:], []
    counts = Counter(count_fields(row, separator) for row in body)
    _refuse_title(header, max(counts, default=0), name)
    if counts and counts.most_common(1)[0][0] == len(header) + 1:
        ends = (separator.encode(), separator.encode() + b'""')
        if separator != WHITESPACE and all(row.rstrip(b"\r").endswith(ends) for row in body):
            header = [*header, ""]  # every row ends with a delimiter, the header does not
        else:
            _refuse_shift(header[0], body, separator, name)
            header = ["", *header]  # R's write.table: the row names have no header
            note = [
                "the header has one name fewer than the rows have fields: the first field is taken "
                f"as names of the rows, the second as {shorten(header[1])!r}"
            ]
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
            f"{name!r}: column {names.index('') + 1:,} has no name in the header; name it, or "
            "remove the column if it is empty"
        )
    return header, trailing, note


def _refuse_title(header: list[str], widest: int, name: str) -> None:
    """A title, or remarks of a program (GEO, GCT, featureCounts), stand above the names."""
    named = [cell for cell in header if cell]
    remark = named and named[0].startswith(("#", "!")) and len(header) + 1 < widest
    if remark or (len(named) == 1 and widest > 2):
        raise DataError(
            f"{name!r}: its first line, {shorten(named[0], 40)!r}, names no columns: remove "
            "whatever stands above (and below) the table"
        )


def _refuse_shift(first: str, body: list[bytes], separator: str, name: str) -> None:
    """Rows of one field more than the header are of names that it lacks, as R writes them; but
    hardly where it begins with a name of ids, and commas may be of decimals."""
    if separator in (WHITESPACE, "\t") or not (ID_NAME.fullmatch(first) or names_samples(first)):
        return
    if [_first_cell(row, separator, name) for row in body] != [
        str(k + 1) for k in range(len(body))
    ]:
        raise DataError(
            f"{name!r}: rows have one field more than the header has names, which begins with "
            f"{first!r}: name every column (of row names too), and write decimals with a point"
        )


def _expected_rows(path: Path, sample: list[bytes], after: int) -> int:
    """About how many rows follow, from the size of the file and of the first rows."""
    size = sum(len(row) + 1 for row in sample[1:])
    return int((path.stat().st_size - after) / size * (len(sample) - 1)) + 1
