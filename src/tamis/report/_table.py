"""Tables: one description gives the cells that are shown and the numbers that are downloaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypedDict

from ._numbers import UNDEFINED_MARK


@dataclass(frozen=True)
class Cell:
    """What one cell shows.

    `sub` stands below in small print, `bar` (0 to 1) is drawn before it, with a line across at
    `mark`, `more` is a list of (name, number) that opens from the text, `href` leads to a place
    in the page, `strip` is a list of (name, number from 0 to 1) drawn as small upright bars.
    """

    text: str
    sub: str = ""
    bar: float | None = None
    mark: float | None = None
    more: Sequence[tuple[str, str]] = ()
    rest: str = ""
    href: str = ""
    strip: Sequence[tuple[str, float | None]] = ()


@dataclass(frozen=True)
class Column:
    """A column: its name in the download, its value and, with a `title`, how it is shown."""

    key: str
    value: Callable[[Any], Any]
    title: str = ""
    show: Callable[[Any], Cell | str] | None = None
    numeric: bool = True
    help: str = ""


def field_column(
    key: str,
    title: str = "",
    text: Callable[[Any], Cell | str] | None = None,
    numeric: bool = True,
    help: str = "",
) -> Column:
    """A column of what rows hold under its name; `text` is how a value is shown."""
    return computed_column(key, itemgetter(key), title, text, numeric, help)


def computed_column(
    key: str,
    value: Callable[[Any], Any],
    title: str,
    text: Callable[[Any], Cell | str] | None,
    numeric: bool = True,
    help: str = "",
) -> Column:
    """A column of values whose text says nothing else of the row."""
    show = None if text is None else lambda row: text(value(row))
    return Column(key, value, title, show, numeric, help)


class Heading(TypedDict):
    """A column that is shown; `index` is its place among those downloaded."""

    index: int
    title: str
    numeric: bool
    help: str


class Row(TypedDict):
    """A row that is shown."""

    cells: list[Cell]
    strong: bool


class Download(TypedDict):
    """What is sorted, searched and downloaded."""

    columns: list[str]
    rows: list[list[Any]]


class TableView(TypedDict):
    """A table: ``head`` and ``body`` are shown, ``data`` is embedded."""

    name: str
    caption: str
    search: bool
    head: list[Heading]
    body: list[Row]
    data: Download


def build_table(
    name: str,
    caption: str,
    columns: Sequence[Column],
    rows: Iterable[Any],
    strong: Callable[[Any], bool] = lambda row: False,
    search: bool = False,
) -> TableView:
    """The view of a table: ``head`` and ``body`` to show, ``data`` to sort and download."""
    rows = list(rows)
    shown = [(i, c) for i, c in enumerate(columns) if c.title]
    body: list[Row] = [
        {"cells": [_column_cell(c, row) for _, c in shown], "strong": strong(row)} for row in rows
    ]
    return {
        "name": name,
        "caption": caption,
        "search": search,
        "head": [
            {"index": i, "title": c.title, "numeric": c.numeric, "help": c.help} for i, c in shown
        ],
        "body": body,
        "data": {
            "columns": [c.key for c in columns],
            "rows": [[c.value(row) for c in columns] for row in rows],
        },
    }


def _column_cell(column: Column, row: Any) -> Cell:
    if column.show is None:
        value = column.value(row)
        return Cell(UNDEFINED_MARK if value is None else str(value))
    shown = column.show(row)
    return shown if isinstance(shown, Cell) else Cell(shown)
