"""A file's bytes from the first to the last, decompressed if compressed by gzip, bgzip or zstd."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from ..._core.errors import DataError, value_text
from ..._core.progress import Progress

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
# the empty block that bgzip ends every file with: without it something is missing
BGZF_END = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
COMPRESSED_BYTES = 1 << 18  # bytes read at once
CHUNK_BYTES = 1 << 23  # bytes handed on at once
MB = 1 << 20


def inflated_chunks(path: Path, progress: Progress | None = None) -> Iterator[bytes]:
    """Chunks of about 8 MB; `progress` counts MB of the file.

    Raises
    ------
    DataError
        What is compressed is cut short or damaged.
    """
    parts: list[bytes] = []
    held = 0
    with open(path, "rb") as file:
        zstd = file.read(len(ZSTD_MAGIC)) == ZSTD_MAGIC
    for part in _of_zstd(path) if zstd else _file_pieces(path, progress):
        parts.append(part)
        held += len(part)
        if held >= CHUNK_BYTES:
            yield b"".join(parts)
            parts, held = [], 0
    if parts:
        yield b"".join(parts)


def _file_pieces(path: Path, progress: Progress | None) -> Iterator[bytes]:
    cut = DataError(f"{path.name!r} is cut short: its compressed data end too early; copy it anew")
    with open(path, "rb") as file:
        start = file.read(18)
        packed = start[:2] == GZIP_MAGIC
        if packed and len(start) >= 14 and start[3] & 4 and start[12:14] == b"BC":
            size = path.stat().st_size
            file.seek(max(size - len(BGZF_END), 0))
            if file.read() != BGZF_END:
                raise cut
        file.seek(0)
        stream, reported, fed = zlib.decompressobj(31), 0, False
        while data := file.read(COMPRESSED_BYTES):
            if progress is not None and file.tell() // MB > reported:
                progress.advance(file.tell() // MB - reported)
                reported = file.tell() // MB
            if not packed:
                yield data
                continue
            while data:
                if stream.eof:  # the next member, if it is not zeros that fill up a tape
                    data = b"" if not any(data) else data
                    stream, fed = zlib.decompressobj(31), False
                    continue
                try:
                    piece = stream.decompress(data, CHUNK_BYTES)
                except zlib.error as error:
                    raise DataError(
                        f"{path.name!r} is damaged: its compressed data cannot be read ({error}); "
                        "copy it anew"
                    ) from error
                fed = True
                data = stream.unused_data if stream.eof else stream.unconsumed_tail
                yield piece
        if packed and fed and not stream.eof:
            raise cut


def _of_zstd(path: Path) -> Iterator[bytes]:
    """As plink2 writes .pvar.zst and other tables ("zs")."""
    try:
        with pa.input_stream(path, compression="zstd") as stream:
            while data := stream.read(COMPRESSED_BYTES):
                yield data
    except (OSError, pa.ArrowException) as error:
        raise DataError(
            f"{path.name!r} is damaged or cut short: its compressed data cannot be read "
            f"({value_text(str(error))}); copy it anew"
        ) from error
