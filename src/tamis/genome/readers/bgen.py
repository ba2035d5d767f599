"""BGEN 1.2 and 1.3: probabilities of genotypes, mapped and decompressed by block of variants.

Read here, without a library, since the file's lengths are all checked before they are followed, and
calls are made from the numbers of the file without probabilities in between.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..._core.errors import DataError, counted_noun, value_text
from ..._core.progress import Progress
from .arrow_texts import texts_of
from .bgen_head import UNCOMPRESSED, ZLIB, ZSTD, Head, read_head
from .mapped import Mapped
from .oxford import read_sample
from .samples import NAME_BYTES, Samples
from .source import sent_source
from .variants import Variants

MIN_CALL_PROBABILITY = 0.9  # probability that a call takes
WALKED_VARIANTS = 1 << 16  # variants walked over, or read, at once
MAX_RAW_BYTES = 1 << 22  # bytes decompressed before they are looked at
# bytes that one compressed byte can become
MOST_RATIO = {UNCOMPRESSED: 0, ZLIB: 1100, ZSTD: 1 << 16}


class Bgen:
    """A BGEN, with its .sample if there is one.

    Allele 1, whose copies are counted, is the second of the file, and allele 2 the first: the
    reference, where a file has it first, as most do and `plink2 --bgen FILE ref-first` takes it.

    A call is the genotype whose probability is largest, if it is `call` at least and no other is as
    probable. One copy where there is but one (X of men) is called as two of its kind, as .bed
    has it; more than two are not called, nor is a variant of more than two alleles, which is marked
    as broken. Copies of phased data are independent.

    Parameters
    ----------
    path : Path
        The .sample beside it has its name; without, samples have the names of the file's head,
        else numbers from 1.
    call : float or None, default=0.9
        0 to 1; None: any probability will do, if it is the largest.
    quiet : bool, default=True
        Show no progress while heads of variants are walked over.

    Raises
    ------
    DataError
        The file is something else or damaged, or the .sample is of others.
    """

    def __init__(self, path: Path, call: float | None = MIN_CALL_PROBABILITY, quiet: bool = True):
        if not path.is_file():
            raise DataError(f"there is no {str(path)!r}")
        self.path, self.call = path, _check_call(call)
        with open(path, "rb") as file:
            self._head = read_head(file, path)
        self.n_variants = self._head.n_variants
        self._sheet = path.with_suffix(".sample")
        self._mapped = Mapped(path)
        self._places = self._walk(quiet)  # so many samples are there only if all variants have room
        self.samples: Samples = _read_samples(path, self._sheet, self._head)
        self._table: Variants | None = None
        self._limits: np.ndarray | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return sent_source(self, self.call)

    def _walk(self, quiet: bool) -> np.ndarray:
        """Where each variant lies, all lengths checked against the file's."""
        from ...kernels.genotypes.bgen_walk import N_PLACES, WALK_COMPLETE, WALK_CUT, walk_variants

        head, name, end = self._head, self.path.name, len(self._mapped)
        found, at = np.empty((self.n_variants, N_PLACES), dtype=np.int64), head.first
        with Progress(self.n_variants, f"looking through {name!r}", quiet) as progress:
            for first in range(0, self.n_variants, WALKED_VARIANTS):
                part = found[first : first + WALKED_VARIANTS]
                done, at, how = walk_variants(
                    self._mapped.bytes, at, head.n_samples, MOST_RATIO[head.compression], part
                )
                number = f"variant {first + done + 1:,} of {self.n_variants:,}"
                if how == WALK_CUT:
                    raise DataError(
                        f"{name!r} is cut short or damaged: {number}, which begins at byte {at:,}, "
                        f"goes beyond the file's {end:,} bytes"
                    )
                if how != WALK_COMPLETE:
                    raise DataError(
                        f"{name!r} is damaged: {number}, which begins at byte {at:,}, has a "
                        f"length that {counted_noun(head.n_samples, 'sample')} cannot have"
                    )
                progress.advance(done)
        if at != end:
            raise DataError(
                f"{name!r} is damaged: {counted_noun(end - at, 'byte')} follow the last of "
                f"{counted_noun(self.n_variants, 'variant')}"
            )
        return found

    def variants(self) -> Variants:
        """Of the heads of the variants; rs ids, or the other ids where these are empty."""
        if self._table is None:
            firsts = range(0, self.n_variants, WALKED_VARIANTS)
            parts = [self._heads(self._places[first : first + WALKED_VARIANTS]) for first in firsts]
            self._table = parts[0] if len(parts) == 1 else Variants.joined(parts)
        return self._table

    def _heads(self, places: np.ndarray) -> Variants:
        from ...kernels.genotypes.bgen_walk import N_TEXTS, read_heads

        spans = np.zeros((len(places), N_TEXTS, 2), dtype=np.int64)
        position = np.empty(len(places), dtype=np.int64)
        flat = self._mapped.bytes
        read_heads(flat, places, spans, position)
        nameless = spans[:, 1, 1] == 0
        spans[nameless, 1] = spans[nameless, 0]
        _, ids, chromosome, second, first = (
            texts_of(flat, spans[:, k], self.path.name) for k in range(N_TEXTS)
        )
        return Variants(chromosome, ids, first, second, position, places[:, 4] != 2)

    def packed(self, first: int, last: int) -> np.ndarray:
        """Calls made of the probabilities."""
        from ...kernels.genotypes.bgen_calls import call_variants, limits_of

        if self._limits is None:
            self._limits = limits_of(self.call)
        n = self._head.n_samples
        rows = np.tile(_no_calls(n), (last - first, 1))
        for where, flat, spans in self._decompressed(first, last):
            part = np.empty((len(where), rows.shape[1]), dtype=np.uint8)
            self._complain(call_variants(flat, spans, n, self._limits, part), where, first)
            rows[where] = part
        return rows

    def probabilities(self, first: int, last: int) -> np.ndarray:
        """As the file has them, NaN where nothing is known."""
        from ...kernels.genotypes.bgen_calls import read_probabilities

        n = self._head.n_samples
        found = np.full((last - first, n, 3), np.nan, dtype=np.float32)
        for where, flat, spans in self._decompressed(first, last):
            part = np.empty((len(where), n, 3), dtype=np.float32)
            self._complain(read_probabilities(flat, spans, n, part), where, first)
            found[where] = part
        return found

    def _decompressed(
        self, first: int, last: int
    ) -> Iterator[tuple[list[int], np.ndarray, np.ndarray]]:
        """Data of variants with two alleles, some MB at once: which of these, bytes, spans."""
        from ...kernels.genotypes.bgen_calls import PADDING_BYTES

        inflate, flat = _variant_inflater(self._head.compression), self._mapped.bytes
        where: list[int] = []
        parts: list[bytes] = []
        held = 0
        for j, (_, at, size, raw, alleles) in enumerate(self._places[first:last].tolist()):
            if alleles != 2:
                continue
            data = inflate(flat[at : at + size].data, raw)
            if data is None or len(data) != raw:
                raise self._damaged(first + j)
            where.append(j)
            parts.append(data)
            held += raw
            if held >= MAX_RAW_BYTES:
                yield _joined_parts(where, parts, PADDING_BYTES)
                where, parts, held = [], [], 0
        if where:
            yield _joined_parts(where, parts, PADDING_BYTES)

    def _complain(self, state: np.ndarray, where: list[int], first: int) -> None:
        if state.any():
            raise self._damaged(first + where[int(state.argmax())])

    def _damaged(self, j: int) -> DataError:
        return DataError(
            f"{self.path.name!r} is damaged: the genotypes of variant {j + 1:,} are not those of "
            f"{counted_noun(self._head.n_samples, 'sample')} with two alleles (bytes from "
            f"{self._places[j, 1]:,} on); write or copy the file anew"
        )

    def digest(self) -> str:
        """Of the file, its .sample and the rule of calls."""
        found = hashlib.sha256(repr(self.call).encode())
        for path in (self.path, self._sheet):
            if path.is_file():
                with open(path, "rb") as file:
                    while block := file.read(1 << 24):
                        found.update(block)
            found.update(b"|")
        return found.hexdigest()


def _check_call(call: float | None) -> float | None:
    if call is None:
        return None
    if isinstance(call, bool) or not isinstance(call, int | float) or not 0 <= call <= 1:
        raise DataError(
            f"call = {value_text(call)}: a probability, 0 to 1, or None for the largest of all"
        )
    return float(call)


def _read_samples(path: Path, sheet: Path, head: Head) -> Samples:
    """Of the .sample, else of the head, else numbered."""
    n, ids = head.n_samples, head.ids
    if sheet.is_file():
        found = read_sample(sheet)
        if len(found) != n:
            raise DataError(
                f"{sheet.name!r} has {counted_noun(len(found), 'sample')}, {path.name!r} {n:,}: "
                "they are not of one data set"
            )
        if ids is not None:
            both = [f"{f}_{i}" for f, i in zip(found.family, found.id, strict=True)]
            if not any(list(names) == ids for names in (found.id, found.family, both)):
                raise DataError(
                    f"{sheet.name!r} names other samples than {path.name!r}, or in another order: "
                    "rename it if it is of something else"
                )
        return found
    if ids is None:
        from ...data.memory import available_bytes

        if n * NAME_BYTES > available_bytes():
            raise DataError(
                f"{path.name!r} has {counted_noun(n, 'sample')}, which do not fit in memory"
            )
        ids = [str(k + 1) for k in range(n)]
    found = Samples.of_ids(ids)
    found.refuse_twins(path.name)
    return found


def _no_calls(n: int) -> np.ndarray:
    """A row of n missing calls."""
    row = np.full(-(-n // 4), 0b01010101, dtype=np.uint8)
    if n % 4:
        row[-1] &= (1 << 2 * (n % 4)) - 1
    return row


def _joined_parts(
    where: list[int], parts: list[bytes], pad: int
) -> tuple[list[int], np.ndarray, np.ndarray]:
    sizes = np.array([len(part) for part in parts], dtype=np.int64)
    spans = np.stack([np.cumsum(sizes) - sizes, sizes], axis=1)
    return where, np.frombuffer(b"".join([*parts, bytes(pad)]), dtype=np.uint8), spans


def _variant_inflater(compression: int) -> Callable[[memoryview, int], bytes | None]:
    """What decompresses a variant, into no more than it says it has; None: it cannot."""
    if compression == UNCOMPRESSED:
        return lambda data, size: bytes(data)
    if compression == ZLIB:

        def inflate_zlib(data: memoryview, size: int) -> bytes | None:
            stream = zlib.decompressobj()
            try:
                found = stream.decompress(data, size + 1)
            except zlib.error:
                return None
            return found if stream.eof else None

        return inflate_zlib
    codec = pa.Codec("zstd")

    def expand_zstd(data: memoryview, size: int) -> bytes | None:
        try:
            return codec.decompress(data, decompressed_size=size, asbytes=True)
        except (OSError, pa.ArrowException):
            return None

    return expand_zstd
