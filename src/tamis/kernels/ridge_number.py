"""Ridge regression of a number on the leading columns of each size; the penalty by leave-one-out.

    min  Σ(y - b0 - x'b)² + λ |b|²

With X centred, X'X = V D V' and Z = XV (or XX' = U D U' where there are more columns than rows), a
fit of any λ is ŷ = mean(y) + Z (D + λ)⁻¹ Z'y, and leaving out row i changes its residual to
(y_i - ŷ_i)/(1 - h_i), h_i = 1/n + Σ_j z_ij²/(d_j + λ): exact, the intercept included (Allen 1974;
Golub, Heath & Wahba 1979). So all penalties of a size cost one decomposition.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._jit import jit

# penalties tried, as multiples of the mean of the nonzero eigenvalues: three a decade. The least is
# the floor: of smaller ones leave-one-out residuals lose their digits where columns outnumber rows.
PENALTIES = 10.0 ** (np.arange(-12, 13) / 3)


def ridge_number(
    X: np.ndarray, y: np.ndarray, sizes: Sequence[int], penalty: float | None = None
) -> list[tuple[np.ndarray, float, float]]:
    """Coefficients, intercept and penalty for the leading columns of each size.

    Parameters
    ----------
    X : ndarray of shape (n, k), float64
    y : ndarray of shape (n,), float64
    sizes : sequence of int
        From 1 to k.
    penalty : float, optional
        λ; None: of `PENALTIES` the one of the least leave-one-out error, of equal ones the largest.
    """
    fixed = -1.0 if penalty is None else float(penalty)
    found = []
    for k in sizes:
        coef = np.empty(int(k))
        intercept, chosen = fit_ridge(np.ascontiguousarray(X[:, :k]), y, PENALTIES, fixed, coef)
        found.append((coef, float(intercept), float(chosen)))
    return found


def ridge_number_values(
    X: np.ndarray, y: np.ndarray, test: np.ndarray, sizes: Sequence[int], penalty: float | None
) -> np.ndarray:
    """What the same predicts of test rows (m, k), a row for each size."""
    fixed = -1.0 if penalty is None else float(penalty)
    found = np.empty((len(sizes), len(test)))
    ridge_path(X, y, test, np.asarray(sizes, dtype=np.int64), PENALTIES, fixed, found)
    return found


@jit
def ridge_path(X, y, test, sizes, penalties, fixed, found):
    """Predictions of every size, into `found`."""
    for s in range(len(sizes)):
        k = sizes[s]
        coef = np.empty(k)
        intercept, _ = fit_ridge(np.ascontiguousarray(X[:, :k]), y, penalties, fixed, coef)
        for i in range(len(test)):
            total = intercept
            for j in range(k):
                total += test[i, j] * coef[j]
            found[s, i] = total


@jit
def fit_ridge(X, y, penalties, fixed, coef):
    """Fill `coef`; the intercept and the penalty. `fixed` below 0: chosen by leave-one-out."""
    n, k = X.shape
    centre = np.zeros(k)
    for i in range(n):
        for j in range(k):
            centre[j] += X[i, j]
    centre /= n
    middle = y.mean()
    C = X - centre
    r = y - middle
    wide = k > n
    d, V = np.linalg.eigh(C @ C.T if wide else C.T @ C)
    top = max(d[-1], 0.0)
    least = top * 1e-12 * max(n, k)
    count = 0
    for j in range(len(d)):
        if d[j] > least:
            count += 1
    if count == 0:
        coef[:] = 0.0
        return middle, 0.0
    first = len(d) - count
    V = np.ascontiguousarray(V[:, first:])
    d = d[first:]
    # Z'r and the squares of Z; of the wide form Z = U sqrt(D)
    Z = V * np.sqrt(d) if wide else C @ V
    c = Z.T @ r
    chosen = fixed
    if fixed < 0:
        unit = d.sum() / count
        squares = Z * Z
        best = np.inf
        for q in range(len(penalties) - 1, -1, -1):
            weight = 1.0 / (d + penalties[q] * unit)
            fitted = Z @ (weight * c)
            level = squares @ weight
            error = 0.0
            for i in range(n):
                left = (r[i] - fitted[i]) / (1.0 - 1.0 / n - level[i])
                error += left * left
            if error < best * (1.0 - 1e-12):
                best, chosen = error, penalties[q] * unit
    weight = c / (d + chosen)
    if wide:
        coef[:] = C.T @ (V @ (weight / np.sqrt(d)))
    else:
        coef[:] = V @ weight
    return middle - centre @ coef, chosen
