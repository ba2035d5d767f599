"""Text files of any length, compressed or not, as blocks of complete lines in UTF-8."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..._core.errors import DataError
from .inflate import inflated_chunks

LINE_BYTES = 1 << 25  # of one line, at most
BOM = b"\xef\xbb\xbf"
BLANK_BYTE, TAB_BYTE, FEED_BYTE = ord(" "), ord("\t"), ord("\n")


def line_blocks(path: Path, what: str) -> Iterator[tuple[int, bytes]]:
    """Blocks of complete lines of about 8 MB in UTF-8, each with the number of its first line.

    Lines end with a line feed, the last of the file too; bytes that are no UTF-8 are replaced.

    Parameters
    ----------
    path : path
        May be compressed by gzip.
    what : str
        That is needed, for the message where no file is.

    Raises
    ------
    DataError
        There is no such file; it is UTF-16 or damaged, or a line has more than 32 MB.
    """
    if not path.is_file():
        why = "is a folder" if path.is_dir() else "is not there"
        raise DataError(f"{str(path)!r} {why}: {what} is needed")
    number, held, first = 1, b"", True
    for chunk in inflated_chunks(path):
        if first and chunk[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise DataError(f"{path.name!r} is UTF-16 text: save it as UTF-8")
        text = held + (chunk.removeprefix(BOM) if first else chunk)
        first = False
        end = text.rfind(b"\n") + 1
        if not end and b"\r" in text[:-1]:  # the ends of lines of old systems
            end = text.rfind(b"\r", 0, -1) + 1
        held = text[end:]
        if len(held) > LINE_BYTES:
            raise DataError(
                f"{path.name!r} has a line of more than {LINE_BYTES >> 20} MB: it is no table"
            )
        if end:
            block = _plain_lines(text[:end])
            yield number, block
            number += block.count(b"\n")
    if held:
        block = _plain_lines(held)
        yield number, block if block.endswith(b"\n") else block + b"\n"


def tabs_for_blanks(block: bytes) -> bytes:
    """One tab for each run of blanks, none at the ends of lines."""
    text = np.frombuffer(block, dtype=np.uint8)
    blank = (text == BLANK_BYTE) | (text == TAB_BYTE)
    before = np.empty_like(blank)
    before[:1] = True
    before[1:] = blank[:-1] | (text[:-1] == FEED_BYTE)
    text = text[~(blank & before)]
    blank = (text == BLANK_BYTE) | (text == TAB_BYTE)
    behind = np.zeros_like(blank)
    behind[:-1] = text[1:] == FEED_BYTE
    found = np.where(blank, np.uint8(TAB_BYTE), text)[~(blank & behind)]
    return found.tobytes()


def _plain_lines(text: bytes) -> bytes:
    """With line feeds for all ends of lines, in UTF-8."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        text.decode()
    except UnicodeDecodeError:
        return text.decode("utf-8", "replace").encode()
    return text
