"""What lines show while they pass: the header once more, and points that may part thousands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .._core.errors import DataError

FIELD_END_PATTERN = rb'(?=[ "]*[;\r\n])'
GROUPED_PATTERN = re.compile(rb';[ "]*([-+]?[1-9]\d{0,2}\.\d{3})' + FIELD_END_PATTERN)
DECIMAL_PATTERN = re.compile(  # a point that stands before decimals
    rb';[ "]*[-+]?(?:0\.\d|\.\d|\d{4,}\.\d|\d+\.(?:\d{1,2}|\d{4,})(?:[eE][-+]?\d+)?'
    + FIELD_END_PATTERN
    + rb")"
)

MAX_SOUGHT_BYTES = 256  # bytes of a line: the longer, the fewer places of a block are looked at


@dataclass
class Points:
    """Points in the numbers between semicolons, but for the first column of names: whether all have
    three digits behind, as thousands do. `open` is whether that is to be found out, `beside` how
    many columns in front hold no numbers."""

    open: bool
    beside: int = 0
    count: int = 0
    first: str = ""

    def see(self, block: bytes) -> None:
        """Look at some lines."""
        if not self.open or b"." not in block:
            return
        if self.beside:
            block = re.sub(rb"(?m)^(?:[^;\n]*;){%d}" % self.beside, b"", block)
        self.open = DECIMAL_PATTERN.search(block) is None
        found = GROUPED_PATTERN.findall(block) if self.open and self.count < 2 else []
        self.first = self.first or b"".join(found[:1]).decode()
        self.count += len(found)

    def notes(self) -> list[str]:
        """A word on numbers such as 4.090, where there are some and no other point."""
        if not self.open or self.count < 2:
            return []
        return [
            f"{self.first!r} and others are read with a decimal point: if it stands between "
            "thousands, say thousands='.' and decimal=','"
        ]


def watched_lines(
    blocks: Iterator[tuple[bytes, int]], header: tuple[bytes, int], points: Points, name: str
) -> Iterator[tuple[bytes, int]]:
    """The same blocks of lines, each looked at; `header` is its text and how many lines it has.

    Raises
    ------
    DataError
        The header stands among the rows, as of files that were put one behind the other.
    """
    for block, number in blocks:
        at = place_of_line(block, header[0]) if header[1] == 1 else -1
        if at >= 0:
            again = number + block.count(b"\n", 0, at)
            raise DataError(
                f"{name!r}: line {again:,} has the names of the header again: remove the line"
            )
        points.see(block)
        yield block, number


def place_of_line(block: bytes, line: bytes) -> int:
    """Where some line begins in a block of lines, -1 if nowhere; by its beginning."""
    full_line, key = line + b"\n", b"\n" + line[:MAX_SOUGHT_BYTES]
    if block.startswith(full_line):
        return 0
    at = block.find(key)
    while at >= 0 and not block.startswith(full_line, at + 1):
        at = block.find(key, at + 1)
    return at + 1 if at >= 0 else -1
