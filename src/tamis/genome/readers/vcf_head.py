"""What stands at the head of a VCF or BCF: who the samples are, and what its numbers stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..._core.errors import DataError, counted_noun, value_text
from .samples import NAME_BYTES

BCF_MAGIC = b"BCF\x02"
FIXED_COLUMNS = b"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO"
MAX_HEAD_BYTES = 1 << 27  # bytes of a head
MOST_SHOWN = 1 << 10
NUMBERED_LINE_PATTERN = re.compile(rb"(?m)^##(contig|FILTER|INFO|FORMAT)=<(.*)>[ \t\r]*$")


@dataclass(frozen=True)
class VcfHead:
    """What it says.

    Attributes
    ----------
    ids : list of str
        Of the samples.
    binary : bool
        A BCF, of which the rest is for.
    contigs : dict
        Names by number.
    gt_key : int
        The number of GT, -1 if it has none.
    """

    ids: list[str]
    binary: bool
    contigs: dict[int, str]
    gt_key: int


def read_vcf_head(chunks: Iterator[bytes], name: str) -> tuple[VcfHead, bytes]:
    """The head, and the bytes behind it that are read already.

    Raises
    ------
    DataError
        It is something else, is cut short or names no samples.
    """
    held = b""
    for chunk in chunks:
        held += chunk
        if len(held) >= 9:
            break
    if held[: len(BCF_MAGIC)] == BCF_MAGIC:
        size = int.from_bytes(held[5:9], "little")
        if size > MAX_HEAD_BYTES:
            raise DataError(f"{name!r} is damaged: its head has {size:,} bytes")
        held = _read_more(held, chunks, 9 + size)
        if len(held) < 9 + size:
            raise DataError(f"{name!r} is cut short: it ends within its head")
        return _read_lines(held[9 : 9 + size].rstrip(b"\0"), name, True), held[9 + size :]
    held = held.removeprefix(b"\xef\xbb\xbf")
    if held[:1] != b"#":
        raise DataError(f"{name!r} is no VCF: it does not begin with '##fileformat=VCF'")
    held, last = _read_until_mark(b"\n" + held, chunks, b"\n#CHROM", 0, name)
    if last < 0:
        raise DataError(f"{name!r} is no VCF, or cut short: it has no line #CHROM")
    held, end = _read_until_mark(held, chunks, b"\n", last + 1, name)
    end = len(held) if end < 0 else end
    return _read_lines(held[:end], name, False), held[end + 1 :]


def _read_until_mark(
    held: bytes, chunks: Iterator[bytes], mark: bytes, start: int, name: str
) -> tuple[bytes, int]:
    """More bytes until a mark is among them, and where it is; -1: nowhere."""
    while (at := held.find(mark, start)) < 0 and (more := next(chunks, b"")):
        if len(held) > MAX_HEAD_BYTES:
            raise DataError(f"{name!r} is no VCF: its first 128 MB have no line #CHROM, or its end")
        start = max(len(held) - len(mark), start)
        held += more
    return held, at


def _read_more(held: bytes, chunks: Iterator[bytes], size: int) -> bytes:
    parts, have = [held], len(held)
    while have < size and (chunk := next(chunks, b"")):
        parts.append(chunk)
        have += len(chunk)
    return b"".join(parts)


def _read_lines(text: bytes, name: str, binary: bool) -> VcfHead:
    from ...data.memory import available_bytes

    text = text.rstrip(b"\r\n")
    columns = text[text.rfind(b"\n") + 1 :]
    if not columns.startswith(FIXED_COLUMNS):
        shown = value_text(columns[:MOST_SHOWN].decode("utf-8", "replace"))
        raise DataError(
            f"{name!r} is no VCF: its head ends with {shown}, not with #CHROM POS ID ..."
        )
    n = columns.count(b"\t")
    if n * NAME_BYTES > available_bytes():
        raise DataError(f"{name!r} has {counted_noun(n, 'sample')}, which do not fit in memory")
    ids = [field.decode("utf-8", "replace") for field in columns.split(b"\t")[9:]]
    if not ids:
        raise DataError(f"{name!r} has no samples: it is a list of variants without genotypes")
    contigs: dict[int, str] = {}
    keys: dict[str, int] = {"PASS": 0}
    for match in NUMBERED_LINE_PATTERN.finditer(text) if binary else ():
        named = re.search(rb"(?:^|,)ID=([^,]+)", match[2])
        if not named:
            continue
        number = re.search(rb",IDX=([0-9]{1,9})$", match[2])
        word = named[1].decode("utf-8", "replace")
        if match[1] == b"contig":
            contigs.setdefault(int(number[1]) if number else len(contigs), word)
        elif number:
            keys[word] = int(number[1])
        else:
            keys.setdefault(word, len(keys))
    return VcfHead(ids, binary, contigs, keys.get("GT", -1))
