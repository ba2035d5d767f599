"""A panel: the features that a study is about, by a list of their names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from .._core.errors import DataError, counted_noun, listed_names, nearest_name, shorten_text
from .name_tables import is_heading, name_rows
from .raw import RESERVED_COLUMNS, Raw, Wanted

MAX_NEAREST_NAMES = 3  # names of which the nearest of the table is looked for


@dataclass(frozen=True)
class Panel:
    """Names, and the name of the file they are from."""

    file: str
    names: tuple[str, ...]

    @classmethod
    def read(cls, path: Path) -> Panel:
        """One name a line, or the first column of a table."""
        names = [cells[0] for cells in name_rows(path) if cells[0]]
        if not names:
            raise DataError(f"{path.name!r} has no name of a feature: write one a line")
        return cls(path.name, tuple(dict.fromkeys(names)))

    def only(self, names: Iterable[str]) -> Panel:
        """Some of the names, such as those of a block."""
        return replace(self, names=tuple(names))

    def lacking(self, known: Collection[str]) -> list[str]:
        """Names that are not known; a first one that is a heading is none."""
        lost = [name for name in self.names if name not in known]
        return lost[1:] if lost and lost[0] == self.names[0] and is_heading(lost[0]) else lost

    def refusal(self, known: Collection[str], where: str) -> DataError:
        """Where no name is one of a feature."""
        lost = counted_noun(len(self.lacking(known)), "name")
        return DataError(
            f"none of {lost} in {self.file!r} is a feature of {where!r}: "
            f"{self._lacking_text(known)}; features are called {listed_names(known, 3)}"
        )

    def _lacking_text(self, known: Collection[str]) -> str:
        """The names that are lacking, the first of them with the nearest that is known."""
        lost = self.lacking(known)
        near = {name: nearest_name(name, known) for name in lost[:MAX_NEAREST_NAMES]}
        some = [
            shorten_text(repr(name)) + (f" ({shorten_text(near[name])!r}?)" if near[name] else "")
            for name in near
        ]
        more = len(lost) - len(some)
        return ", ".join(some) + (f" and {more:,} more" if more else "")

    def notes(self, known: Collection[str], kept: int, where: str) -> list[str]:
        """What is reported of a table: how many of its features are kept, and which it lacks."""
        found = [f"{kept:,} of {counted_noun(len(known), 'feature')} kept by {self.file!r}"]
        if lost := self.lacking(known):
            names = counted_noun(len(lost), "name")
            found.append(
                f"{names} of {self.file!r} without a feature in {where!r}: "
                f"{self._lacking_text(known)}"
            )
        return found


def keep_panel(raw: Raw, panel: Panel, wanted: Wanted, where: str, part: bool) -> None:
    """Take the first column too, which might have held ids, out of the features if the panel lacks
    it, and say what was kept.

    Where the table is `part` of several the others may have the names.
    """
    first, others = raw.header[:1], {*wanted.text, *wanted.reserve, *RESERVED_COLUMNS, raw.index}
    if first and first[0] not in raw.columns:  # the ids
        others.update(first)
    others |= replace(wanted, only=None, keep=None).dropped(raw.header, where)
    known = dict.fromkeys(name for name in raw.header if name not in others)
    kept = [name for name in panel.names if name in known]
    if not kept and not part:
        raise panel.refusal(known, where)
    if raw.columns[:1] == first and first and first[0] in known and first[0] not in panel.names:
        raw.columns.pop(0)
        raw.text.pop(first[0], None)
        raw.X = np.ascontiguousarray(raw.X[:, 1:])
    raw.notes += panel.notes(known, len(kept), where)
