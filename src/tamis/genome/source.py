"""What a file of genotypes is to everything else: rows of two bits a call, samples, variants.

A format is one file that makes a `Source`; nothing else knows how its bytes lie.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np

from .samples import Samples
from .variants import Variants


class Source(Protocol):
    """One file.

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
        """What is said of its variants, in its order; read when first asked for."""
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
