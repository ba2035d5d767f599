"""Principal components of genotypes, in their place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from .._core.arrays import fitting_arrays, rising_places, unfit_part_error
from .._core.interfaces import Arrays, FittedStep, Step
from ..genome.structure.components_result import project_scores
from ..genome.structure.left_out_components import left_out_components
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
    training: np.ndarray | None = None

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
            self,
            used=np.arange(len(self.used)),
            p=len(self.used),
            outputs=self.outputs[outputs],
            training=None,
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
    training samples, see `genome.principal_components`; others are projected onto them. Training
    samples get the scores that they would have had as new ones, left out with their group: on
    components that were fitted to themselves they are larger, the more so the fewer samples there
    are. Components that noise is as likely to exceed as not are left out.

    Parameters
    ----------
    n_components : int, default=10
        At most.
    n_variants : int or None, default=None
        Used at most, evenly spread. None: all that are left of pruning.
    """

    n_components: int = 10
    n_variants: int | None = None

    on_table, on_matrix = "create", False

    @property
    def created(self) -> list[str]:
        """Names of the components."""
        return [f"PC{k + 1}" for k in range(self.n_components)]

    def learn_table(
        self, table: object, rows: np.ndarray, y: np.ndarray, groups: np.ndarray | None = None
    ) -> GenotypeScores:
        """Components of some rows of a `GenotypeTable`, in groups or each by itself."""
        genotypes = genotypes_of(table, "genotype_components")
        if groups is None:
            groups = np.arange(len(rows))
        found, scores = left_out_components(
            genotypes, self.n_components, rows, groups, self.n_variants
        )
        return GenotypeScores(
            found.columns,
            found.frequencies,
            found.loadings,
            np.arange(scores.shape[1]),
            genotypes.shape[1],
            scores,
        )

    def from_arrays(self, arrays: Arrays, n_columns: int) -> GenotypeScores:
        """Components of so many columns."""
        given, frequencies, loadings, outputs = fitting_arrays(
            arrays,
            used=(None,),
            frequencies=(None,),
            loadings=(None, None),
            outputs=(None,),
        )
        used = rising_places(given, n_columns, "used")
        if not len(used) == len(frequencies) == len(loadings):
            raise unfit_part_error("used")
        if loadings.shape[1] > self.n_components:
            raise unfit_part_error("loadings")
        if not (len(used) and (frequencies > 0).all() and (frequencies < 1).all()):
            raise unfit_part_error("frequencies")
        places = rising_places(outputs, loadings.shape[1], "outputs")
        return GenotypeScores(used, frequencies, loadings, places, n_columns)
