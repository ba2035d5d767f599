"""Evidence of a kind that the page knows nothing of: its content, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ..study.results.evidence_schema import Interactions
from ..study.results.schema import MethodEntry, StudyContent
from ._blocks import Block, Maker, chartless_block, table_name
from ._interaction_table import OVERLAP_NOTE, how_alike, interaction_table
from ._numbers import UNDEFINED_MARK, count_text, value_text
from ._table import Column, build_table

MAX_LINES = 200  # lines
MAX_LIST_ITEMS = 20  # of a list of plain values


def content_lines(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """(place, value) of everything in nested dictionaries and lists.

    Examples
    --------
    >>> list(content_lines({"a": {"b": 1}, "c": [1, 2], "d": [{"e": None}]}))
    [('a, b', '1'), ('c', '1, 2'), ('d, 1, e', '—')]
    """
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from content_lines(item, f"{at}, {key}" if at else str(key))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for i, item in enumerate(value, 1):
            yield from content_lines(item, f"{at}, {i}" if at else str(i))
    elif isinstance(value, list):
        more = (
            f" and {count_text(len(value) - MAX_LIST_ITEMS)} more"
            if len(value) > MAX_LIST_ITEMS
            else ""
        )
        yield (
            at,
            (", ".join(map(_plain_value_text, value[:MAX_LIST_ITEMS])) or UNDEFINED_MARK) + more,
        )
    else:
        yield at, UNDEFINED_MARK if value == {} else _plain_value_text(value)


def _plain_value_text(value: Any) -> str:
    if value is None:
        return UNDEFINED_MARK
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value_text(value)


def counted_terms(content: Mapping[str, object]) -> Interactions | None:
    """Interactions over the outer training sets, if there are any."""
    found = content.get("interactions")
    if isinstance(found, dict) and Interactions.__required_keys__ <= found.keys():
        return cast(Interactions, found)
    return None


def plain_block(kind: str, place: int) -> Maker:
    """The maker of blocks of a kind, which is the page's `place`-th without a maker of its own."""

    def evidence_block(
        method: MethodEntry, content: Mapping[str, object], number: int, result: StudyContent
    ) -> Block:
        said = [f"What {method['name']} shows of its ranking of all samples, as it stands."]
        tables = []
        found = counted_terms(content)
        own = {k: v for k, v in content.items() if k != "interactions" or found is None}
        lines = list(content_lines(own)) if own else []
        base = f"evidence_{place}"
        if lines:
            columns = [
                Column("what", lambda r: r[0], "What", numeric=False),
                Column("value", lambda r: r[1], "Value", numeric=False),
            ]
            caption = f"{kind}: {method['label']}"
            tables.append(
                build_table(table_name(base, number), caption, columns, lines[:MAX_LINES])
            )
        if found is not None:
            said += [how_alike(found, "interactions"), OVERLAP_NOTE]
            name = table_name(f"{base}_interactions", number)
            tables.append(interaction_table(name, f"{kind}: {method['label']}", found))
        rest = ""
        if len(lines) > MAX_LINES:
            rest = f"{count_text(len(lines) - MAX_LINES)} more lines are in results.json."
        return chartless_block(method, said, tables, rest)

    return evidence_block
