"""Fayyad and Irani's cuts of one numeric column whose rows have weights."""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .cuts import SUM_SLACK, _distinct_values, _marked_midpoints


@jit
def weighted_mdl_cuts(values, codes, weights, n_classes):
    """`cuts.mdl_cuts` of weighted rows: a row of weight 2 counts like a row given twice.

    Sums of weights take the place of counts, also in N; an interval of a weight below 2 pays no
    bits for the place of its cut.

    Parameters
    ----------
    values : (n,) float64, increasing, no NaN
    codes : (n,) int64
    weights : (n,) float64, above 0
    """
    distinct, before = _distinct_values(values, codes, n_classes)
    v = len(distinct)
    # sums[i]: class weights of everything before the i-th distinct value, as `before` has the rows
    sums, r = np.zeros((v + 1, n_classes)), 0
    for i in range(v):
        sums[i + 1] = sums[i]
        while r < len(values) and values[r] == distinct[i]:
            sums[i + 1, codes[r]] += weights[r]
            r += 1
    marked = np.zeros(v, dtype=np.bool_)
    waiting = [(0, v)]  # intervals of distinct values still to be cut
    while len(waiting) > 0:
        low, high = waiting.pop()
        parent, n, k = _weighted_information(before, sums, low, high)
        # ties go to the first cut: a later one must be lower by more than rounding
        slack = SUM_SLACK * abs(n * np.log2(n)) if n > 0 else 0.0
        best, cut = parent - slack, -1
        for i in range(low + 1, high):
            left, _, _ = _weighted_information(before, sums, low, i)
            right, _, _ = _weighted_information(before, sums, i, high)
            if left + right < best:
                best, cut = left + right - slack, i
        if cut < 0:
            continue
        left, n1, k1 = _weighted_information(before, sums, low, cut)
        right, n2, k2 = _weighted_information(before, sums, cut, high)
        # Fayyad & Irani (1993): cut if Gain > (log2(N - 1) + delta) / N,
        # delta = log2(3^k - 2) - (k Ent - k1 Ent1 - k2 Ent2); log2(3^k - 2) without overflow of 3^k
        delta = k * np.log2(3.0) + np.log2(1 - 2 * 3.0 ** (-k))
        delta -= k * parent / n - k1 * left / n1 - k2 * right / n2
        # both sides times N
        if parent - left - right > np.log2(max(n - 1.0, 1.0)) + delta:
            marked[cut] = True
            waiting.append((low, cut))
            waiting.append((cut, high))
    return _marked_midpoints(distinct, marked)


@jit
def _weighted_information(before, sums, low, high):
    """N times the class entropy in bits, N, and the number of classes of an interval.

    Counts of rows decide which classes occur: a difference of sums may be rounding alone.
    """
    n, k, inside = 0.0, 0, 0.0
    for c in range(before.shape[1]):
        if before[high, c] > before[low, c]:
            m = max(sums[high, c] - sums[low, c], 0.0)
            n += m
            k += 1
            inside += m * np.log2(m) if m > 0 else 0.0
    # N Ent = N log2 N - sum_c m_c log2 m_c
    return (n * np.log2(n) - inside if n > 0 else 0.0), n, k
