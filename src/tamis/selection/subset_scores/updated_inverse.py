"""One column more, or one less, beside the inverse of the cross products of the chosen ones.

Let W be the cross products of the training rows R (centred as the learner wants), with a ridge on
their diagonal, S the chosen columns and M the inverse of W_SS. For a column j not in S

    d_j^2 = W_jj - W_jS M W_Sj        what S leaves of it (the pivot of the bordered inverse)
    t_j(x) = x_j - x_S M W_Sj         the row's value that S does not explain

and for one in S the inverse without it is M - M_j M_j' / M_jj. So every subset that is one column
away costs one product of matrices for all of them, and nothing is refitted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernels.lda_path import SMALLEST_PIVOT


@dataclass(frozen=True)
class Remainders:
    """What the chosen columns leave of others.

    Attributes
    ----------
    pivots : ndarray of shape (k,)
        d_j^2; infinite for a column without any cross product, NaN where it is too small.
    rows : ndarray of shape (m, k)
        t_j of further rows.
    weights : ndarray of shape (s, k)
        M W_Sj.
    """

    pivots: np.ndarray
    rows: np.ndarray
    weights: np.ndarray


class CrossProducts:
    """The cross products of training rows, a column of them made when it is first chosen.

    Parameters
    ----------
    train : ndarray of shape (n, p)
    rows : ndarray of shape (m, p)
        Further rows in the same coordinates.
    ridge : float
        Added to the diagonal.
    """

    def __init__(self, train: np.ndarray, rows: np.ndarray, ridge: float = 0.0):
        self.train, self.rows, self.ridge = train, rows, ridge
        self.own = np.einsum("ij,ij->j", train, train) + ridge
        self._made: dict[int, np.ndarray] = {}

    def with_all(self, chosen: np.ndarray) -> np.ndarray:
        """W_S. without the ridge, (s, p)."""
        out = np.empty((len(chosen), self.train.shape[1]))
        for i, j in enumerate(chosen.tolist()):
            if j not in self._made:
                self._made[j] = self.train[:, j] @ self.train
            out[i] = self._made[j]
        return out

    def inverse(self, columns: np.ndarray) -> np.ndarray | None:
        """M; None where it is singular or nearly so."""
        return inverse_of(self.train[:, columns], self.ridge)

    def remainders(
        self, chosen: np.ndarray, inverse: np.ndarray, products: np.ndarray, new: np.ndarray
    ) -> Remainders:
        """Of the columns `new`, beside the chosen ones and their `with_all`."""
        beside = products[:, new]
        weights = inverse @ beside
        own = self.own[new]
        pivots = own - np.einsum("ij,ij->j", beside, weights)
        pivots[pivots < SMALLEST_PIVOT * own] = np.nan
        pivots[own == 0] = np.inf
        return Remainders(pivots, self.rows[:, new] - self.rows[:, chosen] @ weights, weights)


def inverse_of(train: np.ndarray, ridge: float = 0.0) -> np.ndarray | None:
    """The inverse of the cross products (k, k) of a few columns (n, k), ridge on the diagonal; None
    where a pivot of their correlations is below `SMALLEST_PIVOT`."""
    from scipy.linalg import lapack

    products = train.T @ train
    products.flat[:: len(products) + 1] += ridge
    scale = np.sqrt(np.diag(products))
    if not len(scale) or not (scale > 0).all():
        return None if len(scale) else products
    factor, info = lapack.dpotrf(products / np.outer(scale, scale), lower=1, clean=1)
    if info != 0 or np.diag(factor).min() ** 2 < SMALLEST_PIVOT:
        return None
    inverse, _ = lapack.dpotri(factor, lower=1)
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    found: np.ndarray = inverse / np.outer(scale, scale)
    return found
