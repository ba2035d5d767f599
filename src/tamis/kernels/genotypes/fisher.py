"""Fisher's exact test of tables two by two, and of calls missing more in one class than another."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .._jit import jit
from .exact_tables import two_sided


def fisher_exact_p(tables: np.ndarray, mid: bool = False) -> np.ndarray:
    """Two-sided p of each table (m,): the share of those as improbable as it, or more.

    Parameters
    ----------
    tables : ndarray of shape (m, 4) of int
        The upper row, then the lower one.
    mid : bool, default=False
        Count what is as probable as what was seen by half.

    Examples
    --------
    >>> fisher_exact_p(np.array([[3, 1, 1, 3], [50, 0, 0, 50]])).round(4).tolist()
    [0.4857, 0.0]
    """
    found = np.empty(len(tables))
    _test_tables(np.ascontiguousarray(tables), mid, found)
    return found


def differential_missingness(called: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """p of each variant (m,) of equal shares of missing calls in all classes.

    Of two classes by `fisher_exact_p`; of more, the smallest p of a pair of classes times the
    number of pairs (Bonferroni), at most 1: valid, and it finds the class that differs from one
    other.

    Parameters
    ----------
    called, missing : ndarray of shape (m, C) of int
        Calls of each class, those there are and those that are missing.

    Examples
    --------
    >>> called = np.array([[90, 99, 98], [95, 95, 95]])
    >>> differential_missingness(called, 100 - called).round(4).tolist()
    [0.029, 1.0]
    """
    pairs = list(combinations(range(called.shape[1]), 2))
    smallest = np.ones(len(called))
    for a, b in pairs:
        table = np.stack([called[:, a], missing[:, a], called[:, b], missing[:, b]], axis=1)
        smallest = np.minimum(smallest, fisher_exact_p(table))
    return np.minimum(smallest * len(pairs), 1.0)


@jit
def _test_tables(tables, mid, found):
    for j in range(len(tables)):
        a, b = np.float64(tables[j, 0]), np.float64(tables[j, 1])
        c, d = np.float64(tables[j, 2]), np.float64(tables[j, 3])
        found[j] = two_sided(a, b, c, d, mid)
