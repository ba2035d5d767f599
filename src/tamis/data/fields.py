"""A block of delimited text as fields: where each starts and ends; numbers without copies.

The separators of a block are found with NumPy, and the bytes are handed as they are to
Arrow's text-to-number cast, which rounds correctly (fast_float: Lemire 2021, Software:
Practice and Experience 51(8)). Arrow wants one array of offsets; the separators become
entries of their own that are marked missing, so nothing is moved or copied.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .._core.errors import DataError, counted_noun
from . import limits
from .cells import SWAP_BYTES, CellRules
from .lines import BLOCK_BYTES
from .raw import MISSING_TEXTS

NEWLINE_BYTE, RETURN_BYTE, SPACE_BYTE, TAB_BYTE, QUOTE_BYTE = 10, 13, 32, 9, 34
WHITESPACE = "whitespace"
_MARKS = np.array(
    [int.from_bytes(m.encode().ljust(4, b"\0"), "little") for m in MISSING_TEXTS if m], np.uint32
)


class MessyQuotes(Exception):
    """Quotes that need the slow reader: doubled, with line ends inside, or stray."""


@dataclass
class FieldStyle:
    """What earlier blocks of the file needed, so that later ones try it first."""

    marked: bool = False
    padded: bool = False
    rules: CellRules = field(default_factory=CellRules)


@dataclass
class Fields:
    """(rows, p) fields of one block: `spans` (rows, p, 2) says where in `buffer` each starts and
    ends, in the order and type of Arrow's offsets."""

    buffer: np.ndarray
    spans: np.ndarray

    @property
    def starts(self) -> np.ndarray:
        """(rows, p)."""
        return self.spans[..., 0]

    @property
    def ends(self) -> np.ndarray:
        """(rows, p)."""
        return self.spans[..., 1]

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[str]]) -> Fields:
        """Fields of rows that another parser has split."""
        return cls.of_cells([cell.encode() for row in rows for cell in row], len(rows))

    @classmethod
    def of_cells(cls, cells: Sequence[bytes], rows: int) -> Fields:
        """Fields of the cells of some rows, row after row."""
        length = np.fromiter(map(len, cells), np.int64, len(cells))
        ends = np.cumsum(length + 1) - 1
        buffer = np.frombuffer(b"\n".join(cells) + b"\n", np.uint8)
        return cls(buffer, _field_spans(ends - length, ends, len(cells) // rows))

    def cell(self, row: int, column: int) -> str:
        """One field as text, trimmed."""
        span = self.buffer[self.starts[row, column] : self.ends[row, column]]
        return span.tobytes().decode("utf-8", "replace").strip()

    def texts(self, column: int) -> list[str]:
        """One column as text, trimmed."""
        array = self._array(self.spans[:, column], np.True_)
        return [text.strip() for text in array.to_pylist()[::2]]

    def strings(self, rows: np.ndarray | slice, columns: np.ndarray) -> tuple[np.ndarray, list]:
        """Codes (rows, columns) into the distinct values of some fields, and the values."""
        spans = self.spans[rows][:, columns]
        codes, values = self._distinct(spans)
        return codes.reshape(spans.shape[:-1]), values

    def _distinct(self, spans: np.ndarray) -> tuple[np.ndarray, list[str]]:
        from .._core.arrow import arrow_numbers, numbers_of

        array = self._array(spans, None)
        coded = array.take(arrow_numbers(np.arange(0, spans.size, 2))).dictionary_encode()
        return numbers_of(coded.indices), coded.dictionary.to_pylist()

    def numbers(
        self, wanted: np.ndarray, style: FieldStyle
    ) -> tuple[np.ndarray, np.ndarray, list[tuple[int, int, str]]]:
        """Fields as float64.

        Parameters
        ----------
        wanted : ndarray of bool, (p,) or (rows, 1) or (rows, p)
            Which fields to read as numbers.

        Returns
        -------
        values : ndarray (rows, p)
            Meaningless where not `known`.
        known : ndarray of bool (rows, p)
            Wanted, not missing, and a number.
        bad : list of (row, column, text)
            Wanted fields that are neither numbers nor missing.
        """
        known = np.less(self.starts, self.ends)
        known &= wanted
        if style.marked:
            np.put(known, self._marked(), False)
        if style.padded:
            self._trim()
            known &= self.starts < self.ends
        points = self.buffer
        if style.rules.swaps:
            points = np.frombuffer(points.tobytes().translate(SWAP_BYTES), np.uint8)
        values = self._cast(known, points)
        if values is None and not style.marked:
            style.marked = True
            np.put(known, self._marked(), False)
            values = self._cast(known, points)
        if values is None and not style.padded:
            style.padded = self._trim()
            known &= self.starts < self.ends
            np.put(known, self._marked(), False)
            values = self._cast(known, points)
        if values is not None:
            return values, known, []
        return self._one_by_one(known, style.rules)

    def _array(
        self,
        spans: np.ndarray,
        known: np.ndarray | np.bool_ | None,
        buffer: np.ndarray | None = None,
    ):
        import pyarrow as pa

        valid = None
        if known is not None:
            bits = np.zeros(spans.shape, bool)
            bits[..., 0] = known
            valid = pa.py_buffer(np.packbits(bits, bitorder="little"))
        buffer = self.buffer if buffer is None else buffer
        buffers = [valid, pa.py_buffer(np.ascontiguousarray(spans)), pa.py_buffer(buffer)]
        return pa.Array.from_buffers(pa.string(), spans.size - 1, buffers)

    def _cast(self, known: np.ndarray, buffer: np.ndarray) -> np.ndarray | None:
        import pyarrow as pa

        try:
            cast = self._array(self.spans, known, buffer).cast(pa.float64())
        except pa.ArrowInvalid:
            return None
        values = np.frombuffer(cast.buffers()[1], np.float64)[: 2 * known.size - 1 : 2]
        return values.reshape(known.shape)

    def _marked(self) -> np.ndarray:
        """Which fields, counted row by row, are missing markers: their up to four bytes as one
        integer."""
        length = (self.ends - self.starts).ravel()
        short = np.flatnonzero((length - 1).view(np.uint32) < 4)  # 1 to 4: 0 - 1 is very large
        at, size = self.spans.reshape(-1, 2)[short, 0], length[short]
        code = np.zeros(len(short), np.uint32)
        for k in range(4):
            byte = self.buffer[np.minimum(at + k, len(self.buffer) - 1)].astype(np.uint32)
            code |= np.where(size > k, byte, 0).astype(np.uint32) << np.uint32(8 * k)
        return short[np.isin(code, _MARKS)]

    def _trim(self) -> bool:
        """Move starts and ends past blanks; True if there were any."""
        touched = False
        last = len(self.buffer) - 1
        for _ in range(64):  # padding beyond this is left to the slow path
            lead = self.buffer[np.minimum(self.starts, last)]
            tail = self.buffer[np.maximum(self.ends - 1, 0)]
            some = self.starts < self.ends
            front = some & ((lead == SPACE_BYTE) | (lead == TAB_BYTE))
            back = some & ~front & ((tail == SPACE_BYTE) | (tail == TAB_BYTE))
            if not (front.any() or back.any()):
                break
            self.spans = np.stack([self.starts + front, self.ends - back], axis=-1)
            touched = True
        return touched

    def _one_by_one(self, known: np.ndarray, rules: CellRules):
        """Each different field by itself, as Python reads numbers."""
        values = np.full(known.shape, np.nan)
        rows, columns = np.nonzero(known)
        codes, found = self._distinct(self.spans[known])
        texts = [text.strip() for text in found]
        numbers = [rules.number(text) for text in texts]
        values[known] = np.array([np.nan if x is None else x for x in numbers])[codes]
        other = np.array([x is None for x in numbers])[codes]
        known[rows[other], columns[other]] = False
        wrong = np.flatnonzero(
            other & np.array([text not in MISSING_TEXTS for text in texts])[codes]
        )
        where = np.column_stack([rows[wrong], columns[wrong], codes[wrong]]).tolist()
        return values, known, [(r, c, texts[code]) for r, c, code in where]


def split_fields(block: bytes, separator: str, width: int, name: str, line: int) -> Fields | None:
    """Cut a block of complete lines into fields; None if it holds only blank lines.

    Parameters
    ----------
    block : bytes
        Ends with a newline.
    separator : str
        One character, or ``"whitespace"``.
    width : int
        Fields that every line must have.
    name, line : str, int
        For messages: the file, and the number of the block's first line.

    Raises
    ------
    DataError
        A line with another number of fields.
    MessyQuotes
    """
    _refuse_wide(block, separator, width, name, line)
    if b"\r" in block:
        _refuse_returns(block, name, line)
    found = _cut_block(_without_blank_lines(block) if width == 1 else block, separator, width)
    if found is None:
        tidy = _without_blank_lines(block)
        if not tidy:
            return None
        found = _cut_block(tidy, separator, width)
    if found is None:
        ragged = _ragged_line(block, separator, width, line)
        raise MessyQuotes if ragged is None else ragged_line(name, *ragged, width)
    fields, quotes = found
    buffer = fields.buffer
    if b"\r" in block and separator != WHITESPACE:
        last = fields.ends[:, -1]
        last -= (last > fields.starts[:, -1]) & (buffer[np.maximum(last - 1, 0)] == RETURN_BYTE)
    if quotes is not None:
        _unquote(fields, quotes)
    return fields


def _unquote(fields: Fields, quotes: np.ndarray) -> None:
    """Move starts and ends past the quotes around fields, of which all the others are messy."""
    opening, closing = quotes[0::2], quotes[1::2]
    starts, ends = fields.spans.reshape(-1, 2).T
    at = np.searchsorted(ends, opening)
    if len(opening) > len(closing) or at[-1] == len(ends):
        raise MessyQuotes
    if np.any(starts[at] != opening) or np.any(ends[at] != closing + 1):
        raise MessyQuotes
    starts[at] += 1
    ends[at] -= 1


def _cut_block(block: bytes, separator: str, width: int) -> tuple[Fields, np.ndarray | None] | None:
    """Fields and places of quotes; None if lines have other numbers of fields."""
    if not block:
        return None
    buffer = np.frombuffer(block, np.uint8)
    quotes = np.flatnonzero(buffer == QUOTE_BYTE) if b'"' in block else None
    cut = _cut_blanks if separator == WHITESPACE else _cut_fields
    fields = cut(buffer, separator, width, quotes)
    return None if fields is None else (fields, quotes)


def _cut_fields(buffer: np.ndarray, separator: str, width: int, quotes: np.ndarray | None):
    newline = buffer == NEWLINE_BYTE
    lines = np.count_nonzero(newline)
    marks = buffer == ord(separator)
    marks |= newline
    stops = np.flatnonzero(marks)
    if quotes is not None and _holds_stops(quotes, stops):
        inside = (np.searchsorted(quotes, stops) & 1).astype(bool)
        if np.any(buffer[stops[inside]] == NEWLINE_BYTE):
            raise MessyQuotes
        stops = stops[~inside]
    if len(stops) != lines * width or np.any(buffer[stops[width - 1 :: width]] != NEWLINE_BYTE):
        return None
    spans = np.empty((lines, width, 2), np.int32)
    starts, ends = spans.reshape(-1, 2).T
    ends[:] = stops
    starts[0] = 0
    np.add(ends[:-1], 1, out=starts[1:])
    return Fields(buffer, spans)


def _holds_stops(quotes: np.ndarray, stops: np.ndarray) -> bool:
    """Whether a pair of quotes holds a stop; there are fewer quotes than stops to look up."""
    at = np.searchsorted(stops, quotes)
    return len(quotes) % 2 == 1 or bool(np.any(at[0::2] != at[1::2]))


def _cut_blanks(buffer: np.ndarray, separator: str, width: int, quotes: np.ndarray | None):
    """Runs of blanks separate; blanks at either end of a line do not count."""
    newline = buffer == NEWLINE_BYTE
    blank = newline | (buffer == SPACE_BYTE) | (buffer == TAB_BYTE) | (buffer == RETURN_BYTE)
    if quotes is not None:
        turns = np.zeros(len(buffer), np.uint8)
        turns[quotes] = 1
        inside = np.cumsum(turns, dtype=np.uint8) & 1  # the sum may wrap round
        if np.any(inside[newline]):
            raise MessyQuotes
        blank &= inside == 0
    edges = np.flatnonzero(np.diff(np.concatenate([[True], blank]).astype(np.int8)))
    starts, ends = edges[0::2], edges[1::2]
    if len(starts) % width:
        return None
    per_line = np.diff(np.searchsorted(starts, np.flatnonzero(newline)), prepend=0)
    if np.any((per_line != width) & (per_line != 0)):
        return None
    return Fields(buffer, _field_spans(starts, ends, width))


def _field_spans(starts: np.ndarray, ends: np.ndarray, width: int) -> np.ndarray:
    both = np.stack([starts, ends], axis=-1, dtype=np.int32, casting="same_kind")
    return both.reshape(-1, width, 2)


def count_fields(line: bytes, separator: str) -> int:
    """Number of fields of one line; quoted separators do not count."""
    if b'"' in line:
        line = re.sub(rb'"[^"]*+"', b"q", line)
    return count_cut(line.rstrip(b"\r\n"), separator)


def count_cut(line: bytes, separator: str) -> int:
    """Number of fields of one line, whatever is quoted; without a list of them."""
    if separator != WHITESPACE:
        return line.count(separator.encode()) + 1
    if len(line) < BLOCK_BYTES:
        return len(line.split())
    buffer = np.frombuffer(line, np.uint8)
    blank = (buffer == SPACE_BYTE) | (buffer == TAB_BYTE)
    return int(np.count_nonzero(blank[:-1] & ~blank[1:])) + int(not blank[0])


def _without_blank_lines(block: bytes) -> bytes:
    if not block.strip():
        return b""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    if b"\n\n" not in block and not block.startswith(b"\n"):
        return block
    buffer = np.frombuffer(block, np.uint8)
    newline = np.concatenate([[True], buffer == NEWLINE_BYTE])
    return buffer[~(newline[1:] & newline[:-1])].tobytes()


def _refuse_wide(block: bytes, separator: str, width: int, name: str, line: int) -> None:
    """A long line of more fields than are read, or with too many quotes, before all of them are
    looked at."""
    if len(block) <= BLOCK_BYTES:
        return
    count = count_cut(block, separator)
    if count > max(width, limits.COLUMNS_LIMIT.value) and b'"' not in block:
        raise ragged_line(name, line, count, width)
    limits.refuse_many(count, limits.COLUMNS_LIMIT, f"fields in line {line:,}", name)
    if block.count(b'"') > 2 * width:
        raise MessyQuotes


def _refuse_returns(block: bytes, name: str, line: int) -> None:
    """Line ends of old Macs, and carriage returns within fields that no quotes hold."""
    bare = np.array([found.start() for found in re.finditer(rb"\r(?![\r\n])", block)], np.int64)
    if b'"' in block:
        quotes = np.flatnonzero(np.frombuffer(block, np.uint8) == QUOTE_BYTE)
        bare = bare[np.searchsorted(quotes, bare) % 2 == 0]
    if len(bare):
        raise carriage_return(name, line + block.count(b"\n", 0, int(bare[0])))


def carriage_return(name: str, line: int) -> DataError:
    """A line in which a carriage return stands by itself."""
    return DataError(
        f"{name!r}: line {line:,} has a carriage return inside; save the table with the line ends "
        "of Unix (LF) or Windows (CRLF)"
    )


def _ragged_line(block: bytes, separator: str, width: int, line: int) -> tuple[int, int] | None:
    """Number and field count of the first uneven line; None if quotes may explain it."""
    for k, text in enumerate(block.split(b"\n")):
        count = count_fields(text, separator)
        if count != width and text.strip():
            return None if b'"' in text else (line + k, count)
    return None


def ragged_line(name: str, line: int, count: int, width: int) -> DataError:
    """A line with too few or too many fields."""
    doubt = "a title or a footnote? " if count == 1 < width - 1 else ""
    return DataError(
        f"{name!r}: line {line:,} has {counted_noun(count, 'field')} where {width:,} are expected "
        f"from the header; {doubt}complete or remove the line, or name the delimiter with "
        "separator="
    )
