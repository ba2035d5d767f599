"""Calls that take time to decode, decoded once and kept in memory at two bits each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..._core.process_cache import cached_in_process
from .bgen import Bgen
from .genotypes import Genotypes
from .pgen import Pgen
from .samples import Samples
from .source import MAX_OPEN_FILES, Source
from .variants import Variants

BLOCK_VARIANTS = 1024  # variants decoded together


class DecodedSource:
    """A source whose calls are decoded when they are first requested, and then stay.

    Parameters
    ----------
    source : Source
    """

    def __init__(self, source: Source):
        self.source = source
        self.path: Path = source.path
        self.samples: Samples = source.samples
        self.n_variants: int = source.n_variants
        self._blocks: dict[int, np.ndarray] = {}

    def __reduce__(self) -> tuple[Callable[..., DecodedSource], tuple[Any, ...]]:
        return _received_decoded, (self.source, self.digest())

    def variants(self) -> Variants:
        """Of the source."""
        return self.source.variants()

    def packed(self, first: int, last: int) -> np.ndarray:
        """Hard calls of the variants first to last - 1."""
        low, high = first // BLOCK_VARIANTS, -(-last // BLOCK_VARIANTS)
        parts = [self._block(k) for k in range(low, high)]
        rows = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return rows[first - low * BLOCK_VARIANTS : last - low * BLOCK_VARIANTS]

    def probabilities(self, first: int, last: int) -> np.ndarray | None:
        """Of the source, each time anew."""
        return self.source.probabilities(first, last)

    def digest(self) -> str:
        """Of the source."""
        return self.source.digest()

    def _block(self, k: int) -> np.ndarray:
        if k not in self._blocks:
            end = min((k + 1) * BLOCK_VARIANTS, self.n_variants)
            self._blocks[k] = self.source.packed(k * BLOCK_VARIANTS, end)
        return self._blocks[k]


def _received_decoded(source: Source, digest: str) -> DecodedSource:
    """That of this process, which may have decoded some."""
    return cached_in_process(
        "held", (str(source.path.resolve()), digest), lambda: DecodedSource(source), MAX_OPEN_FILES
    )


def decoded_genotypes(genotypes: Genotypes) -> Genotypes:
    """The same, with what takes time to decode kept once it is decoded: a BGEN or .pgen."""
    slow = (Bgen, Pgen)
    sources = tuple(DecodedSource(s) if isinstance(s, slow) else s for s in genotypes.sources)
    return replace(genotypes, sources=sources)
