"""Fields into a matrix: by column (samples in rows), or by row (features in rows)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

from .._core.errors import DataError, shorten_text
from . import limits, memory
from .cells import Bad, CellRules, Odd, odd_faults
from .faults import Fault
from .fields import Fields, FieldStyle
from .names import NUMBER_ID, names_ids, names_rows, names_samples
from .raw import MISSING_TEXTS, ROW_NAMES, Raw, Text, Wanted, parse_number
from .repeated_names import distinct_names
from .repeats import number_texts
from .strays import unnamed_column

FURTHER_PATTERN = re.compile(r"\.\d+$")  # of a further feature of a name
PADDED_PATTERN = re.compile(r"0\d+")
MAX_LISTED_COLUMNS = 50  # columns dropped by name; patterns drop thousands


class Matrix:
    """A float64 matrix that grows by rows in place, within the memory there is.

    `turned`: the rows stand as columns of the matrix, so that it need not be transposed.
    """

    def __init__(self, path: Path, rows: int, columns: int, turned: bool = False):
        import pyarrow.compute  # noqa: F401  casts text, and then no longer counts as free memory

        self.path, self.width, self.turned = path, columns, turned
        memory.check_memory(
            8.0 * rows * columns, path, f"about {rows:,} rows x {columns:,} columns"
        )
        self.most = max(rows, 16)  # rows that there is room for
        self.data = np.empty((columns, self.most) if turned else (self.most, columns))
        self.n = 0

    def room(self, more: int) -> np.ndarray:
        """`more` further rows (more, columns), not filled."""
        if self.n + more > self.most:
            rows = max(self.n + more, self.most * 5 // 4)
            needed = 8.0 * rows * self.width - self.data.nbytes
            rows_text = f"more than {self.n:,} rows x {self.width:,} columns"
            memory.check_memory(needed, self.path, rows_text)
            self._resize(rows)
        self.n += more
        limits.refuse_many(self.n, limits.ROWS_LIMIT, "rows or more", self.path.name)
        data = self.data.T if self.turned else self.data
        return data[self.n - more : self.n]

    def done(self) -> np.ndarray:
        """The matrix, cut to the rows in use."""
        self._resize(self.n)
        return self.data

    def _resize(self, rows: int) -> None:
        before, self.most = self.most, rows
        shape = (self.width, rows) if self.turned else (rows, self.width)
        if rows > before:
            self.data.resize(shape, refcheck=False)
        if self.turned and rows != before:  # its lines get another length
            flat, lines = self.data.reshape(-1), range(self.width)
            for k in lines if rows < before else reversed(lines):
                flat[k * rows : k * rows + self.n] = flat[k * before : k * before + self.n]
        self.data.resize(shape, refcheck=False)


class Strings:
    """One set of distinct strings for all text cells of a file, but for those that are missing."""

    def __init__(self, path: Path, missing: Collection[str] = MISSING_TEXTS):
        self.path, self.missing = path, missing
        self.index: dict[str, int] = {}
        self.size = 0
        self.cap = min(memory.available_bytes() // 4, limits.most_expanded(path))

    def codes(self, codes: np.ndarray, values: Sequence[str]) -> np.ndarray:
        """Codes into this block's values, -1 for missing, as codes into the file's."""
        missing, before = self.missing, len(self.index)
        texts = list(map(str.strip, values))
        if not before:
            self.index = dict(zip(texts, range(len(texts)), strict=True))
        if before or len(self.index) < len(texts) or not self.index.keys().isdisjoint(missing):
            self.index = index = self.index if before else {}
            mapping = [
                -1 if value in missing else index.setdefault(value, len(index)) for value in texts
            ]
        else:  # the first ones, as those of a column of names: all are different
            mapping = list(range(len(texts)))
        added = len(self.index) - before
        self.size += 100 * added + sum(map(len, islice(reversed(self.index), added)))
        if self.size > self.cap:
            raise memory.too_large(self.path.name, "holds more text than numbers")
        return np.array([*mapping, -1], np.int32)[codes]

    @property
    def values(self) -> list[str]:
        return list(self.index)


class DroppedColumns:
    """Dropped columns that may tell patients apart: kept as text, for a remark."""

    def __init__(self, path: Path, header: list[str], dropped: set[str]):
        few = len(dropped) <= MAX_LISTED_COLUMNS
        self.header = header
        self.columns = [
            j for j, c in enumerate(header) if c in dropped and (few or names_samples(c))
        ]
        self.strings, self.blocks = Strings(path), list[np.ndarray]()

    def add(self, fields: Fields) -> None:
        if not self.blocks:
            self.columns = [
                j
                for j in self.columns
                if names_samples(self.header[j]) or parse_number(fields.cell(0, j)) is None
            ]
        if not self.columns:
            return
        try:
            codes = self.strings.codes(*fields.strings(slice(None), np.array(self.columns)))
        except DataError:  # more text than memory: nobody requested it
            self.columns = []
        else:
            self.blocks.append(codes)

    def finish(self) -> dict[str, Text]:
        if not self.columns:
            return {}
        codes, values = np.vstack(self.blocks), self.strings.values
        return {self.header[j]: Text(codes[:, k], values) for k, j in enumerate(self.columns)}


class Columns:
    """Samples in rows."""

    def __init__(
        self,
        path: Path,
        header: list[str],
        wanted: Wanted,
        rows: int,
        missing: Collection[str] = MISSING_TEXTS,
        rules: CellRules | None = None,
    ):
        self.path, self.header, self.wanted, self.rows = path, header, wanted, rows
        self.name = path.name
        self.rules = rules or CellRules()
        self.strings, self.style = Strings(path, missing), FieldStyle(rules=self.rules)
        self.odd: dict[str, Odd] = {}
        self.blocks: list[tuple[list[int], np.ndarray]] = []

    def start(self, first: str, trailing: bool, again: Mapping[str, str] | None = None) -> None:
        """Decide what each column is for, from the header and the first cell; `again` has those
        whose name stood there before."""
        names, wanted, p = self.header, self.wanted, len(self.header)
        requested = wanted.text | wanted.categorical | set(wanted.reserve)
        self.trailing = trailing = trailing and names[-1] not in requested
        self.index = ROW_NAMES if names[0] == ROW_NAMES else None
        dropped = set() if wanted.all_text else wanted.dropped(names, self.name, again)
        self.maybe = None
        self.aside = DroppedColumns(self.path, names, dropped if wanted.only is None else set())
        special = wanted.text | wanted.categorical | dropped | set(wanted.reserve)
        is_text = self.rules.number(first) is None and first not in MISSING_TEXTS
        is_text |= _is_padded_id(names[0], first) and names[0] not in (wanted.only or ())
        if self.index is None and is_text and names[0] not in special:
            self.maybe = names[0]
        # the first is not called like ids: if it holds such, all names may have moved by one
        self.moved = not (names_rows(names[0]) or names_samples(names[0]))
        outside = {*wanted.text, self.index, self.maybe, *names[-1:] * trailing}
        if wanted.all_text:
            outside |= set(names)
        self.text = [j for j in range(p) if names[j] in outside or names[j] in wanted.categorical]
        self.text = [j for j in self.text if names[j] not in dropped]
        self.given = set(self.text)
        keep = [j for j in range(p) if names[j] not in outside and names[j] not in dropped]
        self.keep = keep
        maybe_ids = names_ids(names[0]) or NUMBER_ID.fullmatch(first)
        self.written = Strings(self.path) if maybe_ids and 0 in keep and not is_text else None
        self.cells: list[np.ndarray] = []
        self.reserve = [c for c in wanted.reserve if c not in set(names)]
        self.runs = _column_runs(keep)
        self.numeric = np.zeros(p, bool)
        self.numeric[keep] = True
        self.numeric[self.text] = False
        self.matrix = Matrix(self.path, self.rows, len(keep) + len(self.reserve))

    def add(self, fields: Fields) -> None:
        rows, before = len(fields.starts), self.matrix.n
        if not before:  # most text columns show in the first rows
            few = 1 + 1000 // len(self.header)
            first = Fields(fields.buffer, fields.spans[:few])
            values, known, bad = first.numbers(self.numeric, FieldStyle(rules=self.rules))
            looked_at = replace(self.rules, units_of={}, limits_of=Counter())  # counted below
            bad = looked_at.settle(values, known, bad, self.header)
            self._turn(0, known, bad)
        self.aside.add(fields)
        block = self.matrix.room(rows)
        if self.keep:
            values, known, bad = fields.numbers(self.numeric, self.style)
            bad = self.rules.settle(values, known, bad, self.header)
            self._turn(before, known, bad, fields)
            for at, start, stop in self.runs:
                part = block[:, at : at + stop - start]
                part[...] = values[:, start:stop]
                some = known[:, start:stop]
                if not some.all():
                    part[~some] = np.nan
        block[:, len(self.keep) :] = np.nan
        if self.text:
            codes = self.strings.codes(*fields.strings(slice(None), np.array(self.text)))
            self.blocks.append((list(self.text), codes))
        if self.written is not None:
            self.cells.append(self.written.codes(*fields.strings(slice(None), np.array([0]))))

    def _turn(self, before: int, known: np.ndarray, bad: Bad, fields: Fields | None = None) -> None:
        """Columns that hold text and no number so far become text columns; of those that have
        numbers the text is noted, if these are complete `fields`."""
        turned = list(dict.fromkeys(j for _, j, _ in bad if self.numeric[j]))
        if not turned:
            return
        seen = self.matrix.data[:before, np.searchsorted(self.keep, turned)]
        mixed = known[:, turned].any(axis=0) | ~np.isnan(seen).all(axis=0)
        if mixed.any():
            wrong = set(np.array(turned)[mixed].tolist())
            for r, j, value in bad:
                if j in wrong and fields is not None:
                    odd = self.odd.setdefault(self.header[j], Odd())
                    odd.add(value, f"{before + r + 1:,}")
                    if fields.cell(r, 0) in self.wanted.text:
                        odd.doubt = "are features in rows? then say transpose=True"
            turned = [j for j in turned if j not in wrong]
        self.numeric[turned] = False
        self.text = sorted([*self.text, *turned])

    def finish(self) -> Raw:
        X = self.matrix.done()
        if not len(X):
            raise DataError(f"{self.name!r} has a header line but no rows; add the samples")
        codes = np.full((len(X), len(self.text)), -1, np.int32)
        place = {j: k for k, j in enumerate(self.text)}
        row = 0
        for columns, block in self.blocks:
            where = [place[j] for j in columns]
            if where == list(range(len(self.text))):
                codes[row : row + len(block)] = block
            else:
                codes[row : row + len(block), where] = block
            row += len(block)
        values = self.strings.values
        self._note_mixed(codes, values)
        text = {self.header[j]: Text(codes[:, k], values) for j, k in place.items()}
        faults: list[Fault] = []
        last = text.pop(self.header[-1], None) if self.trailing else None
        if last is not None and last.codes.max() >= 0:
            faults.append(unnamed_column(self.header[-1], self.moved and self._all_differ(text, X)))
        header = self.header[:-1] if self.trailing else self.header
        names = [self.header[j] for j in self.keep] + self.reserve
        aside = self.aside.finish()
        of_cells = self.rules.faults(_columns_of(X, names))
        faults += [*of_cells, *odd_faults(self.odd, len(X), self.rules, self._count_numeric(X))]
        raw = Raw(names, X, text, header, self.index, self.maybe, aside=aside, faults=faults)
        if self.written is not None and 0 in self.keep and header[0] not in text:
            raw.written = Text(np.concatenate(self.cells)[:, 0], self.written.values)
        return raw

    def _all_differ(self, text: Mapping[str, Text], X: np.ndarray) -> bool:
        """Whether the first column has another value in each row, as one of ids has."""
        own = text.get(self.header[0])
        values = own.codes if own is not None else X[:, 0] if 0 in self.keep else np.zeros(len(X))
        return len(np.unique(values)) == len(X)

    def _count_numeric(self, X: np.ndarray) -> int:
        """Columns that hold numbers."""
        if not self.odd:
            return 0
        valued = ~np.isnan(X[:, : len(self.keep)]).all(axis=0)
        return sum(
            has or self.header[j] in self.odd for j, has in zip(self.keep, valued, strict=True)
        )

    def _note_mixed(self, codes: np.ndarray, values: list[str]) -> None:
        """A column inferred to be text must not hold numbers."""
        guessed = [k for k, j in enumerate(self.text) if j not in self.given]
        if not guessed:
            return
        numeric = np.array([self.rules.number(v) is not None for v in values] + [False])
        if self.rules.swaps:  # a number with a point is none, but no category either
            points = np.array([parse_number(v) is not None for v in values] + [False]) & ~numeric
            for k in np.flatnonzero(points[codes[:, guessed]].any(axis=0)):
                column = codes[:, guessed[k]]
                odd = self.odd.setdefault(self.header[self.text[guessed[k]]], Odd())
                for row in np.flatnonzero(points[column]).tolist():
                    odd.add(values[column[row]], f"{row + 1:,}")
        some = numeric[codes[:, guessed]]
        for k in np.flatnonzero(some.any(axis=0)):
            column = codes[:, guessed[k]]
            odd = self.odd.setdefault(self.header[self.text[guessed[k]]], Odd())
            for row in np.flatnonzero((column >= 0) & ~some[:, k]).tolist():
                odd.add(values[column[row]], f"{row + 1:,}")


class Rows:
    """Features in rows: the first column names them, the header names the samples."""

    def __init__(
        self,
        path: Path,
        header: list[str],
        wanted: Wanted,
        rows: int,
        rules: CellRules | None = None,
    ):
        self.path, self.header, self.wanted = path, header, wanted
        self.name = path.name
        self.rules = rules or CellRules()
        self.strings, self.style = Strings(path), FieldStyle(rules=self.rules)
        self.odd: dict[str, Odd] = {}
        self.names: list[str] = []
        self.text: dict[int, np.ndarray] = {}  # by row: names may stand twice
        self.outside: list[int] = []  # rows that are no features
        self.times: Counter[str] = Counter()  # that a name has come
        self.rows = rows

    def start(self, first: str, trailing: bool, again: Mapping[str, str] | None = None) -> None:
        self.trailing, self.unnamed = trailing, False
        self.samples = self.header[1:-1] if trailing else self.header[1:]
        self.width = len(self.samples)
        if not self.width:
            raise DataError(f"{self.name!r} has no sample columns; check separator=")
        self.matrix = Matrix(self.path, self.rows, self.width, turned=True)

    def add(self, fields: Fields) -> None:
        if self.trailing and not self.unnamed:
            self.unnamed = any(fields.texts(self.width + 1))
        fields = Fields(fields.buffer, fields.spans[:, : self.width + 1])
        block_names = fields.texts(0)
        before = len(self.names)
        self.names += block_names
        requested = self.wanted.text | self.wanted.categorical
        as_text = np.zeros(len(block_names), bool)
        if any(FURTHER_PATTERN.search(name) for name in requested):
            as_text |= [bool({name, self._again(name)} & requested) for name in block_names]
        elif requested:
            as_text |= [name in requested for name in block_names]
        wanted = ~as_text[:, None] & (np.arange(self.width + 1) > 0)
        values, known, bad = fields.numbers(wanted, self.style)
        if self.rules.any and bad:  # rules are by feature, which is in rows here
            turned = [(c, r, text) for r, c, text in bad]
            left = self.rules.settle(values.T, known.T, turned, block_names)
            bad = [(r, c, text) for c, r, text in left]
        for r, j, value in bad:
            column, text = shorten_text(self.header[j]), not known[r].any()
            as_text[r] |= text
            if text and not (self.rules.swaps and parse_number(value) is not None):
                continue  # a number with a point is none beside a comma, but no category either
            odd = self.odd.setdefault(block_names[r], Odd())
            odd.add(value, repr(column))
            if text:
                continue
            odd.doubt = f"if {column!r} is not a sample, remove that column from the file"
            if self.header[j] in self.wanted.text:
                odd.doubt = "are samples in rows? then leave out transpose=True"
        for r in map(int, np.flatnonzero(as_text)):
            cells = fields.strings(slice(r, r + 1), np.arange(1, self.width + 1))
            self.text[before + r] = self.strings.codes(*cells)[0]
        values, known = values[:, 1:], known[:, 1:]
        if self.wanted.text:
            outside = np.array([name in self.wanted.text for name in block_names])
            self.outside += [before + r for r in np.flatnonzero(outside).tolist()]
            values, known = values[~outside], known[~outside]
        block = self.matrix.room(len(values))
        block[...] = values
        if not known.all():
            block[~known] = np.nan

    def _again(self, name: str) -> str:
        """What a further feature of a name will be called."""
        self.times[name] += 1
        return f"{name}.{self.times[name]}" if self.times[name] > 1 else name

    def finish(self) -> Raw:
        self.names, again = distinct_names(self.names)
        outside = set(self.outside)
        kept = [n for k, n in enumerate(self.names) if k not in outside] if outside else self.names
        dropped = self.wanted.dropped(self.names, self.name, again)
        reserve = [c for c in self.wanted.reserve if c not in set(self.names)]
        if reserve:
            self.matrix.room(len(reserve))[...] = np.nan
        X, columns = self.matrix.done(), kept + reserve
        of_cells = self.rules.faults(_columns_of(X, columns, {*dropped, *again.values()}))
        values = self.strings.values
        named = {self.names[r]: codes for r, codes in self.text.items()}
        text = {n: Text(c, values) for n, c in named.items() if n not in dropped}
        text[ROW_NAMES] = Text(np.arange(self.width, dtype=np.int32), self.samples)
        aside = {n: Text(c, values) for n, c in named.items() if n in dropped}
        if not dropped.isdisjoint(columns):
            for k, name in enumerate(columns):
                if name in dropped and names_samples(name) and name not in aside:
                    aside[name] = number_texts(X[:, k])
            keep = [k for k, name in enumerate(columns) if name not in dropped]
            columns = [columns[k] for k in keep]
            memory.check_memory(8.0 * self.width * len(keep), self.path, "without some of its rows")
            X = X.take(np.array(keep, np.intp), axis=1)
        faults = [*of_cells, *odd_faults(self.odd, len(X), self.rules)]
        if self.unnamed:
            faults.append(unnamed_column(self.header[-1], moved=True))
        return Raw(
            columns,
            X,
            text,
            self.names,
            index=ROW_NAMES,
            aside=aside,
            faults=faults,
            repeated=again,
            corner=self.header[0],
        )


def _is_padded_id(name: str, text: str) -> bool:
    """Whether a first column is one of ids such as 001, which as numbers would lose their zeros."""
    return bool(PADDED_PATTERN.fullmatch(text)) and (names_rows(name) or names_samples(name))


def _columns_of(
    X: np.ndarray, names: list[str], left_out: Collection[str] = ()
) -> Callable[[str], np.ndarray | None]:
    """What gives a column of X by its name; None of others, and of those that are left out."""

    @cache
    def places_by_name() -> dict[str, int]:
        return {name: k for k, name in enumerate(names)}

    def column_by_name(name: str) -> np.ndarray | None:
        at = None if name in left_out else places_by_name().get(name)
        return None if at is None else X[:, at]

    return column_by_name


def _column_runs(keep: list[int]) -> list[tuple[int, int, int]]:
    """(place in X, first, last + 1) of the contiguous stretches of kept columns."""
    runs: list[list[int]] = []
    for place, j in enumerate(keep):
        if runs and runs[-1][2] == j:
            runs[-1][2] = j + 1
        else:
            runs.append([place, j, j + 1])
    return [(a, b, c) for a, b, c in runs]
