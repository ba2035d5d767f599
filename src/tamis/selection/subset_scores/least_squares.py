"""Ridge least squares on the indicators of the classes, a column added or removed by updating.

f_c(x) = mean_c + (x_S - mean_S)' M X_S' y_c with M = (X_S' X_S + alpha I)^{-1}, columns and
indicators centred. A further column adds t(x) b_c, b_c = (x_j - X_S M W_Sj)' y_c / d^2; one that
goes takes (M x)_j beta_jc / M_jj away (`updated_inverse`).
"""

from __future__ import annotations

import numpy as np

from .fold_model import FoldModel
from .updated_inverse import CrossProducts, inverse_of


class LeastSquaresFold(FoldModel):
    """Ridge least squares on a fold; what is nearly singular without a ridge is left to `refitted`.

    Parameters
    ----------
    train, test : ndarray of shape (n, p), (m, p)
    codes : ndarray of shape (n,)
    n_classes : int
    alpha : float
    refitted : FoldModel
    """

    values = "indicators"

    def __init__(self, train, test, codes, n_classes: int, alpha: float, refitted: FoldModel):
        center = train.mean(axis=0)
        self.refitted, self.alpha = refitted, alpha
        self.products = CrossProducts(train - center, test - center, alpha)
        targets = (np.arange(n_classes)[:, None] == codes).astype(float)
        self.shares = targets.mean(axis=1)
        self.targets = targets - self.shares[:, None]
        self.pulls = self.targets @ self.products.train  # X' y_c, (C, p)

    def of(self, columns: np.ndarray) -> np.ndarray:
        inverse = inverse_of(self.products.train[:, columns], self.alpha)
        if inverse is None:
            return self.refitted.of(columns)
        return self._values(inverse, columns)

    def _values(self, inverse: np.ndarray, columns: np.ndarray) -> np.ndarray:
        slopes = inverse @ self.pulls[:, columns].T
        return (self.products.rows[:, columns] @ slopes + self.shares).T

    def with_each(self, chosen: np.ndarray, new: np.ndarray) -> np.ndarray:
        inverse = self.products.inverse(chosen)
        if inverse is None:
            return np.full((len(self.shares), len(self.products.rows), len(new)), np.nan)
        products = self.products.with_all(chosen)
        left = self.products.remainders(chosen, inverse, products, new)
        slopes = (self.pulls[:, new] - self.pulls[:, chosen] @ left.weights) / left.pivots
        return self._values(inverse, chosen)[:, :, None] + left.rows * slopes[:, None, :]

    def without_each(self, chosen: np.ndarray) -> np.ndarray:
        inverse = self.products.inverse(chosen)
        if inverse is None:
            return np.full((len(self.shares), len(self.products.rows), len(chosen)), np.nan)
        slopes = inverse @ self.pulls[:, chosen].T / np.diag(inverse)[:, None]  # (k, C)
        gone = (self.products.rows[:, chosen] @ inverse) * slopes.T[:, None, :]
        return self._values(inverse, chosen)[:, :, None] - gone
