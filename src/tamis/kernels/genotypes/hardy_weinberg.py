"""Exact test of Hardy-Weinberg equilibrium (Wigginton, Cutler and Abecasis 2005).

Given the copies of both alleles, h heterozygotes have the probability
2^h n! / (a! h! d!) * A! B! / (2n)!; p is that of all h as improbable as the one seen, or more.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .exact_tables import two_sided


def hardy_weinberg(counts: np.ndarray, mid: bool = False) -> np.ndarray:
    """p of each variant (m,).

    Parameters
    ----------
    counts : ndarray of shape (m, 3 or more) of int
        Two copies of an allele, one, none; what stands behind them (missing) is not looked at.
    mid : bool, default=False
        Count what is as probable as what was seen by half (Graffelman and Moreno 2013): less
        conservative, and 1/2 for a variant of one allele alone.

    Examples
    --------
    >>> hardy_weinberg(np.array([[3, 62, 354], [0, 347, 0], [0, 0, 5]])).round(4).tolist()
    [0.7454, 0.0, 1.0]
    """
    found = np.empty(len(counts))
    _test_rows(np.asarray(counts), mid, found)
    return found


@jit
def _test_rows(counts, mid, found):
    for j in range(len(counts)):
        h = np.float64(counts[j, 1])
        a, d = np.float64(counts[j, 0]), np.float64(counts[j, 2])
        found[j] = two_sided(a, h / 2, (h - 1) / 2, d, mid)
