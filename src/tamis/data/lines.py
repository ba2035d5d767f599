"""Bytes of a text file as blocks of whole lines, plain or gzip, with the file's faults named."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .._core.errors import DataError
from . import limits, memory

BLOCK = 1 << 20  # read at once: small enough for the cache, large enough to forget Python
BLANK = re.compile(rb"(?:[ \t\r\f\v]*+\n)*+")


class Lines:
    """The lines of a file, read once from front to back.

    Iterating gives (block, number of its first line); `line`, `peek` and `skip` serve the header.
    Every block ends with a newline; one longer than `BLOCK` is a single line. Bytes that are not
    UTF-8, NUL bytes, and lines without end, are errors.
    """

    def __init__(self, path: Path, zipped: bool, skip_bom: bool = True):
        self.path, self.name = path, path.name
        self.zipped = zipped
        self.file: Any = (gzip.open if zipped else open)(path, "rb")
        self.number, self.position = 1, 0
        self.longest = min(limits.LINE.value, memory.available_bytes() // 8)
        self.buffer, self.at = b"", 0  # what was read, and where in it the next line begins
        self.ended = False
        if skip_bom:
            start = self.head(3)
            if start.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise DataError(
                    f"{self.name!r} is UTF-16 text; save it as UTF-8, for instance with "
                    f"`iconv -f UTF-16 -t UTF-8`"
                )
            if start == b"\xef\xbb\xbf":
                self.at = self.position = 3

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *exception: object) -> None:
        self.file.close()

    def head(self, size: int) -> bytes:
        """The first bytes, without taking them."""
        if not self.buffer:
            self._more(BLOCK)
        return self.buffer[:size]

    def _more(self, size: int) -> bool:
        """Read on; False if nothing has come."""
        if self.ended:
            return False
        try:
            chunk = self.file.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DataError(
                f"{self.name!r} is a damaged gzip file ({error}); copy or download it again"
            ) from error
        if not chunk:
            self.ended = True
            if self.at < len(self.buffer) and not self.buffer.endswith(b"\n"):
                chunk = b"\n"
        self.buffer, self.at = self.buffer[self.at :] + chunk, 0
        return bool(chunk)

    def _longer(self, line: int) -> bool:
        """Read on, for a line of which so many bytes are there: as much again, so that what is
        looked at twice does not grow faster than the file."""
        if line > self.longest:
            kind = "NUL bytes: it is not a text table" if self._holds_nul() else "no line end"
            raise DataError(
                f"{self.name!r} has {memory.bytes_text(line)} with {kind}; save the table as CSV, "
                f"TSV or Parquet ({limits.LINE.more})"
            )
        return self._more(max(BLOCK, line))

    def _holds_nul(self) -> bool:
        return self.buffer.find(b"\0", self.at) >= 0

    def _line_end(self, ahead: int = 0) -> int:
        """How far on the line ends that begins `ahead` bytes on; -1 at the end of the file."""
        seen = ahead
        while (end := self.buffer.find(b"\n", self.at + seen)) < 0:
            seen = len(self.buffer) - self.at
            if not self._longer(seen - ahead):
                return -1
        return end - self.at

    def peek(self, lines: int) -> list[bytes]:
        """The next lines without taking them; fewer at the end of the file, or if they are long."""
        found: list[bytes] = []
        start = 0
        while len(found) < lines and (len(found) < 2 or start < self.longest):
            end = self._line_end(start)
            if end < 0:
                break
            found.append(self.buffer[self.at + start : self.at + end])
            start = end + 1
        return found

    def line(self) -> bytes | None:
        """Take one line, without its line end; None at the end of the file."""
        end = self._line_end()
        return None if end < 0 else self._take(end + 1)[:-1].rstrip(b"\r")

    def skip(self, idle: re.Pattern[bytes]) -> None:
        """Take all lines that follow as a pattern of many lines says."""
        while True:
            found = idle.match(self.buffer, self.at)
            if found is not None:
                self._take(found.end() - self.at)
            if self.buffer.find(b"\n", self.at) >= 0:
                return
            if not self._longer(len(self.buffer) - self.at):
                return

    def __iter__(self) -> Iterator[tuple[bytes, int]]:
        while True:
            held = len(self.buffer) - self.at
            cut = self.buffer.rfind(b"\n", self.at, self.at + BLOCK)
            if cut < 0:
                cut = self.buffer.find(b"\n", self.at + BLOCK)
            size = cut + 1 - self.at
            if cut >= 0 and (size >= BLOCK // 2 or held >= BLOCK or self.ended):
                number = self.number
                yield self._take(size), number
            elif not self._longer(held) and not held:
                return

    def _take(self, size: int) -> bytes:
        """Bytes of whole lines; says where they are not UTF-8 text."""
        block = self.buffer[self.at : self.at + size]
        if not block.isascii():
            try:
                block.decode("utf-8")
            except UnicodeDecodeError as error:
                line = self.number + block.count(b"\n", 0, error.start)
                raise DataError(
                    f"{self.name!r} is not UTF-8 text: byte {block[error.start]:#04x} at "
                    f"position {self.position + error.start:,} (line {line:,}); if it is of "
                    "Windows or Latin-1, convert it with `iconv -f WINDOWS-1252 -t UTF-8`"
                ) from None
        if b"\0" in block:
            at = block.index(b"\0")
            line = self.number + block.count(b"\n", 0, at)
            raise DataError(
                f"{self.name!r} has a NUL byte at position {self.position + at:,} (line "
                f"{line:,}): it is damaged or not a text table; save it again as CSV or TSV"
            )
        self.number += int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))
        self.position += size
        self.at += size
        return block
