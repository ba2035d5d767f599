"""Random projection: sums of all columns with random signs, in their place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from .._core.arrays import fitting_arrays, rising_places
from .._core.errors import PlanError
from .._core.interfaces import Arrays, FittedStep
from .._core.streams import stream
from ..genome.study.projection import call_modes, project_genotypes
from ..kernels.medians import column_medians
from .packed import genotypes_of
from .step import StepTransformer

ALLELE_COPIES = np.array([2.0, 1.0, 0.0])  # of an allele, in the order of their indicators


@dataclass(frozen=True)
class Projected(FittedStep):
    """Sums over p columns, divided by the square root of their number.

    Attributes
    ----------
    fill : ndarray of shape (p,)
        What stands for a missing value.
    outputs : ndarray
        Sums that are given.
    n_components : int
    coding : {"copies", "indicators"}
    seed : int
    """

    fill: np.ndarray
    outputs: np.ndarray
    n_components: int
    coding: str
    seed: int

    takes_tables = True

    @property
    def columns(self) -> np.ndarray:
        """All are created: behind the p inputs."""
        return len(self.fill) + self.outputs

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Of the rows of X (m, p); those of whole numbers are exact."""
        from ..kernels.genotypes.table_projection import project_table

        X = np.where(np.isnan(X), self.fill, X)
        if self.coding == "indicators":
            X = (X[:, :, None] == ALLELE_COPIES).reshape(len(X), -1).astype(float)
        found = project_table(np.ascontiguousarray(X), self.n_components, self._key, _one_by_one)
        return np.ascontiguousarray((found / np.sqrt(self.n_components))[:, self.outputs])

    def transform_table(self, table: object) -> np.ndarray:
        """Of all rows of a `GenotypeTable`, from its packed calls; equal to `transform`."""
        found = project_genotypes(
            genotypes_of(table, "random_projection"),
            self.fill.astype(np.int8),
            self.n_components,
            self._key,
            self.coding,
            float(np.sqrt(self.n_components)),
            1,
        )
        return np.ascontiguousarray(found[:, self.outputs])

    @property
    def _key(self) -> np.uint64:
        return stream(self.seed, "random signs").generate_state(1, np.uint64)[0]

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the sums, which need every column."""
        return replace(self, outputs=self.outputs[outputs]), np.arange(len(self.fill))

    def to_arrays(self) -> Arrays:
        """What fills missing values, and which sums are given."""
        return {"fill": self.fill.astype(np.float64), "outputs": self.outputs.astype(np.float64)}


class RandomProjection(StepTransformer):
    """Puts sums with random signs in the place of the columns: fewer, with distances kept.

    ``x R / sqrt(m')`` with R (p, m') of +1 and -1 (Achlioptas 2003), see
    `genome.RandomSignProjection`. Packed genotypes are never made numbers. A missing value counts
    as the column's median among the training rows, a missing call as the most frequent genotype.

    Parameters
    ----------
    n_components : int, default=100
        m'. The first are those of any smaller number, but for the scale.
    coding : {"copies", "indicators"}, default="copies"
        Of genotypes: a column of copies of allele 1 a variant, or one for each of the three.
    seed : int, default=0
        Of the signs.

    Examples
    --------
    >>> import numpy as np
    >>> RandomProjection(n_components=4).fit_transform(np.eye(2, 500)).tolist()
    [[0.5, 0.5, 0.5, 0.5], [-0.5, -0.5, -0.5, 0.5]]
    """

    on_table = "create"
    fitted_: Projected

    def __init__(self, n_components: int = 100, coding: str = "copies", seed: int = 0):
        self.n_components = n_components
        self.coding = coding
        self.seed = seed

    @property
    def created(self) -> list[str]:
        """Names of the sums."""
        return [f"RP{k + 1}" for k in range(self.n_components)]

    def learn(self, X: np.ndarray, y: np.ndarray) -> Projected:
        """What fills missing values; all else follows from the seed."""
        if self.coding == "indicators" and not (np.isnan(X) | np.isin(X, ALLELE_COPIES)).all():
            raise PlanError(
                "random_projection: coding = 'indicators' is for genotypes (0, 1 and 2), and there "
                "are other values: leave it out"
            )
        return self._filled_by(column_medians(X))

    def learn_table(self, table: object, rows: np.ndarray, y: np.ndarray) -> Projected:
        """The same of some rows of a `GenotypeTable`."""
        genotypes = genotypes_of(table, "random_projection").subset(samples=rows)
        return self._filled_by(call_modes(genotypes, quiet=True).astype(np.float64))

    def _filled_by(self, fill: np.ndarray) -> Projected:
        every = np.arange(self.n_components if len(fill) else 0)
        return Projected(fill, every, self.n_components, self.coding, self.seed)

    def from_arrays(self, arrays: Arrays, n_columns: int) -> Projected:
        """What fills missing values of so many columns."""
        fill, given = fitting_arrays(arrays, fill=(n_columns,), outputs=(None,))
        outputs = rising_places(given, self.n_components, "outputs")
        return replace(self._filled_by(fill), outputs=outputs)

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """RP1, RP2 and so on."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return np.array(self.created, dtype=object)


def _one_by_one(tasks) -> None:
    for task in tasks:
        task()
