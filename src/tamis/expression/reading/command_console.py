"""The container of Command Console: named values, and data sets of rows; most significant first.

Format: Affymetrix, "Command Console generic data file format".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ..._core.errors import DataError, counted_noun, printable_text, shorten_text
from .content import Place

MAX_HEADER_DEPTH = 16  # headers of headers: the scan, its chip, and what they came of
NUMBER_TYPES = ("i1", "u1", ">i2", ">u2", ">i4", ">u4", ">f4")  # by the number of the type
MIN_VALUE_BYTES = 12  # bytes of a named value: the lengths of its three texts
COLUMN_BYTES = 9  # of a column: the length of its name, its type and size


@dataclass(frozen=True)
class DataSet:
    """Rows of numbers in a file.

    Attributes
    ----------
    columns : list of (str, int, int)
        Name, number of the type, and bytes of each.
    n_rows : int
    first : int
        Byte at which the first row begins.
    """

    columns: list[tuple[str, int, int]]
    n_rows: int
    first: int


@dataclass(frozen=True)
class Contents:
    """What a file holds.

    Attributes
    ----------
    kind : str
        The type of the file, as ``affymetrix-calvin-intensity``.
    values : dict
        (bytes, type) by name; of values that are given twice that of the outer header.
    data_sets : dict
        Of the first group, by name.
    n_groups : int
    """

    kind: str
    values: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    data_sets: dict[str, DataSet] = field(default_factory=dict)
    n_groups: int = 0

    def text(self, key: str) -> str:
        """A value as a text; empty if there is none of that name."""
        value, kind = self.values.get(key, (b"", ""))
        if kind == "text/plain":
            return printable_text(value.decode("utf-16-be", "replace").strip("\0 "))
        return printable_text(value.decode("latin-1").strip("\0 "))

    def integer(self, key: str, name: str) -> int:
        """A value that is a whole number.

        Raises
        ------
        DataError
            It is missing or of another type.
        """
        value, kind = self.values.get(key, (b"", ""))
        if "integer-32" not in kind or len(value) < 4:
            raise DataError(f"{name!r} is damaged: it does not say {key} as a whole number")
        return int.from_bytes(value[:4], "big", signed="unsigned" not in kind)


def read_contents(place: Place) -> Contents:
    """Headers and where data sets lie, no rows.

    Raises
    ------
    DataError
        The file is damaged or cut short.
    """
    _, _, n_groups, first = place.numbers("2BiI", "its header")
    kind, values = "", dict[str, tuple[bytes, str]]()
    for own, found in _nested_headers(place, 0):
        kind = kind or own
        values = {**found, **values}
    data_sets = {}
    place.go(first, "its first group")
    _, first, n_sets = place.numbers("2Ii", "its first group")
    _wide_text(place)
    for _ in range(n_sets):
        if first < place.at:
            raise DataError(f"{place.name!r} is damaged: its data sets do not follow each other")
        place.go(first, "a data set")
        rows_at, first = place.numbers("2I", "a data set")
        name, one = _data_set(place, rows_at)
        data_sets[name] = one
    return Contents(kind, values, data_sets, n_groups)


def rows_of(place: Place, one: DataSet, what: str) -> np.ndarray:
    """The rows of a data set as records; columns are called c0, c1, ...

    Raises
    ------
    DataError
        A column holds no numbers, or rows lie outside the file.
    """
    kinds = []
    for column, kind, size in one.columns:
        if not 0 <= kind < len(NUMBER_TYPES) or np.dtype(NUMBER_TYPES[kind]).itemsize != size:
            raise DataError(
                f"{place.name!r} is damaged: column {shorten_text(column)!r} of {what} holds no "
                "numbers"
            )
        kinds.append(NUMBER_TYPES[kind])
    if not kinds:
        raise DataError(f"{place.name!r} is damaged: {what} have no columns")
    place.go(one.first, what)
    record = np.dtype([(f"c{j}", kind) for j, kind in enumerate(kinds)])
    return place.array(record, one.n_rows, what)


def _nested_headers(place: Place, depth: int) -> Iterator[tuple[str, dict[str, tuple[bytes, str]]]]:
    """Type and named values of a header, then of those in it."""
    if depth > MAX_HEADER_DEPTH:
        raise DataError(
            f"{place.name!r} is damaged: over {MAX_HEADER_DEPTH} headers lie in each other"
        )
    kind = _narrow_text(place).decode("latin-1")
    _narrow_text(place)  # the file's own identifier
    _wide_text(place)  # its date
    _wide_text(place)  # its language
    yield kind, _named_values(place)
    (n_parents,) = place.numbers("i", "its headers")
    place.must_hold(n_parents, 24, "its headers")
    for _ in range(n_parents):
        yield from _nested_headers(place, depth + 1)


def _named_values(place: Place) -> dict[str, tuple[bytes, str]]:
    (n,) = place.numbers("i", "its named values")
    place.must_hold(n, MIN_VALUE_BYTES, counted_noun(n, "named value"))
    found = {}
    for _ in range(n):
        key = _wide_text(place)
        value = _narrow_text(place)
        found[key] = value, _wide_text(place)
    return found


def _data_set(place: Place, first: int) -> tuple[str, DataSet]:
    name = _wide_text(place)
    _named_values(place)
    (n_columns,) = place.numbers("I", "the columns of a data set")
    place.must_hold(n_columns, COLUMN_BYTES, "the columns of a data set")
    columns = []
    for _ in range(n_columns):
        column = _wide_text(place)
        kind, size = place.numbers("bi", "a column")
        columns.append((column, kind, size))
    (n_rows,) = place.numbers("I", "the rows of a data set")
    return name, DataSet(columns, n_rows, first)


def _narrow_text(place: Place) -> bytes:
    (length,) = place.numbers("i", "a text")
    return place.take(length, "a text")


def _wide_text(place: Place) -> str:
    (length,) = place.numbers("i", "a text")
    return place.take(2 * length, "a text").decode("utf-16-be", "replace")
