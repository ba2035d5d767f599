"""Weka's ARFF, dense and sparse (https://waikato.github.io/weka-wiki/formats_and_processing/arff/).

Nominal attributes bring their levels; strings and dates are text; ``?`` is missing. In
sparse rows what is left out is 0, or the first level of a nominal attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from .._core.errors import DataError, listed_names, shorten_text
from . import limits
from .cells import mixed_column
from .collect import Columns
from .fields import Fields, MessyQuotes, ragged_line, split_fields
from .lines import BLOCK_BYTES, Lines
from .raw import Raw, Wanted
from .repeated_names import distinct_names

# what is taken is never given back (*+), so that no text takes more than one walk over it
_QUOTED = r"'(?:[^'\\]++|\\.)*+'|\"(?:[^\"\\]++|\\.)*+\""
_ATTRIBUTE = re.compile(rf"@attribute\s++({_QUOTED}|[^\s{{]++)\s*+(.+)$", re.I | re.S)
_ITEM = re.compile(rf"\s*+((?:{_QUOTED})(?=\s*+,)|[^,]*+)\s*+,", re.S)
_ENTRY = re.compile(rf"\s*+(\d{{1,9}})\s++((?:{_QUOTED})(?=\s*+(?:,|$))|[^,]++)\s*+(?:,|$)", re.S)
_WORD = re.compile(rf"{_QUOTED}|[^\s,]++", re.S)  # blanks part values, too
_WEIGHT = re.compile(r"\{\s*+[-+.\deE]++\s*+\}$")  # of an attribute or a row, behind it
_IDLE = re.compile(rb"(?:[ \t\r]*+(?:%[^\n]*+)?\n)*+")
MISSING_TEXTS = ("", "?")  # of text; a declared level may have any other name, NA too
NUMERIC_TYPES = ("numeric", "real", "integer")


def read_arff(path: Path, wanted: Wanted, zipped: bool) -> Raw:
    """Read an ARFF file, plain or gzip."""
    with Lines(path, zipped) as lines:
        said, declared, kinds = _read_header(lines, path.name)
        names, again = distinct_names(said)
        levels = {names[k]: own for k, own in declared.items()}
        typed = {n for n, kind in zip(names, kinds, strict=True) if kind != "numeric"}
        ids = {names[0]} if kinds[0] == "text" else set()  # a string in front may name the samples
        inside = wanted.categorical | (typed - wanted.text - ids)
        collector = Columns(path, names, replace(wanted, categorical=inside), 0, MISSING_TEXTS)
        collector.start("text" if ids else "0", False, again)
        first = {"numeric": ("0",), "text": ("?",)}
        default = [
            (first.get(kind) or levels[name] or ("?",))[0].encode()
            for name, kind in zip(names, kinds, strict=True)
        ]
        weighted: list[str] = []
        for fields in _read_data(lines, names, default, path.name, weighted):
            collector.add(fields)
        if not collector.matrix.n:
            raise DataError(f"{path.name!r} has no rows after @data; add the samples")
        raw = collector.finish()
    raw.levels, raw.typed, raw.repeated = levels, typed, again
    if weighted:
        raw.notes.append("weights of rows are not used")
    for name in set(raw.text) - typed - inside - wanted.text:
        row = int((raw.text[name].codes >= 0).argmax())
        raise mixed_column(name, row + 1, str(raw.text[name].labels[row]))
    for name, own in levels.items():
        if name in raw.text:
            unknown = set(raw.text[name].distinct()) - set(own)
            if unknown:
                raise DataError(
                    f"{path.name!r}: attribute {name!r} has the value {listed_names(unknown)}, "
                    f"which its declaration lacks ({listed_names(own)}); add it there"
                )
    return raw


def _read_header(
    lines: Lines, name: str
) -> tuple[list[str], dict[int, tuple[str, ...]], list[str]]:
    """Names, the levels of those that declare some, and kinds."""
    names: list[str] = []
    kinds: list[str] = []
    levels: dict[int, tuple[str, ...]] = {}
    while True:
        lines.skip(_IDLE)
        line = lines.line()
        if line is None:
            break
        text = line.decode("utf-8").strip()
        low = text[:9].lower()
        if not text or text.startswith("%") or low == "@relation":
            continue
        if low.startswith("@data"):
            if not names:
                raise DataError(f"{name!r} declares no attributes before @data")
            return names, levels, kinds
        match = _ATTRIBUTE.match(text)
        if match is None:
            raise DataError(
                f"{name!r}: line {lines.number - 1:,} is not understood: {text[:60]!r}; "
                "expected @attribute name type"
            )
        attribute, kind = _unquote_text(match[1]).strip(), match[2].strip()
        names.append(attribute)
        if not attribute:
            raise DataError(f"{name!r}: attribute {len(names):,} has no name; name it")
        limits.refuse_many(len(names), limits.COLUMNS_LIMIT, "attributes or more", name)
        if kind.startswith("{"):
            if (weight := _WEIGHT.search(kind)) is not None and "}" in kind[: weight.start()]:
                kind = kind[: weight.start()].rstrip()
            body = kind[1 : kind.rindex("}")] if "}" in kind else kind[1:]
            levels[len(names) - 1] = _declared_levels(body, attribute, name)
            kinds.append("nominal")
            continue
        said = kind[:80].lower().split()[0]
        if said not in (*NUMERIC_TYPES, "string", "date"):
            raise DataError(
                f"{name!r}: attribute {attribute!r} has the type {shorten_text(kind)!r}; allowed "
                "are numeric, nominal {...}, string and date"
            )
        kinds.append("numeric" if said in NUMERIC_TYPES else "text")
    raise DataError(f"{name!r} has no @data section; the file is cut short")


def _declared_levels(body: str, attribute: str, name: str) -> tuple[str, ...]:
    """The levels of a declaration, without the blanks around them."""
    declared = dict.fromkeys(_unquote_text(m) for m in _split_items(body) if m.strip())
    found: dict[str, str] = {}
    for level in declared:
        bare = level.strip()
        if not bare:
            raise DataError(
                f"{name!r}: attribute {attribute!r} declares an empty level, which cannot be "
                "distinguished from a missing value: give that level another name"
            )
        if bare in found:
            raise DataError(
                f"{name!r}: attribute {attribute!r} declares levels that differ in blanks around "
                f"them alone, {listed_names((found[bare], level))}: give one another name"
            )
        found[bare] = level
    return tuple(found)


def _unquote_text(text: str) -> str:
    """Without quotes, or else without the blanks around it."""
    text = text.strip()
    if len(text) >= 2 and text[0] in "'\"" and text[-1] == text[0]:
        text = re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _unquoted_value(text: str, name: str, line: int) -> bytes:
    """A value as the fast way has it, where quotes no longer show."""
    value = _unquote_text(text).strip()
    if value == "?" and text.strip() != "?":
        raise DataError(
            f"{name!r}: line {line:,}: a question mark in quotes is a value, not a missing one: "
            "give that level another name"
        )
    return value.encode()


def _split_items(text: str) -> list[str]:
    """What commas part; those in quotes do not."""
    return _ITEM.findall(text + ",")


def _read_data(
    lines: Lines, names: list[str], default: list[bytes], name: str, weighted: list[str]
) -> Iterator[Fields]:
    """Plain rows of numbers and bare words go the fast way, the others line by line; rows with a
    weight are put into `weighted`."""
    for block, number in lines:
        plain = not any(mark in block for mark in (b"'", b'"', b"{", b"%", b"\\"))
        plain &= len(names) == 1 or b"," in block.lstrip().partition(b"\n")[0]
        if plain:
            try:
                fields = split_fields(block, ",", len(names), name, number)
            except (MessyQuotes, DataError):  # the fault is found line by line
                plain = False
            else:
                if fields is not None:
                    yield fields
                continue
        cells: list[bytes] = []
        rows = 0
        for k, text in enumerate(block.decode("utf-8").split("\n")):
            text = text.strip()
            if not text or text.startswith("%"):
                continue
            what = f"commas in line {number + k:,}"
            limits.refuse_many(text.count(","), limits.COLUMNS_LIMIT, what, name)
            if text.startswith("{"):
                cells += _sparse_values(text, default, name, number + k, weighted)
            else:
                row = _row_values(text, len(names), weighted)
                if len(row) != len(names):
                    raise ragged_line(name, number + k, len(row), len(names))
                cells += [_unquoted_value(cell, name, number + k) for cell in row]
            rows += 1
            if len(cells) > BLOCK_BYTES:
                yield Fields.of_cells(cells, rows)
                cells, rows = [], 0
        if rows:
            yield Fields.of_cells(cells, rows)


def _row_values(text: str, width: int, weighted: list[str]) -> list[str]:
    """The values of a row between commas, or blanks; without its weight."""
    if (weight := _WEIGHT.search(text)) is not None:
        bare = text[: weight.start()].rstrip().removesuffix(",")
        if len(_split_items(text)) == width + 1 or len(_WORD.findall(bare)) == width:
            weighted.append(weight[0])
            text = bare
    row = _split_items(text)
    return row if len(row) == width else _WORD.findall(text)


def _sparse_values(
    text: str, default: list[bytes], name: str, line: int, weighted: list[str]
) -> list[bytes]:
    body = text[1 : text.rindex("}")] if "}" in text else text[1:]
    if (weight := re.search(r"\}\s*+,?\s*+(?=\{)", text)) is not None:
        weighted.append(text[weight.end() :])
        body = text[1 : text.index("}")]
    body = body.rstrip()
    row = default.copy()
    end = 0
    while end < len(body):
        item = _ENTRY.match(body, end)
        if item is None or int(item[1]) >= len(row):
            raise DataError(
                f"{name!r}: line {line:,}: sparse entry {body[end : end + 40].strip()!r} is not "
                f"'index value' with an index below {len(row):,}; correct it"
            )
        row[int(item[1])], end = _unquoted_value(item[2], name, line), item.end()
    return row
