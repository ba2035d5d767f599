"""Rows of delimited text as fields: the fast way, and RFC 4180 in full where quotes need it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import chain

from .._core.errors import DataError, listed_names, shorten_text
from . import limits
from .fields import (
    WHITESPACE,
    Fields,
    MessyQuotes,
    carriage_return,
    count_cut,
    ragged_line,
    split_fields,
)
from .lines import BLOCK_BYTES
from .quoting import (
    ESCAPED_QUOTE,
    doubled_quotes,
    is_certain,
    long_fields,
    plain_blanks,
    record_readings,
)


def field_blocks(
    lines: Iterator[tuple[bytes, int]], separator: str, width: int, name: str
) -> Iterator[Fields]:
    """The rest of the file as fields; messy quotes go through the csv module."""
    for block, number_ in lines:
        try:
            fields = split_fields(block, separator, width, name, number_)
        except MessyQuotes:
            yield from read_csv_blocks(chain([(block, number_)], lines), separator, width, name)
            return
        if fields is not None:
            yield fields


def read_csv_blocks(blocks, separator: str, width: int, name: str) -> Iterator[Fields]:
    """RFC 4180 in full, and R's escapes: line ends in quotes, stray quotes taken literally."""
    start = 0

    def text_lines():
        nonlocal start
        marks = " \t" if blank else separator
        inside = by_r = False  # a quoted field that goes on, in a record with R's escapes
        for block, number_ in blocks:
            start = start or number_
            if len(block) > BLOCK_BYTES:
                count = count_cut(block, separator)
                limits.refuse_many(count, limits.COLUMNS_LIMIT, f"fields in line {number_:,}", name)
            for k, line in enumerate(block.decode().split("\n")[:-1]):  # other ends are letters
                if '"' in line and not inside:
                    settled = _settled_line(line, separator, width, name, number_ + k)
                    by_r = ESCAPED_QUOTE in line and settled.rstrip("\r") != line.rstrip("\r")
                    line = settled
                elif inside and ESCAPED_QUOTE in line:
                    if not by_r or "\\\\" in line:
                        raise ambiguous_quotes_error(name, f"line {number_ + k:,}", [[line]])
                    line = line.replace(ESCAPED_QUOTE, '""')
                was, inside = inside, leaves_open(line.encode(), marks, inside)
                if blank:
                    line = plain_blanks(line if was else line.lstrip(" \t"), was)
                    line = line if inside else line.rstrip(" \t\r")
                if was and inside and width > 2 and count_cut(line.encode(), separator) == width:
                    raise DataError(
                        f"{name!r}: line {number_ + k:,} looks like a row and stands inside a "
                        "quote that was opened before: write a quote in a field as two"
                    )
                yield line + "\n"

    blank = separator == WHITESPACE
    reader = csv.reader(text_lines(), delimiter=" " if blank else separator, skipinitialspace=blank)
    some: list[list[str]] = []
    size = 0
    with long_fields():
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
            if size > BLOCK_BYTES:
                yield Fields.of_rows(some)
                some, size = [], 0
    if some:
        yield Fields.of_rows(some)


def _settled_line(line: str, separator: str, width: int, name: str, number: int) -> str:
    """A line that begins a record, as RFC 4180 has it: R's escapes are doubled quotes, and quotes
    that are neither around a field nor escaped in one are letters."""
    plain, marks = line.rstrip("\r"), " \t" if separator == WHITESPACE else separator
    ways = record_readings(plain, separator)
    fits = [way for way in ways if len(way[1]) == width]
    if fits:
        if not is_certain(plain, fits):
            raise ambiguous_quotes_error(name, f"line {number:,}", [cells for _, cells in fits])
        return fits[0][0]
    for text in dict.fromkeys((doubled_quotes(plain, separator), plain)):
        if leaves_open(text.encode(), marks):  # a field that goes on in the next line
            return text
    if ways:
        return ways[0][0]
    if ESCAPED_QUOTE in plain:
        raise ambiguous_quotes_error(name, f"line {number:,}", [[plain]])
    letters = plain.split(None if separator == WHITESPACE else separator)
    if len(letters) != width:
        return line
    between = " " if separator == WHITESPACE else separator
    return between.join('"' + cell.replace('"', '""') + '"' for cell in letters)


def ambiguous_quotes_error(name: str, where: str, ways: list[list[str]]) -> DataError:
    pairs = [pair for pair in zip(ways[0], ways[-1], strict=False) if pair[0] != pair[1]]
    examples = [shorten_text(cell, 40) for cell in (pairs[0] if pairs else ())]
    examples = examples or [next(shorten_text(cell, 40) for cell in ways[0] if "\\" in cell)]
    return DataError(
        f"{name!r}: {where} can be read in two ways, by what its backslashes mean in "
        f"{listed_names(examples)}: write a quote in a field as two (in R: qmethod = 'double')"
    )


def _csv_fault(error: csv.Error, name: str, line: int) -> DataError:
    if "field limit" in str(error):
        return DataError(
            f"{name!r}: line {line:,} ends a field of more than {limits.FIELD_LIMIT.value:,} "
            "letters, or a quote that nothing closes: repair the quotes "
            f"({limits.FIELD_LIMIT.more})"
        )
    if "new-line" in str(error):
        return carriage_return(name, line)
    return DataError(f"{name!r}: line {line:,}: {error}; repair the quotes")


def leaves_open(line: bytes, marks: str, inside: bool = False) -> bool:
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
