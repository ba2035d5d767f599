"""Parquet to a C-ordered matrix, by blocks of columns, without a data frame in between."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import DataError, listed_names
from .._core.shared_arrays import empty_table
from . import limits, memory
from .collect import Strings
from .dataset import check_unique
from .names import DESCRIPTION_PATTERN, DESCRIPTIONS_MESSAGE, names_samples
from .raw import ROW_NAMES, Raw, Text, Wanted
from .repeated_names import NUMBERED_MESSAGE, distinct_names, numbers_as_names

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

# columns decoded at once: of some hundred rows they stay in the processor's cache
BLOCK_COLUMNS = 64
MAX_BLOCK_VALUES = 1 << 25  # but no more than that
MIN_THREADED_ROWS = 1 << 13  # rows from which the columns are worth a thread each


def read_parquet(path: Path, wanted: Wanted, by_columns: bool = False) -> Raw:
    """Read a Parquet file; text columns stay text, dictionary columns are categorical.

    `by_columns`: each column of X in one piece, as the file has them.
    """
    import pyarrow as pa

    with _opened_parquet(path) as file:
        n, names, types, text_type = file.rows, file.schema.names, file.types, file.text
        check_unique(names, f"column names in {path.name!r}")
        if not n or not names:
            raise DataError(f"{path.name!r} has columns but no rows; add the samples")
        index = _index_column(file.schema, names)
        dropped = set() if wanted.all_text else wanted.dropped(names, path.name)
        if index in dropped and wanted.only is None and wanted.keep is None:
            index = None
        dropped -= {index}
        special = wanted.text | wanted.categorical | dropped | set(wanted.reserve)
        maybe = None
        if names[0] in text_type and names[0] not in special and index is None:
            maybe = names[0]
        outside = set(names) if wanted.all_text else set(wanted.text) | {index, maybe}
        outside &= set(names)
        keep = [c for c in names if c not in outside and c not in dropped]
        reserve = [c for c in wanted.reserve if c not in set(names)]
        as_text = {c for c in names if c in text_type or c in outside or c in wanted.categorical}
        read = [c for c in names if c not in dropped]
        _refuse_types({c: kind for c, kind in file.odd.items() if c not in dropped}, path.name)

        width = len(keep) + len(reserve)
        memory.check_memory(8.0 * n * width, path, f"{n:,} rows x {width:,} columns")
        X = np.empty((n, width), order="F") if by_columns else empty_table((n, width))
        if reserve or not as_text.isdisjoint(keep):
            X.fill(np.nan)
        place = {c: k for k, c in enumerate(keep)}
        strings, codes = Strings(path), dict[str, np.ndarray]()
        step = max(1, min(BLOCK_COLUMNS, MAX_BLOCK_VALUES // n))
        for start in range(0, len(read), step):
            some = read[start : start + step]
            with _damage_in_one_line(path):
                found, numbers = file.read(some), some
                if not as_text.isdisjoint(some):  # else there is nothing to choose
                    own = [c for c in some if c in as_text]
                    codes |= {c: _column_codes(found.column(c), strings) for c in own}
                    numbers = [c for c in some if c not in as_text]
                    found = found.select(numbers)
                if numbers:
                    _fill_columns(X, found, [place[c] for c in numbers])
        wished = [] if wanted.only is not None else names
        by_content = text_type if wanted.keep is None else set()  # a panel leaves out many
        like_ids = [c for c in wished if c in dropped and (c in by_content or names_samples(c))]
        like_ids = [c for c in like_ids if not pa.types.is_nested(types[c])]
        with _damage_in_one_line(path):
            found = file.read(like_ids)
            beside = {c: _column_codes(found.column(c), strings) for c in like_ids}
    values = strings.values
    text, aside = ({c: Text(own, values) for c, own in some.items()} for some in (codes, beside))
    dictionary = pa.types.is_dictionary
    coded = [c for c in text if c not in outside and dictionary(types[c])]
    levels = {c: tuple(text[c].distinct()) for c in coded}
    if index is not None and (index.startswith("__index_level") or not index):
        text[ROW_NAMES] = text.pop(index)
        index = ROW_NAMES
    columns = [*keep, *reserve]
    return Raw(columns, X, text, names, index, maybe, levels, typed=text_type, aside=aside)


@dataclass
class _OpenedParquet:
    """A Parquet file: its rows, its own schema, the types of its columns by name, the names of
    those of text, and the types of those that are neither numbers nor text.

    `file` reads text as codes into what is different. `places`, if given, has the position of each
    column; otherwise columns are found by name, as a nested one is several of the file.
    """

    file: pq.ParquetFile
    rows: int
    schema: pa.Schema
    types: dict[str, pa.DataType]
    text: set[str]
    odd: dict[str, pa.DataType]
    places: dict[str, int] | None

    def read(self, names: list[str]) -> pa.Table:
        """Some columns, in the order of the file."""
        threads = self.rows >= MIN_THREADED_ROWS
        if self.places is None:
            table = self.file.read(columns=names, use_threads=threads)
        else:
            at = [self.places[name] for name in names]
            table = self.file.reader.read_all(column_indices=at, use_threads=threads)
        if names and table.num_rows != self.rows:
            raise ValueError(f"it says {self.rows:,} rows and has {table.num_rows:,}")
        return table


@contextmanager
def _opened_parquet(path: Path) -> Iterator[_OpenedParquet]:
    """The file; a table that is too large is refused by what the file says of itself."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    class ByPosition(pq.ParquetFile):
        """Not to be read by name: to find columns by their names takes as long as to open."""

        def _build_nested_paths(self) -> dict[str, list[int]]:
            return {}

    with ExitStack() as opened:
        with _damage_in_one_line(path, "is not a readable Parquet file"):
            # not mapped: its pages would count as memory of this process
            source = opened.enter_context(pa.OSFile(os.fsencode(path)))
            file: pq.ParquetFile = ByPosition(source)
            found, schema = file.metadata, file.schema_arrow
            names = schema.names
            types = dict(zip(names, schema.types, strict=True))
            numbers = _number_kinds(types.values())
            others = {name: kind for name, kind in types.items() if kind.id not in numbers}
            text = {name for name, kind in others.items() if _is_text(kind)}
        limits.refuse_many(found.num_rows, limits.ROWS_LIMIT, "rows", path.name)
        limits.refuse_many(len(names), limits.COLUMNS_LIMIT, "columns", path.name)
        size = sum(found.row_group(k).total_byte_size for k in range(found.num_row_groups))
        memory.check_memory(size, path, "unpacked")
        odd = {name: kind for name, kind in others.items() if name not in text}
        places = None if odd else {name: k for k, name in enumerate(names)}
        with _damage_in_one_line(path, "is not a readable Parquet file"):
            if text or odd:
                kind = pq.ParquetFile if odd else ByPosition
                file = kind(source, metadata=found, read_dictionary=text or None)
        yield _OpenedParquet(file, found.num_rows, schema, types, text, odd, places)


@contextmanager
def _damage_in_one_line(path: Path, what: str = "is damaged") -> Iterator[None]:
    """Whatever Arrow has against a file, in one line."""
    import pyarrow as pa

    try:
        yield
    except DataError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, IndexError, OverflowError) as error:
        if isinstance(error, MemoryError):
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
        raise DataError(f"{path.name!r} {what}: {reason}") from error


def _fill_columns(X: np.ndarray, table, places: list[int]) -> None:
    """A table's columns into their places of X."""
    from .._core.arrow import matrices_of, numbers_of, plain_numbers

    if not X.flags.c_contiguous:  # column by column, as both have them
        for place, column in zip(places, plain_numbers(table).columns, strict=True):
            X[:, place] = numbers_of(column)
        return
    together = places[-1] - places[0] == len(places) - 1
    where = slice(places[0], places[-1] + 1) if together else places
    start = 0
    for block in matrices_of(table):
        X[start : start + len(block), where] = block
        start += len(block)


def _column_codes(column, strings: Strings) -> np.ndarray:
    """A column as codes into the strings of the file."""
    import pyarrow as pa

    from .._core.arrow import numbers_of

    if not pa.types.is_dictionary(column.type) or not _is_text(column.type):
        text = Text.of(None if v is None or v != v else str(v) for v in column.to_pylist())
        return strings.codes(text.codes, text.values)
    parts = []
    for chunk in column.chunks:
        values = ["" if v is None else v for v in chunk.dictionary.to_pylist()]
        own = numbers_of(chunk.indices)  # floats, where some are missing
        own = np.where(np.isnan(own), -1, own).astype(np.int32)
        if len(own) and not -1 <= own.min() <= own.max() < len(values):
            raise ValueError("codes of text that is not there")
        parts.append(strings.codes(own, values))
    return np.concatenate(parts)


def _index_column(schema: pa.Schema, names: list[str]) -> str | None:
    """The column that pandas wrote as its index, or an unnamed first column."""
    told = (schema.metadata or {}).get(b"pandas", b"{}")
    try:
        listed = _first_value(told.decode(), "index_columns")
    except (ValueError, KeyError, TypeError, RecursionError):  # not as pandas writes it
        listed = []
    for column in listed if isinstance(listed, list) else []:
        if isinstance(column, str) and column in names:
            return column
    return names[0] if names[0] in ("", "Unnamed: 0") else None


def _first_value(text: str, key: str) -> Any:
    """The value of a key in an object of JSON; what is behind the first key is not parsed for it,
    since pandas describes each column there."""
    head = f'{{"{key}": '
    if text.startswith(head):
        return json.JSONDecoder().raw_decode(text, len(head))[0]
    return json.loads(text)[key]


def _number_kinds(types: Iterable[pa.DataType]) -> set[int]:
    """The ids of those types that are numbers."""
    import pyarrow.types as kinds

    tests = (kinds.is_floating, kinds.is_integer, kinds.is_boolean, kinds.is_null, kinds.is_decimal)
    each = {kind.id: kind for kind in types}
    return {key for key, kind in each.items() if any(test(kind) for test in tests)}


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow.types as types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return types.is_string(kind) or types.is_large_string(kind)


def _refuse_types(columns: dict[str, pa.DataType], where: str) -> None:
    """Of columns that are neither numbers nor text."""
    for name, kind in columns.items():
        raise DataError(
            f"{where!r}: column {name!r} has the type {kind}, which is neither number nor "
            f"text; convert it, or leave it out with drop=[{name!r}]"
        )


def read_flipped(path: Path, wanted: Wanted) -> Raw:
    """A Parquet table with features in rows: their names are the index, or the first column, which
    may hold numbers such as Entrez ids."""
    raw = read_parquet(path, Wanted(), by_columns=True)
    key, notes, X = raw.index or raw.maybe_index, list[str](), raw.X
    inside = [name for name in raw.header if name in {*raw.columns, *raw.text} and name != key]
    if key is None:
        key = inside.pop(0)
        named = numbers_as_names(X[:, 0])
        if named is None:
            raise DataError(
                f"{path.name!r}: with transpose=True the first column has the names of features, "
                f"and the numbers in {key!r} are none: some are missing, repeat, or have decimals; "
                "write the names as a first column of text, or as the index"
            )
        notes.append(NUMBERED_MESSAGE.format(key))
        raw.text[key] = Text.of(named)
    beside = [*takewhile(DESCRIPTION_PATTERN.fullmatch, inside)]
    if beside:
        notes.append(DESCRIPTIONS_MESSAGE.format(listed_names(beside, 6)))
    samples = inside[len(beside) :]
    if extra := [name for name in samples if name in raw.text]:
        raise DataError(
            f"{path.name!r}: with transpose=True the first column has the names of features and "
            f"the others numbers, and there is text in {listed_names(extra, 3)}: leave "
            f"{'it' if len(extra) == 1 else 'them'} out of the file"
        )
    if not samples:
        raise DataError(f"{path.name!r} has no sample columns")
    if len(samples) < len(raw.columns):
        X = X[:, [k for k, name in enumerate(raw.columns) if name in set(samples)]]
    names = [str(v) for v in raw.text[key].labels]
    names, again = distinct_names(names)
    dropped = wanted.dropped(names, path.name, again)
    requested = wanted.text | wanted.categorical
    text = {
        name: Text.of(None if v != v else repr(float(v)) for v in X[k])
        for k, name in enumerate(names if requested else ())
        if name in requested and name not in dropped
    }
    outside = dropped | wanted.text
    reserve = [c for c in wanted.reserve if c not in set(names)]
    X, columns, full = X.T, list(names), X.T
    if reserve or not outside.isdisjoint(names):
        keep = [k for k, name in enumerate(names) if name not in outside]
        columns = [*(names[k] for k in keep), *reserve]
        memory.check_memory(8.0 * len(X) * len(columns), path, "without some of its rows")
        X = np.full((len(X), len(columns)), np.nan)
        X[:, : len(keep)] = full[:, keep]
    text[ROW_NAMES] = Text(np.arange(len(X), dtype=np.int32), samples)
    return Raw(columns, X, text, names, ROW_NAMES, notes=notes, repeated=again)
