"""The variants of a model as a source: lines of files in the model's order, with its alleles."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from ..readers.genotypes import Genotypes
from ..readers.samples import Samples
from ..readers.variant_lines import Wanted
from ..readers.variants import Variants
from .matching import Matching

SWAPPED_CODES = np.array([3, 1, 2, 0])  # of calls with the alleles the other way round
SWAPPED_BYTES = sum(SWAPPED_CODES[np.arange(256) >> 2 * s & 3] << 2 * s for s in range(4)).astype(
    np.uint8
)
ALL_MISSING_BYTE = 0b01010101


class Matched:
    """A `Source` of such lines.

    Parameters
    ----------
    genotypes : Genotypes
    wanted : Wanted
        The variants.
    matching : Matching
        Their lines.
    """

    def __init__(self, genotypes: Genotypes, wanted: Wanted, matching: Matching):
        first = genotypes.sources[0]
        self.path: Path = first.path
        self.samples: Samples = first.samples
        self.n_variants = len(wanted)
        self._genotypes = replace(genotypes, rows=None)
        self._wanted, self._matching = wanted, matching

    def variants(self) -> Variants:
        """Those of the model."""
        own, none = self._wanted, np.zeros(self.n_variants, dtype=bool)
        chromosome, id, one, other = (
            pa.array(texts, pa.string())
            for texts in (own.chromosome, own.name, own.allele1, own.allele2)
        )
        return Variants(chromosome, id, one, other, own.position, none)

    def packed(self, first: int, last: int) -> np.ndarray:
        """Hard calls of the variants first to last - 1."""
        found = self._matching
        lines, place = np.unique(found.lines[first:last], return_inverse=True)
        pieces = self._genotypes.only(lines).pieces()
        rows = np.concatenate([piece.packed() for piece in pieces])[place]
        turned, unknown = found.turned[first:last], found.unknown[first:last]
        rows[turned] = SWAPPED_BYTES[rows[turned]]
        rows[unknown] = ALL_MISSING_BYTE
        behind = len(self.samples) % 4
        if behind:
            rows[:, -1] &= (1 << 2 * behind) - 1
        return rows

    def probabilities(self, first: int, last: int) -> None:
        """None: calls alone."""
        return

    def digest(self) -> str:
        """Of the files, and of what is made of them."""
        found = hashlib.sha256(self._genotypes.digest().encode())
        for part in (self._matching.lines, self._matching.turned, self._matching.unknown):
            found.update(part.astype("<i8").tobytes())
        return found.hexdigest()
