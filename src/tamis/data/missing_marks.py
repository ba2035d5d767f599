"""Marks of missing values that the user tells: ``VALUE`` for all columns, ``COLUMN=VALUE`` for
one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from .raw import Text, parse_number


class MissingMarks:
    """Marks, by column.

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

    def __init__(self, marks: Iterable[str] = ()):
        parts = [mark.rpartition("=") for mark in marks]
        self.anywhere = tuple(value for column, _, value in parts if not column)
        self.within: dict[str, tuple[str, ...]] = {}
        for column, _, value in parts:
            if column:
                self.within[column] = (*self.within.get(column, ()), value)

    def __bool__(self) -> bool:
        return bool(self.anywhere or self.within)

    def has(self, text: str, column: str) -> bool:
        """Whether a text that is no number is a mark in a column."""
        return text in self.anywhere or text in self.within.get(column, ())

    def strike(self, X: np.ndarray, columns: Sequence[str]) -> None:
        """Numbers that are marks, such as -9, made missing in X."""
        for number in _numbers(self.anywhere):
            X[number == X] = np.nan
        places = {name: k for k, name in enumerate(columns)} if self.within else {}
        for name, marks in self.within.items():
            for number in _numbers(marks) if name in places else ():
                own = X[:, places[name]]
                own[own == number] = np.nan

    def struck(self, text: Mapping[str, Text], roles: Collection[str] = ()) -> dict[str, Text]:
        """The same columns of text without marks, which are compared as numbers where they are
        some: 99 is 99.0. In columns of `roles` (classes, groups, ids) a number is a mark only where
        it is said of that column."""
        return {name: self._struck(name, one, name in roles) for name, one in text.items()}

    def _struck(self, name: str, one: Text, role: bool) -> Text:
        anywhere = self.anywhere
        if role:
            anywhere = tuple(mark for mark in anywhere if _number(mark) is None)
        marks = {*anywhere, *self.within.get(name, ())}
        if not marks:
            return one
        numbers = set(_numbers(marks))
        gone = [v for v in one.values if v in marks or (numbers and parse_number(v) in numbers)]
        return one.without(gone) if gone else one


def _numbers(marks: Iterable[str]) -> list[float]:
    return [x for mark in marks if (x := _number(mark)) is not None]


def _number(mark: str) -> float | None:
    """A mark as a number, also with a decimal comma."""
    value = parse_number(mark)
    return parse_number(mark.replace(",", ".")) if value is None and "." not in mark else value
