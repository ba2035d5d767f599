"""Exact test of Hardy-Weinberg equilibrium (Wigginton, Cutler and Abecasis 2005).

Given A and B copies of the two alleles in n samples, h heterozygotes (and a and d homozygotes) have
the probability 2^h n! / (a! h! d!) * A! B! / (2n)!. p is the total probability of all h that are at
most as probable as the one observed.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .exact_tables import two_sided


def hardy_weinberg(counts: np.ndarray, mid: bool = False) -> np.ndarray:
    """Two-sided p of each variant, (m,).

    Parameters
    ----------
    counts : ndarray of shape (m, 3 or more) of int
        Samples with two copies of an allele, one and none; further columns (missing calls) are
        ignored.
    mid : bool, default=False
        Outcomes as probable as the one observed count half (Graffelman and Moreno 2013): less
        conservative, and 1/2 for a variant with only one allele.

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
        # P(h - 2) / P(h) = h (h - 1) / (4 (a + 1) (d + 1)), which is b c / ((a + 1) (d + 1)) with
        # b = h / 2 and c = (h - 1) / 2: a step of the walk of `two_sided`
        h = np.float64(counts[j, 1])
        a, d = np.float64(counts[j, 0]), np.float64(counts[j, 2])
        found[j] = two_sided(a, h / 2, (h - 1) / 2, d, mid)
