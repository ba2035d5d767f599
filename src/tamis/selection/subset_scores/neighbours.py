"""k nearest neighbours, a column added to the distances or taken from them."""

from __future__ import annotations

import numpy as np

from .fold_model import FoldModel


class NeighboursFold(FoldModel):
    """Class shares among the nearest training rows; of rows at equal distances the earlier.

    Parameters
    ----------
    train, test : ndarray of shape (n, p), (m, p)
    codes : ndarray of shape (n,)
    n_classes : int
    k : int
    absolute : bool
        l1 distance, not l2.
    """

    values = "shares"

    def __init__(self, train, test, codes, n_classes: int, k: int, absolute: bool):
        self.train = np.ascontiguousarray(train.T)
        self.test = np.ascontiguousarray(test.T)
        self.codes, self.n_classes = codes.astype(np.int64), n_classes
        self.k, self.absolute = min(k, len(train)), absolute

    def _distances(self, columns: np.ndarray) -> np.ndarray:
        total = np.zeros((self.test.shape[1], self.train.shape[1]))
        for j in columns.tolist():
            step = self.test[j][:, None] - self.train[j]
            total += np.abs(step) if self.absolute else step * step
        return total

    def _votes(self, base: np.ndarray, columns: np.ndarray, sign: float) -> np.ndarray:
        from ...kernels.neighbour_votes import neighbour_votes

        return neighbour_votes(
            base,
            self.test[columns],
            self.train[columns],
            self.codes,
            self.n_classes,
            self.k,
            self.absolute,
            sign,
        )

    def of(self, columns: np.ndarray) -> np.ndarray:
        found = self._votes(self._distances(columns[:-1]), columns[-1:], 1.0)
        return found[:, :, 0]

    def with_each(self, chosen: np.ndarray, new: np.ndarray) -> np.ndarray:
        return self._votes(self._distances(chosen), new, 1.0)

    def without_each(self, chosen: np.ndarray) -> np.ndarray:
        return self._votes(self._distances(chosen), chosen, -1.0)
