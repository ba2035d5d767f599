"""Writers: the truth as files of many programs, each with what goes wrong with them.

A writer is a layout, a few defects of what stands in it (`contents`) and of its rows and columns
(`layouts`), and the text around: delimiters, quotes, titles, remarks, encodings.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from remedies.contents import CONTENT, RARE, Draft, Unfit
from remedies.layouts import GRID, LAYOUTS, quoted_cell
from remedies.truths import MISSING, Style, Truth, pick, random_truth, word


@dataclass(frozen=True)
class Made:
    """A file, how it is first read, and what is true of it."""

    files: Mapping[str, bytes]
    how: Mapping[str, Any]
    truth: Truth
    style: Style
    done: tuple[str, ...]
    lines: tuple[str, ...] = ()  # of the text, where it has one
    header: int = -1  # its line
    rows: tuple[tuple[int, str | None], ...] = ()  # line and owner of each row
    pack: Callable[[str], bytes] | None = None

    def without(self, gone: Collection[int]) -> bytes:
        """The text without some lines, by their numbers from 0."""
        assert self.pack is not None
        return self.pack("".join(f"{x}\n" for k, x in enumerate(self.lines) if k not in gone))

    @property
    def table(self) -> str:
        return next(iter(self.files))


def titles(draft: Draft) -> None:
    text = pick(draft.rng, ("Table S1. All patients", "Cohort 7", "log2 intensities, normalised"))
    draft.above.append(quoted_cell(text, draft.separator))
    if draft.rng.random() < 0.5:
        draft.above.append("")
    if draft.rng.random() < 0.3:
        draft.above.append(draft.separator * (len(draft.header) - 1))


def remarks(draft: Draft) -> None:
    lines = ["# made by a program", "# Program v1.2; columns: all, of them", "#", "! exported"]
    draft.above += lines[: int(draft.rng.integers(1, 4))]


def remark_below(draft: Draft) -> None:
    draft.between.append(pick(draft.rng, ("# see the paper", "#types", "! units differ")))


def hashed(draft: Draft) -> None:
    if not draft.header[0] or ("counted" in draft.truth.tells and draft.layout == "turned"):
        raise Unfit  # of an index
    draft.header[0] = pick(draft.rng, ("#", "# ", "#")) + draft.header[0]
    draft.truth.tells["hashed"] = True


def blank_lines(draft: Draft) -> None:
    draft.truth.tells["blank lines"] = True
    draft.done.append("")


def semicolons(draft: Draft) -> None:
    draft.separator = ";"


def tabs(draft: Draft) -> None:
    draft.separator = "\t"


def bars(draft: Draft) -> None:
    draft.separator = "|"


def blanks(draft: Draft) -> None:
    """As R's write.table: names in quotes, NA for what is missing."""
    draft.separator, draft.quoted = " ", True
    draft.style = replace(draft.style, missing="NA")


def odd_delimiter(draft: Draft) -> None:
    draft.separator = pick(draft.rng, ("^", "~", ":"))


def all_quoted(draft: Draft) -> None:
    draft.quoted = True


AROUND: dict[str, Callable[[Draft], None]] = {
    "titles": titles,
    "remarks": remarks,
    "a remark below the header": remark_below,
    "a header behind a number sign": hashed,
    "blank lines": blank_lines,
    "quoted": all_quoted,
}
DELIMITERS: dict[str, Callable[[Draft], None]] = {
    "semicolons": semicolons,
    "tabs": tabs,
    "bars": bars,
    "blanks": blanks,
    "an odd delimiter": odd_delimiter,
}
BYTES: dict[str, Callable[[bytes], bytes]] = {
    "a byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "line ends of Windows": lambda raw: raw.replace(b"\n", b"\r\n"),
    "gzip": lambda raw: gzip.compress(raw, 1, mtime=0),
    "UTF-16": lambda raw: raw.decode().encode("utf-16"),
    "UTF-16 without a mark": lambda raw: raw.decode().encode("utf-16-le"),
    "Windows-1252": lambda raw: raw.decode().encode("cp1252", "replace"),
    "no last line end": lambda raw: raw.removesuffix(b"\n"),
    "sep line": lambda raw: raw,
}


def lines_of(draft: Draft) -> tuple[list[str], list[tuple[int, str | None]]]:
    """The lines of the file, and line and owner of each row."""

    def line(cells: Sequence[str]) -> str:
        return draft.separator.join(
            quoted_cell(cell, draft.separator, draft.quoted and not plain(cell)) for cell in cells
        )

    def plain(cell: str) -> bool:
        return _is_number(cell) or cell == draft.style.missing

    header = line(draft.header)
    if draft.truth.tells.get("hashed") and draft.separator not in draft.header[0]:
        header = header.replace(quoted_cell(draft.header[0], always=True), draft.header[0], 1)
    found = [*draft.above, header, *draft.between]
    rows = []
    for k, (cells, whose) in enumerate(draft.rows):
        if k == len(draft.rows) // 2 and draft.truth.tells.get("blank lines"):
            found.append("")
        rows.append((len(found), whose))
        found.append(line(cells))
    found += [""] * bool(draft.truth.tells.get("blank lines"))
    return [*found, *draft.below], rows


def _is_number(text: str) -> bool:
    return bool(text) and set(text) <= set("0123456789.-")


def made(seed: int, k: int) -> Made:
    """The k-th table of a seed: always the same."""
    rng = np.random.default_rng([seed, k])
    draft = Draft(rng, random_truth(rng))
    draft.how["target"] = "class"
    draft.layout = pick(rng, ("wide", "wide", "wide", "turned", "turned", "long"))
    content = some_of(rng, CONTENT, (0.5, 0.35, 0.15))
    if k % 4:  # each of them often enough
        often = [*CONTENT, *RARE, *RARE]
        content = list(dict.fromkeys([often[k * 3 // 4 % len(often)], *content]))
        if draft.layout == "long" and content[0] not in LONG_CONTENT:
            draft.layout = "wide"
    if draft.layout == "long" or "two values" in content:
        content = [c for c in content if c in LONG_CONTENT]
    apart = [name for name in content if name in SET_APART]
    content = [name for name in content if name not in apart[1:]]
    if "between blanks" in content:  # where nothing is no name
        content = [name for name in content if not name.startswith("unnamed")]
    content.sort(key=lambda name: name != "decimal commas")  # what it says is of all numbers
    for name in content:
        with suppress(Unfit):
            CONTENT[name](draft)
            draft.done.append(name)
    if SET_APART.isdisjoint(content) and rng.random() < 0.6:
        name = list(DELIMITERS)[rng.integers(len(DELIMITERS))]
        DELIMITERS[name](draft)
        draft.done.append(name)
    LAYOUTS[draft.layout](draft)
    draft.done.insert(0, draft.layout)
    grid = some_of(rng, GRID, (0.6, 0.3, 0.1))
    if "western" in content:  # whose note is seen where the table is read
        grid = []
    if k % 4 == 0:
        grid = list(dict.fromkeys([list(GRID)[k // 4 % len(GRID)], *grid]))
    if "an index without a name" in grid and "names one short" in grid:
        grid.remove("names one short")
    if draft.layout == "turned" and "an index without a name" in grid:
        grid = grid[: grid.index("an index without a name") + 1][-1:]  # others break its numbers
    if "a rare delimiter" in content:  # for which lines are taken out, and with them numbers
        grid = [name for name in grid if name != "an index without a name"]
    for name in grid:
        with suppress(Unfit):
            GRID[name](draft)
            draft.done.append(name)
    around = some_of(rng, AROUND, (0.6, 0.3, 0.1))
    if {"types row", "header again"} & {*grid}:  # of a header that may not be one
        around = [name for name in around if name != "a header behind a number sign"]
    for name in around:
        with suppress(Unfit):
            AROUND[name](draft)
            draft.done.append(name)
    if draft.layout == "turned":
        short = draft.truth.of_role("id")[0].name == "(row names)"  # rows have one cell more
        places = [
            draft.header.index(name) + short for name in draft.truth.ids if name in draft.header
        ]
        draft.truth.tells["junk"] = {
            cells[0].strip(): [cells[j].strip() if j < len(cells) else "" for j in places]
            for cells, whose in draft.rows
            if whose is None
        }
    if way := binary_way(draft):
        return way
    lines, rows = lines_of(draft)
    header = len(draft.above)
    coded = some_of(rng, BYTES, (0.75, 0.25, 0.0))
    if "western" in content:
        coded = ["Windows-1252"]
    if "Windows-1252" in coded and not _is_western("".join(lines).replace("β", "µ")):
        coded = []
    if "sep line" in coded:
        lines.insert(0, f"sep={draft.separator}")
        rows, header = [(k + 1, whose) for k, whose in rows], header + 1
    if "Windows-1252" in coded:
        draft.truth.tells["encoding"] = "windows-1252"
        lines = [line.replace("β", "µ") for line in lines]
        rows = [(k, whose and whose.replace("β", "µ")) for k, whose in rows]
        for column in draft.truth.columns:
            column.name = column.name.replace("β", "µ")

    def pack(text: str) -> bytes:
        raw = text.encode("utf-8", "surrogatepass")
        for name in coded:
            raw = BYTES[name](raw)
        return raw

    files = {"t.csv": pack("\n".join(lines) + "\n")}
    if draft.sheet is not None:
        files["sheet.csv"] = draft.sheet
    draft.truth.tells |= {
        "decimal": draft.style.decimal,
        "thousands": draft.style.thousands,
        "separator": draft.separator,
        "layout": draft.layout,
    }
    done = tuple(name for name in [*draft.done, *coded] if name)
    text = {"lines": tuple(lines), "header": header, "rows": tuple(rows), "pack": pack}
    return Made(files, draft.how, draft.truth, draft.style, done, **text)


SET_APART = {  # by its delimiter, or by the marks in its numbers
    "decimal commas",
    "German counts",
    "thousands below",
    "between blanks",
    "a rare delimiter",
    "decimal commas below",
    "German numbers below",
    "three decimals",
    "pairs of alleles",
}
LONG_CONTENT = {
    "decimal commas",
    "thousands",
    "codes of missing values",
    "limits",
    "marks of missing values",
    "spelled classes",
    "unlabelled",
    "two values",
}


def _is_western(text: str) -> bool:
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def some_of(
    rng: np.random.Generator, names: Mapping[str, Any], shares: Sequence[float]
) -> list[str]:
    """Some names, as many as by these shares."""
    count = int(rng.choice(len(shares), p=shares))
    return [list(names)[k] for k in rng.choice(len(names), count, replace=False)]


def binary_way(draft: Draft) -> Made | None:
    """Parquet, a frame's index in it, ARFF, or a workbook."""
    way = draft.rng.random()
    if draft.layout != "wide" or draft.above or draft.between or draft.below:
        return None
    if any(len(cells) != len(draft.header) or of is None for cells, of in draft.rows):
        return None
    if "decimal commas" in draft.done or "thousands" in draft.done:
        way /= 3  # what a column of text may hold there
    if (
        way > 0.2
        or "between blanks" in draft.done
        or draft.truth.tells.get("hashed")
        or "German counts" in draft.done
    ):
        return None
    import pandas as pd

    if way < 0.13:
        if len({*draft.header}) < len(draft.header):
            return None
        frame = pd.DataFrame([cells for cells, _ in draft.rows], columns=draft.header)
        for name in frame.columns[1:].difference([draft.truth.of_role("id")[0].name]):
            numbers = pd.to_numeric(frame[name].replace("", None), errors="coerce")
            known = frame[name].replace(dict.fromkeys(("", "NA"))).notna()
            if numbers[known].notna().all() and draft.style.decimal == ".":
                frame[name] = numbers
            else:
                frame[name] = frame[name].replace("", None)
        if way < 0.06:
            frame = frame.set_index(draft.header[0])
        out = io.BytesIO()
        frame.to_parquet(out)
        draft.done.append("Parquet with an index" if way < 0.06 else "Parquet")
        return _binary(draft, "t.parquet", out.getvalue())
    if way < 0.14:
        import openpyxl

        book = openpyxl.Workbook()
        page = book.active
        page.append(draft.header)
        for cells, _ in draft.rows:
            page.append([_of_sheet(cell) for cell in cells])
        ids = draft.truth.of_role("id")[0]  # a sheet has no 101.50, and an error for #N/A
        ids.cells[:] = [word(_sheet_text(cell.text)) for cell in ids.cells]
        for column in draft.truth.columns:
            column.cells[:] = [MISSING if x.text == "#N/A" else x for x in column.cells]
        out = io.BytesIO()
        book.save(out)
        draft.done.append("Excel")
        return _binary(draft, "t.xlsx", out.getvalue())
    if all(draft.header):
        lines = ["@relation t"]
        for j, name in enumerate(draft.header):
            cells = {c[j] for c, _ in draft.rows if c[j].strip() not in ("", "NA")}
            kind = "numeric" if all(map(_is_number, cells)) else "string"
            lines.append(f"@attribute {_of_arff(name)} {kind}")
        lines.append("@data")
        lines += [",".join(_of_arff(c) if c.strip() not in ("", "NA") else "?" for c in cells)
                  for cells, _ in draft.rows]  # fmt: skip
        draft.done.append("ARFF")
        return _binary(draft, "t.arff", ("\n".join(lines) + "\n").encode())
    return None


def _of_sheet(cell: str) -> str | float | None:
    try:
        return float(cell) if cell and cell[0] not in "0Ii" else cell or None
    except ValueError:
        return cell


def _sheet_text(cell: str) -> str:
    value = _of_sheet(cell)
    return f"{value:g}" if isinstance(value, float) else cell


def _of_arff(text: str) -> str:
    if _is_number(text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _binary(draft: Draft, name: str, content: bytes) -> Made:
    draft.truth.tells |= {
        "decimal": draft.style.decimal,
        "thousands": draft.style.thousands,
        "separator": "",
        "layout": draft.layout,
        "binary": name,
    }
    done = tuple(one for one in draft.done if one)
    files = {name: content} | ({} if draft.sheet is None else {"sheet.csv": draft.sheet})
    return Made(files, draft.how, draft.truth, draft.style, done)
