"""plink2's .pgen: hard calls, decoded block by block by the library pgenlib.

Format: https://github.com/chrchang/plink-ng/tree/master/pgen_spec
"""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path
from typing import Any

import numpy as np

from ..._core.errors import DataError, MissingExtraError, counted_noun, require_library
from .endings import PGEN_ENDINGS as ENDINGS
from .psam import read_psam
from .pvar import MOST_ALLELES, alleles_of, read_pvar
from .samples import Samples
from .source import sent_source
from .variants import Variants

PGEN_MAGIC = b"\x6c\x1b"
HEAD_BYTES = 12  # bytes: the magic number, the kind, numbers of variants and samples, flags
BED_KIND = 0x01
READABLE_KINDS = (0x02, 0x03, 0x04, 0x10, 0x11)  # of one file, with the numbers in its head
MAX_DECODED_CALLS = 1 << 21  # calls decoded at once, a byte each
NO_CALL = -9  # where copies are counted, as pgenlib has it


class Pgen:
    """A .pgen with its .pvar or .pvar.zst and its .psam.

    Allele 1, whose copies are counted, is ALT, and allele 2 REF. Calls are the hard calls of the
    file, those that plink2 made of dosages among them; dosages and phase are not looked at.
    Variants of several ALT alleles have no calls and are marked as broken, as in a VCF.

    Parameters
    ----------
    path : Path
        Of the .pgen; the others have its name and their own ending.

    Raises
    ------
    DataError
        A file is missing, is something else, or the three do not fit each other.
    MissingExtraError
        The library pgenlib is not installed.
    """

    def __init__(self, path: Path):
        self.path = path
        _, variants, packed, people = (path.with_suffix(ending) for ending in ENDINGS)
        self._pvar = variants if variants.is_file() or not packed.is_file() else packed
        self._psam = people
        for file in (path, self._pvar, self._psam):
            if not file.is_file():
                raise DataError(
                    f"{file.name!r} is missing in {str(file.parent)!r}: a .pgen is read with the "
                    ".pvar (or .pvar.zst) and the .psam of the same name"
                )
        self.n_variants, n = self._numbers()
        try:
            require_library("pgenlib", "pgen", f"reading {path.name!r}")
        except MissingExtraError as error:
            raise MissingExtraError(f"{error}, or make a .bed of it: {self._make_bed}") from error
        self.samples: Samples = read_psam(self._psam)
        self._variants = read_pvar(self._pvar, self.n_variants)
        for file, number, own, what in (
            (self._psam, len(self.samples), n, "sample"),
            (self._pvar, len(self._variants), self.n_variants, "variant"),
        ):
            if number != own:
                raise DataError(
                    f"{file.name!r} has {counted_noun(number, what)}, {path.name!r} {own:,}: they "
                    "are not of one data set"
                )
        alleles = alleles_of(self._variants)
        if alleles.max() > MOST_ALLELES:
            raise DataError(
                f"{self._pvar.name!r} has a variant of {alleles.max():,} alleles, where a .pgen "
                f"holds {MOST_ALLELES} at most: it is damaged"
            )
        starts = np.concatenate([[0], np.cumsum(alleles)]).astype(np.uintp)
        self._starts = starts if alleles.max() > 2 else None
        self._opened()

    @property
    def _make_bed(self) -> str:
        how = f"plink2 --pfile {self.path.stem}" + " vzs" * (self._pvar.suffix == ".zst")
        return f"`{how} --make-bed --out {self.path.stem}`"

    def _numbers(self) -> tuple[int, int]:
        """Of variants and of samples, by the head."""
        name, size = self.path.name, self.path.stat().st_size
        with open(self.path, "rb") as file:
            head = file.read(HEAD_BYTES)
        if head[:2] != PGEN_MAGIC:
            raise DataError(
                f"{name!r} is no .pgen of plink2: it begins with {head[:2].hex(' ') or 'nothing'}, "
                f"where a .pgen begins with {PGEN_MAGIC.hex(' ')}"
            )
        if head[2:3] == bytes([BED_KIND]):
            raise DataError(
                f"{name!r} is a .bed of PLINK 1 by its third byte: name it .bed, and have its .bim "
                "and .fam beside it"
            )
        if len(head) < HEAD_BYTES:
            raise DataError(f"{name!r} is cut short: it has {counted_noun(size, 'byte')}")
        if head[2] not in READABLE_KINDS:
            raise DataError(
                f"{name!r} is a .pgen of kind {head[2]:#04x}, or damaged; kinds "
                f"{', '.join(map('{:#04x}'.format, READABLE_KINDS))} are read. If plink2 reads "
                "it, make a "
                f".bed of it: {self._make_bed}"
            )
        p, n = struct.unpack_from("<2I", head, 3)
        if not n or not p:
            raise DataError(
                f"{name!r} has {counted_noun(n, 'sample')} and {counted_noun(p, 'variant')}"
            )
        if p > 8 * size:
            raise DataError(
                f"{name!r} is damaged or cut short: {counted_noun(p, 'variant')} do not fit in its "
                f"{counted_noun(size, 'byte')}"
            )
        return p, n

    def _opened(self) -> Any:
        """A reader of its own for each block, since one cannot be shared by threads; this takes a
        millisecond."""
        import pgenlib

        try:
            return pgenlib.PgenReader(
                bytes(self.path),
                raw_sample_ct=len(self.samples),
                variant_ct=self.n_variants,
                allele_idx_offsets=self._starts,
            )
        except (RuntimeError, MemoryError) as error:  # the latter of lengths that are damaged
            reason = error.args[0] if error.args else "it asks for more memory than there is"
            text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
            raise DataError(
                f"{self.path.name!r} is damaged, or pgenlib cannot read it ({text.strip()}). If "
                f"plink2 reads it, make a .bed of it: {self._make_bed}"
            ) from error

    def __reduce__(self) -> tuple[Any, ...]:
        return sent_source(self)

    def variants(self) -> Variants:
        """Of the .pvar."""
        return self._variants

    def packed(self, first: int, last: int) -> np.ndarray:
        """Hard calls as .bed has them."""
        from ...kernels.genotypes.words import bytes_for, pack_copies

        reader, n = self._opened(), len(self.samples)
        rows = np.empty((last - first, bytes_for(n)), dtype=np.uint8)
        width = max(1, MAX_DECODED_CALLS // n)
        for low in range(first, last, width):
            high = min(low + width, last)
            copies = np.empty((high - low, n), dtype=np.int8)
            try:
                reader.read_range(low, high, copies)
            except RuntimeError as error:
                raise DataError(
                    f"{self.path.name!r} is damaged: the calls of variants {low + 1:,} to {high:,} "
                    "cannot be read; write or copy the file anew"
                ) from error
            copies[self._variants.broken[low:high]] = NO_CALL
            pack_copies(copies, rows[low - first : high - first])
        return rows

    def probabilities(self, first: int, last: int) -> None:
        """None: calls alone."""
        return

    def digest(self) -> str:
        """Of the three files."""
        found = hashlib.sha256()
        for path in (self.path, self._pvar, self._psam):
            with open(path, "rb") as file:
                while block := file.read(1 << 24):
                    found.update(block)
            found.update(b"|")
        return found.hexdigest()
