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
MAX_EXACT_PAIRS = 200  # pairs up to which it is computed


def _order_as_r(values: np.ndarray, order: np.ndarray, n: int) -> None:
    """Shell sort of the first n values with the gaps of R's `rsort_with_index`.

    The order it leaves equal values in decides which ties affy counts.
    """
    for i in range(n):
        order[i] = i
    gap = 1
    while gap <= n // 9:
        gap = 3 * gap + 1
    while gap > 0:
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
    """Discrimination scores less tau, without zeros and saturated pairs; how many there are.

    Where all mismatches are saturated, all pairs count.
    """
    saturated = 0
    for i in range(len(pm)):
        if mm[i] > SATURATED_INTENSITY:
            saturated += 1
    n = 0
    for i in range(len(pm)):
        if mm[i] > SATURATED_INTENSITY and saturated < len(pm):
            continue
        score = (pm[i] - mm[i]) / (pm[i] + mm[i]) - tau
        if score != 0.0:
            scores[n] = score
            n += 1
    return n


scores_less_tau = jit(_discrimination_scores)


def _signed_ranks(scores: np.ndarray, n: int, sizes: np.ndarray, order: np.ndarray, ranks) -> bool:
    """Twice the mean ranks of |scores|, rising, with the signs of the scores; whether any tie."""
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
    b = 0.3989423 * math.exp(-z * (z / 2.0))
    rest = ((1.330274429 * t - 1.821255978) * t + 1.781477937) * t - 0.356563782
    n = 1.0 - b * ((rest * t + 0.31938153) * t)
    return 1.0 - n if z < 0.0 else n


normal_as_affy = jit(_normal_as_affy)


def _affy_p(ranks: np.ndarray, n: int) -> float:
    """p as affy has it, of signed doubled ranks.

    Of tied ranks it counts one less than there are, where they stand next to each other with one
    sign. A set without scores has p = 1.
    """
    if n == 0:
        return 1.0
    total, ties, run = 0, 0, 0
    for i in range(n):
        total += max(ranks[i], 0)
        run = run + 1 if i > 0 and ranks[i] == ranks[i - 1] else 0
        # what a run adds grows with it
        ties += (run * run - 1) * run - ((run - 1) * (run - 1) - 1) * (run - 1) if run else 0
    above = total / 2.0 - n * (n + 1) / 4.0
    variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0
    return 1.0 - normal_as_affy(above / math.sqrt(variance))


affy_p = jit(_affy_p)


def _signed_rank_tail(ranks: np.ndarray, n: int, tail: np.ndarray) -> None:
    """P(sum of the doubled ranks with sign + >= s) for each s, all signs being equally likely."""
    most = 0
    tail[0] = 1.0
    for i in range(n):
        rank = abs(ranks[i])
        for s in range(most + 1, most + rank + 1):
            tail[s] = 0.0
        most += rank
        for s in range(most, -1, -1):
            tail[s] = 0.5 * (tail[s] + (tail[s - rank] if s >= rank else 0.0))
    for s in range(most - 1, -1, -1):
        tail[s] += tail[s + 1]


tail_sums = jit(_signed_rank_tail)


def _exact_p(ranks: np.ndarray, n: int, tied: bool, tables: np.ndarray, work: np.ndarray) -> float:
    """P(W >= w) given the ranks; of more than `MAX_EXACT_PAIRS` pairs by the normal
    distribution.
    """
    total, squares = 0, 0.0
    for i in range(n):
        total += max(ranks[i], 0)
        squares += float(ranks[i]) ** 2
    if not tied and n <= MAX_TABLED_PAIRS:
        return min(tables[n, total], 1.0)
    if n > MAX_EXACT_PAIRS:
        z = (total - n * (n + 1) / 2.0) / math.sqrt(squares / 4.0)
        return 0.5 * math.erfc(z / math.sqrt(2.0))
    tail_sums(ranks, n, work)
    return min(work[total], 1.0)


exact_p = jit(_exact_p)


def null_tables() -> np.ndarray:
    """Row n: tails of untied ranks of n pairs, for `exact_p`."""
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
    """p of each probe set of one array.

    Parameters
    ----------
    pm, mm : ndarray of shape (p,)
        The pairs of a set side by side.
    starts : ndarray of shape (m + 1,)
        First pair of each set, and p.
    tables : ndarray
        Of `null_tables`.
    out : ndarray of shape (m,)
        Gets the p-values.
    """
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    scores, sizes = np.empty(longest), np.empty(longest)
    order, ranks = np.empty(longest, np.int64), np.empty(longest, np.int64)
    some = min(longest, MAX_EXACT_PAIRS)
    work = np.empty(some * (some + 1) + 1 if exact else 0)
    for s in range(len(starts) - 1):
        first, last = starts[s], starts[s + 1]
        n = scores_less_tau(pm[first:last], mm[first:last], tau, scores)
        tied = signed_ranks(scores, n, sizes, order, ranks)
        out[s] = exact_p(ranks, n, tied, tables, work) if exact else affy_p(ranks, n)


detection_p = jit(_detection_p)
