"""How much a table may ask of a reader, so that time and memory go with what a file really holds.

Whoever rightly needs more sets the environment variable that the message names.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from .._core.errors import DataError

MAX_EXPANDED_BYTES = 512 << 20  # bytes that any file may become


@dataclass(frozen=True)
class Limit:
    """A whole number, which an environment variable replaces."""

    variable: str
    usual: int

    @property
    def value(self) -> int:
        given = os.environ.get(self.variable, "")
        if not given.strip():
            return self.usual
        if not given.strip().isascii() or not given.strip().isdigit() or len(given) > 18:
            raise DataError(
                f"the environment variable {self.variable} is {given[:40]!r}: give a whole number"
            )
        return int(given)

    @property
    def more(self) -> str:
        """What a message says to do."""
        return f"if it rightly has more, set {self.variable} above {self.value:,}"


ROWS_LIMIT = Limit("TAMIS_MOST_ROWS", 2_000_000)
COLUMNS_LIMIT = Limit("TAMIS_MOST_COLUMNS", 2_000_000)
LINE_LIMIT = Limit("TAMIS_LONGEST_LINE", 64 << 20)  # bytes
FIELD_LIMIT = Limit("TAMIS_LONGEST_FIELD", 1 << 20)  # letters between quotes
EXPANSION_LIMIT = Limit("TAMIS_MOST_EXPANSION", 1000)  # bytes that a byte of the file may become
READER_SECONDS = Limit("TAMIS_READER_SECONDS", 120)  # for a part of an .h5ad or a workbook


def refuse_many(count: int, limit: Limit, what: str, name: str) -> None:
    """A count above its limit.

    Examples
    --------
    >>> refuse_many(3, ROWS_LIMIT, "rows", "t.csv")
    """
    if count > limit.value:
        raise DataError(
            f"{name!r} has {count:,} {what}, and at most {limit.value:,} are read; {limit.more}"
        )


def most_expanded(path: Path) -> int:
    """Bytes that what is in a file may take: packed files must not become just anything."""
    return MAX_EXPANDED_BYTES + EXPANSION_LIMIT.value * path.stat().st_size
