"""Every set of items by brute force, for tables of a few columns."""

from __future__ import annotations

import numpy as np


def with_opposites(X):
    """The columns, and behind them each turned round."""
    return np.hstack([X, ~X])


def all_counts(X, y):
    """Rows of each class that hold each set of columns: (C, 2**p), a set as bits."""
    p = X.shape[1]
    codes = X @ (1 << np.arange(p))
    counts = np.array([np.bincount(codes[y == c], minlength=1 << p) for c in np.unique(y)])
    for j in range(p):  # rows that hold more hold the set too
        pairs = counts.reshape(len(counts), -1, 2, 1 << j)
        pairs[:, :, 0] += pairs[:, :, 1]
    return counts


def maximal_sets(X, y, theta, theta_out, min_size=2):
    """What a search has to find: {(class, columns): rows of each class}.

    A threshold is one number, or one a class. Columns that are 1 in every row are in no set.
    """
    p, (counts, sizes) = X.shape[1], (all_counts(X, y), np.bincount(y))
    places = 1 << np.arange(p)
    every = np.arange(1 << p)
    theta, theta_out = (np.broadcast_to(share, len(sizes)) for share in (theta, theta_out))
    size = ((every[:, None] & places) > 0).sum(axis=1)
    idle = places[X.all(axis=0)].sum()
    found = {}
    for c in range(len(sizes)):
        fine = (size >= min_size) & ((every & idle) == 0)
        for k in range(len(sizes)):
            if k == c:
                fine &= (counts[k] > 0) & (counts[k] >= theta[k] * sizes[k] - 1e-9)
            else:
                fine &= counts[k] <= theta_out[k] * sizes[k] + 1e-9
        larger = np.zeros_like(fine)  # whether some set with one column more is fine
        for place in places:
            without = (every & place) == 0
            larger[without] |= fine[every[without] | place]
        for s in np.flatnonzero(fine & ~larger):
            columns = tuple(np.flatnonzero(s & places).tolist())
            found[c, columns] = tuple(counts[:, s].tolist())
    return found


def random_table(seed, most_columns=9, most_rows=15):
    """Zeros and ones, and 2 or 3 classes of unequal size; some columns are the same in all rows."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, most_rows + 1, rng.integers(2, 4))
    X = rng.random((sizes.sum(), rng.integers(2, most_columns + 1))) < rng.choice([0.3, 0.5, 0.7])
    X[:, 0] |= rng.random() < 0.3
    return X, np.repeat(np.arange(len(sizes)), sizes)
