"""Principal components of genotypes, in their place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from .._core.arrays import fitting, rising_places, unfit
from .._core.interfaces import Arrays, FittedStep, Step
from ..genome.components import principal_components
from ..genome.components_result import project_scores
from .packed import genotypes_of


@dataclass(frozen=True)
class GenotypeScores(FittedStep):
    """Scores of samples on components of m of p variants.

    Attributes
    ----------
    used : ndarray of shape (m,)
        The variants, rising.
    frequencies : ndarray of shape (m,)
        Of allele 1 among the training samples.
    loadings : ndarray of shape (m, k)
    outputs : ndarray
        Components that are given.
    p : int
    """

    used: np.ndarray
    frequencies: np.ndarray
    loadings: np.ndarray
    outputs: np.ndarray
    p: int

    takes_tables = True

    @property
    def columns(self) -> np.ndarray:
        """All are created: behind the p inputs."""
        return self.p + self.outputs

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Of copies of allele 1, the rows of X (m, p); a missing call is 0."""
        f = self.frequencies
        z = (X[:, self.used] - 2 * f) / np.sqrt(2 * f * (1 - f))
        scores = np.where(np.isnan(z), 0.0, z) @ self.loadings / np.sqrt(len(self.used))
        return np.ascontiguousarray(scores[:, self.outputs])

    def transform_table(self, table: object) -> np.ndarray:
        """Of all rows of a `GenotypeTable`, from its packed calls."""
        genotypes = genotypes_of(table, "genotype_components")
        scores = project_scores(genotypes, self.used, self.frequencies, self.loadings)
        return np.ascontiguousarray(scores[:, self.outputs])

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the components, which need the variants used."""
        less = replace(
            self, used=np.arange(len(self.used)), p=len(self.used), outputs=self.outputs[outputs]
        )
        return less, self.used

    def to_arrays(self) -> Arrays:
        """Variants, frequencies, loadings, and which components are given."""
        return {
            "used": self.used.astype(np.float64),
            "frequencies": self.frequencies,
            "loadings": self.loadings,
            "outputs": self.outputs.astype(np.float64),
        }


@dataclass(frozen=True)
class GenotypeComponents(Step):
    """Puts the scores on the leading principal components in the place of the genotypes.

    Components, frequencies and the variants used (autosomal, frequent, pruned) are those of the
    training samples, see `genome.principal_components`; others are projected onto them. Scores of
    samples that components were not fitted to are smaller, the more so the fewer samples there
    were.

    Parameters
    ----------
    n_components : int, default=10
    """

    n_components: int = 10

    on_table, on_matrix = "create", False

    @property
    def created(self) -> list[str]:
        """Names of the components."""
        return [f"PC{k + 1}" for k in range(self.n_components)]

    def learn_table(self, table: object, rows: np.ndarray, y: np.ndarray) -> GenotypeScores:
        """Components of some rows of a `GenotypeTable`."""
        genotypes = genotypes_of(table, "genotype_components")
        found = principal_components(genotypes, self.n_components, samples=rows)
        return GenotypeScores(
            found.columns,
            found.frequencies,
            found.loadings,
            np.arange(self.n_components),
            genotypes.shape[1],
        )

    def from_arrays(self, arrays: Arrays, n_columns: int) -> GenotypeScores:
        """Components of so many columns."""
        given, frequencies, loadings, outputs = fitting(
            arrays,
            used=(None,),
            frequencies=(None,),
            loadings=(None, self.n_components),
            outputs=(None,),
        )
        used = rising_places(given, n_columns, "used")
        if not len(used) == len(frequencies) == len(loadings):
            raise unfit("used")
        if not (len(used) and (frequencies > 0).all() and (frequencies < 1).all()):
            raise unfit("frequencies")
        places = rising_places(outputs, self.n_components, "outputs")
        return GenotypeScores(used, frequencies, loadings, places, n_columns)
