"""Number of principal components above what noise alone gives."""

from __future__ import annotations

import numpy as np

# The Tracy-Widom law of real matrices as a shifted gamma law (Chiani 2014):
# x + shift ~ Gamma(shape, scale)
GAMMA_SHAPE, GAMMA_SCALE, GAMMA_SHIFT = 46.446, 0.186054, 9.84801
NOISE_QUANTILE = 0.5


def above_noise(
    first: np.ndarray, n: int, total: float, squares: float, most: float = NOISE_QUANTILE
) -> int:
    """Number of leading eigenvalues up to the last one that is above noise.

    The k-th is compared with the law of the largest eigenvalue of noise (Tracy and Widom) that has
    the sum and the sum of squares of the eigenvalues from the k-th on; the number of independent
    columns of that noise follows from these (Patterson, Price and Reich 2006, PLoS Genetics
    2:e190, equations 5 to 10). An eigenvalue is above noise if noise exceeds it with a probability
    of at most `most`. All before the last such are counted, above noise or not: several of similar
    size hide one another. Strongly correlated columns have larger eigenvalues than such noise. At
    most n // 2 are counted: the law does not describe the few eigenvalues after these.

    Parameters
    ----------
    first : ndarray of shape (k,)
        Eigenvalues of ``Z Z'`` of n centred rows with more columns than rows, falling.
    n : int
    total, squares : float
        Sum of all eigenvalues, and of their squares.
    most : float, default=0.5
        Largest probability of noise at which an eigenvalue counts.
    """
    from scipy.special import gammaincc

    last = 0
    # at the top: `total` and `squares` are those of the eigenvalues from `value` on
    for k, value in enumerate(first[: n // 2]):
        left = n - k  # rows of the noise, with left - 1 eigenvalues, as they are centred
        # 0 if these are all equal (Cauchy-Schwarz), that is, for noise of infinitely many columns
        spread = (left - 1) * squares - total**2
        if left < 3 or spread <= 0:
            break
        # effective columns n' = (m + 1) (sum l)^2 / ((m - 1) sum l^2 - (sum l)^2), m rows
        columns = (left + 1) * total**2 / spread
        # mean and width of (m - 1) l_1 / sum l, of which x is the Tracy-Widom variable
        root, rows = np.sqrt(max(columns - 1, 1.0)), np.sqrt(left)
        middle = (root + rows) ** 2 / columns
        width = (root + rows) / columns * (1 / root + 1 / rows) ** (1 / 3)
        x = ((left - 1) * value / total - middle) / width
        if gammaincc(GAMMA_SHAPE, max(x + GAMMA_SHIFT, 0.0) / GAMMA_SCALE) <= most:
            last = k + 1
        total, squares = total - value, squares - value**2
    return last
