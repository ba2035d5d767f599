"""What stands at the head of a BGEN: how many samples and variants, how they lie, and who they are.

Format: https://www.chg.ox.ac.uk/~gav/bgen_format/spec/v1.2.html
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..._core.errors import DataError, counted_noun

BGEN_MAGICS = (b"bgen", b"\0\0\0\0")
UNCOMPRESSED, ZLIB, ZSTD = range(3)  # of compressions
MOST_SAMPLES = 1 << 24  # what compresses well could claim any number in a few bytes
MIN_VARIANT_BYTES = 16  # bytes of a variant's head, and of the length of its data


@dataclass(frozen=True)
class Head:
    """What the first bytes say.

    Attributes
    ----------
    n_samples, n_variants : int
    first : int
        Where the variants begin.
    compression : int
        `UNCOMPRESSED`, `ZLIB` or `ZSTD`.
    ids : list of str, or None
        Of the samples, if they are named.
    """

    n_samples: int
    n_variants: int
    first: int
    compression: int
    ids: list[str] | None


def read_head(file: BinaryIO, path: Path) -> Head:
    """Read and check it.

    Raises
    ------
    DataError
        The file is no BGEN 1.2 or 1.3, or is shorter than its head says.
    """
    name, size = path.name, path.stat().st_size
    start = file.read(24)
    if len(start) < 24 or start[16:20] not in BGEN_MAGICS:
        raise DataError(f"{name!r} is no BGEN: its bytes 16 to 19 are not 'bgen'")
    offset, length, p, n = struct.unpack_from("<4I", start)
    first = offset + 4
    if length < 20 or offset < length or first > size:
        raise DataError(
            f"{name!r} is damaged or cut short: its head of {length:,} bytes has its variants "
            f"begin at byte {first:,} of {size:,}"
        )
    file.seek(length)
    (flags,) = struct.unpack("<I", file.read(4))
    layout, compression = flags >> 2 & 15, flags & 3
    if layout != 2:
        raise DataError(
            f"{name!r} is BGEN 1.{layout} (layout {layout}), where 1.2 and 1.3 are read: "
            "convert it, plink2 --bgen FILE ref-first --export bgen-1.2 ref-first"
        )
    if compression not in (UNCOMPRESSED, ZLIB, ZSTD):
        raise DataError(
            f"{name!r} is damaged: its compression is {compression}, of which there is none"
        )
    if not n or not p:
        raise DataError(
            f"{name!r} has {counted_noun(n, 'sample')} and {counted_noun(p, 'variant')}"
        )
    if n > MOST_SAMPLES:
        raise DataError(
            f"{name!r} is damaged: {counted_noun(n, 'sample')}, where no cohort has over "
            f"{MOST_SAMPLES:,}"
        )
    if p * MIN_VARIANT_BYTES > size - first:
        raise DataError(
            f"{name!r} is damaged or cut short: {counted_noun(p, 'variant')} do not fit in the "
            f"{counted_noun(size - first, 'byte')} behind its head"
        )
    ids = _read_ids(file, n, first, name) if flags >> 31 else None
    return Head(n, p, first, compression, ids)


def _read_ids(file: BinaryIO, n: int, first: int, name: str) -> list[str]:
    """Names of the samples, which stand between the head and the variants."""
    block = file.read(first - file.tell())
    wrong = DataError(
        f"{name!r} is damaged: its list of samples does not hold {counted_noun(n, 'name')}"
    )
    if len(block) < 8:
        raise wrong
    length, m = struct.unpack_from("<2I", block)
    if m != n or length > len(block) or 8 + 2 * n > length:
        raise wrong
    found, at = [], 8
    for _ in range(n):
        if at + 2 > length:
            raise wrong
        size = block[at] | block[at + 1] << 8
        at += 2 + size
        found.append(block[at - size : at].decode("utf-8", "replace"))
    if at > length:
        raise wrong
    return found
