"""Bytes of a text file as blocks of whole lines, plain or gzip, with the file's faults named."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .._core.errors import DataError
from . import memory

BLOCK = 1 << 20  # read at once: small enough for the cache, large enough to forget Python
LONGEST = 1 << 30  # a line longer than this is no table


class Lines:
    """The lines of a file, read once from front to back.

    Iterating gives (block, number of its first line); `line` and `head` serve the header.
    Every block ends with a newline. Bytes that are not UTF-8, and NUL bytes, are errors.
    """

    def __init__(self, path: Path, zipped: bool, skip_bom: bool = True):
        self.path, self.name = path, path.name
        self.zipped = zipped
        self.file: Any = (gzip.open if zipped else open)(path, "rb")
        self.number, self.position = 1, 0
        self.cap = min(LONGEST, memory.available_bytes() // 8)
        self.rest = b""
        self.ended = False
        if skip_bom:
            self._more()
            if self.rest.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise DataError(
                    f"{self.name!r} is UTF-16 text; save it as UTF-8, for instance with "
                    f"`iconv -f UTF-16 -t UTF-8`"
                )
            if self.rest.startswith(b"\xef\xbb\xbf"):
                self.rest, self.position = self.rest[3:], 3

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *exception: object) -> None:
        self.file.close()

    def _more(self, size: int = BLOCK) -> bool:
        try:
            chunk = self.file.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DataError(
                f"{self.name!r} is a damaged gzip file ({error}); copy or download it again"
            ) from error
        if not chunk:
            if not self.ended and self.rest and not self.rest.endswith(b"\n"):
                self.rest += b"\n"
            self.ended = True
            return False
        self.rest = self.rest + chunk if self.rest else chunk
        return True

    def fill(self) -> None:
        """Read the first bytes, if nothing is read yet."""
        if not self.rest:
            self._more()

    def peek(self, lines: int) -> list[bytes]:
        """The next lines without taking them; fewer at the end of the file."""
        while self.rest.count(b"\n") < lines and self._grow():
            pass
        return self.rest.split(b"\n", lines)[: min(lines, self.rest.count(b"\n"))]

    def _grow(self) -> bool:
        if len(self.rest) > self.cap:
            kind = "NUL bytes: it is not a text table" if b"\0" in self.rest else "no line end"
            raise DataError(
                f"{self.name!r} has {memory.bytes_text(len(self.rest))} with {kind}; "
                "save the table as CSV, TSV or Parquet"
            )
        return self._more(max(BLOCK, min(len(self.rest), 64 * BLOCK)))

    def line(self) -> bytes | None:
        """Take one line, without its line end; None at the end of the file."""
        while b"\n" not in self.rest:
            if not self._grow() and b"\n" not in self.rest:
                return None
        text, _, rest = self.rest.partition(b"\n")
        self._check(text + b"\n")
        self.rest = rest
        return text.rstrip(b"\r")

    def __iter__(self) -> Iterator[tuple[bytes, int]]:
        while True:
            cut = self.rest.rfind(b"\n") + 1
            if cut and (cut >= BLOCK // 2 or self.ended):
                block, self.rest = self.rest[:cut], self.rest[cut:]
                number = self.number
                self._check(block)
                yield block, number
            elif not self._grow() and not self.rest:
                return

    def _check(self, block: bytes) -> None:
        """Count the block as read, or say where it is not UTF-8 text."""
        if not block.isascii():
            try:
                block.decode("utf-8")
            except UnicodeDecodeError as error:
                line = self.number + block.count(b"\n", 0, error.start)
                raise DataError(
                    f"{self.name!r} is not UTF-8 text: byte {block[error.start]:#04x} at "
                    f"position {self.position + error.start:,} (line {line:,}); if it is "
                    "Latin-1, convert it with `iconv -f LATIN1 -t UTF-8`"
                ) from None
        if b"\0" in block:
            at = block.index(b"\0")
            line = self.number + block.count(b"\n", 0, at)
            raise DataError(
                f"{self.name!r} has a NUL byte at position {self.position + at:,} (line "
                f"{line:,}): it is damaged or not a text table; save it again as CSV or TSV"
            )
        self.number += block.count(b"\n")
        self.position += len(block)
