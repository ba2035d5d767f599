"""A section of the page about one kind of evidence: a block for each method that has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict

from ..study.results.schema import MethodEntry, StudyContent
from ._table import TableView


class Block(TypedDict):
    """What one method shows."""

    name: str
    label: str
    said: list[str]  # paragraphs
    verdict: str
    caption: str  # of the chart
    chart: Mapping[str, object] | None
    tables: list[TableView]
    rest: str  # below the tables


def chartless_block(
    method: MethodEntry, said: list[str], tables: list[TableView], rest: str
) -> Block:
    """Paragraphs and tables, and no chart."""
    return {
        "name": method["name"],
        "label": method["label"],
        "said": said,
        "verdict": "",
        "caption": "",
        "chart": None,
        "tables": tables,
        "rest": rest,
    }


Maker = Callable[[MethodEntry, Mapping[str, object], int, StudyContent], Block]


class Section(TypedDict):
    """All methods that show one kind."""

    kind: str
    id: str
    title: str
    template: str
    blocks: list[Block]


def table_name(kind: str, number: int) -> str:
    """Of a block's table; a page may have several of a kind."""
    return kind + (f"_{number}" if number > 1 else "")
