"""Which 0/1 columns of categories a training set has.

A table's levels are those of all its rows. What a part learns must not depend on a level that only
rows held out have: the columns of levels that none of its rows has go, and where two are left the
first, as if the category had two levels. A sample of another level has 0 in all of them.
"""

from __future__ import annotations

import numpy as np

BLOCK_COLUMNS = 4096  # columns looked at together


def observed_level_columns(X: np.ndarray, rows: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Columns of X that a part has (k,), as a mask; of each feature one at least.

    Parameters
    ----------
    X : ndarray of shape (n, k)
        0/1 columns of categories, NaN for missing, among others.
    rows : ndarray
        The part's.
    owner : ndarray of shape (k,) of int
        The category behind each column, -1 for a number. Columns of one stand side by side.

    Examples
    --------
    >>> X = np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0.0]])
    >>> observed_level_columns(X, np.array([0, 1]), np.zeros(3, dtype=int)).tolist()
    [False, False, True]
    """
    kept = np.ones(len(owner), dtype=bool)
    if not len(owner):
        return kept
    starts = np.flatnonzero(np.diff(owner, prepend=owner[0] - 1))
    counts = np.diff(starts, append=len(owner))
    group = np.repeat(np.arange(len(starts)), counts)
    several = np.flatnonzero((owner >= 0) & (counts[group] > 1))
    for start in range(0, len(several), BLOCK_COLUMNS):
        some = several[start : start + BLOCK_COLUMNS]
        kept[some] = (X[np.ix_(rows, some)] == 1).any(axis=0)
    left = np.add.reduceat(kept, starts, dtype=np.int64)
    first = np.flatnonzero(kept)
    first = first[np.flatnonzero(np.diff(group[first], prepend=-1))]  # of each group with any
    two = (left == 2) & (counts > 2) & (owner[starts] >= 0)
    kept[starts[left == 0]] = True
    kept[first[two[group[first]]]] = False
    return kept
