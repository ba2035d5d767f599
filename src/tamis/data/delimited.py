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
from itertools import chain
from pathlib import Path

from .._core.errors import DataError, listing, shorten
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
from .quoting import ESCAPED, count_of, doubled, is_certain, long_fields, plain_blanks, readings
from .raw import ROW_NAMES, Raw, Wanted, parse_number

LONGEST_RECORD = 100  # lines; a quote open for longer is a stray one
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
        header, trailing, note = _header_names(lines, found, separator, path.name)
        if len(sample) < 2:
            raise DataError(f"{path.name!r} has a header line but no rows; add the samples")
        check_unique(header, f"column names in {path.name!r}")
        if separator == WHITESPACE and not transpose:
            _refuse_moved(header, found, wanted, path.name)
        rows = 0 if zipped else _expected_rows(path, sample, lines.position)
        first = _first_cell(sample[1], separator)
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
    """RFC 4180 in full, and R's escapes: line ends in quotes, stray quotes taken literally."""
    start = 0

    def text_lines():
        nonlocal start
        marks = " \t" if blank else separator
        inside = by_r = False  # a quoted field that goes on, in a record with R's escapes
        for block, number_ in blocks:
            start = start or number_
            if len(block) > BLOCK:
                count = count_cut(block, separator)
                limits.refuse_many(count, limits.COLUMNS, f"fields in line {number_:,}", name)
            for k, line in enumerate(block.decode().split("\n")[:-1]):  # other ends are letters
                if '"' in line and not inside:
                    settled = _settled(line, separator, width, name, number_ + k)
                    by_r = ESCAPED in line and settled.rstrip("\r") != line.rstrip("\r")
                    line = settled
                elif inside and ESCAPED in line:
                    if not by_r or "\\\\" in line:
                        raise _ambiguous(name, f"line {number_ + k:,}", [[line]])
                    line = line.replace(ESCAPED, '""')
                was, inside = inside, _leaves_open(line.encode(), marks, inside)
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
            if size > BLOCK:
                yield Fields.of_rows(some)
                some, size = [], 0
    if some:
        yield Fields.of_rows(some)


def _settled(line: str, separator: str, width: int, name: str, number: int) -> str:
    """A line that begins a record, as RFC 4180 has it: R's escapes are doubled quotes, and quotes
    that are neither around a field nor escaped in one are letters."""
    plain, marks = line.rstrip("\r"), " \t" if separator == WHITESPACE else separator
    ways = readings(plain, separator)
    fits = [way for way in ways if len(way[1]) == width]
    if fits:
        if not is_certain(plain, fits):
            raise _ambiguous(name, f"line {number:,}", [cells for _, cells in fits])
        return fits[0][0]
    for text in dict.fromkeys((doubled(plain, separator), plain)):
        if _leaves_open(text.encode(), marks):  # a field that goes on in the next line
            return text
    if ways:
        return ways[0][0]
    if ESCAPED in plain:
        raise _ambiguous(name, f"line {number:,}", [[plain]])
    letters = plain.split(None if separator == WHITESPACE else separator)
    if len(letters) != width:
        return line
    between = " " if separator == WHITESPACE else separator
    return between.join('"' + cell.replace('"', '""') + '"' for cell in letters)


def _ambiguous(name: str, where: str, ways: list[list[str]]) -> DataError:
    pairs = [pair for pair in zip(ways[0], ways[-1], strict=False) if pair[0] != pair[1]]
    told = [shorten(cell, 40) for cell in (pairs[0] if pairs else ())]
    told = told or [next(shorten(cell, 40) for cell in ways[0] if "\\" in cell)]
    return DataError(
        f"{name!r}: {where} can be read in two ways, by what its backslashes mean in "
        f"{listing(told)}: write a quote in a field as two (in R: qmethod = 'double')"
    )


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
        counts = [count_of(line, candidate) for line in sample]
        if counts[0] < 2 and max(counts) < 2:
            continue
        body = set(counts[1:]) or {counts[0]}
        even = len(body) == 1 and max(body) - counts[0] in (0, 1)
        key = (even, candidate != WHITESPACE, counts[0])
        if best is None or key > best[0]:
            best = key, candidate
    return best[1] if best else ","


def _first_cell(line: bytes, separator: str) -> str:
    head = line[:100_000].decode("utf-8", "ignore").strip("\r\n")
    if ways := readings(head, separator):
        return ways[0][1][0].strip()
    cells = head.split(None if separator == WHITESPACE else separator)
    return cells[0].strip(' \t"') if cells else ""


def _header_names(
    lines: Lines, sample: list[tuple[bytes, int]], separator: str, name: str
) -> tuple[list[str], bool, list[str]]:
    """Names of all fields of a row, whether the last is an empty trailing one, and remarks."""
    header, n_lines, body = _header_fields(lines, sample, separator, name)
    for _ in range(n_lines):
        lines.line()
    note: list[str] = []
    widths = [_width_like(row, separator, len(header)) for row in body]
    counts = Counter(widths)
    _refuse_title(header, max(counts, default=0), name)
    if counts and counts.most_common(1)[0][0] == len(header) + 1:
        ends = (separator.encode(), separator.encode() + b'""')
        if separator != WHITESPACE and all(row.rstrip(b"\r").endswith(ends) for row in body):
            header = [*header, ""]  # every row ends with a delimiter, the header does not
        else:
            _refuse_shift(header[0], body, separator, name)
            header = ["", *header]  # R's write.table: the row names have no header
            note.append(
                "the header has one name fewer than the rows have fields: the first field is taken "
                f"as names of the rows, the second as {shorten(header[1])!r}"
            )
    if any("\\\\" in cell for cell in header):
        note.append(
            "two backslashes in a name stay two, also where fwrite(qmethod = 'escape') wrote one"
        )
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


def _header_fields(
    lines: Lines, sample: list[tuple[bytes, int]], separator: str, name: str
) -> tuple[list[str], int, list[bytes]]:
    """The names in the header, how many lines it has, and the rows that were looked at.

    Where a backslash before a quote leaves two ways to cut it, rows say which: as many fields as
    names, or one more, as R has row names without a header.
    """
    marks = " \t" if separator == WHITESPACE else separator
    seen = lines.peek(sum(n for _, n in sample))
    line = b"\n".join(text.rstrip(b"\r") for text in seen[: sample[0][1]])
    if b"\r" in line:
        raise DataError(
            f"{name!r} has carriage returns inside its header line; save it with the line "
            "ends of Unix (LF) or Windows (CRLF)"
        )
    if line.count(b'"') % 2 and _leaves_open(line, marks) and ESCAPED.encode() not in line:
        at = line.rindex(b'"') + 1
        opened = line[at : at + 200].decode("utf-8", "replace")
        raise DataError(
            f"{name!r}: nothing closes the quote before {shorten(opened, 40)!r} in the header "
            "line; close or remove it"
        )
    limits.refuse_many(count_cut(line, separator), limits.COLUMNS, "columns", name)
    found: list[tuple[list[str], int, list[bytes]]] = []
    certain = True
    by_r = [text.replace(ESCAPED.encode(), b'""') for text in seen]
    for view in (seen, by_r) if by_r != seen else (seen,):
        n = _record_end(view, 0, marks) or 1
        record = "\n".join(text.rstrip(b"\r").decode("utf-8", "replace") for text in seen[:n])
        body = [row for row, _ in _joined_lines(seen[n:], marks, last=True) if row.strip()][:5]
        for text, cells in readings(record, separator):
            names = [cell.strip() for cell in cells]
            certain &= is_certain(record, [(text, cells)])
            if names not in [others for others, _, _ in found]:
                found.append((names, n, body))
    if not found:
        raise DataError(
            f"{name!r}: quotes in the header line stand neither around a name nor doubled inside "
            "one: write a quote in a name as two"
        )
    ways = [way for way in found if _fits(way[0], way[2], separator)] or found
    if len(ways) > 1 or not certain:
        raise _ambiguous(name, "the header", [names for names, _, _ in ways])
    return ways[0]


def _fits(names: list[str], body: list[bytes], separator: str) -> bool:
    width = len(names)
    return all(_width_like(row, separator, width) in (width, width + 1) for row in body)


def _width_like(row: bytes, separator: str, width: int) -> int:
    """Fields of a row; if it can be cut in two ways, the number nearer to that of the names."""
    text = row.decode("utf-8", "replace").rstrip("\r\n")
    widths = [len(cells) for _, cells in readings(text, separator)] if b'"' in row else []
    return min(widths or [count_fields(row, separator)], key=lambda n: (abs(n - width), -n))


def _refuse_title(header: list[str], widest: int, name: str) -> None:
    """A title, or remarks of a program (GEO, GCT, featureCounts), stand above the names."""
    named = [cell for cell in header if cell]
    remark = named and named[0].startswith(("#", "!")) and len(header) + 1 < widest
    if remark or (len(named) == 1 and widest > 2):
        raise DataError(
            f"{name!r}: its first line, {shorten(named[0], 40)!r}, names no columns: remove "
            "whatever stands above (and below) the table"
        )


def _refuse_moved(
    header: list[str], sample: list[tuple[bytes, int]], wanted: Wanted, name: str
) -> None:
    """Names between blanks without quotes: one with a blank inside is two, and where rows begin
    with names that the header lacks, as R writes them, all names before have moved by one."""
    known = header[0] == ROW_NAMES or header[0] in wanted.text
    if known or b'"' in sample[0][0] or ID_NAME.fullmatch(header[0]) or names_samples(header[0]):
        return
    first = [_first_cell(row, WHITESPACE) for row, _ in sample[1:]]
    if len({*first}) == len(first) > 1 and all(parse_number(cell) is None for cell in first):
        raise DataError(
            f"{name!r}: rows begin with names ({shorten(first[0])!r}), and their column is "
            f"{shorten(header[0])!r}: either a name has a blank inside and all before it have "
            "moved, so put names in quotes; or say that these are ids, with id="
        )


def _refuse_shift(first: str, body: list[bytes], separator: str, name: str) -> None:
    """Rows of one field more than the header are of names that it lacks, as R writes them; but
    hardly where it begins with a name of ids, and commas may be of decimals."""
    if separator in (WHITESPACE, "\t") or not (ID_NAME.fullmatch(first) or names_samples(first)):
        return
    if [_first_cell(row, separator) for row in body] != [str(k + 1) for k in range(len(body))]:
        raise DataError(
            f"{name!r}: rows have one field more than the header has names, which begins with "
            f"{first!r}: name every column (of row names too), and write decimals with a point"
        )


def _expected_rows(path: Path, sample: list[bytes], after: int) -> int:
    """About how many rows follow, from the size of the file and of the first rows."""
    size = sum(len(row) + 1 for row in sample[1:])
    return int((path.stat().st_size - after) / size * (len(sample) - 1)) + 1
