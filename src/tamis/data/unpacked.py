"""A complete file in memory, and of one that gzip packed, what is packed."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from .._core.errors import DataError
from .limits import Limit, most_expanded
from .memory import available_bytes, bytes_text

GZIP_MAGIC = b"\x1f\x8b"  # how such a file begins
BLOCK_BYTES = 1 << 20


def unpacked_bytes(path: Path, limit: Limit | None = None) -> bytes:
    """All bytes of a file, and of a gzip file what is packed, whatever its name.

    Raises
    ------
    DataError
        It is a damaged gzip file, or holds more than the limit or a third of the free memory.
    """
    with open(path, "rb") as file:
        packed = file.read(2) == GZIP_MAGIC
    most = available_bytes() // 3
    if limit is not None:
        most = min(limit.value, most)
    if packed:
        most = min(most, most_expanded(path))
    blocks, size = [], 0
    try:
        with (gzip.open if packed else open)(path, "rb") as file:
            while block := file.read(BLOCK_BYTES):
                size += len(block)
                if size > most:
                    raise DataError(_too_large(path.name, most, packed, limit))
                blocks.append(block)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(
            f"{path.name!r} is a damaged gzip file ({error}); copy or download it again"
        ) from error
    return b"".join(blocks)


def _too_large(name: str, most: int, packed: bool, limit: Limit | None) -> str:
    """A file of more bytes than are read."""
    kind = "unpacks to" if packed else "has"
    of_limit = limit is not None and most == limit.value
    what = limit.more if limit is not None and of_limit else "that is more than can be read here"
    return f"{name!r} {kind} more than {bytes_text(most)}; {what}"
