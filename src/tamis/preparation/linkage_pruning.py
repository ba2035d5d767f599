"""Variants thinned by linkage disequilibrium among the training samples."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from .._core.interfaces import Arrays, Step
from ..genome.quality.prune import prune_variants
from .fitted import KeptColumns
from .packed import genotypes_of


@dataclass(frozen=True)
class LinkagePruning(Step):
    """Keeps autosomal variants no near two of which have a larger r^2 among the training samples.

    Parameters
    ----------
    window, step, r2
        As of `genome.prune_variants`.
    """

    window: int = 50
    step: int = 5
    r2: float = 0.2

    on_table, on_matrix = "choose", False

    def choose(self, table: object, rows: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Columns of a `GenotypeTable` to keep, from some rows alone."""
        genotypes = genotypes_of(table, "linkage_pruning")
        return np.flatnonzero(prune_variants(genotypes, samples=rows, **asdict(self)))

    def from_arrays(self, arrays: Arrays, n_columns: int) -> KeptColumns:
        """Which columns were kept."""
        return KeptColumns.from_arrays(arrays, n_columns)
