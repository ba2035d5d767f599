"""Distance correlation of each column with a number.

Székely, Rizzo & Bakirov (2007), Ann. Stat. 35, 2769-2794: with a_ij = |x_i - x_j|, b_ij of y, and
A, B with means of rows, columns and all taken out,

    dCor² = Σ AB / sqrt(Σ A² Σ B²)

As B has means of 0, Σ AB = Σ aB; and Σ A² = Σ a² - 2n Σ_i ā_i² + n² ā².
"""

from __future__ import annotations

import numpy as np

from ._jit import jit


def distance_correlations(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """dCor (p,) of every column, 0 of one that does not vary.

    Parameters
    ----------
    X : ndarray of shape (n, p), float64, finite
    y : ndarray of shape (n,), float64, finite
    """
    b = np.abs(y[:, None] - y)
    B = b - b.mean(axis=0) - b.mean(axis=1)[:, None] + b.mean()
    found = np.empty(X.shape[1])
    columns = np.ascontiguousarray(X.T)
    fill_distance_correlations(columns, B, float((B * B).sum()), found)
    return found


@jit
def fill_distance_correlations(columns, B, own, found):
    """Of columns as rows (p, n), into `found` (p,); `own` is Σ B²."""
    n = columns.shape[1]
    for j in range(len(columns)):
        x = columns[j]
        product, squares, by_row, total = 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            row, across = 0.0, 0.0
            for k in range(n):
                d = abs(x[i] - x[k])
                row += d
                across += d * B[i, k]
                squares += d * d
            product += across
            by_row += row * row
            total += row
        spread = squares - 2 * by_row / n + (total / n) ** 2
        if spread > 1e-14 * squares and own > 0:
            found[j] = np.sqrt(max(product, 0.0) / np.sqrt(spread * own))
        else:
            found[j] = 0.0
