"""Symbols of features for people: ``TP53 (ENSG00000141510)`` on the terminal and the page.

Names of features stay what they are in tables, results and models. `Dataset.labels` has the
symbols, a result has those of the features that it names under the key ``labels``, and
`with_labels` puts them beside the names of a full result just before it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from .._core.errors import DataError, counted_noun, listed_names
from .name_tables import ID_HEADERS, SYMBOL_HEADERS, heading_place, name_rows
from .raw import MISSING_TEXTS, NO_LABEL, Raw

ENSEMBL_PATTERN = re.compile(r"(ENS[A-Z]*\d{11})\.\d+")  # with the version of a record
# what no feature is named in; these words stay although a feature may be called the same
RESERVED_NAMES = frozenset(
    ["versions", "data", "plan", "protocol", "settings", "classes", "citations", "tables", "labels"]
)
T = TypeVar("T")


@dataclass(frozen=True)
class Symbols:
    """Symbols by id, and the name of the file they are from."""

    file: str
    symbols: Mapping[str, str]

    @classmethod
    def read(cls, path: Path) -> Symbols:
        """Two columns, known by their headings; else the first two."""
        rows = name_rows(path, blanks=True)
        first = next(rows, [])
        symbol = heading_place(first, SYMBOL_HEADERS)
        known = heading_place([c if k != symbol else "" for k, c in enumerate(first)], ID_HEADERS)
        headed = symbol is not None or known is not None
        at = _other_than(symbol) if known is None else known
        beside = _other_than(at) if symbol is None else symbol
        found: dict[str, str] = {}
        for cells in rows if headed else (first, *rows):
            if max(at, beside) < len(cells) and _is_symbol(cells[at], cells[beside]):
                found.setdefault(cells[at], cells[beside])
        if not found:
            raise DataError(
                f"{path.name!r} has no symbols: it needs two columns, of ids and of symbols, with "
                "headings such as id and symbol"
            )
        return cls(path.name, found)

    def add_to(self, raw: Raw, part: bool) -> None:
        """Put them beside what a table itself has of its features; where it is `part` of several,
        the others may have the ids."""
        found = self.of(raw.columns)
        if not found and not part:
            raise self.refusal(raw.columns)
        raw.labels |= found
        if found:
            features = counted_noun(len(raw.columns), "feature")
            raw.notes.append(f"symbols of {len(found):,} of {features} by {self.file!r}")

    def of(self, names: Iterable[str]) -> dict[str, str]:
        """Those of some features; Ensembl's ids also without their versions."""
        plain = {ENSEMBL_PATTERN.sub(r"\1", key): symbol for key, symbol in self.symbols.items()}
        found = {}
        for name in names:
            symbol = self.symbols.get(name) or plain.get(ENSEMBL_PATTERN.sub(r"\1", name), name)
            if symbol != name:
                found[name] = symbol
        return found

    def refusal(self, names: Iterable[str]) -> DataError:
        """Where no feature has one."""
        return DataError(
            f"no id in {self.file!r}, such as {listed_names(self.symbols, 2)}, is the name of a "
            f"feature, such as {listed_names(names, 2)}: give a table of these ids and their "
            "symbols"
        )


def _other_than(place: int | None) -> int:
    """The first of two columns that is another."""
    return 1 if place == 0 else 0


def _is_symbol(name: str, symbol: str) -> bool:
    none = symbol in MISSING_TEXTS or NO_LABEL.fullmatch(symbol)
    return bool(name) and not none and symbol != name


def display_name(name: str, labels: Mapping[str, str]) -> str:
    """A feature as people are shown it.

    Examples
    --------
    >>> display_name("1007_s_at", {"1007_s_at": "DDR1"}), display_name("x", {})
    ('DDR1 (1007_s_at)', 'x')
    """
    return f"{labels[name]} ({name})" if name in labels else name


def labels_in(content: Mapping[str, object], labels: Mapping[str, str]) -> dict[str, str]:
    """The labels of those features that a result names."""
    found: set[str] = set()

    def note_seen(name: str) -> str:
        if name in labels:
            found.add(name)
        return name

    _each_name(content, note_seen)
    return {name: labels[name] for name in sorted(found)}


def with_labels(content: T) -> T:
    """A result as people are shown it: its ``labels`` beside the names of its features."""
    labels = content.get("labels") if isinstance(content, Mapping) else None
    return _each_name(content, lambda name: display_name(name, labels)) if labels else content


def _each_name(content: Any, change: Any) -> Any:
    """A copy of a result, each text of it changed that may name a feature."""
    if isinstance(content, str):
        return change(content)
    if isinstance(content, Mapping):
        return {k: v if k in RESERVED_NAMES else _each_name(v, change) for k, v in content.items()}
    return [_each_name(v, change) for v in content] if isinstance(content, list) else content
