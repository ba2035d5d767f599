"""The header of delimited text: names of columns, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import pairwise

from .._core.errors import DataError, shorten_text
from . import limits
from .fields import WHITESPACE, count_cut, count_fields
from .first_lines import cells_of, first_cell, joined_lines, record_end
from .lines import Lines
from .names import ID_NAME, names_features, names_ids, names_rows, names_samples
from .quoting import ESCAPED_QUOTE, is_certain, record_readings
from .raw import ROW_NAMES, Wanted, parse_number
from .records import ambiguous_quotes_error, leaves_open
from .repeated_names import FEWEST_SORTED
from .strays import name_unnamed

MAX_CHECKED_NAMES = 200  # names that are looked at
FEWEST_DECIMALS = 3
MOST_ROWS, LOOKED_AT = 200, 200_000  # rows, and bytes of them, that are looked at for an empty end


def header_names(
    lines: Lines,
    sample: list[tuple[bytes, int]],
    separator: str,
    name: str,
    roles: Collection[str] = (),
    turned: bool = False,
) -> tuple[list[str], bool, list[str], list[str]]:
    """Names of all fields of a row, whether the last is an empty trailing one, those that stand in
    for names that are not there, and remarks. Columns of `roles` hold no different value in each
    row. `turned`: features are in rows."""
    header, n_lines, body = _header_fields(lines, sample, separator, name)
    for _ in range(n_lines):
        lines.line()
    note: list[str] = []
    widths = [_width_like(row, separator, len(header)) for row in body]
    counts = Counter(widths)
    _refuse_title(header, max(counts, default=0), name)
    usual = counts.most_common(1)[0][0] if counts else len(header)
    if usual == len(header) - 1 and header[-1] == "":
        header.pop()  # the header ends with a delimiter, no row does
    if usual == len(header) + 1:
        first = [first_cell(row, separator) for row in body]
        named = header[0] in roles and len({*first}) == len(first) > 1
        seen = [*body, *_further(lines, body, separator, usual)]
        of_ids = ID_NAME.fullmatch(header[0]) or names_samples(header[0])
        if not header[-1] and header[0] and of_ids and _ends_empty(seen, separator):
            header = [*header, ""]  # the last column has no name, and rows end with a delimiter
        elif header[-1] and not named and _ends_empty(seen, separator):
            if len({*first}) == len(first) > 1 and not _names_rows(header[0], first):
                note.append(
                    "every row ends with a delimiter: the first field is taken as "
                    f"{shorten_text(header[0])!r}; if it names the rows, all names have moved by "
                    "one: put a name for it in front of the header"
                )
            header = [*header, ""]  # every row ends with a delimiter, the header does not
        else:
            _refuse_shift(header, body, separator, name, turned)
            header = ["", *header]  # R's write.table: the row names have no header
            note.append(
                "the header has one name fewer than the rows have fields: the first field is taken "
                f"as names of the rows, the second as {shorten_text(header[1])!r}"
            )
    if any("\\\\" in cell for cell in header):
        note.append(
            "two backslashes in a name stay two, also where fwrite(qmethod = 'escape') wrote one"
        )
    trailing = len(header) > 1 and header[-1] == ""
    if header[0] in ("", "Unnamed: 0"):
        header[0] = ROW_NAMES
    if _is_row_of_numbers(header[:MAX_CHECKED_NAMES], body, separator):
        raise DataError(
            f"{name!r} starts with a line of numbers; add a header line with the column names"
        )
    names, unnamed = name_unnamed(header)
    return names, trailing, unnamed[:-1] if trailing else unnamed, note


def _is_row_of_numbers(header: list[str], body: list[bytes], separator: str) -> bool:
    """Whether what stands in place of the header is a row of the table: most of it are decimals.

    Names may be decimals too, as sample ids of QIIME (10317.000047180) and masses are. They are all
    different, and the first is called like ids, or they have a number of decimals that the rows
    have not, or increase where these do not.
    """
    if sum(1 for cell in header if _has_decimals(cell)) <= len(header) / 2:
        return False
    first, *rest = header
    if parse_number(first) is not None:
        return True
    numbers = [cell for cell in rest if _has_decimals(cell)]
    if len(set(numbers)) < len(numbers):
        return True
    if names_ids(first):
        return False
    below = [
        [
            cell
            for cell in cells_of(row, separator)[1:MAX_CHECKED_NAMES]
            if parse_number(cell) is not None
        ]
        for row in body
    ]
    (width, *others), widths = _decimals(numbers), _decimals(cell for row in below for cell in row)
    by_width = not others and width >= FEWEST_DECIMALS and width not in widths
    return not by_width and not (_increase(rest) and not any(map(_increase, below)))


def _has_decimals(cell: str) -> bool:
    number = parse_number(cell)
    return number is not None and number != number // 1


def _decimals(cells: Iterable[str]) -> set[int]:
    return {len(cell.partition(".")[2]) for cell in cells}


def _increase(cells: list[str]) -> bool:
    numbers = [x for cell in cells if (x := parse_number(cell)) is not None]
    return len(numbers) >= FEWEST_SORTED and all(a < b for a, b in pairwise(numbers))


def _names_rows(name: str, first: list[str]) -> bool:
    """Whether a first column is called like one of names, or holds numbers."""
    known = names_rows(name) or names_samples(name) or names_features(name)
    return known or all(parse_number(cell) is not None for cell in first)


def _further(lines: Lines, body: list[bytes], separator: str, width: int) -> list[bytes]:
    """Some more rows behind the first ones, where they are short."""
    more = lines.peek(min(MOST_ROWS, LOOKED_AT // max(map(len, body))))
    return [row for row in more if count_fields(row, separator) == width]


def _ends_empty(rows: list[bytes], separator: str) -> bool:
    """Whether the last field of all rows is empty; between blanks it has quotes."""
    marks = " \t" if separator == WHITESPACE else separator
    ends = [mark + end for mark in marks for end in (['""'] if len(marks) > 1 else ["", '""'])]
    blanks = b" \r" if "\t" in marks else b" \t\r"
    return all(row.rstrip(blanks).endswith(tuple(end.encode() for end in ends)) for row in rows)


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
    if line.count(b'"') % 2 and leaves_open(line, marks) and ESCAPED_QUOTE.encode() not in line:
        at = line.rindex(b'"') + 1
        opened = line[at : at + 200].decode("utf-8", "replace")
        raise DataError(
            f"{name!r}: nothing closes the quote before {shorten_text(opened, 40)!r} in the header "
            "line; close or remove it"
        )
    limits.refuse_many(count_cut(line, separator), limits.COLUMNS_LIMIT, "columns", name)
    found: list[tuple[list[str], int, list[bytes]]] = []
    certain = True
    by_r = [text.replace(ESCAPED_QUOTE.encode(), b'""') for text in seen]
    for view in (seen, by_r) if by_r != seen else (seen,):
        n = record_end(view, 0, marks) or 1
        record = "\n".join(text.rstrip(b"\r").decode("utf-8", "replace") for text in seen[:n])
        body = [row for row, _ in joined_lines(seen[n:], marks, last=True) if row.strip()][:5]
        for text, cells in record_readings(record, separator):
            names = [cell.strip() for cell in cells]
            certain &= is_certain(record, [(text, cells)])
            if names not in [others for others, _, _ in found]:
                found.append((names, n, body))
    if not found:
        raise DataError(
            f"{name!r}: quotes in the header line stand neither around a name nor doubled inside "
            "one: write a quote in a name as two"
        )
    ways = [way for way in found if _fits_header(way[0], way[2], separator)] or found
    if len(ways) > 1 or not certain:
        raise ambiguous_quotes_error(name, "the header", [names for names, _, _ in ways])
    return ways[0]


def _fits_header(names: list[str], body: list[bytes], separator: str) -> bool:
    width = len(names)
    return all(_width_like(row, separator, width) in (width, width + 1) for row in body)


def _width_like(row: bytes, separator: str, width: int) -> int:
    """Fields of a row; if it can be cut in two ways, the number nearer to that of the names."""
    text = row.decode("utf-8", "replace").rstrip("\r\n")
    widths = [len(cells) for _, cells in record_readings(text, separator)] if b'"' in row else []
    return min(widths or [count_fields(row, separator)], key=lambda n: (abs(n - width), -n))


def _refuse_title(header: list[str], widest: int, name: str) -> None:
    """A title, or remarks of a program (GEO, GCT, featureCounts), stand above the names."""
    named = [cell for cell in header if cell]
    remark = named and named[0].startswith(("#", "!")) and len(header) + 1 < widest
    if remark or (len(named) == 1 and widest > 2):
        raise DataError(
            f"{name!r}: its first line, {shorten_text(named[0], 40)!r}, names no columns: remove "
            "whatever stands above (and below) the table, or name the delimiter with separator="
        )


def refuse_moved(
    header: list[str], sample: list[tuple[bytes, int]], wanted: Wanted, name: str
) -> None:
    """Names between blanks without quotes: one with a blank inside is two, and where rows begin
    with names that the header lacks, as R writes them, all names before have moved by one."""
    known = header[0] in (ROW_NAMES, "FID", "#FID") or header[0] in wanted.text  # FID: of PLINK
    if known or b'"' in sample[0][0] or ID_NAME.fullmatch(header[0]) or names_samples(header[0]):
        return
    first = [first_cell(row, WHITESPACE) for row, _ in sample[1:]]
    if len({*first}) == len(first) > 1 and all(parse_number(cell) is None for cell in first):
        raise DataError(
            f"{name!r}: rows begin with names ({shorten_text(first[0])!r}), and their column is "
            f"{shorten_text(header[0])!r}: either a name has a blank inside and all before it have "
            "moved, so put names in quotes; or say that these are ids, with id="
        )


def _refuse_shift(
    header: list[str], body: list[bytes], separator: str, name: str, turned: bool
) -> None:
    """Rows of one field more than the header are of names that it lacks, as R writes them; but
    hardly where it begins with a name of ids, or above features in rows with one of features, and
    commas may be of decimals."""
    first, second = header[0], header[1] if len(header) > 1 else ""
    of_ids = ID_NAME.fullmatch(first) or names_samples(first)
    of_ids = of_ids or (turned and names_features(first) and not names_features(second))
    if separator in (WHITESPACE, "\t") or not of_ids:
        return
    if [first_cell(row, separator) for row in body] != [str(k + 1) for k in range(len(body))]:
        raise DataError(
            f"{name!r}: rows have one field more than the header has names, which begins with "
            f"{first!r}: name every column (of row names too), and write decimals with a point"
        )
