"""Fisher's exact test of two-by-two tables, and of missing calls between classes."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .._jit import jit
from .exact_tables import two_sided


def fisher_exact_p(tables: np.ndarray, mid: bool = False) -> np.ndarray:
    """Two-sided p of each table (m,): the probability of the tables at most as probable as it.

    Parameters
    ----------
    tables : ndarray of shape (m, 4) of int
        The upper row of each table, then its lower row.
    mid : bool, default=False
        Count half of the probability of tables exactly as probable as that observed (mid-p).

    Examples
    --------
    >>> fisher_exact_p(np.array([[3, 1, 1, 3], [50, 0, 0, 50]])).round(4).tolist()
    [0.4857, 0.0]
    """
    found = np.empty(len(tables))
    _test_tables(np.ascontiguousarray(tables), mid, found)
    return found


def differential_missingness(called: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """p of each variant (m,) for equal shares of missing calls in all classes.

    For two classes by `fisher_exact_p`; for more, the smallest p of a pair of classes times the
    number of pairs (Bonferroni), at most 1: this is valid, and finds a class that differs from a
    single other one.

    Parameters
    ----------
    called, missing : ndarray of shape (m, C) of int
        Calls of each class that are present and that are missing.

    Examples
    --------
    >>> called = np.array([[90, 99, 98], [95, 95, 95]])
    >>> differential_missingness(called, 100 - called).round(4).tolist()
    [0.029, 1.0]
    """
    pairs = list(combinations(range(called.shape[1]), 2))
    smallest = np.ones(len(called))  # with one class there are no pairs, and all p are 0
    for a, b in pairs:
        table = np.stack([called[:, a], missing[:, a], called[:, b], missing[:, b]], axis=1)
        smallest = np.minimum(smallest, fisher_exact_p(table))
    return np.minimum(smallest * len(pairs), 1.0)


@jit
def _test_tables(tables, mid, found):
    for j in range(len(tables)):
        # as floats, since `two_sided` works with ratios of products of counts
        a, b = np.float64(tables[j, 0]), np.float64(tables[j, 1])
        c, d = np.float64(tables[j, 2]), np.float64(tables[j, 3])
        found[j] = two_sided(a, b, c, d, mid)
