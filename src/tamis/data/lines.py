"""Bytes of a text file as blocks of complete lines, plain or gzip, with the file's faults named.

Whatever the file's encoding, the bytes are UTF-8.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .._core.errors import DataError
from . import limits, memory

BLOCK_BYTES = 1 << 20  # read at once: small enough for the cache, large enough to forget Python
BLANK_LINES_PATTERN = re.compile(rb"(?:[ \t\r\f\v]*+\n)*+")
# bytes beyond ASCII that Windows-1252 has for Western letters, degrees, micro, quotes and dashes
WESTERN_BYTES = bytes(
    [
        0x80,
        0x85,
        *range(0x91, 0x98),
        0x99,
        0xA0,
        0xA7,
        0xAE,
        0xB0,
        0xB1,
        0xB2,
        0xB3,
        0xB5,
        0xB7,
        0xBD,
        *range(0xC0, 0x100),
    ]
)
LONE_BYTE_PATTERN = re.compile(
    rb"(?<![\x80-\xff])[" + re.escape(WESTERN_BYTES) + rb"](?![\x80-\xff])"
)


class NotUTF8(DataError):
    """Bytes that are no UTF-8; `likely` is the encoding that they have beyond much doubt."""

    def __init__(self, fault: str, likely: str | None):
        named = likely or "windows-1252"
        super().__init__(f"{fault}; convert it, for instance with `iconv -f {named} -t utf-8`")
        self.fault, self.likely = fault, likely


def is_western(block: bytes) -> bool:
    """Whether bytes that are no UTF-8 are Windows-1252: what is beyond ASCII stands alone among
    ASCII letters, as in ``M\xfcller``, and is a letter or sign that is common there. Words of
    other alphabets have several such bytes in a row.

    Examples
    --------
    >>> is_western("Müller;37 °C".encode("windows-1252")), is_western("да".encode("koi8-r"))
    (True, False)
    """
    beyond = len(block) - len(block.translate(None, bytes(range(0x80, 0x100))))
    return beyond == len(LONE_BYTE_PATTERN.findall(block))


def text_encoding(name: str) -> str:
    """The name of an encoding of text as Python has it.

    Raises
    ------
    DataError
        There is none.
    """
    try:
        io.TextIOWrapper(io.BytesIO(), name)  # refuses what is no encoding of text, as zlib
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        raise DataError(
            f"encoding={name!r} is not known: give one such as utf-8, windows-1252, utf-16"
        ) from None


def has_ascii(encoding: str) -> bool:
    """Whether letters of ASCII are the bytes that they are there: what is UTF-8 with other letters,
    too, is hardly such text."""
    letters = bytes(range(32, 127))
    try:
        return letters.decode(encoding) == letters.decode("ascii") and encoding[:7] != "iso2022"
    except UnicodeError:
        return False


class Transcoded:
    """A file of some encoding, read as UTF-8."""

    def __init__(self, file: Any, encoding: str, name: str):
        self.file, self.encoding, self.name = file, encoding, name
        self.decoder = codecs.getincrementaldecoder(encoding)()

    def read(self, size: int) -> bytes:
        """Some more bytes; none at the end."""
        while chunk := self.file.read(size):
            if text := self._decoded(chunk, False):
                return text
        return self._decoded(b"", True)

    def _decoded(self, chunk: bytes, last: bool) -> bytes:
        try:
            return self.decoder.decode(chunk, last).encode()
        except UnicodeError as error:
            reason = getattr(error, "reason", error)
            raise DataError(
                f"{self.name!r} is no text of the encoding {self.encoding}: {reason}; name another "
                "with encoding="
            ) from None

    def close(self) -> None:
        self.file.close()


class Lines:
    """The lines of a file, read once from front to back.

    Iterating gives (block, number of its first line); `line`, `peek` and `skip` serve the header.
    Every block ends with a newline; one longer than `BLOCK_BYTES` is a single line. Bytes that are
    no text, NUL bytes, and lines without end, are errors. `content` is what a file that is no text
    was turned into.
    """

    def __init__(
        self,
        path: Path,
        zipped: bool,
        skip_bom: bool = True,
        encoding: str | None = None,
        content: bytes | None = None,
    ):
        self.path, self.name = path, path.name
        self.zipped = zipped
        self.encoding = encoding
        opened = (gzip.open if zipped else open)(path, "rb") if content is None else None
        self.file: Any = opened or io.BytesIO(content or b"")
        if encoding is not None:
            self.file = Transcoded(self.file, encoding, self.name)
        self.number, self.position = 1, 0
        self.longest = min(limits.LINE_LIMIT.value, memory.available_bytes() // 8)
        self.buffer, self.at = b"", 0  # what was read, and where in it the next line begins
        self.ended = False
        self.is_utf8 = False  # by a mark, or letters beyond ASCII that were read as such
        try:
            start = self.head(3) if skip_bom else b""
            if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise NotUTF8(f"{self.name!r} is UTF-16 text", "utf-16")
        except BaseException:  # there is no block yet that would close it
            self.file.close()
            raise
        if start == codecs.BOM_UTF8:
            self.at = self.position = 3
            self.is_utf8 = True

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *exception: object) -> None:
        self.file.close()

    def head(self, size: int) -> bytes:
        """The first bytes, without taking them."""
        if not self.buffer:
            self._more(BLOCK_BYTES)
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
                f"TSV or Parquet ({limits.LINE_LIMIT.more})"
            )
        return self._more(max(BLOCK_BYTES, line))

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

    def pass_by(self, size: int) -> None:
        """Take some bytes of a line."""
        self.at += size
        self.position += size

    def leave_out(self, after: int, count: int) -> list[bytes]:
        """Take some lines from behind the next ones, all of which were peeked at."""
        start = self.at
        for _ in range(after):
            start = self.buffer.index(b"\n", start) + 1
        stop = start
        for _ in range(count):
            stop = self.buffer.index(b"\n", stop) + 1
        taken = self._checked(self.buffer[start:stop])
        self.buffer = self.buffer[self.at : start] + self.buffer[stop:]
        self.position, self.at = self.position + stop - start, 0
        self.number += count
        return taken.split(b"\n")[:-1]

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
            cut = self.buffer.rfind(b"\n", self.at, self.at + BLOCK_BYTES)
            if cut < 0:
                cut = self.buffer.find(b"\n", self.at + BLOCK_BYTES)
            size = cut + 1 - self.at
            if cut >= 0 and (size >= BLOCK_BYTES // 2 or held >= BLOCK_BYTES or self.ended):
                number = self.number
                yield self._take(size), number
            elif not self._longer(held) and not held:
                return

    def _take(self, size: int) -> bytes:
        """Bytes of complete lines."""
        block = self._checked(self.buffer[self.at : self.at + size])
        self.number += int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))
        self.position += size
        self.at += size
        return block

    def _checked(self, block: bytes) -> bytes:
        """Lines; says where they are not UTF-8 text."""
        if not block.isascii():
            try:
                block.decode("utf-8")
                self.is_utf8 = True
            except UnicodeDecodeError as error:
                line = self.number + block.count(b"\n", 0, error.start)
                raise NotUTF8(
                    f"{self.name!r} is not UTF-8 text: byte {block[error.start]:#04x} at "
                    f"position {self.position + error.start:,} (line {line:,})",
                    "windows-1252" if is_western(block) and not self.is_utf8 else None,
                ) from None
        if b"\0" in block:
            at = block.index(b"\0")
            line = self.number + block.count(b"\n", 0, at)
            raise DataError(
                f"{self.name!r} has a NUL byte at position {self.position + at:,} (line "
                f"{line:,}): it is damaged or not a text table; save it again as CSV or TSV"
            )
        return block
