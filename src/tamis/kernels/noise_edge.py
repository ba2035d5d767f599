"""How many principal components are above what noise alone gives."""

from __future__ import annotations

import numpy as np

# Tracy-Widom's law as a gamma law (Chiani 2014)
GAMMA_SHAPE, GAMMA_SCALE, GAMMA_SHIFT = 46.446, 0.186054, 9.84801
NOISE_QUANTILE = 0.5


def above_noise(
    first: np.ndarray, n: int, total: float, squares: float, most: float = NOISE_QUANTILE
) -> int:
    """Which of the first eigenvalues is the last that may be larger than noise would have it.

    The k-th is compared with the law of the largest eigenvalue of noise (Tracy and Widom) that has
    the sum and the sum of squares of the eigenvalues from the k-th on; how many independent
    columns that noise has follows from these (Patterson, Price and Reich 2006, PLoS Genetics
    2:e190, equations 5 to 10). It may be larger unless noise exceeds it with a probability above
    `most`. One that is not may stand before one that is: several alike hide one another.
    Columns that are strongly correlated have larger eigenvalues than such noise. The last half of
    n is never kept: of the few eigenvalues behind them the law says nothing.

    Parameters
    ----------
    first : ndarray of shape (k,)
        Eigenvalues of ``Z Z'`` of n centred rows with more columns than rows, falling.
    n : int
    total, squares : float
        Sum of all eigenvalues, and of their squares.
    most : float, default=0.5
    """
    from scipy.special import gammaincc

    last = 0
    for k, value in enumerate(first[: n // 2]):
        left = n - k
        spread = (left - 1) * squares - total**2
        if left < 3 or spread <= 0:
            break
        columns = (left + 1) * total**2 / spread
        root, rows = np.sqrt(max(columns - 1, 1.0)), np.sqrt(left)
        middle = (root + rows) ** 2 / columns
        width = (root + rows) / columns * (1 / root + 1 / rows) ** (1 / 3)
        x = ((left - 1) * value / total - middle) / width
        if gammaincc(GAMMA_SHAPE, max(x + GAMMA_SHIFT, 0.0) / GAMMA_SCALE) <= most:
            last = k + 1
        total, squares = total - value, squares - value**2
    return last
