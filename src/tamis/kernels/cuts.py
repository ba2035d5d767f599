"""Cut points of one numeric column from its sorted values and their class codes.

Every search works on the distinct values and the class counts up to each of them, so that the
counts of any interval are one subtraction. Cuts are midpoints between neighbouring distinct
values, returned in increasing order.

Ties go to the first (smallest) cut. Scores that are equal on paper can differ in the last bits,
so a score counts as better only past a relative 1e-13: ties are then those of exact arithmetic.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit

SUM_SLACK = 1e-13  # above the rounding of a sum of a few dozen terms, below any real difference
CHI2_GRID = 2.0**30  # chi-squares are compared in units of 2^-30, again so that ties are exact
NEVER_JOINED = np.iinfo(np.int64).max  # a chi-square that joins nothing


def x_log2_x(n: int) -> np.ndarray:
    """k log2 k for k = 0..n, with 0 log2 0 = 0."""
    k = np.arange(n + 1, dtype=np.float64)
    k[1:] *= np.log2(k[1:])
    return k


@jit
def _distinct_values(values, codes, n_classes):
    """Distinct values (v,), class counts of everything before each of them (v + 1, C)."""
    n = len(values)
    distinct = np.empty(n)
    before = np.zeros((n + 1, n_classes), dtype=np.int64)
    v = 0  # distinct values so far; before[v] has the counts of all values up to the last of them
    for i in range(n):
        if i == 0 or values[i] != values[i - 1]:
            distinct[v] = values[i]
            v += 1
            before[v] = before[v - 1]
        before[v, codes[i]] += 1
    return distinct[:v], before[: v + 1]


@jit
def _count_observed(before):
    """The number of classes that occur in the column."""
    seen = 0
    for c in range(before.shape[1]):
        seen += before[-1, c] > 0
    return seen


@jit
def cut_midpoint(low, high):
    """Halfway between two neighbours, and at least `low` but below `high` in floating point."""
    middle = (low + high) / 2
    if not np.isfinite(middle):  # the sum overflowed
        middle = low / 2 + high / 2
    # halfway between neighbouring doubles may be rounded to `high`; (a, low] parts them as well
    return middle if low <= middle < high else low


@jit
def _marked_midpoints(distinct, marked):
    """The cut before every marked distinct value."""
    cuts = np.empty(marked.sum())
    k = 0
    for i in range(1, len(distinct)):
        if marked[i]:
            cuts[k] = cut_midpoint(distinct[i - 1], distinct[i])
            k += 1
    return cuts


# Fayyad & Irani's minimum description length -----------------------------------------------


@jit
def mdl_cuts(values, codes, n_classes, xlogx):
    """Recursive least-entropy cuts, each accepted by the MDL criterion.

    Parameters
    ----------
    values : (n,) float64, increasing, no NaN
    codes : (n,) int64
    xlogx : (n + 1 or more,) float64
        ``x_log2_x(n)``; N times an entropy is then a sum of looked-up terms.
    """
    distinct, before = _distinct_values(values, codes, n_classes)
    v = len(distinct)
    marked = np.zeros(v, dtype=np.bool_)
    only = np.full(v, -1)  # the class of a value that has one class only
    for i in range(v):
        total = before[i + 1].sum() - before[i].sum()
        for c in range(n_classes):
            if before[i + 1, c] - before[i, c] == total:
                only[i] = c
    waiting = [(0, v)]  # intervals of distinct values, each low <= i < high, still to be cut
    while len(waiting) > 0:
        low, high = waiting.pop()
        parent, n, k = _interval_information(before, low, high, xlogx)
        # an interval of one class has parent = 0 and gets no cut: below, k >= 2
        best, cut = parent - SUM_SLACK * xlogx[n], -1
        for i in range(low + 1, high):
            # the entropy is least at a class boundary (Fayyad & Irani 1992)
            if only[i] >= 0 and only[i] == only[i - 1]:
                continue
            left, _, _ = _interval_information(before, low, i, xlogx)
            right, _, _ = _interval_information(before, i, high, xlogx)
            if left + right < best:
                best, cut = left + right - SUM_SLACK * xlogx[n], i
        if cut < 0:
            continue
        # computed again, since `best` is less by the slack
        left, n1, k1 = _interval_information(before, low, cut, xlogx)
        right, n2, k2 = _interval_information(before, cut, high, xlogx)
        # delta = log2(3^k - 2) - (k E - k1 E1 - k2 E2), without the overflow of 3^k
        delta = k * np.log2(3.0) + np.log2(1 - 2 * 3.0 ** (-k))
        delta -= k * parent / n - k1 * left / n1 - k2 * right / n2
        if parent - left - right > np.log2(n - 1.0) + delta:  # both sides times n
            marked[cut] = True
            waiting.append((low, cut))
            waiting.append((cut, high))
    return _marked_midpoints(distinct, marked)


@jit
def _interval_information(before, low, high, xlogx):
    """N times the class entropy in bits, N, and the number of classes of an interval."""
    n, k, inside = 0, 0, 0.0
    for c in range(before.shape[1]):
        m = before[high, c] - before[low, c]
        n += m
        k += m > 0
        inside += xlogx[m]
    return xlogx[n] - inside, n, k


# CAIM and Ameva: one cut at a time from the top --------------------------------------------


@jit
def top_down_cuts(values, codes, n_classes, caim):
    """Greedy cuts that raise CAIM (`caim`) or else Ameva, while they do.

    Both criteria are a sum over the intervals divided by their number, so a cut changes one
    term only: its gain stays right until its own interval is cut. With k intervals

    CAIM(k) = sum max_r^2 / M_r / k,  Ameva(k) = chi2 / (k (l - 1)),
    chi2 = N (sum n_ij^2 / (n_i n_j) - 1),

    here divided by N and N / (l - 1), which changes no comparison.
    """
    distinct, before = _distinct_values(values, codes, n_classes)
    v, n_seen = len(distinct), _count_observed(before)
    marked = np.zeros(v, dtype=np.bool_)
    if n_seen < 2:
        return np.empty(0)
    # what a cut before each value would add to the sum; -1 at those made, since by Cauchy-Schwarz
    # no gain is negative
    gain = np.full(v, -1.0)
    _cut_gains(before, 0, v, caim, gain)
    total = _interval_term(before, 0, v, caim)
    reached, k = 0.0, 1  # the criterion of one interval counts as 0
    while k < v:
        best, cut = -1.0, -1
        for i in range(1, v):
            if gain[i] > best + SUM_SLACK:
                best, cut = gain[i], i
        # CAIM goes on until there are as many intervals as classes, even if it falls
        criterion = (total + best) / (k + 1) if caim else (total + best - 1) / (k + 1)
        if not (criterion > reached + SUM_SLACK or (caim and k < n_seen)):
            break
        reached, total, k = criterion, total + best, k + 1
        marked[cut] = True
        gain[cut] = -1.0
        low, high = cut - 1, cut + 1  # become the cuts on either side
        while low > 0 and not marked[low]:
            low -= 1
        while high < v and not marked[high]:
            high += 1
        _cut_gains(before, low, cut, caim, gain)
        _cut_gains(before, cut, high, caim, gain)
    return _marked_midpoints(distinct, marked)


@jit
def _cut_gains(before, low, high, caim, gain):
    """Write to `gain` what each cut inside the interval would add to the sum."""
    parent = _interval_term(before, low, high, caim)
    for i in range(low + 1, high):
        gain[i] = (
            _interval_term(before, low, i, caim) + _interval_term(before, i, high, caim) - parent
        )


@jit
def _interval_term(before, low, high, caim):
    """An interval's part of the sum, at most 1 (CAIM) or the number of classes (Ameva)."""
    m, n, largest, squares = 0, 0, 0, 0.0
    for c in range(before.shape[1]):
        count = before[high, c] - before[low, c]
        m += count
        n += before[-1, c]
        largest = max(largest, count)
        if count > 0:
            squares += count * (count / before[-1, c])
    # max_r^2 / (M_r N), or the sum over classes of n_ij^2 / (n_i n_j)
    return largest / m * (largest / n) if caim else squares / m


# ChiMerge: neighbours join from the bottom --------------------------------------------------


@jit
def chimerge_cuts(values, codes, n_classes, thresholds):
    """Join the neighbours with the least chi-square until all exceed the threshold.

    Neighbours of the same class shares have a chi-square of 0 and come before all others, so
    one pass from the left joins them: in a column without ties, each run of one class.

    Parameters
    ----------
    values : (n,) float64, increasing, no NaN
    codes : (n,) int64
    thresholds : (n_classes,) float64
        By degrees of freedom, which are the number of classes that occur, less one.
    """
    distinct, before = _distinct_values(values, codes, n_classes)
    v, n_seen = len(distinct), _count_observed(before)
    marked = np.zeros(v, dtype=np.bool_)
    if n_seen < 2:
        return np.empty(0)
    limit = np.int64(np.floor(thresholds[n_seen - 1] * CHI2_GRID))
    counts, sizes, starts = _equal_runs(before)
    k = len(starts)
    # a list linked both ways; its ends are k and -1
    following, preceding = np.arange(1, k + 1), np.arange(-1, k - 1)
    leaves = 1
    while leaves < k:
        leaves *= 2
    # a tree of minima, so that a join costs O(log k): least[leaves + i] is the chi-square of
    # interval i and the next, least[i] the lesser of least[2 i] and least[2 i + 1]
    least = np.full(2 * leaves, NEVER_JOINED)
    for i in range(k - 1):
        least[leaves + i] = _chi_square(counts, sizes, i, i + 1)
    for i in range(leaves - 1, 0, -1):
        least[i] = min(least[2 * i], least[2 * i + 1])
    while least[1] <= limit:  # equality joins
        left = 1
        while left < leaves:  # down to the leftmost of the least
            left *= 2
            left += least[left] > least[1]
        left -= leaves
        right = following[left]
        after, first = following[right], preceding[left]
        for c in range(n_classes):
            counts[left, c] += counts[right, c]
        sizes[left] += sizes[right]
        starts[right] = 0
        following[left] = after
        _replace_leaf(least, leaves + right, NEVER_JOINED)
        if after < k:
            preceding[after] = left
            _replace_leaf(least, leaves + left, _chi_square(counts, sizes, left, after))
        else:
            _replace_leaf(least, leaves + left, NEVER_JOINED)
        if first >= 0:
            _replace_leaf(least, leaves + first, _chi_square(counts, sizes, first, left))
    marked[starts] = True
    marked[0] = False  # the start of the first interval, and of all that joined another
    return _marked_midpoints(distinct, marked)


@jit
def _equal_runs(before):
    """Class counts, size and first value of the longest intervals of equal class shares."""
    v, n_classes = len(before) - 1, before.shape[1]
    counts = np.zeros((v, n_classes), dtype=np.int64)
    sizes, starts = np.zeros(v, dtype=np.int64), np.zeros(v, dtype=np.int64)
    k = -1
    for i in range(v):
        size = 0
        for c in range(n_classes):
            size += before[i + 1, c] - before[i, c]
        same = k >= 0
        # equal shares by n_c N' = n'_c N: exact in whole numbers
        for c in range(n_classes):
            same &= k < 0 or (before[i + 1, c] - before[i, c]) * sizes[k] == counts[k, c] * size
        if not same:
            k += 1
            starts[k] = i
        sizes[k] += size
        for c in range(n_classes):
            counts[k, c] += before[i + 1, c] - before[i, c]
    return counts[: k + 1], sizes[: k + 1], starts[: k + 1]


@jit
def _replace_leaf(least, leaf, value):
    """Set a leaf of the tree of minima, and the minima above it."""
    least[leaf] = value
    while leaf > 1:
        value = min(value, least[leaf ^ 1])  # the sibling
        leaf >>= 1
        least[leaf] = value


@jit
def _chi_square(counts, sizes, i, j):
    """Chi-square of two rows of counts in units of 2^-30, denominators at least 1/2 (Kerber)."""
    n1, n2 = sizes[i], sizes[j]
    n = n1 + n2
    total = 0.0
    for c in range(counts.shape[1]):
        a, b = counts[i, c], counts[j, c]
        if a + b > 0:
            gap = (a * n2 - b * n1) / n  # observed less expected, exact before dividing
            total += gap * gap / max(n1 * (a + b) / n, 0.5) + gap * gap / max(n2 * (a + b) / n, 0.5)
    return np.int64(np.rint(total * CHI2_GRID))
