"""Lines of a text file, plain or by gzip, in bounded time and memory."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Iterator
from pathlib import Path

from ..._core.errors import DataError, PlanError, counted_noun, shorten_text
from ...data.limits import LINE_LIMIT, most_expanded
from ...data.memory import available_bytes, bytes_text
from ...data.unpacked import GZIP_MAGIC

MISSING_TEXTS = {"", "null", "NULL", "NA", "NaN", "nan", "N/A", "na"}
# bytes that a short text takes beside its letters, with its place in a list
TEXT_OVERHEAD_BYTES = 120


class BoundedLines:
    """Lines without their ends; `number` is that of the last one, from 1 on."""

    def __init__(self, path: Path, infinite: str = "refuse"):
        if infinite not in ("refuse", "missing"):
            raise PlanError(f"infinite={infinite!r}: give 'refuse' or 'missing'")
        self.path, self.number, self.held, self.infinite = path, 0, 0, infinite
        self.most = available_bytes() // 2
        self._lines = self._read()

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def _read(self) -> Iterator[str]:
        name, size = self.path.name, 0
        with open(self.path, "rb") as file:
            packed = file.read(2) == GZIP_MAGIC
        longest, most = LINE_LIMIT.value, most_expanded(self.path)
        try:
            with (gzip.open if packed else open)(self.path, "rb") as file:
                while line := file.readline(longest + 1):
                    self.number += 1
                    size += len(line)
                    if len(line) > longest:
                        raise self.wrong(f"longer than {bytes_text(longest)}")
                    if self.number == 1 and b"\0" in line:  # UTF-16, or a binary file
                        raise DataError(
                            f"{name!r} is no text in UTF-8: save it as such (from a spreadsheet, "
                            "as CSV UTF-8)"
                        )
                    if size > most:
                        raise DataError(f"{name!r} unpacks to more than {bytes_text(most)}")
                    yield line.decode("utf-8", "replace").rstrip("\r\n")
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DataError(
                f"{name!r} is a damaged gzip file ({error}); copy or download it again"
            ) from error
        if not size:
            raise DataError(f"{name!r} is empty")

    def hold(self, size: int) -> None:
        """Bytes that are kept; refused if they are too many in all."""
        self.held += size
        if self.held > self.most:
            raise DataError(
                f"{self.path.name!r} takes more than {bytes_text(self.most)}, which is more than "
                "can be held here"
            )

    def wrong(self, what: str) -> DataError:
        """What to raise for the line that was read last."""
        return DataError(f"{self.path.name!r} is damaged: its line {self.number:,} is {what}")

    def number_of(self, text: str) -> float:
        """A value of a table; NaN if it is missing."""
        text = text.strip()
        try:
            found = math.nan if text in MISSING_TEXTS else float(text)
        except ValueError:
            raise self.no_number(text) from None
        if "_" in text:
            raise self.no_number(text)
        if math.isinf(found):
            if self.infinite == "missing":
                return math.nan
            raise self.infinite_error(text)
        return found

    def no_number(self, text: str) -> DataError:
        """What to raise for a value of the line that was read last."""
        return self.wrong(f"of the VALUE {shorten_text(text)!r}, which is no number")

    def infinite_error(self, text: str, of: str = "") -> DataError:
        """The same of one that is infinite, and what it is of."""
        where = of or f" in its line {self.number:,}"
        return DataError(
            f"{self.path.name!r} has the value {shorten_text(text)!r}{where}, perhaps a logarithm "
            "of 0: infinite='missing' reads such as missing"
        )

    def rows(self, end: str) -> Iterator[list[str]]:
        """Fields of a table up to the line that ends it, the heading first; short ones filled up.

        Fields are separated by tabs, and quotes are letters.
        """
        width = 0
        for line in self:
            if line.startswith("!") and line.lower().startswith(end):
                return
            fields = line.split("\t")
            width = width or len(fields)
            if len(fields) > width:
                raise self.wrong(
                    f"of {len(fields)} fields in a table of {counted_noun(width, 'column')}"
                )
            yield fields + [""] * (width - len(fields))
        raise DataError(f"{self.path.name!r} is cut short: a table has no {end}; download it again")
