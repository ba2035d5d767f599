"""Quality control of variants, by the training samples alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from .._core.interfaces import Arrays, Step
from ..genome.quality.quality import quality_control
from ..genome.quality.quality_result import QualityControl
from .fitted import KeptColumns
from .packed import genotypes_of


@dataclass(frozen=True)
class GenotypeQuality(Step):
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

    on_table, on_matrix, gives_reasons = "choose", False, True

    def choose(self, table: object, rows: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Columns of a `GenotypeTable` to keep, from some rows and their class codes alone."""
        return np.flatnonzero(self._looked(table, rows, y).kept)

    def reasons(self, table: object, rows: np.ndarray, y: np.ndarray) -> dict[str, int]:
        """How many columns go for which reason, the first that applies."""
        found = self._looked(table, rows, y).dropped_rows()
        return {
            row["reason"]: row["dropped"]
            for row in found
            if row["of"] == "variants" and row["dropped"] > 0
        }

    @property
    def tests_missing(self) -> bool:
        """Whether calls that are missing more in one class are looked for."""
        return self.differential is not None

    def _looked(self, table: object, rows: np.ndarray, y: np.ndarray) -> QualityControl:
        genotypes = genotypes_of(table, "genotype_quality").subset(samples=rows)
        return quality_control(genotypes, y, **asdict(self), sample_missing=None)

    def from_arrays(self, arrays: Arrays, n_columns: int) -> KeptColumns:
        """Which columns were kept."""
        return KeptColumns.from_arrays(arrays, n_columns)
