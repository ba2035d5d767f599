"""A pandas data frame as a table that was read: dtypes say what a file would be guessed from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._core.errors import DataError, listed_names
from . import memory
from .cells import CellRules
from .faults import Fault
from .missing_marks import MissingMarks
from .names import DESCRIPTION_PATTERN, DESCRIPTIONS_MESSAGE, names_samples
from .raw import MOST_EXACT, ROW_NAMES, Raw, Text, Wanted, parse_number
from .reading import Reading
from .repeated_names import NUMBERED_MESSAGE, distinct_names, numbers_as_names
from .sheet_numbers import as_numbers

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["number", "category", "text", "other"]
ID_KINDS: tuple[Kind, ...] = ("category", "text")  # a first column of which may name the samples


def read_frame(frame: pd.DataFrame, wanted: Wanted, how: Reading, where: str) -> Raw:
    """Columns of numbers as they are, categories as declared, cells of text by the rules of files.

    The index names the samples, unless it is only the numbers of the rows.
    """
    frame = _plain_frame_of(frame, wanted.text, where)
    names, again = distinct_names([*map(str, frame.columns)])
    n, at = len(frame), {name: k for k, name in enumerate(names)}
    kind_of = {dtype: _dtype_kind(dtype) for dtype in set(frame.dtypes)}
    kinds = dict(zip(names, [kind_of[dtype] for dtype in frame.dtypes], strict=True))
    index = _index_name(frame.index, kinds)
    dropped = set() if wanted.all_text else wanted.dropped(names, where, again)
    special = wanted.text | wanted.categorical | dropped | {*wanted.reserve}
    maybe = None
    if index is None and names and names[0] not in special and kinds[names[0]] in ID_KINDS:
        typed = _coded_text(frame.iloc[:, 0], kinds[names[0]])[1]
        maybe = names[0] if typed else None
    outside = set(names) if wanted.all_text else {*wanted.text, maybe}
    keep = [c for c in names if c not in outside and c not in dropped]
    reserve = [c for c in wanted.reserve if c not in at]

    width = len(keep) + len(reserve)
    memory.check_room(8.0 * n * width, where, f"{n:,} rows x {width:,} columns")
    X = np.full((n, width), np.nan)
    numbers = [c for c in keep if kinds[c] == "number" and c not in wanted.categorical]
    if numbers:
        place = {c: k for k, c in enumerate(keep)}
        own = frame.iloc[:, [at[c] for c in numbers]]
        _refuse_merged(own, numbers)
        values = own.to_numpy(np.float64, na_value=np.nan)
        X[:, [place[c] for c in numbers]] = values
    raw = Raw([*keep, *reserve], X, {}, names, index, maybe, repeated=again)
    marks = MissingMarks(how.missing, names, how.given_decimal == ",")
    rules = CellRules(marks, how.given_decimal or ".", how.thousands, how.limits, how.units)
    raw.comma = rules.swaps
    others = outside.intersection(names) | set(keep).difference(numbers)
    for name in filter(others.__contains__, names):
        as_it_is = name in outside or name in wanted.categorical
        if faults := _add_text(raw, name, frame.iloc[:, at[name]], kinds[name], rules, as_it_is):
            raw.faults += faults
            X[:, keep.index(name)] = 0  # of which there is nothing more to say
    for name in dropped if wanted.only is None else ():
        if names_samples(name) or kinds[name] in ("text", "category"):
            with suppress(DataError):  # lists and the like, which tell no patients apart
                raw.aside[name] = _coded_text(frame.iloc[:, at[name]], kinds[name])[0]
    if index is not None:
        raw.text[index] = Text.of(map(str, frame.index))
    if how.transpose:  # rows of text and rows of numbers together made text of both
        raw.typed.clear()
    return raw


def sheet_of(frame: pd.DataFrame) -> tuple[dict[str, Text], set[str]]:
    """Attributes of samples, and which of them are not of numbers: as of the ``obs`` of a file."""
    columns = [(str(name), frame.iloc[:, k]) for k, name in enumerate(frame.columns)]
    kinds = {name: _dtype_kind(column.dtype) for name, column in columns}
    sheet = {name: _coded_text(column, kinds[name])[0] for name, column in columns}
    return sheet, {name for name in sheet if kinds[name] != "number"}


def _plain_frame_of(frame: pd.DataFrame, roles: Collection[str], where: str) -> pd.DataFrame:
    """The frame with one name for each row and column, and objects that are numbers as such.

    Raises
    ------
    DataError
        It has several levels of names, or no row.
    """
    if frame.columns.nlevels > 1:
        raise DataError(
            f"{where!r} has {frame.columns.nlevels} levels of column names: make them one, as with "
            "frame.set_axis(['_'.join(map(str, name)) for name in frame.columns], axis=1)"
        )
    if frame.index.nlevels > 1:
        raise DataError(
            f"{where!r} has {frame.index.nlevels} levels of row names: make columns of them with "
            "frame.reset_index(), and name that of the samples with id="
        )
    if not len(frame):
        raise DataError(f"{where!r} has columns but no rows; add the samples")
    if str(frame.index.name) in roles and str(frame.index.name) not in map(str, frame.columns):
        import pandas as pd

        index = frame.index.to_frame(index=False)  # joined, not inserted: of that pandas may warn
        frame = pd.concat([index, frame.reset_index(drop=True)], axis=1)
    if np.dtype(object) in {*frame.dtypes}:
        frame = frame.infer_objects()
    return _native_frame(frame)


def _native_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """With the bytes of numbers in the order of this machine."""
    foreign = [
        k
        for k, dtype in enumerate(frame.dtypes)
        if isinstance(dtype, np.dtype) and not dtype.isnative  # of categories it is never native
    ]
    if foreign:
        frame = frame.copy(deep=False)
        for k in foreign:
            values = frame.iloc[:, k].to_numpy()
            frame.isetitem(k, values.astype(values.dtype.newbyteorder("=")))
    return frame


def _refuse_merged(frame: pd.DataFrame, names: Sequence[str]) -> None:
    """Whole numbers beyond 2^53 that are different, and the same as numbers with a point."""
    for name, (_, column) in zip(names, frame.items(), strict=True):
        kind, size = (getattr(column.dtype, one, None) for one in ("kind", "itemsize"))
        if kind not in ("i", "u") or size != 8:
            continue
        values = column.dropna().to_numpy()
        if len(values) and (values.max() > MOST_EXACT or values.min() < -MOST_EXACT):
            different = np.unique(values)
            if len(np.unique(different.astype(np.float64))) < len(different):
                raise DataError(
                    f"column {name!r} has whole numbers beyond 2^53, of which some fall together "
                    f"as measurements: leave it out with drop=[{name!r}], or make text of it, as "
                    f"with frame.astype({{{name!r}: str}})"
                )


def transposed_frame(frame: pd.DataFrame, named: bool) -> tuple[pd.DataFrame, list[str]]:
    """Features in rows as columns, and what to tell; their names are the index, or the first column
    as in a file unless it is of numbers that name nothing. An array has no names (`named`)."""
    notes: list[str] = []
    if _index_name(frame.index, ()) is None and named and len(frame.columns):
        first, called = frame.iloc[:, 0], str(frame.columns[0])
        if _dtype_kind(first.dtype) == "number":
            names = numbers_as_names(first.to_numpy(np.float64, na_value=np.nan))
            if names is not None:
                frame = frame.iloc[:, 1:].set_axis(names)
                notes.append(NUMBERED_MESSAGE.format(called))
        else:
            frame = frame.set_index(frame.columns[0])
    beside = [*takewhile(DESCRIPTION_PATTERN.fullmatch, map(str, frame.columns))] if named else []
    if beside:
        notes.append(DESCRIPTIONS_MESSAGE.format(listed_names(beside, 6)))
    return frame.iloc[:, len(beside) :].T, notes


def _index_name(index: Any, columns: Collection[str]) -> str | None:
    """What the column of sample ids is called; None where rows have numbers only."""
    import pandas as pd

    if isinstance(index, pd.RangeIndex) and index.equals(pd.RangeIndex(len(index))):
        return None
    name = ROW_NAMES if index.name is None else str(index.name)
    if name == ROW_NAMES and not index.is_unique:
        twice = index[index.duplicated()][0]
        raise DataError(
            f"the index has {str(twice)!r} more than once: if rows are of one patient, name it "
            "with frame.rename_axis('patient') and say group='patient'; else number the rows with "
            "frame.reset_index(drop=True)"
        )
    return ROW_NAMES if name in columns else name


def _dtype_kind(dtype: Any) -> Kind:
    import pandas as pd
    from pandas.api import types

    if isinstance(dtype, pd.CategoricalDtype):
        return "category"
    if types.is_bool_dtype(dtype) or (
        types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype)
    ):
        return "number"
    return "text" if types.is_object_dtype(dtype) or types.is_string_dtype(dtype) else "other"


def _add_text(
    raw: Raw, name: str, column: pd.Series, kind: Kind, rules: CellRules, as_it_is: bool
) -> list[Fault]:
    """A column that is not of numbers, or has to be text, being of a role or declared categorical;
    or what is wrong with it."""
    if kind == "other" and not as_it_is:
        return [
            Fault(
                f"column {name!r} has the type {column.dtype}, which is neither number nor text: "
                f"leave it out with drop=[{name!r}], or make numbers of it (of a date, the days "
                "since a first one)",
                len(column),
                {"drop": (name,)},
                ("type", name),
            )
        ]
    text, typed = _coded_text(column, kind)
    if kind == "category":
        raw.levels[name] = tuple(text.distinct())
    elif not as_it_is and not (typed and all(parse_number(v) is not None for v in text.values)):
        text, faults = as_numbers(text, name, rules, bare=False)
        if faults:
            return faults
        typed = False
    raw.text[name] = text
    if typed:
        raw.typed.add(name)
    return []


def _coded_text(column: pd.Series, kind: Kind) -> tuple[Text, bool]:
    """A column as text, and whether all that is not missing is text.

    Raises
    ------
    DataError
        It holds lists or the like.
    """
    import pandas as pd

    try:
        if kind == "other":  # dates without a time of day are written without one
            column = column.astype(str).where(column.notna())
        codes, values = pd.factorize(column)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"column {str(column.name)!r} holds values that are neither numbers nor text: leave it "
            f"out with drop=[{str(column.name)!r}]"
        ) from error
    for value in values:
        if type(value).__repr__ is object.__repr__:  # whose text has an address, anew each time
            raise DataError(
                f"column {str(column.name)!r} holds objects of the type {type(value).__name__}, "
                f"which are neither numbers nor text: leave it out with drop=[{str(column.name)!r}]"
            )
    typed = all(isinstance(value, str) for value in values)
    return Text.of_codes(codes.astype(np.int32), map(str, values)), typed
