"""The first lines of delimited text: records, their delimiter, and titles above the header."""

from __future__ import annotations

import re
import statistics
from collections import Counter

from .._core.errors import DataError, listed_names
from .faults import Fault
from .fields import WHITESPACE
from .lines import BLANK_LINES_PATTERN, Lines
from .quoting import count_of, record_readings
from .raw import parse_number
from .records import leaves_open

LONGEST_RECORD = 100  # lines; a quote open for longer is a stray one
MOST_TITLES = 20  # lines
UNLIKELY_DELIMITERS = "^~:\x01\x1c\x1d\x1e\x1f!$%&*/=@\\"  # delimiters that are not looked for
SEPARATOR_NAMES = {
    "tab": "\t",
    "\\t": "\t",
    "comma": ",",
    "semicolon": ";",
    "pipe": "|",
    "space": " ",
}


def declared_separator(lines: Lines) -> str | None:
    """The delimiter that a first line ``sep=;`` names for a spreadsheet; the line is taken."""
    for line in lines.peek(1):
        if found := re.fullmatch(rb'"?sep=([^"\r])"?\r?', line, re.IGNORECASE):
            lines.line()
            return found[1].decode("ascii", "replace")
    return None


def first_lines(lines: Lines, separator: str | None) -> list[tuple[bytes, int]]:
    """The header and up to five rows, each with the number of its lines; blank lines left out,
    those before the header taken."""
    marks = ",;\t| " if separator in (None, WHITESPACE) else str(separator)
    lines.skip(BLANK_LINES_PATTERN)
    ask = 6
    while True:
        seen = lines.peek(ask)
        last = len(seen) < ask or ask > LONGEST_RECORD
        sample = [r for r in joined_lines(seen, marks, last) if r[0].strip()]
        if len(sample) >= 2 or last:
            return sample
        ask *= 2


def joined_lines(lines: list[bytes], marks: str, last: bool) -> list[tuple[bytes, int]]:
    """Lines, joined where a quoted field goes on in the next one, and how many were joined.

    A quote opens a field only at its start. One that nothing closes is left as it stands if
    these are the `last` lines to look at, else that record is left out.
    """
    records: list[tuple[bytes, int]] = []
    k = 0
    while k < len(lines):
        stop = record_end(lines, k, marks)
        if stop is None and not last:
            break
        stop = stop or k + 1
        parts = [*(line.rstrip(b"\r") for line in lines[k : stop - 1]), lines[stop - 1]]
        records.append((b"\n".join(parts), stop - k))
        k = stop
    return records


def record_end(lines: list[bytes], first: int, marks: str) -> int | None:
    """After which line the record ends that begins with a line; None if a quote is left open."""
    open_, quotes = False, 0
    for k in range(first, len(lines)):
        quotes += lines[k].count(b'"')
        open_ = leaves_open(lines[k], marks, open_)
        if not open_ or quotes % 2 == 0:
            return k + 1
    return None


def find_separator(given: str | None, sample: list[bytes], name: str) -> str:
    """The delimiter named, or the one that cuts the first lines evenly into most fields."""
    if given is not None:
        given = SEPARATOR_NAMES.get(given, given)
        if given == " ":
            return WHITESPACE
        if given != WHITESPACE and (len(given) != 1 or not given.isascii() or given in '"\r\n'):
            raise DataError(
                f"separator {given!r} is not allowed: give one character, 'tab' or 'whitespace'"
            )
        return given
    best: tuple[tuple[bool, bool, int], str] | None = None
    most = 0  # fields that a character other than a blank cuts every line into, at least
    for candidate in ("\t", ",", ";", "|", WHITESPACE):
        counts = [count_of(line, candidate) for line in sample]
        if counts[0] < 2 and max(counts) < 2:
            continue
        even = _cuts_evenly(counts, sample[0].rstrip(b"\r").endswith(candidate.encode()))
        if candidate == WHITESPACE:  # blanks in names, or no cell between two tabs
            even &= most < max(counts)
        else:
            usual = statistics.median_low(counts) if candidate == "\t" else min(counts)
            most = max(most, usual)  # a title has no tab, decimals may have commas
        key = (even, candidate != WHITESPACE, statistics.median_low(counts))
        if best is None or key > best[0]:
            best = key, candidate
    return best[1] if best else ","


def _cuts_evenly(counts: list[int], ended: bool) -> bool:
    """Whether rows have one number of fields and the header, which may have `ended` with a
    delimiter, about as many."""
    body = set(counts[1:]) or {counts[0]}
    return len(body) == 1 and max(body) - counts[0] in (0, 1, -1 if ended else 0)


def refuse_odd_delimiter(found: str, sample: list[bytes], name: str) -> None:
    """Refuse lines that a character nobody expects cuts into more fields than the delimiter that
    was found: all of them, or most where that cuts them unevenly. A delimiter that cuts each line
    in two may be a decimal comma.

    Raises
    ------
    Fault
        With the remedy `separator`.
    """
    counts = [count_of(line, found) for line in sample]
    even = _cuts_evenly(counts, False)
    cut = even and found != WHITESPACE
    if len(sample) < 2 or (cut and counts[0] > 2):
        return
    least = len(sample) if cut else len(sample) // 2 + 1
    text = b"".join(sample)
    more = statistics.mode(counts) * (counts[0] if cut else 1)
    for candidate in (mark for mark in UNLIKELY_DELIMITERS if mark.encode() in text):
        fields, times = Counter(count_of(line, candidate) for line in sample).most_common(1)[0]
        named = count_of(sample[0], candidate) == fields or not even
        if times >= least and named and fields > max(2, more):
            raise Fault(
                f"{name!r}: {times} of its first {len(sample)} lines have {fields:,} fields each "
                f"between {candidate!r}: say separator={candidate!r}",
                remedy={"separator": candidate},
            )


def first_cell(line: bytes, separator: str) -> str:
    head = line[:100_000].decode("utf-8", "ignore").strip("\r\n")
    if ways := record_readings(head, separator):
        return ways[0][1][0].strip()
    cells = head.split(None if separator == WHITESPACE else separator)
    return cells[0].strip(' \t"') if cells else ""


def cells_of(record: bytes, separator: str) -> list[str]:
    """The fields of a record by the first way to cut it."""
    text = record.decode("utf-8", "replace").rstrip("\r\n")
    if ways := record_readings(text, separator):
        return [cell.strip() for cell in ways[0][1]]
    return text.split(None if separator == WHITESPACE else separator)


def skip_titles(lines: Lines, separator: str | None, name: str) -> list[str]:
    """Take lines above the header that hold one cell, as of a sheet with a title; notes on them."""
    titles: list[str] = []
    lines.skip(BLANK_LINES_PATTERN)
    for _ in range(MOST_TITLES):
        found = first_lines(lines, SEPARATOR_NAMES.get(separator or "", separator))
        records = [record for record, _ in found]
        if len(records) < 3 or found[0][1] > 1:
            break
        mark = find_separator(separator, records[-2:], name)
        cells = [cells_of(record, mark) for record in records]
        filled = [[cell for cell in row if cell] for row in cells]
        if mark == WHITESPACE or len(filled[0]) > 1:
            break
        if filled[0] and not _leads_to_header(cells, filled):
            break  # a line of delimiters alone is no header, whatever comes below
        titles += filled[0]
        lines.line()
        lines.skip(BLANK_LINES_PATTERN)
    what = "line is" if len(titles) == 1 else "lines are"
    head = f"{len(titles)} {what} above the header, and left out: {listed_names(titles, 2)}"
    return [head] if titles else []


def _leads_to_header(cells: list[list[str]], filled: list[list[str]]) -> bool:
    """Whether the first row of more than a cell is one of names, above rows that are as wide."""
    at = next((k for k, row in enumerate(filled) if len(row) > 1), len(cells))
    if at + 1 >= len(cells) or len(filled[at]) < 3:
        return False
    width = len(cells[at])
    like = all(len(row) in (width, width + 1) for row in cells[at + 1 :])
    return like and all(parse_number(cell) is None for cell in filled[at])
