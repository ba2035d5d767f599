"""k nearest neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from .._core.interfaces import Arrays, Beliefs, Classifier, Regressor
from .base.constant_predictor import ONE_NUMBER

METRICS = ("l1", "l2")


@dataclass(frozen=True)
class NeighboursPredictor:
    """The training rows (n, k), their codes or values, how many neighbours count, the distance."""

    rows: np.ndarray
    codes: np.ndarray
    n_neighbors: int
    metric: str
    n_classes: int = field(default=2)

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Class shares among the neighbours of each row of X (m, k), or their mean value."""
        return self.by_size(X, [X.shape[1]])[0]

    def by_size(self, X: np.ndarray, sizes: Sequence[int]) -> list[Beliefs]:
        """By the leading columns of each size."""
        from ..kernels.nearest_neighbours import nearest_votes

        own = self.n_neighbors, self.metric == "l1", sizes
        if self.n_classes == ONE_NUMBER:
            alike = np.zeros(len(self.rows), dtype=np.int64)
            sums = nearest_votes(self.rows, alike, X, 1, *own, self.codes)
            return [Beliefs.of_values(of_size[:, 0] / self.n_neighbors) for of_size in sums]
        votes = nearest_votes(self.rows, self.codes, X, self.n_classes, *own)
        return [Beliefs(of_size / self.n_neighbors) for of_size in votes]

    def to_arrays(self) -> Arrays:
        """The training rows and codes; neighbours and distance as one array of two numbers."""
        how = [float(self.n_neighbors), float(METRICS.index(self.metric))]
        return {"rows": self.rows, "codes": self.codes.astype(float), "how": np.array(how)}


@dataclass(frozen=True)
class NearestNeighbours(Classifier):
    """On standardised columns; of samples at equal distances the earlier is the nearer."""

    n_neighbors: int = 5
    metric: str = "l2"
    scaled = True
    draws = False

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> NeighboursPredictor:
        """Keep the rows; never more neighbours than there are."""
        return NeighboursPredictor(X, y, min(self.n_neighbors, len(X)), self.metric, n_classes)

    def beliefs_by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        test: np.ndarray,
        sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:
        """For every size: each column is added to the distances once."""
        return self.fit(X, y, n_classes, seed).by_size(test, sizes)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> NeighboursPredictor:
        """From what the predictor gave."""
        rows, codes, how = fitting_arrays(arrays, rows=(None, n_columns), codes=(None,), how=(2,))
        if len(rows) != len(codes):
            raise unfit_part_error("codes")
        y = codes if n_classes == ONE_NUMBER else checked_integers(codes, 0, n_classes, "codes")
        k, metric = checked_integers(how, 0, len(rows) + 1, "how").tolist()
        if not k >= 1 or metric >= len(METRICS) or len(np.unique(y)) < n_classes:
            raise unfit_part_error("how")
        return NeighboursPredictor(rows, y, k, METRICS[metric], n_classes)


class NearestNeighboursMean(NearestNeighbours, Regressor):
    """The same of a number: the mean of the neighbours' values."""
