"""Quality control of variants, by the training samples alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

import numpy as np

from .._core.interfaces import Arrays
from ..genome.quality import quality_control
from .packed import genotypes_of
from .step import Kept


@dataclass(frozen=True)
class GenotypeQuality:
    """Keeps the variants that pass `genome.quality_control` among the training samples.

    Samples are not looked at: they come and go with the folds. Those of class 0 of two are the
    controls.

    Parameters
    ----------
    missing, hardy, frequency, differential : float or None
        As of `genome.quality_control`. With `differential` variants go whose calls are missing more
        in one class.
    """

    missing: float | None = 0.1
    hardy: float | None = 1e-6
    frequency: float | None = 0.01
    differential: float | None = None

    scope: ClassVar[Literal["training"]] = "training"

    def choose(self, table: object, rows: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Columns of a `GenotypeTable` to keep, from some rows and their class codes alone."""
        genotypes = genotypes_of(table, "genotype_quality").subset(samples=rows)
        found = quality_control(genotypes, y, **asdict(self), sample_missing=None)
        return np.flatnonzero(found.kept)

    def from_arrays(self, arrays: Arrays, n_columns: int) -> Kept:
        """Which columns were kept."""
        return Kept.from_arrays(arrays, n_columns)
