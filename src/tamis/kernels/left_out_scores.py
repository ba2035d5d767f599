"""Scores of a table's own rows on its principal components, as new rows would have them.

Components fit the noise of their own rows, whose scores therefore lie farther from the middle than
those of other rows, the more so the fewer rows and the more columns there are (Lee, Zou and Wright
2010, Annals of Statistics 38:3605). Left out, a row z takes from the scatter S of the centred rows
a matrix of rank one: S - n / (n - 1) z z'. In the basis of the loadings S is diagonal, so that the
eigenvalues of the other rows are roots of a secular equation (Golub 1973, SIAM Review 15:318) and
the loadings follow from each root in closed form; nothing is decomposed again. Rows that belong
together are left out together, by an eigendecomposition in that basis.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

N_HALVINGS = 50  # a root is then known to 2^-50 of the gap between its two neighbours
BLOCK_NUMBERS = 1 << 22  # numbers in the rows handled together: 32 MB
# most sets of groups, each left out together: the larger of MIN_SETS and SETS_WORK / n
MIN_SETS, SETS_WORK = 10, 20_000
ZERO_EIGENVALUE = 1e-12  # share of the first eigenvalue below which one is rounding


def left_out_scores(
    vectors: np.ndarray, eigenvalues: np.ndarray, k: int, groups: np.ndarray | None = None
) -> np.ndarray:
    """Scores (n, k) of each row on the components of the others.

    The components of the others are rotated to those of all rows as far as an orthogonal matrix
    can (Procrustes), so that columns mean the same for all rows.

    Parameters
    ----------
    vectors : ndarray of shape (n, r)
        Left singular vectors of the centred table.
    eigenvalues : ndarray of shape (r,)
        Squares of its singular values, falling.
    k : int
        Components, r at most.
    groups : ndarray of shape (n,) of int, optional
        Rows of a group are left out together. Where there are many groups of several rows, several
        groups are left out at a time. Every row is left out by itself if some group leaves at most
        k rows, which have fewer than k components.
    """
    n = len(vectors)
    places = vectors * np.sqrt(eigenvalues)  # centred rows, in the basis of the loadings
    sets = [] if groups is None else list(_sets_of(groups, k))
    together = np.concatenate(sets) if sets else np.zeros(0, dtype=np.int64)
    alone = np.setdiff1d(np.arange(n), together)
    found = np.zeros((n, k))
    for rows in np.array_split(alone, 1 + len(alone) * len(eigenvalues) // BLOCK_NUMBERS):
        found[rows] = _without_each(places[rows], eigenvalues, n, k)
    for rows in sets:
        found[rows] = _without_all(places[rows], eigenvalues, n, k)
    return found


def _sets_of(groups: np.ndarray, k: int) -> Iterator[np.ndarray]:
    """Rows of the groups of several rows, several groups together where there are many. Nothing if
    some group leaves at most k rows."""
    n, sizes = len(groups), np.bincount(groups)
    several = np.flatnonzero(sizes > 1)
    if not len(several) or n - sizes.max() <= k:
        return
    most = max(MIN_SETS, SETS_WORK // n)
    dealt = np.arange(len(several)) % most  # groups are dealt out to the sets in turn
    for at in range(min(most, len(several))):
        yield np.flatnonzero(np.isin(groups, several[dealt == at]))


def _without_each(z: np.ndarray, eigenvalues: np.ndarray, n: int, k: int) -> np.ndarray:
    """Scores (m, k) of rows z (m, r), each on the components of all rows but itself.

    With rho = n / (n - 1) and the places z_j of a row an eigenvalue is ``lambda_c - t`` where
    ``1 = rho sum_j z_j^2 / (lambda_j - lambda_c + t)``, one between any two neighbours lambda, and
    its loadings are ``b_j / |b|``, ``b_j = z_j / (lambda_j - lambda_c + t)``. The row's deviation
    from the mean of the others is rho z, so that its score ``rho z'b / |b|`` is ``1 / |b|``.
    """
    least = np.finfo(float).eps * eigenvalues[0]
    below = np.append(eigenvalues, 0.0)
    squares = n / (n - 1) * z**2
    scores, loadings = np.zeros((len(z), k)), np.zeros((len(z), k, k))
    for c in range(k):
        # for t from 0 to the gap below lambda_c the sum falls from infinity to minus infinity, and
        # below the last eigenvalue to 1 at most: one root, by bisection for all rows at once. The
        # gap between equal eigenvalues is 0, and gets the width of a rounding error
        apart = eigenvalues - eigenvalues[c]
        low = np.zeros(len(z))
        high = np.full(len(z), max(below[c] - below[c + 1], least))
        for _ in range(N_HALVINGS):
            t = (low + high) / 2
            past = (squares / (apart + t[:, None])).sum(axis=1) < 1
            low, high = np.where(past, low, t), np.where(past, t, high)
        b = z / (apart + ((low + high) / 2)[:, None])
        length = np.sqrt((b**2).sum(axis=1))
        # no such component of the others where its eigenvalue lambda_c - t is 0: score 0
        there = (length > 0) & (eigenvalues[c] - high > ZERO_EIGENVALUE * eigenvalues[0])
        scores[there, c] = 1 / length[there]
        loadings[there, c] = b[there, :k] / length[there, None]
    return turned_scores(scores, loadings)


def _without_all(z: np.ndarray, eigenvalues: np.ndarray, n: int, k: int) -> np.ndarray:
    """Scores (m, k) of rows z (m, r) on the components of the n - m others."""
    from scipy.linalg import eigh

    m, r = z.shape
    middle = z.sum(axis=0) / (n - m)  # minus the mean of the others, as all rows sum to 0
    # scatter of the others around their own mean: S - sum z z' - (n - m) mean mean'
    gone = np.vstack([z, middle * np.sqrt(n - m)])
    rest = np.diag(eigenvalues) - gone.T @ gone
    # the k largest eigenvalues, rising
    values, vectors = eigh(rest, subset_by_index=[r - k, r - 1], overwrite_a=True)
    there = values[::-1] > ZERO_EIGENVALUE * eigenvalues[0]  # few rows have fewer components
    vectors = np.where(there, vectors[:, ::-1], 0.0)
    scores = (z + middle) @ vectors
    return turned_scores(scores, np.broadcast_to(vectors[:k].T, (m, k, k)))


def turned_scores(scores: np.ndarray, loadings: np.ndarray) -> np.ndarray:
    """Scores (m, k) rotated to the components of all rows.

    `loadings` (m, k, k): row c holds what a row's own component c has of each of those of all rows.
    """
    # orthogonal Procrustes: the rotation nearest to `loadings` is U V' of its decomposition U D V'
    left, _, right = np.linalg.svd(loadings)
    return np.asarray(np.einsum("ma,mab,mbc->mc", scores, left, right))
