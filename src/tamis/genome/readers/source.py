"""What a file of genotypes is to everything else: rows of two bits a call, samples, variants.

A format is one file that makes a `Source`; nothing else knows how its bytes lie.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from platform import node
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from ..._core.errors import DataError
from ..._core.process_cache import cached_in_process
from .samples import Samples
from .variants import Variants

MAX_OPEN_FILES = 64  # that a worker keeps open


class Source(Protocol):
    """One file. Pickled it is its name, its digest and how it was opened (`sent_source`).

    One that is mapped may also define ``let_go()``: what was looked at need not stay in memory.

    Attributes
    ----------
    path : Path
    samples : Samples
        Of its n samples, in its order.
    n_variants : int
        Rows, those with a broken line too.
    """

    path: Path
    samples: Samples
    n_variants: int

    def variants(self) -> Variants:
        """What is said of its variants, in its order; read when first requested."""
        ...

    def packed(self, first: int, last: int) -> np.ndarray:
        """Hard calls of the variants first to last - 1: (last - first, bytes) of uint8, in rows
        that lie behind each other, coded as in .bed (`kernels.genotypes`). Read-only."""
        ...

    def probabilities(self, first: int, last: int) -> np.ndarray | None:
        """Of two copies of allele 1, one and none (last - first, n, 3) float32, NaN where nothing
        is known; None of formats that have calls alone."""
        ...

    def digest(self) -> str:
        """A hash of the bytes of the file, and of those beside it."""
        ...


def sent_source(source: Source, *how: Any) -> tuple[Callable[..., Source], tuple[Any, ...]]:
    """What `__reduce__` of a source gives: the file is opened at the same path by whoever reads it,
    once in a process, and refused if it is another there.

    Parameters
    ----------
    source : Source
    *how : Any
        What it was opened with, behind its path.
    """
    if source not in _digests:  # hundreds of tasks are sent
        _digests[source] = source.digest()
    return _received_source, (type(source), source.path.resolve(), _digests[source], *how)


_digests: WeakKeyDictionary[Source, str] = WeakKeyDictionary()


def _received_source(kind: Callable[..., Source], path: Path, digest: str, *how: Any) -> Source:
    def open_here() -> Source:
        try:
            found = kind(path, *how)
        except DataError as error:
            raise DataError(f"on {node()}: {error}") from error
        if found.digest() != digest:
            raise DataError(f"on {node()} {str(path)!r} is another file than here")
        return found

    return cached_in_process("files", (kind, path, digest, *how), open_here, MAX_OPEN_FILES)
