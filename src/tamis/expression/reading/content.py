"""What a file of an array holds, unpacked, and a place in it that never runs over its end."""

from __future__ import annotations

import io
import re
import struct
from pathlib import Path

import numpy as np

from ..._core.errors import DataError, shorten_text
from ...data.unpacked import unpacked_bytes

INTEGER_PATTERN = re.compile(r"\s*(\d{1,9})\s*\Z")


def array_file(path: Path) -> bytes:
    """All bytes of a file, unpacked if gzip packed it.

    Raises
    ------
    DataError
        It is empty, or see `unpacked_bytes`.
    """
    data = unpacked_bytes(path)
    if not data:
        raise DataError(f"{path.name!r} is empty")
    return data


class Place:
    """Where the next number of a binary file stands; what would lie behind its end is refused.

    Parameters
    ----------
    data : bytes
    name : str
        Of the file, for messages.
    order : {"<", ">"}
        Byte order.
    """

    def __init__(self, data: bytes, name: str, order: str):
        self.data, self.name, self.order = data, name, order
        self.at = 0

    def go(self, at: int, what: str) -> None:
        """To a byte of the file."""
        if not 0 <= at <= len(self.data):
            raise DataError(
                f"{self.name!r} is damaged or cut short: {what} should begin at byte {at:,} of "
                f"{len(self.data):,}"
            )
        self.at = at

    def must_hold(self, count: int, width: int, what: str) -> None:
        """Refuse a count of things of some bytes each that do not fit in what is left."""
        if count < 0 or count * width > len(self.data) - self.at:
            raise DataError(
                f"{self.name!r} is damaged or cut short: {what} would take {count * width:,} bytes "
                f"where {len(self.data) - self.at:,} are left; copy or download it again"
            )

    def take(self, count: int, what: str) -> bytes:
        """That many bytes."""
        self.must_hold(count, 1, what)
        self.at += count
        return self.data[self.at - count : self.at]

    def numbers(self, kinds: str, what: str) -> tuple[int, ...]:
        """Whole numbers of the kinds of `struct`."""
        kinds = self.order + kinds
        return struct.unpack(kinds, self.take(struct.calcsize(kinds), what))

    def array(self, dtype: np.dtype, count: int, what: str) -> np.ndarray:
        """A view of numbers, or of records of them."""
        self.must_hold(count, dtype.itemsize, what)
        found = np.frombuffer(self.data, dtype, count, self.at)
        self.at += count * dtype.itemsize
        return found


def text_lines(data: bytes) -> io.BytesIO:
    """The lines of a text, of which no second copy is made."""
    return io.BytesIO(data)


def key_and_value(line: bytes | str) -> tuple[str, str]:
    """``Key=value``; the value is empty if there is no equals sign."""
    text = line.decode("latin-1") if isinstance(line, bytes) else line
    key, _, value = text.partition("=")
    return key.strip(), value.strip()


def integer_of(text: str | None, key: str, name: str) -> int:
    """A whole number of at most nine digits.

    Raises
    ------
    DataError
        It is missing or something else.
    """
    found = INTEGER_PATTERN.match(text or "")
    if found is None:
        said = "is missing" if text is None else f"is {shorten_text(text)!r}, not a whole number"
        raise DataError(f"{name!r} is damaged: {key} {said}")
    return int(found[1])
