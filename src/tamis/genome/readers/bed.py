"""PLINK 1's .bed: two bits a call, variant by variant, mapped and never expanded.

Format: https://www.cog-genomics.org/plink/1.9/formats#bed
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..._core.errors import DataError, counted_noun
from .endings import BED_ENDINGS as ENDINGS
from .mapped import Mapped
from .samples import Samples, read_fam
from .source import sent_source
from .variants import Variants, count_lines, read_bim

BED_MAGIC = b"\x6c\x1b"
BY_VARIANT, BY_SAMPLE = b"\x01", b"\x00"
HEAD_BYTES = 3  # bytes before the calls


class Bed:
    """A .bed with its .bim and .fam.

    Parameters
    ----------
    path : Path
        Of the .bed; the others have its name and their own ending.

    Raises
    ------
    DataError
        A file is missing, is something else, or the three do not fit each other.
    """

    def __init__(self, path: Path):
        self.path = path
        beside = [path.with_suffix(ending) for ending in ENDINGS[1:]]
        for file in (path, *beside):
            if not file.is_file():
                raise DataError(
                    f"{file.name!r} is missing in {str(file.parent)!r}: a .bed is read with the "
                    ".bim and the .fam of the same name"
                )
        self._bim, fam = beside
        self.samples: Samples = read_fam(fam)
        self.n_variants = count_lines(self._bim)
        self._check()
        self._mapped = Mapped(path)
        self._n_bytes = -(-len(self.samples) // 4)
        if len(self._mapped) != HEAD_BYTES + self.n_variants * self._n_bytes:
            raise DataError(f"{path.name!r} has changed while it was opened")

    def _check(self) -> None:
        """Refuse what is no .bed by variants of these samples and variants."""
        name = self.path.name
        with open(self.path, "rb") as file:
            head = file.read(HEAD_BYTES)
        if head[:2] == b"\x1f\x8b":
            raise DataError(f"{name!r} is compressed (gzip): decompress it, a .bed is mapped")
        if head[:2] != BED_MAGIC:
            raise DataError(
                f"{name!r} is no .bed of PLINK 1: it begins with {head[:2].hex(' ') or 'nothing'}, "
                f"where a .bed begins with {BED_MAGIC.hex(' ')}"
            )
        if head[2:] == BY_SAMPLE:
            raise DataError(
                f"{name!r} is sample-major: make it variant-major, plink --bfile "
                f"{self.path.stem!r} --make-bed --out NAME"
            )
        if head[2:] != BY_VARIANT:
            raise DataError(
                f"{name!r} is cut short, or no .bed: its third byte is neither 00 nor 01"
            )
        n, p = len(self.samples), self.n_variants
        if p == 0:
            raise DataError(f"{self._bim.name!r} has no variants")
        n_bytes = -(-n // 4)
        size, expected = self.path.stat().st_size, HEAD_BYTES + p * n_bytes
        if size != expected:
            rows, left = divmod(size - HEAD_BYTES, n_bytes)
            holds = f"{counted_noun(rows, 'variant')}" + (
                f" and {counted_noun(left, 'byte')}" if left else ""
            )
            raise DataError(
                f"{name!r} has {size:,} bytes, where {counted_noun(n, 'sample')} (.fam) and "
                f"{counted_noun(p, 'variant')} (.bim) take {expected:,}: for so many samples it "
                f"holds {holds}; it is cut short, or the three files are not of one data set"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        return sent_source(self)

    @cached_property
    def _variants(self) -> Variants:
        return read_bim(self._bim)

    def variants(self) -> Variants:
        """Of the .bim."""
        found = self._variants
        if len(found) != self.n_variants:
            raise DataError(f"{self._bim.name!r} has changed since it was opened")
        return found

    def packed(self, first: int, last: int) -> np.ndarray:
        """Rows of the file as they are."""
        calls = self._mapped.bytes[HEAD_BYTES:].reshape(-1, self._n_bytes)
        return calls[first:last]

    def let_go(self) -> None:
        """See `Mapped.let_go`."""
        self._mapped.let_go()

    def probabilities(self, first: int, last: int) -> None:
        """None: calls alone."""
        return

    def digest(self) -> str:
        """Of the three files."""
        found = hashlib.sha256()
        for ending in ENDINGS:
            with open(self.path.with_suffix(ending), "rb") as file:
                while block := file.read(1 << 24):
                    found.update(block)
            found.update(b"|")
        return found.hexdigest()
