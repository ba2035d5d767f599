"""CSV, TSV and other delimited text, wide or tall, at the speed of the number parser.

The file is read in blocks of complete lines (`lines`), cut into fields (`fields`), and
collected by column (`Columns`) or, for features in rows, by row (`Rows`).

A column is text if every value in it is text, numeric if every value is a number; both in
one column is an error that names the cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from .._core.errors import DataError, counted_noun, listed_names
from .cells import CellRules, kind_of
from .collect import Columns, Rows, Strings
from .faults import Fault
from .fields import WHITESPACE
from .first_lines import (
    SEPARATOR_NAMES,
    cells_of,
    declared_separator,
    find_separator,
    first_cell,
    first_lines,
    refuse_odd_delimiter,
    skip_titles,
)
from .formats.around import Around, Beside
from .formats.find import find_around, skip_remarks
from .header_line import header_names, refuse_moved
from .lines import Lines, NotUTF8, has_ascii, text_encoding
from .missing_marks import MissingMarks
from .names import (
    DESCRIPTION_PATTERN,
    DESCRIPTIONS_MESSAGE,
    ROW_NUMBER_PATTERN,
    SYMBOL_HEADER_PATTERN,
    names_features,
)
from .passing import Points, watched_lines
from .raw import MISSING_TEXTS, ROW_NAMES, Raw, Text, Wanted, parse_number
from .reading import Reading
from .records import field_blocks
from .repeated_names import distinct_names
from .sheet_numbers import as_numbers
from .strays import settle_unnamed, without_empty_rows

DECIMAL_COMMA_MESSAGE = "numbers have a decimal comma; decimal='.' reads them otherwise"
DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")
MAYBE_THOUSANDS = re.compile(r"[-+]?\d{1,3},\d{3}")


def read_delimited(
    path: Path, wanted: Wanted, how: Reading, zipped: bool = False, content: bytes | None = None
) -> Raw:
    """Read a delimited text file, plain or gzip, or the text that a spreadsheet was turned into.

    What nobody has said is found out, and reported where it is not what most files have: the
    delimiter, the encoding, and whether decimals stand behind a comma.
    """
    given = None if how.encoding is None or content is not None else text_encoding(how.encoding)
    encoding, said = None if given is None or has_ascii(given) else given, None
    try:
        raw, odd, _ = _read_delimited(path, wanted, how, zipped, content, encoding)
    except NotUTF8 as error:
        encoding = given or error.likely
        if encoding is None:
            raise DataError(
                f"{error.fault}; name its encoding with encoding=, such as windows-1252, "
                "windows-1250 or mac_roman"
            ) from None
        if given is None:
            said = f"the text is not UTF-8 and was read as {encoding}; encoding= names another"
        raw, odd, _ = _read_delimited(path, wanted, how, zipped, content, encoding)
    if how.given_decimal is None and any(map(_has_decimal_comma, odd)):  # which stood further down
        turned = replace(how, decimal=",")
        again, odd, points = _read_delimited(path, wanted, turned, zipped, content, encoding)
        if not points and not any(kind_of(text) == "comma" for text in odd):
            raw = again
            raw.notes.append(DECIMAL_COMMA_MESSAGE)
    raw.notes += [said] if said else []
    return raw


def _read_delimited(
    path: Path,
    wanted: Wanted,
    how: Reading,
    zipped: bool,
    content: bytes | None,
    encoding: str | None,
) -> tuple[Raw, list[str], bool]:
    """The table, the text that stands among numbers, and whether text is a number with a decimal
    point."""
    with Lines(path, zipped, encoding=encoding, content=content) as lines:
        declared = declared_separator(lines)  # that line is taken, whatever has been said
        declared = SEPARATOR_NAMES.get(how.separator or "", how.separator) or declared
        around = find_around(lines, wanted.all_text, declared)
        if wanted.all_text and around.samples:
            return _only_sheet(around), [], False
        separator = around.separator or declared
        notes = list(around.notes)
        if around.separator is None:
            titles = skip_titles(lines, separator, path.name)
            notes += [*titles, *(skip_remarks(lines, separator) if titles else ())]
        found = first_lines(lines, SEPARATOR_NAMES.get(separator or "", separator))
        if not found:
            raise DataError(f"{path.name!r} is empty; a header line and rows are needed")
        given, sample = separator, [record for record, _ in found]
        separator = find_separator(given, sample, path.name)
        if given is None:
            refuse_odd_delimiter(separator, sample, path.name)
        if separator not in (WHITESPACE, " "):  # now it is known which quotes open a field
            found = first_lines(lines, separator)
        sample = [record for record, _ in found]
        roles = wanted.text - {how.id}
        turned = how.transpose or around.turned
        header, trailing, unnamed, note = header_names(
            lines, found, separator, path.name, roles, turned
        )
        if len(sample) < 2:
            raise DataError(f"{path.name!r} has a header line but no rows; add the samples")
        if separator == WHITESPACE and not (how.transpose or around.turned or around.ids):
            refuse_moved(header, found, wanted, path.name)
        cells = [cells_of(record, separator) for record in sample[1:]]
        decimal = how.given_decimal or _decimal_of(cells)
        if decimal == "," and how.decimal is None:
            notes.append(DECIMAL_COMMA_MESSAGE)
        points = any("." in c and parse_number(c) is not None for row in cells for c in row)
        marks = MissingMarks(how.missing, header, decimal == ",")
        rules = CellRules(marks, decimal, how.thousands, how.limits, how.units, points)
        if turned and unnamed:
            raise DataError(
                f"{path.name!r}: {unnamed[0]} has no name in the header; name it, or "
                "remove the column if it is empty"
            )
        if turned and not around.separator:
            at = _counts_features(header, cells)
            described = _describing_columns(header[at:], [row[at:] for row in cells], rules, wanted)
            around.beside = (*header[:at], *described)
            around.label = next(
                (c for c in around.beside if SYMBOL_HEADER_PATTERN.fullmatch(c)), None
            )
        beside = Beside(Strings(path), header, around.beside)
        header = [around.renamed.get(name, name) for name in header if name not in around.beside]
        rows = 0 if zipped or content is not None else _expected_rows(path, sample, lines.position)
        first = first_cell(sample[1], separator)
        own = wanted if around.ids is None else replace(wanted, text=wanted.text | {around.ids})
        names, again = (header, {}) if turned else distinct_names(header)
        collector = (Rows if turned else Columns)(path, names, own, rows, rules=rules)
        collector.start(first, trailing, again)
        open_question = separator == ";" and decimal == "." and not (how.decimal or how.thousands)
        seen = Points(open_question, len(around.beside) * turned)
        ends = watched_lines(_lines_until(lines, around.end), found[0], seen, path.name)
        for fields in field_blocks(ends, separator, len(header) + len(beside.at), path.name):
            collector.add(beside.without(fields))
        raw = collector.finish()
        raw.repeated |= again
        _put_beside(raw, around, beside.columns(), turned, path.name)
        if not turned:
            settle_unnamed(raw, unnamed, {*own.text, *own.categorical, *own.reserve})
            all_columns = own.only is None and own.keep is None and not own.drop
            raw = without_empty_rows(raw, how.id, all_columns)
        for name in how.covariates if wanted.all_text else ():
            if name in raw.text:
                raw.text[name], faults = as_numbers(raw.text[name], name, rules)
                raw.faults += faults
        raw.comma = decimal == ","
        raw.notes += [*notes, *note, *seen.notes()]
        odd = [text for one in collector.odd.values() for text in one.texts]
        texts = (text for text in [*odd, *collector.strings.values] if "." in text)
        return raw, odd, any(parse_number(text) is not None for text in texts)


def _only_sheet(around: Around) -> Raw:
    """The attributes of the samples alone, as a sample sheet has them."""
    text = {ROW_NAMES: Text.of(around.samples), **around.sheet_of(around.samples)}
    return Raw([], np.empty((len(around.samples), 0)), text, list(around.sheet), ROW_NAMES)


def _put_beside(
    raw: Raw, around: Around, columns: dict[str, Text], turned: bool, name: str
) -> None:
    """What stands beside the numbers: descriptions of features, attributes of samples."""
    if turned:
        if around.rows is not None and len(raw.header) != around.rows:
            raw.faults.append(
                Fault(
                    f"{name!r} has {counted_noun(len(raw.header), 'row')} of features, and by "
                    f"line 2 it has {around.rows:,}: is it cut short, or was it edited? correct "
                    "line 2 if it is complete",
                    abs(len(raw.header) - around.rows),
                )
            )
        if columns:
            what = listed_names(columns, 6)
            raw.notes.append(DESCRIPTIONS_MESSAGE.format(what))
        if around.label in columns:
            symbols = columns[around.label].labels
            raw.labels = {f: s for f, s in zip(raw.header, symbols, strict=True) if s and s != f}
        samples = raw.text[ROW_NAMES].values
        if around.sheet:
            raw.sheet = around.sheet_of([str(s) for s in samples])
        return
    if around.ids is not None:
        if around.ids not in raw.text:
            raise DataError(
                f"{name!r} has no column {around.ids!r}: its header is split at blanks and tabs"
            )
        raw.index = around.ids
    if columns:
        raw.sheet = {
            name: text.without(around.missing.get(name, ())) for name, text in columns.items()
        }


def _lines_until(lines: Lines, end: re.Pattern[bytes] | None) -> Iterator[tuple[bytes, int]]:
    """Blocks of lines up to the one below the table."""
    for block, number in lines:
        found = None if end is None else end.search(block)
        if found is None:
            yield block, number
            continue
        if found.start():
            yield block[: found.start()], number
        return


def _decimal_of(rows: list[list[str]]) -> str:
    """A comma, where cells have numbers with a comma for the point and none has a point."""
    if not any("," in "".join(row) for row in rows):
        return "."
    cells = [cell.lstrip("<>=≤≥ ") for row in rows for cell in row if "," in cell or "." in cell]
    points = any("." in cell and parse_number(cell) is not None for cell in cells)
    return "," if not points and any(map(_has_decimal_comma, cells)) else "."


def _has_decimal_comma(cell: str) -> bool:
    """Whether a comma stands before decimals, and not perhaps between thousands."""
    return bool(DECIMAL_COMMA.fullmatch(cell)) and not MAYBE_THOUSANDS.fullmatch(cell)


def _counts_features(header: list[str], rows: list[list[str]]) -> int:
    """How many columns in front only number the features, as pandas writes an index: 1 where the
    names stand behind one without a name, else 0."""
    if len(header) < 2:
        return 0
    first, second = ([row[k] if k < len(row) else "" for row in rows] for k in (0, 1))
    counted = any(first == [str(k + start) for k in range(len(rows))] for start in (0, 1))
    numbers = [x for cell in second if (x := parse_number(cell)) is not None]
    names = 2 * len({*second}) > len(rows) > 1 and not numbers
    names &= not {*MISSING_TEXTS} & {*second}
    if len({*second}) == len(rows) and names_features(header[1]):  # by a number, or not at all
        names |= len(numbers) < len(rows) or any(x % 1 == 0 for x in numbers)
    unnamed = header[0] == ROW_NAMES or ROW_NUMBER_PATTERN.fullmatch(header[0])
    return int(bool(unnamed) and counted and names)


def _describing_columns(
    header: list[str], rows: list[list[str]], rules: CellRules, wanted: Wanted
) -> tuple[str, ...]:
    """Columns behind the names of the features that describe them: called like a description, or
    text in all of the first rows, which hold none behind them."""
    text = [[c not in MISSING_TEXTS and rules.read(c, "") is None for c in row] for row in rows]
    complete = all(len(row) == len(header) for row in text)
    last = max((j for row in text for j, is_text in enumerate(row) if is_text), default=0)
    behind = [[c for c in row[last + 1 :] if c not in MISSING_TEXTS] for row in rows]
    complete &= all(any(rules.number(c) is not None for c in row) for row in behind)
    for j, name in enumerate(header[1:], 1):
        of_text = complete and j <= last < len(header) - 1 and all(row[j] for row in text)
        if name in wanted.text or not (of_text or DESCRIPTION_PATTERN.fullmatch(name)):
            return tuple(header[1:j])
    return ()


def _expected_rows(path: Path, sample: list[bytes], after: int) -> int:
    """About how many rows follow, from the size of the file and of the first rows."""
    size = sum(len(row) + 1 for row in sample[1:])
    return int((path.stat().st_size - after) / size * (len(sample) - 1)) + 1
