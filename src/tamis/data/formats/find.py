"""Which program wrote a text file, by its first lines."""

from __future__ import annotations

import re
from statistics import mode

from ..._core.errors import DataError, listed_names
from ..fields import WHITESPACE, count_fields
from ..lines import BLANK_LINES_PATTERN, Lines
from ..names import names_features, names_rows, names_samples
from ..raw import MISSING_TEXTS, parse_number
from .around import Around
from .counts import around_feature_counts, refuse_one_sample
from .gct import around_gct
from .geo_matrix import around_series_matrix
from .plink_raw import around_plink_raw

KNOWN_FORMATS = (around_gct, around_feature_counts, around_plink_raw)
REMARK_MARKS = (b"#", b"!")
DELIMITER_BYTES = (b"\t", b",", b";", b"|")
MAX_ROWS = 6  # that are looked at
MAX_ROW_CELLS = 1000  # of each
MOST_REMARKS = 50_000  # lines
KIND_PATTERN = rb"(STRING|NUMBER|BOOLEAN|DATETIME)"
# above an unmarked header
CBIOPORTAL_PATTERN = re.compile(rb"#" + KIND_PATTERN + rb"(\t" + KIND_PATTERN + rb")*\r?$")
TYPES_PATTERN = re.compile(rb"[#!]\s*(q2:types|types?|data ?types?|units?)\b", re.IGNORECASE)


def find_around(lines: Lines, sheet_only: bool = False, separator: str | None = None) -> Around:
    """What the file has around its table; the header line is next. `sheet_only`: it is read for
    what it says of the samples. `separator`: the delimiter, where it is known.

    Raises
    ------
    DataError
        It is damaged, holds one sample only, or hardly anything but remarks.
    """
    lines.skip(BLANK_LINES_PATTERN)
    if (series := around_series_matrix(lines, sheet_only)) is not None:
        return series
    for known in KNOWN_FORMATS:
        found = known(lines)
        if found is not None:
            return found
    refuse_one_sample(lines)
    return Around(notes=skip_remarks(lines, separator))


def skip_remarks(lines: Lines, given: str | None) -> list[str]:
    """Take the remarks around the header, lines that begin with a number sign or an exclamation
    mark, so that the header is next, and no remark behind it.

    The header is the first line without a mark if it names columns. Else it is the first marked one
    that does and is as wide as the rows, as `#SampleID` and `#OTU ID` begin it.
    """
    ahead = _peeked(lines)
    n = next((k for k, line in enumerate(ahead) if not line.startswith(REMARK_MARKS)), len(ahead))
    marked, rows = ahead[:n], ahead[n:]
    if not marked:
        below = [k for k, line in enumerate(rows[1:]) if line.startswith(REMARK_MARKS)]
        count = next((k for k, at in enumerate(below) if k != at), len(below))
        body = next((line for line in rows[1 + count :] if line.strip()), b"")
        left = [line for line in rows[1 : 1 + count] if _is_remark(line, rows[0], body)]
        if len(left) < count or not left:  # else rows whose ids begin with a mark
            return []
        lines.leave_out(1, count)
        return _remarks_note(left)
    rows = [row for row in rows if row.strip()]
    likely = rows[0] if rows else marked[-1]
    between = _separator_of(likely) if given is None else given.encode()
    mark = between if between in likely and given not in (WHITESPACE, " ") else None
    separator = WHITESPACE if mark is None else mark.decode()
    likely_headers = {
        k: line.lstrip(b"#! ").rstrip(b"\r")
        for k, line in enumerate(marked)
        if not line.startswith(b"##") and not TYPES_PATTERN.match(line)
    }
    fields = {k: count_fields(line, separator) for k, line in likely_headers.items()}
    width = mode(count_fields(row, separator) for row in rows) if rows else 0
    for k, line in likely_headers.items():  # a header may end with a delimiter where no row does
        fields[k] -= bool(rows and mark and line.endswith(mark) and fields[k] == width + 1)
    wide = [k for k, count in fields.items() if count == (width or count) > 1]
    numbers = any(map(_is_number, filter(None, _cells(likely, mark))))
    if mark is None and not numbers:  # words of a remark may be as many
        wide = []
    if not wide and rows and numbers:
        # rows may end with a delimiter, or begin with a name that has no header, or both
        both = bool(mark and rows[0].rstrip(b"\r").endswith(mark))
        for less in (1, 1 + both):
            wide = wide or [k for k, count in fields.items() if count == width - less > 1]
    unmarked = bool(rows) and (not wide or _names_columns(rows, mark))
    if unmarked and wide:
        named, cells = (_cells(line, mark) for line in (likely_headers[wide[0]], rows[0]))
        unmarked = not _is_rather_header(named, cells)
    if not rows:  # ids may begin with a mark
        header, behind = (wide or [n - 1])[0], 0
    elif unmarked or any(map(CBIOPORTAL_PATTERN.match, marked)):
        header, behind = n, 0
    else:
        header, behind = wide[0], n - wide[0] - 1
    for _ in range(header):
        lines.line()
    if header < n:
        lines.leave_out(1, behind)
        if len(ahead) > 1:
            lines.pass_by(len(marked[header]) - len(marked[header].lstrip(b"#! ")))
    return _remarks_note([*marked[:header], *marked[header + 1 : header + 1 + behind]])


def _peeked(lines: Lines) -> list[bytes]:
    """Lines up to the first rows behind those that begin with a mark.

    Raises
    ------
    DataError
        There are more of these than remarks of any file: what is looked at is in memory.
    """
    ask = MAX_ROWS
    while True:
        ahead = lines.peek(ask)
        others = sum(not line.startswith(REMARK_MARKS) for line in ahead)
        if others >= MAX_ROWS or len(ahead) < ask:
            return ahead
        if ask >= MOST_REMARKS:
            if others:  # rows whose ids begin with a mark
                return ahead
            raise DataError(
                f"{lines.name!r} begins with {len(ahead):,} lines and more that all begin with # "
                "or !: remove the lines of remarks, or the marks if these are rows"
            )
        ask = min(2 * ask, MOST_REMARKS)


def _separator_of(line: bytes) -> bytes:
    return max(DELIMITER_BYTES, key=line.count)


def _is_remark(line: bytes, header: bytes, row: bytes) -> bool:
    """Whether a line below the header is none of its rows: it says types or units, or one thing."""
    mark = _separator_of(header)
    said_once = mark not in line and mark in header and not _is_row_like(line, row)
    return TYPES_PATTERN.match(line) is not None or said_once


def _is_row_like(line: bytes, row: bytes) -> bool:
    """Whether a line is cut as a row is, or has numbers where a row between blanks has them."""
    if any(line.count(mark) == row.count(mark) > 0 for mark in DELIMITER_BYTES):
        return True
    cells, others = ([_is_number(cell) for cell in one.split()] for one in (line, row))
    return cells == others and any(cells)


def _names_columns(rows: list[bytes], mark: bytes | None) -> bool:
    """Whether the first of some lines is a header: text above numbers, none above text."""
    cells = [_cells(row, mark) for row in rows]
    above, *below = cells
    numeric = [
        j
        for j in range(len(above))
        if all(j < len(row) and _is_number(row[j]) for row in below) and below
    ]
    return bool(numeric) and not any(_is_number(above[j]) for j in numeric)


def _is_rather_header(marked: list[bytes], row: list[bytes]) -> bool:
    """Whether a marked line names the columns, and not the row below it: its first name is that of
    a column of names, or the row has the same texts again and again, as one of classes."""
    first, below = (cells[0].decode("utf-8", "replace") for cells in (marked, row))
    named = [
        names_features(name) or names_rows(name) or names_samples(name) for name in (first, below)
    ]
    once = len({*marked}) == len(marked)
    return named == [True, False] or (once and 2 * len({*row[1:]}) <= len(row[1:]))


def _cells(row: bytes, mark: bytes | None) -> list[bytes]:
    """The first cells; between blanks where there is no mark."""
    return [cell.strip(b' "\r') for cell in row.split(mark)[:MAX_ROW_CELLS]]


def _is_number(cell: bytes) -> bool:
    text = cell.decode("utf-8", "replace")
    return text in MISSING_TEXTS or parse_number(text.replace(",", ".", 1)) is not None


def _remarks_note(left: list[bytes]) -> list[str]:
    what = "line of remarks is" if len(left) == 1 else "lines of remarks are"
    said = [" ".join(line.decode("utf-8", "replace").split()) for line in left]
    return [f"{len(left)} {what} left out: {listed_names(said, 3)}"] if left else []
