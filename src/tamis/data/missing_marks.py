"""Marks of missing values that the user gives: ``VALUE`` for all columns, ``COLUMN=VALUE`` for
one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from .raw import Text, parse_number

LIMIT_SIGNS = ("<", ">", "≤", "≥", "=")


def split_mark(mark: str, columns: Collection[str] = ()) -> tuple[str, str]:
    """The column and the value of a mark; without a column where it is of all.

    Where there are several equals signs the one behind the name of a column counts, else the last.

    Examples
    --------
    >>> split_mark("-9"), split_mark("age=99"), split_mark("<=0.5")
    (('', '-9'), ('age', '99'), ('', '<=0.5'))
    >>> split_mark("g=p=0.05", ["g"]), split_mark("a=b=1")
    (('g', 'p=0.05'), ('a=b', '1'))
    """
    if mark[:1] in LIMIT_SIGNS:
        return "", mark
    places = [k for k, letter in enumerate(mark) if letter == "="]
    at = next((k for k in places if mark[:k] in columns), places[-1] if places else -1)
    return ("", mark) if at < 0 else (mark[:at], mark[at + 1 :])


class MissingMarks:
    """Marks, by column.

    Parameters
    ----------
    marks : iterable of str
    columns : collection of str
        Names of columns, as far as they are known.
    comma : bool
        Decimals stand behind a comma.

    Attributes
    ----------
    anywhere : tuple of str
    within : dict of str to tuple of str
        Those of one column.

    Examples
    --------
    >>> marks = MissingMarks(["-9", "age=99"])
    >>> marks.has("99", "age"), marks.has("99", "weight"), marks.has("-9", "weight")
    (True, False, True)
    """

    def __init__(
        self, marks: Iterable[str] = (), columns: Collection[str] = (), comma: bool = False
    ):
        marks = tuple(marks)
        names = set(columns) if any(mark.count("=") > 1 for mark in marks) else ()
        parts = [split_mark(mark, names) for mark in marks]
        self.comma = comma
        self.anywhere = tuple(value for column, value in parts if not column)
        self.within: dict[str, tuple[str, ...]] = {}
        for column, value in parts:
            if column:
                self.within[column] = (*self.within.get(column, ()), value)

    def __bool__(self) -> bool:
        return bool(self.anywhere or self.within)

    def has(self, text: str, column: str) -> bool:
        """Whether a text that is no number is a mark in a column."""
        return text in self.anywhere or text in self.within.get(column, ())

    def strike(self, X: np.ndarray, columns: Sequence[str]) -> None:
        """Numbers that are marks, such as -9, made missing in X."""
        for number in self._numbers(self.anywhere):
            _strike_number(X, number)
        places = {name: k for k, name in enumerate(columns)} if self.within else {}
        for name, marks in self.within.items():
            for number in self._numbers(marks) if name in places else ():
                _strike_number(X[:, places[name]], number)

    def struck(self, text: Mapping[str, Text], roles: Collection[str] = ()) -> dict[str, Text]:
        """The same columns of text without marks, which are compared as numbers where they are
        some: 99 is 99.0. In columns of `roles` (classes, groups, ids) a number is a mark only where
        it is said of that column."""
        return {name: self._struck(name, one, name in roles) for name, one in text.items()}

    def _struck(self, name: str, one: Text, role: bool) -> Text:
        anywhere = self.anywhere
        if role:
            anywhere = tuple(mark for mark in anywhere if self._number(mark) is None)
        marks = {*anywhere, *self.within.get(name, ())}
        if not marks:
            return one
        numbers = set(self._numbers(marks))
        gone = [v for v in one.values if v in marks or (numbers and parse_number(v) in numbers)]
        return one.without(gone) if gone else one

    def _numbers(self, marks: Iterable[str]) -> list[float]:
        return [x for mark in marks if (x := self._number(mark)) is not None]

    def _number(self, mark: str) -> float | None:
        return parse_number(mark.replace(",", ".") if self.comma else mark)


def _strike_number(values: np.ndarray, number: float) -> None:
    """Make a number missing, also as it was stored in single precision."""
    for like in {number, float(np.float32(number))}:
        values[values == like] = np.nan
