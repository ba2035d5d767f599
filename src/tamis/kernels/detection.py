"""MAS 5.0 detection: is a probe set's perfect match above its mismatch?

Liu et al. (2002), Bioinformatics 18:1593-1599: the one-sided signed rank test of discrimination
scores (PM - MM)/(PM + MM) against a threshold. `affy_p` is that test as Bioconductor's affy
computes it (`mas5calls`), `exact_p` the exact one.
"""

from __future__ import annotations

import math

import numpy as np

from ._jit import jit

SATURATED_INTENSITY = 46000.0  # a mismatch above this says nothing
MAX_TABLED_PAIRS = 40  # pairs up to which the null distribution of untied ranks is kept
MAX_EXACT_PAIRS = 200  # pairs up to which the null distribution is computed at all


def _order_as_r(values: np.ndarray, order: np.ndarray, n: int) -> None:
    """Shell sort of the first n values, in place, with the gaps of R's `rsort_with_index`.

    The sort is not stable, and the order in which it leaves equal values decides which ties affy
    counts, so it has to be this one.
    """
    for i in range(n):
        order[i] = i
    # gaps 1, 4, 13, 40, ... (h = 3 h + 1), up to about n / 3
    gap = 1
    while gap <= n // 9:
        gap = 3 * gap + 1
    while gap > 0:
        # at the top: values[:i] are sorted at distances of the gap
        for i in range(gap, n):
            value, place = values[i], order[i]
            j = i
            while j >= gap and values[j - gap] > value:
                values[j], order[j] = values[j - gap], order[j - gap]
                j -= gap
            values[j], order[j] = value, place
        gap //= 3


order_as_r = jit(_order_as_r)


def _discrimination_scores(pm: np.ndarray, mm: np.ndarray, tau: float, scores: np.ndarray) -> int:
    """Discrimination scores less tau, without zeros and saturated pairs; returns their number.

    If all mismatches are saturated, all pairs count.
    """
    saturated = 0
    for i in range(len(pm)):
        if mm[i] > SATURATED_INTENSITY:
            saturated += 1
    n = 0
    for i in range(len(pm)):
        if mm[i] > SATURATED_INTENSITY and saturated < len(pm):
            continue
        # R = (PM - MM) / (PM + MM), tested against tau
        score = (pm[i] - mm[i]) / (pm[i] + mm[i]) - tau
        if score != 0.0:  # Wilcoxon: a zero has no sign
            scores[n] = score
            n += 1
    return n


scores_less_tau = jit(_discrimination_scores)


def _signed_ranks(scores: np.ndarray, n: int, sizes: np.ndarray, order: np.ndarray, ranks) -> bool:
    """Twice the mean ranks of |scores|, rising, with the signs of the scores.

    Returns whether any are tied.
    """
    for i in range(n):
        sizes[i] = abs(scores[i])
    order_as_r(sizes, order, n)
    tied = False
    first = 0
    while first < n:
        last = first
        while last + 1 < n and sizes[last + 1] == sizes[first]:
            last += 1
        tied |= last > first
        for i in range(first, last + 1):
            # mean rank of places first..last, from 1: (first + last) / 2 + 1; doubled, an integer
            twice = first + last + 2
            ranks[i] = twice if scores[order[i]] > 0.0 else -twice
        first = last + 1
    return tied


signed_ranks = jit(_signed_ranks)


def _normal_as_affy(z: float) -> float:
    """Phi by the polynomial of Abramowitz and Stegun 26.2.17, with affy's constants."""
    if z > 6.0:
        return 1.0
    if z < -6.0:
        return 0.0
    t = 1.0 / (1.0 + abs(z) * 0.2316419)
    # density phi(z), 1 / sqrt(2 pi) to seven digits
    b = 0.3989423 * math.exp(-z * (z / 2.0))
    # Phi(|z|) = 1 - phi(z) (b1 t + ... + b5 t^5), by Horner's rule
    rest = ((1.330274429 * t - 1.821255978) * t + 1.781477937) * t - 0.356563782
    n = 1.0 - b * ((rest * t + 0.31938153) * t)
    return 1.0 - n if z < 0.0 else n


normal_as_affy = jit(_normal_as_affy)


def _affy_p(ranks: np.ndarray, n: int) -> float:
    """p as affy computes it, from signed doubled ranks.

    Its correction for ties sees only tied ranks next to each other with the same sign, and counts
    one less than there are in such a run. A set without scores has p = 1.
    """
    if n == 0:
        return 1.0
    total, ties, run = 0, 0, 0
    for i in range(n):
        total += max(ranks[i], 0)
        # ranks before this one in its run
        run = run + 1 if i > 0 and ranks[i] == ranks[i - 1] else 0
        # sum of t^3 - t over the runs, t = length - 1, by what the run adds as it grows by one
        ties += (run * run - 1) * run - ((run - 1) * (run - 1) - 1) * (run - 1) if run else 0
    # W - E W, E W = n (n + 1) / 4, and Var W less the correction for ties
    above = total / 2.0 - n * (n + 1) / 4.0
    variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0
    return 1.0 - normal_as_affy(above / math.sqrt(variance))


affy_p = jit(_affy_p)


def _signed_rank_tail(ranks: np.ndarray, n: int, tail: np.ndarray) -> None:
    """P(sum of the positive doubled ranks >= s) for each s, if all signs are equally likely."""
    # at the top of the loop: tail[s] = P(positive ranks among the first i sum to s), s = 0..most
    most = 0
    tail[0] = 1.0
    for i in range(n):
        rank = abs(ranks[i])
        for s in range(most + 1, most + rank + 1):
            tail[s] = 0.0
        most += rank
        # P_i(s) = (P_i-1(s) + P_i-1(s - rank)) / 2, in place: falling s still finds the old value
        # at s - rank
        for s in range(most, -1, -1):
            tail[s] = 0.5 * (tail[s] + (tail[s - rank] if s >= rank else 0.0))
    # summed from the far end, so that the small probabilities there keep their digits
    for s in range(most - 1, -1, -1):
        tail[s] += tail[s + 1]


tail_sums = jit(_signed_rank_tail)


def _exact_p(ranks: np.ndarray, n: int, tied: bool, tables: np.ndarray, work: np.ndarray) -> float:
    """P(W >= w) given the ranks; by the normal distribution for more than `MAX_EXACT_PAIRS`
    pairs.
    """
    total, squares = 0, 0.0
    for i in range(n):
        total += max(ranks[i], 0)
        squares += float(ranks[i]) ** 2
    if not tied and n <= MAX_TABLED_PAIRS:
        return min(tables[n, total], 1.0)  # a sum of rounded terms may exceed 1
    if n > MAX_EXACT_PAIRS:
        # doubled ranks r_i: mean sum(r_i) / 2, variance sum(r_i^2) / 4, which holds for ties too
        z = (total - n * (n + 1) / 2.0) / math.sqrt(squares / 4.0)
        return 0.5 * math.erfc(z / math.sqrt(2.0))
    tail_sums(ranks, n, work)
    return min(work[total], 1.0)


exact_p = jit(_exact_p)


def null_tables() -> np.ndarray:
    """Tails for `exact_p`, untied ranks of n pairs in row n: P(sum of positive doubled ranks >= s)
    in column s.
    """
    # doubled ranks 2, 4, ..., 2 n sum to n (n + 1)
    tables = np.zeros((MAX_TABLED_PAIRS + 1, MAX_TABLED_PAIRS * (MAX_TABLED_PAIRS + 1) + 1))
    for n in range(MAX_TABLED_PAIRS + 1):
        tail_sums(2 * np.arange(1, n + 1), n, tables[n])
    return tables


def _detection_p(
    pm: np.ndarray,
    mm: np.ndarray,
    starts: np.ndarray,
    tau: float,
    exact: bool,
    tables: np.ndarray,
    out: np.ndarray,
) -> None:
    """p-value of each probe set of one array.

    Parameters
    ----------
    pm, mm : ndarray of shape (p,)
        Intensities; the pairs of a set stand side by side.
    starts : ndarray of shape (m + 1,)
        First pair of each set, then p.
    tables : ndarray
        From `null_tables`.
    out : ndarray of shape (m,)
        Gets the p-values.
    """
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    scores, sizes = np.empty(longest), np.empty(longest)
    order, ranks = np.empty(longest, np.int64), np.empty(longest, np.int64)
    # room for the sums 0..n (n + 1) of doubled ranks
    some = min(longest, MAX_EXACT_PAIRS)
    work = np.empty(some * (some + 1) + 1 if exact else 0)
    for s in range(len(starts) - 1):
        first, last = starts[s], starts[s + 1]
        n = scores_less_tau(pm[first:last], mm[first:last], tau, scores)
        tied = signed_ranks(scores, n, sizes, order, ranks)
        out[s] = exact_p(ranks, n, tied, tables, work) if exact else affy_p(ranks, n)


detection_p = jit(_detection_p)
