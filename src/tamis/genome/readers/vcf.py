"""VCF and BCF: read once from the first to the last line, calls kept at two bits each.

Read here, without a library, since lines are anything that people write: one that is none costs its
variant, where libraries in C have been seen to crash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..._core.errors import DataError, counted_noun
from ..._core.progress import Progress
from .arrow_texts import texts_of
from .inflate import MB, inflated_chunks
from .samples import Samples
from .source import sent_source
from .variants import Variants
from .vcf_head import VcfHead, read_vcf_head

PADDING = b"." + bytes(8)  # behind the bytes that kernels read: a dot for what is missing, and room
MIN_LONG_LINE_BYTES = 1 << 26  # bytes of a line that is too long, or more by the number of samples
MAX_SAMPLE_BYTES = 1 << 10  # bytes of a line that a sample may take
# bytes that records read together take, or those that are too short in all
MAX_RECORDS_BYTES = 1 << 26
RECORD_OVERHEAD_BYTES = 80  # bytes of what goes with a record's calls
MIN_RECORD_BYTES = 16  # bytes of a record that has calls, those of its samples aside


@dataclass(frozen=True)
class Batch:
    """Records read together: their calls, what they are, and how many have calls of their own."""

    rows: np.ndarray
    variants: Variants
    with_gt: int


class Vcf:
    """A VCF, as it is or compressed (gzip or bgzip), or a BCF.

    Allele 1, whose copies are counted, is ALT, and allele 2 REF, as `plink2 --vcf` has them.
    Calls are those of GT, phased or not; of one copy as two of its kind, as .bed has it. There
    is no call where a part is missing ("./1"), where an allele is none of the record's, and of
    more than two copies. Records of several ALT alleles have no calls and are marked as broken, as
    lines are that cannot be read: .bed, which PLINK would make of them, has two alleles
    (``bcftools norm -m -`` splits them).

    Memory: a quarter of a byte a call.

    Parameters
    ----------
    path : Path
    quiet : bool, default=True
        Show no progress.

    Raises
    ------
    DataError
        The file is something else, is damaged, has no GT, or does not fit in memory.
    """

    def __init__(self, path: Path, quiet: bool = True):
        if not path.is_file():
            raise DataError(f"there is no {str(path)!r}")
        self.path = path
        batches: list[Batch] = []
        with Progress(path.stat().st_size // MB, f"reading {path.name!r} (MB)", quiet) as progress:
            chunks = inflated_chunks(path, progress)
            head, rest = read_vcf_head(chunks, path.name)
            self.samples = Samples.of_ids(head.ids)
            self.samples.refuse_twins(path.name)
            for batch in self._read(head, rest, chunks):
                batches.append(batch)
        if not batches:
            raise DataError(f"{path.name!r} has no variants")
        if not any(batch.with_gt for batch in batches):
            raise DataError(
                f"{path.name!r} is a VCF without GT: none of its records has calls that can be read"
            )
        self._rows = [batch.rows for batch in batches]
        self._starts = np.cumsum([0] + [len(rows) for rows in self._rows])
        self._variants = Variants.joined([batch.variants for batch in batches])
        self.n_variants = int(self._starts[-1])

    def _read(self, head: VcfHead, held: bytes, chunks: Iterator[bytes]) -> Iterator[Batch]:
        """Batches of complete records."""
        name, n = self.path.name, len(head.ids)
        parse, longest = (_parse_bcf if head.binary else _parse_text), longest_record(n)
        read = taken = 0
        for chunk in chain(chunks, [b""]):
            held += chunk
            if not chunk and held and not head.binary:
                held += b"\n"
            while True:
                batch, used = parse(held, head, name)
                held, read = held[used:], read + used
                if batch is not None:
                    taken += batch.rows.nbytes + MIN_RECORD_BYTES * len(batch.rows)
                    if taken > read + MAX_RECORDS_BYTES:
                        raise DataError(
                            f"{name!r} is damaged, or no VCF: most of its records are too short to "
                            f"have calls of {counted_noun(n, 'sample')}"
                        )
                    yield batch
                if not used:
                    break
            if len(held) > longest:
                raise DataError(
                    f"{name!r} is damaged, or no VCF: a record of it has over {longest:,} bytes"
                )
        if held:
            raise DataError(f"{name!r} is cut short: it ends within a record")

    def __reduce__(self) -> tuple[Any, ...]:
        return sent_source(self)

    def variants(self) -> Variants:
        """Of its records."""
        return self._variants

    def packed(self, first: int, last: int) -> np.ndarray:
        """Calls as they were read."""
        low = int(np.searchsorted(self._starts, first, side="right")) - 1
        high = int(np.searchsorted(self._starts, last, side="left"))
        parts = [
            self._rows[k][max(first - self._starts[k], 0) : last - self._starts[k]]
            for k in range(low, high)
        ]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def probabilities(self, first: int, last: int) -> None:
        """None: calls alone."""
        return

    def digest(self) -> str:
        """Of the file."""
        with open(self.path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def longest_record(n: int) -> int:
    """Bytes that a record of n samples may have."""
    return max(MIN_LONG_LINE_BYTES, MAX_SAMPLE_BYTES * n)


def most_records(n: int) -> int:
    """Of n samples, that are read together."""
    return max(1, MAX_RECORDS_BYTES // (-(-n // 4) + RECORD_OVERHEAD_BYTES))


def _empty_rows(m: int, n: int, name: str) -> np.ndarray:
    """Rows for m records, if there is room for these and what goes with them."""
    from ...data.memory import available_bytes

    rows = (m, -(-n // 4))
    if m * (rows[1] + RECORD_OVERHEAD_BYTES) > available_bytes():
        raise DataError(
            f"{name!r} does not fit in memory: make a .bed of it, which is mapped: plink2 --vcf "
            "FILE --make-bed"
        )
    return np.empty(rows, dtype=np.uint8)


def _parse_text(held: bytes, head: VcfHead, name: str) -> tuple[Batch | None, int]:
    """The complete lines among some bytes, as many as are read together, and their bytes."""
    from ...kernels.genotypes.gt_codes import RECORD_BROKEN, RECORD_CALLED, RECORD_MULTIALLELIC
    from ...kernels.genotypes.vcf_lines import parse_lines

    used = held.rfind(b"\n") + 1
    m, n = held.count(b"\n", 0, used), len(head.ids)
    if not m:
        return None, used
    flat = np.frombuffer(held + PADDING, dtype=np.uint8)
    if m > (most := most_records(n)):
        m, used = most, int(np.flatnonzero(flat[:used] == ord("\n"))[most - 1]) + 1
    rows = _empty_rows(m, n, name)
    spans, position = np.zeros((m, 4, 2), dtype=np.int64), np.zeros(m, dtype=np.int64)
    state = np.empty(m, dtype=np.uint8)
    m = parse_lines(flat, 0, used, n, rows, spans, position, state)
    if not m:
        return None, used
    spans, state = spans[:m], state[:m]
    chromosome, ids, ref, alt = (texts_of(flat, spans[:, k], name) for k in range(4))
    broken = (state == RECORD_BROKEN) | (state == RECORD_MULTIALLELIC)
    variants = Variants(chromosome, ids, alt, ref, position[:m], broken)
    with_gt = int(((state == RECORD_CALLED) | (state == RECORD_MULTIALLELIC)).sum())
    return Batch(rows[:m], variants, with_gt), used


def _parse_bcf(held: bytes, head: VcfHead, name: str) -> tuple[Batch | None, int]:
    """The complete records among some bytes, as many as are read together, and their bytes."""
    from ...kernels.genotypes.bcf_records import count_records, parse_records
    from ...kernels.genotypes.gt_codes import (
        RECORD_BROKEN,
        RECORD_CALLED,
        RECORD_MULTIALLELIC,
        fill_missing,
    )

    flat = np.frombuffer(bytearray(held + PADDING), dtype=np.uint8)
    n = len(head.ids)
    m, used, size = count_records(flat, len(held), most_records(n))
    if size > longest_record(n):
        raise DataError(
            f"{name!r} is damaged: a record of it would have {counted_noun(size, 'byte')}"
        )
    if not m:
        return None, used
    rows = _empty_rows(m, n, name)
    spans, position = np.zeros((m, 3, 2), dtype=np.int64), np.zeros(m, dtype=np.int64)
    contig, state = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.uint8)
    parse_records(flat, m, n, head.gt_key, len(held), rows, spans, position, contig, state)
    numbers, place = np.unique(contig, return_inverse=True)
    nowhere = np.array([int(k) not in head.contigs for k in numbers])[place] & (
        state != RECORD_BROKEN
    )
    for j in np.flatnonzero(nowhere):
        state[j] = RECORD_BROKEN
        fill_missing(rows[j], n)
    names = pa.array([head.contigs.get(int(k), "") for k in numbers], pa.string())
    chromosome = names.take(pa.array(place))
    broken = (state == RECORD_BROKEN) | (state == RECORD_MULTIALLELIC)
    ids, ref, alt = (texts_of(flat, spans[:, k], name) for k in range(3))
    variants = Variants(chromosome, ids, alt, ref, position, broken)
    with_gt = int(((state == RECORD_CALLED) | (state == RECORD_MULTIALLELIC)).sum())
    return Batch(rows, variants, with_gt), used
