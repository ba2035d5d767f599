"""Mutual information of each column with a number, by nearest neighbours.

Kraskov, Stögbauer & Grassberger (2004), Phys. Rev. E 69, 066138, eq. 8: with r_i the distance of
point i to its k-th neighbour, the larger of |x_i - x_j| and |y_i - y_j|, and n_x, n_y the points
strictly nearer than that in x and in y,

    I = ψ(n) + ψ(k) - <ψ(n_x + 1) + ψ(n_y + 1)>
"""

from __future__ import annotations

import numpy as np

from ._jit import jit


def paired_information(
    X: np.ndarray, y: np.ndarray, n_neighbors: int, psi: np.ndarray
) -> np.ndarray:
    """The estimate of every column (p,), in nats; negative ones become 0.

    Parameters
    ----------
    X : ndarray of shape (n, p), float64, finite, best without ties
    y : ndarray of shape (n,), float64
    n_neighbors : int
        At most n - 1.
    psi : ndarray of shape (n + 1,)
        digamma(0), ..., digamma(n); the first is not read.
    """
    found = np.empty(X.shape[1])
    columns, far = np.ascontiguousarray(X.T), np.abs(y[:, None] - y)
    fill_information(columns, far, n_neighbors, psi, np.empty(n_neighbors), found)
    return found


@jit
def fill_information(columns, far, k, psi, near, found):
    """Of columns as rows (p, n), into `found` (p,); `far` (n, n) are distances in y."""
    n = columns.shape[1]
    for j in range(len(columns)):
        x, total = columns[j], 0.0
        for i in range(n):
            near[:] = np.inf
            for other in range(n):
                d = max(abs(x[i] - x[other]), far[i, other])
                if other == i or d >= near[k - 1]:
                    continue
                at = k - 1
                while at > 0 and near[at - 1] > d:
                    near[at] = near[at - 1]
                    at -= 1
                near[at] = d
            radius, in_x, in_y = near[k - 1], 0, 0
            for other in range(n):
                in_x += abs(x[i] - x[other]) < radius
                in_y += far[i, other] < radius
            # the point itself is among both, unless all k neighbours are at distance 0
            total += psi[max(in_x, 1)] + psi[max(in_y, 1)]
        found[j] = max(psi[n] + psi[k] - total / n, 0.0)
